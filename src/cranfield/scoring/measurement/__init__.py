"""From hits to scores: all metrics in as few passes as possible."""
