"""Study: an experiment whose decisions are varied, and its designs."""
