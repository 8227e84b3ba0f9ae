"""Compiled inner loops of the base, each tested equal to what it accelerates."""
