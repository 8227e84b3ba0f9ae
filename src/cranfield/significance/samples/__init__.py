"""Scores user by user, paired and ready to be compared."""
