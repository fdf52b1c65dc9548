"""Many games between computer players: how fair a scenario is, what decided a game, the effect of each move.

Nothing here is signed, sealed or saved in the game store: rules and computer players run as they are, with
seeds instead of the draws of two people.
"""
