"""Many games by practice players: how fair a scenario is, and what turned one game.

Nothing here is signed, sealed or written to the game store: rules and players run as they are, with seeds in
place of what two people draw.
"""
