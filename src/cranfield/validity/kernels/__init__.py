"""Compiled loops of thinning."""
