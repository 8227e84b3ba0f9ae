"""Stage 4 of 8: how good each ranking is."""
