"""Arguments and options shared by several commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from pbem.errors import PbemError

if TYPE_CHECKING:
    from pbem.core.rules import Rules


def complete_with(what: str) -> Callable[[typer.Context, str], Any]:
    """The completion function of this name in `completion`, imported only when a shell asks for it."""

    def complete(ctx: typer.Context, incomplete: str) -> Any:
        from pbem.cli import completion  # under 1 ms

        return getattr(completion, what)(ctx, incomplete)

    return complete


@contextmanager
def report_errors_at(where: str) -> Iterator[None]:
    """Report errors raised in the block as errors of this argument or option."""
    try:
        yield
    except PbemError as error:
        raise typer.BadParameter(str(error), param_hint=where) from None


def rules_arguments(rules: Rules) -> str:
    """What to type after `pbem new` for these rules."""
    return f"{rules.name} --rules {rules.pin}" if rules.later else rules.name


File = Annotated[
    str,
    typer.Argument(
        metavar="file",
        help="The game: its file, or the start of its id (default: the game that is waiting for you). "
        "It can also be a mail, mailbox, Maildir folder or text that contains the game (add #ID to "
        "choose one of several), or - to paste it.",
        show_default=False,
        autocompletion=complete_with("games"),
    ),
]
"""A game. Its default is `""`; `session.open_file` then finds the game."""
FileBeforeOrders = Annotated[
    str,
    typer.Argument(
        help=get_args(File)[1].help,
        metavar="file",
        show_default=False,
        autocompletion=complete_with("game_or_order"),
    ),
]
"""A game that can be left out before orders; `session.split_off_game` tells the two apart."""
GameName = Annotated[
    str,
    typer.Argument(metavar="game", help="The game, such as mortain.", autocompletion=complete_with("names")),
]
Edition = Annotated[
    str,
    typer.Option(
        "--edition",
        help="A preset of all options (default: the one for your language).",
        autocompletion=complete_with("editions"),
    ),
]
ScenarioOption = Annotated[
    Path | None,
    typer.Option(
        "--scenario", help="Your own scenario file, or the name of a scenario that ships with the game."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print data for a program instead of text.")]
NoColor = Annotated[bool, typer.Option("--no-color", help="Do not use colour, even on a terminal.")]
SayOption = Annotated[str, typer.Option("--say", help="Add a message to your opponent, kept in the file.")]
Newest = Annotated[
    bool,
    typer.Option(
        "--newest",
        help="Confirm that this file is the newest state you know of a game that is new on this computer.",
    ),
]
CommanderOption = Annotated[
    list[str] | None,
    typer.Option(
        "--commander",
        metavar="GROUP=WHO",
        help=(
            "Name a commander for part of your side: italian=FILE with their key, or the key itself, "
            "an address, or practice."
        ),
    ),
]
Name = Annotated[str, typer.Option("--name", help="Your name as your opponent sees it.", envvar="PBEM_NAME")]
Mail = Annotated[str, typer.Option("--mail", help="Your mail address (default: the one in config.yaml).")]
Workers = Annotated[
    int,
    typer.Option("--workers", min=0, help="How many processes to run on this computer; 0 for one per core."),
]
