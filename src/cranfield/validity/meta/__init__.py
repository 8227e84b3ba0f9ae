"""Meta-evaluation: whether a metric agrees with itself and tells systems apart."""
