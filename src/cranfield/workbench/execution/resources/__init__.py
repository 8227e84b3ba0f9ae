"""What an experiment costs: time and memory."""
