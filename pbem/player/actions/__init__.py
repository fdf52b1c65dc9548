"""Actions: what a player may do in a game. Each is checked, described and signed, on whatever surface."""
