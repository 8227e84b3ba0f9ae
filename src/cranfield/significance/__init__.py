"""Stage 5 of 8: whether a difference is real."""
