"""Reading text: its layout, a fast reader, and an exact one that names the faulty line."""
