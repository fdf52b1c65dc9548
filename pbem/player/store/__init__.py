"""The game store: each game's newest log, what was signed here and has left, and how other files compare."""
