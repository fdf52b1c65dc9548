"""What every game is made of: hexes, requests, runs. It knows no game, no file, no key and no clock."""
