"""Plans: decisions frozen before any result, and what was changed since."""
