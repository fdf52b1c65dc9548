"""The command line: arguments in, calls to the umpire and the desk, text out."""

from __future__ import annotations

import sys

from pbem.texts import Texts

__all__ = ["main"]

tr = Texts("pbem")


def main() -> None:
    """The `pbem` command; interrupted at any moment, also while it is loaded, it ends in one line."""
    try:
        from pbem.cli.app import (
            main as command,
        )  # here, so that an interrupt while it is loaded is met as well

        command()
    except KeyboardInterrupt:
        sys.stderr.write(f"{tr('error: stopped')}\n")
        sys.exit(1)
