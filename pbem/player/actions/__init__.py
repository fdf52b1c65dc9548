"""Actions: what a player can do in a game, each checked, described and signed in one way on every surface."""
