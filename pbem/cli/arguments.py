"""Arguments and options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

File = Annotated[
    str,
    typer.Argument(
        help="The game: its file, or the beginning of its id; if left out, the one that waits for you. Or a "
        "mail, mailbox, Maildir folder or text that holds it (FILE#ID: which game), or - for what you paste.",
        show_default=False,
    ),
]
"""Give it the default `""`; `session.open_file` finds the game."""
Json = Annotated[bool, typer.Option("--json", help="Print data for a program instead of text.")]
NoColor = Annotated[bool, typer.Option("--no-color", help="No colour, also on a terminal.")]
Say = Annotated[str, typer.Option("--say", help="Words to your opponent, kept in the file.")]
Newest = Annotated[
    bool,
    typer.Option(
        "--newest", help="This file is the newest state I know of a game that is new on this computer."
    ),
]
Name = Annotated[str, typer.Option("--name", help="Your name as your opponent sees it.", envvar="PBEM_NAME")]
Mail = Annotated[str, typer.Option("--mail", help="Your mail address; or else config.yaml's.")]
