"""Many games by practice players: how fair a scenario is, what turned one game, and what each move did.

Nothing here is signed, sealed or written to the game store: rules and players run as they are, with seeds in
place of what two people draw.
"""
