"""Simulated data, and the truth behind them."""
