"""The umpire: the only place that joins the signed file and the rules of games.

`open_game` checks and replays a file, `write` makes and signs a player's own entries, and a `Game` is the log
with what each entry led to.
"""
