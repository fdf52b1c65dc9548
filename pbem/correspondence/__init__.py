"""Correspondence: a game by mail. What arrives is judged and filed, and what the player owes is mailed."""
