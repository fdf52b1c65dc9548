"""The command line: arguments in, calls to the umpire and the desk, text out."""

from pbem.cli.app import main

__all__ = ["main"]
