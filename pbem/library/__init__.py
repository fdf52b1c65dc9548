"""The library: the names that programs and notebooks may use of pbem, by `import pbem`.

`pbem/__init__.py` says what is public, and loads it from here when it is wanted. Names, signatures and what
docstrings say change only as the changelog tells; all else may change. docs/LIBRARY.md has examples.
"""

from pbem.errors import FileError as FileError
from pbem.errors import IllegalOrder as IllegalOrder
from pbem.errors import OrderError as OrderError
from pbem.errors import OverBudget as OverBudget
from pbem.errors import VerificationError as VerificationError
from pbem.library.games import Draw as Draw
from pbem.library.games import Entry as Entry
from pbem.library.games import Game as Game
from pbem.library.games import Player as Player
from pbem.library.games import read as read
from pbem.library.positions import Position as Position
from pbem.library.positions import Rules as Rules
from pbem.library.positions import rules as rules
from pbem.library.shapes import Answer as Answer
from pbem.library.shapes import Attack as Attack
from pbem.library.shapes import Question as Question
from pbem.library.shapes import Result as Result
