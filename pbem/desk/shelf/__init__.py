"""The home's record of each game: its logs, the entries that have left, and the relation of other files."""
