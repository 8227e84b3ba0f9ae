"""What a data set looks like, in figures."""
