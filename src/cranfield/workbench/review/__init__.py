"""Review: what a reviewer asks of results, and how two results differ."""
