"""Objects as JSON, and the schemas that describe them."""
