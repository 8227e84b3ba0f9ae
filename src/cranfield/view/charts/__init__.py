"""Charts: what is drawn, and how it becomes SVG or a file."""
