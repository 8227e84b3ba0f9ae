"""Where an item of a sample stands among all items."""
