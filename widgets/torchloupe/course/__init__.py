"""The course: which chapters there are, laying them out for a person, and checking exercises."""
