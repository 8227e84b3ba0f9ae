"""Metrics over all topics at once; each equals its definition in ``metrics``."""
