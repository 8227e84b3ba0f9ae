"""One experiment from definition to results."""
