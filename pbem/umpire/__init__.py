"""The umpire: the only place that joins journal, draws, keys and rules.

`open_game` checks and replays a file, `write` makes one's own entries, and a `Game` says who owes what
and what has happened.
"""
