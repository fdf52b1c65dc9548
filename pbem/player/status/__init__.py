"""The status of a game for a player: what is new, what is pending, until when; as data and in sentences."""
