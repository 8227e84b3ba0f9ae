"""Stage 3 of 8: what systems propose, as rankings over chosen targets."""
