"""Compiled inner loops of stage 3, each tested equal to the definition it accelerates."""
