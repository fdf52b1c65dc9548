"""Play board wargames by e-mail: one signed file, full rules, verifiable draws, no server.

As a library, `import pbem` reads, verifies and replays games, and judges orders: docs/LIBRARY.md. A name is
loaded when it is first used.
"""

from pbem.version import __version__ as __version__

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
    "__version__",
    "read",
    "rules",
]
"""The public names; everything else can change at any time."""

TYPE_CHECKING = False
"""Stands in for `typing.TYPE_CHECKING`: importing typing takes ten times as long as this module."""

if TYPE_CHECKING:
    from pbem.api import Answer as Answer
    from pbem.api import Attack as Attack
    from pbem.api import Draw as Draw
    from pbem.api import Entry as Entry
    from pbem.api import FileError as FileError
    from pbem.api import Game as Game
    from pbem.api import IllegalOrder as IllegalOrder
    from pbem.api import OrderError as OrderError
    from pbem.api import OverBudget as OverBudget
    from pbem.api import Player as Player
    from pbem.api import Position as Position
    from pbem.api import Question as Question
    from pbem.api import Result as Result
    from pbem.api import Rules as Rules
    from pbem.api import VerificationError as VerificationError
    from pbem.api import read as read
    from pbem.api import rules as rules
else:

    def __getattr__(name):
        """Load a name from `pbem.api` when it is first used."""
        if name not in __all__:
            raise AttributeError(f"module 'pbem' has no attribute {name!r}")
        from importlib import import_module  # under 1 ms

        return getattr(import_module("pbem.api"), name)

    def __dir__():
        """The public names, for tab completion."""
        return __all__
