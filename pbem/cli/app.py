"""The `pbem` command: its sub-commands, its exit codes, and how it says that something is wrong.

Exit codes: 0 done, 1 the file or a check fails, 2 usage, 3 an order is refused, 4 not your move.
"""

from __future__ import annotations

import gc
import sys
from typing import Annotated, ClassVar

import typer

from pbem import __version__
from pbem.cli.lazy import LazyGroup
from pbem.cli.terminal import complain, put, say
from pbem.errors import NotYourMove, OrderError, PbemError

FAILED, USAGE, REFUSED, NOT_YOURS = 1, 2, 3, 4


class _Main(LazyGroup):
    """`pbem`."""

    table: ClassVar = {
        "demo": ("demo", "Watch two practice players play a whole game."),
        "key": ("exchange", "Make your key, or show the one you have."),
        "new": ("exchange", "Offer a game: makes the file that you mail."),
        "join": ("exchange", "Take the other seat of a game offered to you."),
        "show": ("show", "Check a game; tell what happened and what is asked."),
        "move": ("play", "Apply your move, or pass on what is owed."),
        "propose": ("play", "Propose a draw, or to take moves back."),
        "answer": ("play", "Answer your opponent's proposal."),
        "resign": ("play", "Give the game up."),
        "say": ("talk", "Say something; your next orders take it along."),
        "moves": ("orders", "List the orders that you may give now, with chances."),
        "setup": ("orders", "Write out the orders of a ready-made set-up."),
        "verify": ("proof", "Check everything in game files."),
        "draws": ("proof", "Print every draw so that anyone can recompute it."),
        "log": ("log", "Tell the story of a game, entry by entry."),
        "games": ("games", "List all your games, and whose move it is."),
        "scenario": ("scenario", "Check, write or compare a scenario of your own."),
    }


class _Mail(LazyGroup):
    """`pbem mail`."""

    table: ClassVar = {
        "send": ("mail", "Mail a game to your opponent."),
        "fetch": ("fetching", "Fetch your mail, and check each game in it."),
        "watch": ("fetching", "Fetch, and answer what leaves nothing to decide."),
        "trust": ("mail", "Trust your opponent's new key."),
        "check": ("mail", "Try the settings in config.yaml."),
    }


app = typer.Typer(
    name="pbem",
    cls=_Main,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)
app.add_typer(typer.Typer(cls=_Mail, help="Send games by mail, and get them from there."), name="mail")


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
    try:
        sys.exit(run(sys.argv[1:]))
    finally:
        gc.freeze()  # else all that is left is searched for cycles, a tenth of the time of a short command


def run(arguments: list[str]) -> int:
    """Run the command with these arguments; print what is wrong to standard error; return the exit code."""
    if arguments[:1] in ([], ["help"]):  # `pbem help move` is `pbem move --help`
        arguments = [*arguments[1:], "--help"]
    try:
        code = app(arguments, prog_name="pbem", standalone_mode=False)
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
