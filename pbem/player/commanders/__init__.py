"""Who orders beside the player: the commanders of his side, and the program."""
