"""Acts: what a player may do in a game, each checked, told and carried out in one way."""
