"""Compiled inner loops of stage 1, each tested equal to the definition it accelerates."""
