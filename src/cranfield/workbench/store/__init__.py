"""The store: what was computed, by the fingerprint of what it was computed from."""
