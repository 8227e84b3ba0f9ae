"""The biases of an experiment: sparsity, popularity, and the protocols that neutralise them."""
