"""How a game stands for a player: what is new, what is asked, until when; in data, and in sentences."""
