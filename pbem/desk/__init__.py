"""A player's own things: key, shelf, practice, calendar, and in which order a move is saved."""
