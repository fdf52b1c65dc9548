"""The library: the names that programs and notebooks can use after `import pbem`.

`pbem/__init__.py` lists what is public, and loads it from here when it is first used. Public names, their
signatures and what their docstrings say change only with a line in the changelog; all else can change at any
time. docs/LIBRARY.md has examples.
"""

from pbem.api.game import Draw as Draw
from pbem.api.game import Entry as Entry
from pbem.api.game import Game as Game
from pbem.api.game import Player as Player
from pbem.api.game import read as read
from pbem.api.position import Answer as Answer
from pbem.api.position import Attack as Attack
from pbem.api.position import Position as Position
from pbem.api.position import Question as Question
from pbem.api.position import Result as Result
from pbem.api.position import Rules as Rules
from pbem.api.position import rules as rules
from pbem.errors import FileError as FileError
from pbem.errors import IllegalOrder as IllegalOrder
from pbem.errors import OrderError as OrderError
from pbem.errors import OverBudget as OverBudget
from pbem.errors import VerificationError as VerificationError
