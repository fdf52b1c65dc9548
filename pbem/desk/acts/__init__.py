"""Acts: what a player may do in a game. Each is checked, told and signed here, whichever way he was met."""
