"""Studies: whether a conclusion holds over many designs."""
