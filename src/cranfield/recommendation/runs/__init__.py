"""Runs: ranked lists from files and tables, and what is odd in them."""
