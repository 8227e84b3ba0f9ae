"""The paragraph of methods, with what it cites."""
