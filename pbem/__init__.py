"""Play board wargames by e-mail: one signed file, full rules, verifiable draws, no server.

As a library, `import pbem` reads, verifies and replays games, and judges orders: docs/LIBRARY.md. Nothing is
loaded before it is used.
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
"""The public names; everything else may change."""

TYPE_CHECKING = False
"""Replaces `typing.TYPE_CHECKING`: importing typing would take ten times as long as this module."""

if TYPE_CHECKING:
    from pbem.library import Answer as Answer
    from pbem.library import Attack as Attack
    from pbem.library import Draw as Draw
    from pbem.library import Entry as Entry
    from pbem.library import FileError as FileError
    from pbem.library import Game as Game
    from pbem.library import IllegalOrder as IllegalOrder
    from pbem.library import OrderError as OrderError
    from pbem.library import OverBudget as OverBudget
    from pbem.library import Player as Player
    from pbem.library import Position as Position
    from pbem.library import Question as Question
    from pbem.library import Result as Result
    from pbem.library import Rules as Rules
    from pbem.library import VerificationError as VerificationError
    from pbem.library import read as read
    from pbem.library import rules as rules
else:

    def __getattr__(name):
        """Load a name of `pbem.library` at its first use."""
        if name not in __all__:
            raise AttributeError(f"module 'pbem' has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module("pbem.library"), name)

    def __dir__():
        """The public names, for completion."""
        return __all__
