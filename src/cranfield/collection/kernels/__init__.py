"""Compiled inner loops of stage 2, each tested equal to the definition it accelerates."""
