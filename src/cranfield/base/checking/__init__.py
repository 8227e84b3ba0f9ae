"""Parts of the one checker: how values are spelled, read and compared."""
