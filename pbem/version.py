"""The versions of pbem and of its files, to be imported without the rest of the library."""

__version__ = "0.2.0"

FILE_VERSION = 1
"""The version of the game file (FORMAT 3)."""
