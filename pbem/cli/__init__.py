"""The command line: arguments in, calls to the umpire and the desk, text out."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from pbem.texts import Texts

__all__ = ["main"]

tr = Texts("pbem")


def main() -> None:
    """The `pbem` command; interrupted at any moment, also while it is loaded, it ends in one line."""
    try:  # what is imported here is so that an interrupt while it is loaded is met as well
        if _is_a_plain_check(sys.argv[1:]):
            import yaml  # noqa: F401  # not from deep within others: decision 12

            from pbem.cli.plain_verify import main as command
        else:
            from pbem.cli.app import main as command
        command()
    except KeyboardInterrupt:
        sys.stderr.write(f"{tr('error: stopped')}\n")
        sys.exit(1)


def _is_a_plain_check(arguments: Sequence[str]) -> bool:
    """Whether `verify FILE…` is typed without any option: then nothing needs Typer (decision 12)."""
    return arguments[:1] == ["verify"] and not any(
        one.startswith("-") and one != "-" for one in arguments[1:]
    )
