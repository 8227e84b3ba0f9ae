"""Stage 7 of 8: how results are shown."""
