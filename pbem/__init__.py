"""Play board wargames by e-mail: one signed file, full rules, verifiable draws, no server.

As a library, `import pbem` reads, verifies and walks games, and judges orders: docs/LIBRARY.md. Nothing is
loaded before it is used.
"""

__version__ = "0.1.0"

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
"""The public names; all else may change."""

TYPE_CHECKING = False
"""Stands for the name in `typing`, whose import would take ten times as long as all of this."""

if TYPE_CHECKING:
    from pbem.errors import FileError, IllegalOrder, OrderError, OverBudget, VerificationError
    from pbem.library.games import Draw, Entry, Game, Player, read
    from pbem.library.positions import Position, Rules, rules
    from pbem.library.shapes import Answer, Attack, Question, Result
else:

    def __getattr__(name):
        """The names of `pbem.library`, loaded when first wanted."""
        if name not in __all__:
            raise AttributeError(f"module 'pbem' has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module("pbem.library"), name)

    def __dir__():
        """The public names, for whoever completes names."""
        return __all__
