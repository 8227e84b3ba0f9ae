"""Ranking: predictions or given lists in, runs and hits out."""
