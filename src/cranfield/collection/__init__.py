"""Stage 2 of 8: the test collection, all that is known before a system is asked."""
