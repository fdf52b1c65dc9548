"""Correspondence: mail joined with the player's desk. What comes is judged, what is owed is answered."""
