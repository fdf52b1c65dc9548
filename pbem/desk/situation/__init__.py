"""The state of a game for a player: what is new, what is asked, until when; in data, and in sentences."""
