"""Many games by practice players: how fair a scenario is, and what might have become of one game.

Nothing here is signed, sealed or kept on the shelf: rules and players run as they are, with seeds in place of
what two people draw.
"""
