"""Execution: the one pipeline from data to results."""
