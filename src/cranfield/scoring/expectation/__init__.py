"""What a random ranking and the best possible ranking would score."""
