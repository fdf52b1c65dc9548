"""The command line: it parses arguments, calls the packages below, and prints text."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from pbem.texts import Texts

tr = Texts("pbem")


__all__ = ["main"]


def main() -> None:
    """Run the `pbem` command. An interrupt at any moment, even while modules load, ends it in one line."""
    try:  # imported inside, so that an interrupt during the imports is caught too
        if _is_plain_verify(sys.argv[1:]):
            from pbem.cli.plain_verify import main as command  # 56 ms
        else:
            from pbem.cli.app import main as command  # 34 ms
        command()
    except KeyboardInterrupt:
        sys.stderr.write(f"{tr('error: stopped')}\n")
        sys.exit(1)


def _is_plain_verify(arguments: Sequence[str]) -> bool:
    """Whether the arguments are `verify FILE…` with no option, which needs no Typer (decision 12)."""
    return arguments[:1] == ["verify"] and not any(
        word.startswith("-") and word != "-" for word in arguments[1:]
    )
