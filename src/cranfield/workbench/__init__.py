"""Stage 8 of 8: where experiments are defined and run."""
