"""What several commands share: arguments, output, interrupts, kernels compiled ahead."""
