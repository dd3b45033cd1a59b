"""What every lens needs, one idea a file."""
