"""What the machine gives: memory, BLAS threads, versions, pages."""
