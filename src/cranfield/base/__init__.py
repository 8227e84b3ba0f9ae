"""Stage 1 of 8: what every stage stands on."""
