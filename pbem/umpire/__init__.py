"""The umpire: the only place that joins journal, draws, keys and rules.

`open_game` checks and replays a file, `write` makes one's own entries, and a `Game` says who owes what
and what has happened.
"""

from pbem.umpire.game import Chapter, Game
from pbem.umpire.owed import Owed, owed
from pbem.umpire.verify import open_game, read_log, steps

__all__ = ["Chapter", "Game", "Owed", "open_game", "owed", "read_log", "steps"]
