"""Many designs of one experiment, and what follows from them."""
