"""Meta-evaluation: whether a metric agrees with itself and separates systems."""
