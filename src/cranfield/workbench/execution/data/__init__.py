"""Data as experiments need them: read, filtered and split once."""
