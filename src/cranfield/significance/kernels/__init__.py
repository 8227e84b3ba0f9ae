"""The work of tests by drawing, compiled."""
