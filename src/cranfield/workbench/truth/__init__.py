"""Studies on simulated data, where the true order of systems is known."""
