"""The umpire: the only place that joins the signed file and the rules of games.

`open_game` verifies and replays a file; `write` makes and signs a player's own entries; a `Game` is a
verified log with the effect of each entry.
"""
