"""The library: what a program or a notebook may use of pbem, by `import pbem`.

`pbem/__init__.py` says what is public, and loads it from here when it is wanted. Names, signatures and what
docstrings say change only as the changelog tells; all else may change. docs/LIBRARY.md has examples.
"""

from pbem.errors import FileError, IllegalOrder, OrderError, OverBudget, VerificationError
from pbem.library.games import Draw, Entry, Game, Player, read
from pbem.library.positions import Answer, Attack, Position, Question, Result, Rules, rules

__all__ = [
    "Answer",
    "Attack",
    "Draw",
    "Entry",
    "FileError",
    "Game",
    "IllegalOrder",
    "OrderError",
    "OverBudget",
    "Player",
    "Position",
    "Question",
    "Result",
    "Rules",
    "VerificationError",
    "read",
    "rules",
]
