"""Tables for the terminal and for LaTeX."""
