"""Tuning: which settings of a system are tried, and what came of each."""
