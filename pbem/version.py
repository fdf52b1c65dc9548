"""The versions of this program and of its files, for whatever cites them without the rest of the library."""

__version__ = "0.1.0"

FILE_VERSION = 1
"""The version of the game file (FORMAT 3)."""
