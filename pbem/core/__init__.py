"""What all games share: hexes, requests, runs. It knows nothing of any one game, of files, keys or clocks."""
