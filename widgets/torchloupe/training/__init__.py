"""Loss curves that follow a running cell: recording, and reading runs back."""
