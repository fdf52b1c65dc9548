"""The `pbem` command: its sub-commands, its exit codes, and how it says that something is wrong.

Exit codes: 0 done, 1 the file or a check fails, 2 usage, 3 an order is refused, 4 not your move.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pbem import __version__
from pbem.cli import demo, exchange, games, mail, orders, play, proof, scenario
from pbem.cli.common import complain, put, say
from pbem.errors import NotYourMove, OrderError, PbemError

FAILED, USAGE, REFUSED, NOT_YOURS = 1, 2, 3, 4

app = typer.Typer(
    name="pbem",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for module in (demo, exchange, play, orders, proof, games):
    module.register(app)
app.add_typer(scenario.app, name="scenario")
app.add_typer(mail.app, name="mail")


@app.callback()
def options(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)] = False,
) -> None:
    """Play board wargames by e-mail: one signed file, the full rules, draws that both can verify."""
    if version:
        put(f"pbem {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command and exit with its code; never a traceback for what a player can cause."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command with these arguments; print what is wrong to standard error; return the exit code."""
    try:
        code = app(arguments or ["--help"], prog_name="pbem", standalone_mode=False)
    except PbemError as error:
        complain(error)
        return _code(error)
    except OSError as error:
        say(f"error: {error.strerror or error}")
        return FAILED
    except typer.Abort:  # also an interrupt, or the end of what is typed
        say("error: stopped")
        return FAILED
    except Exception as error:
        # Typer's own usage errors; its classes are private, their interface is not.
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        say(f"error: {message()}")
        say("hint: pbem COMMAND --help shows how to use it")
        return USAGE
    return code if isinstance(code, int) else 0


def _code(error: PbemError) -> int:
    if isinstance(error, OrderError):
        return REFUSED
    return NOT_YOURS if isinstance(error, NotYourMove) else FAILED
