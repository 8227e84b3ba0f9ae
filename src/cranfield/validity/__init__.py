"""Stage 6 of 8: whether the measurement can be trusted."""
