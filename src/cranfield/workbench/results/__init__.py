"""Results: what was found, written, read, verified and put into words."""
