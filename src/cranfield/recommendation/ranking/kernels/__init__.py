"""Compiled loops that order predictions and find judged items."""
