"""How nouns show themselves: previews, pages, tables."""
