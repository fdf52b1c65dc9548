"""The parts of every game: hexes, requests, runs. Knows no game, no file, no key and no clock."""
