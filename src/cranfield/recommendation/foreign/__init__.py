"""Models that were made elsewhere: one file for each library, and how they are told apart."""
