"""The `pbem` command: its sub-commands, its exit codes, and how it says that something is wrong.

Exit codes: 0 done, 1 the file or a check fails, 2 usage, 3 an order is refused, 4 not your move.
"""

from __future__ import annotations

import sys

import typer

from pbem.cli import demo, exchange, games, orders, play, proof, scenario
from pbem.errors import NotUnderstood, NotYourMove, OrderError, PbemError
from pbem.render import safe

FAILED, USAGE, REFUSED, NOT_YOURS = 1, 2, 3, 4

app = typer.Typer(
    name="pbem",
    help="Play board wargames by e-mail: one signed file, the full rules, draws that both can verify.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for module in (demo, exchange, play, orders, proof, games):
    module.register(app)
app.add_typer(scenario.app, name="scenario")


def main() -> None:
    """Run the command and exit with its code; never a traceback for what a player can cause."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command with these arguments; print what is wrong to standard error; return the exit code."""
    try:
        code = app(arguments or ["--help"], prog_name="pbem", standalone_mode=False)
    except PbemError as error:
        _complain(error)
        return _code(error)
    except OSError as error:
        _say(f"error: {error.strerror or error}")
        return FAILED
    except typer.Abort:  # also an interrupt, or the end of what is typed
        _say("error: stopped")
        return FAILED
    except Exception as error:
        # Typer's own usage errors; its classes are private, their interface is not.
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        _say(f"error: {message()}")
        _say("hint: pbem COMMAND --help shows how to use it")
        return USAGE
    return code if isinstance(code, int) else 0


def _code(error: PbemError) -> int:
    if isinstance(error, OrderError):
        return REFUSED
    return NOT_YOURS if isinstance(error, NotYourMove) else FAILED


def _complain(error: PbemError) -> None:
    _say(f"error: {error}")
    if isinstance(error, NotUnderstood):
        for line in error.caret().splitlines():
            _say(f"  {line}")
    if error.hint:
        _say(f"hint: {error.hint}")


def _say(line: str) -> None:
    typer.echo(safe(line), err=True)
