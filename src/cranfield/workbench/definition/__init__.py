"""Definitions: Experiment and Study, and the tables and files they are read from."""
