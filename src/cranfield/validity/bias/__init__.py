"""Bias: what a ranking that knows nothing of the user is expected to score."""
