"""Watch a whole game: `demo`."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path
from typing import Annotated

import typer

from pbem import games
from pbem.cli.arguments import Edition, NoColor, complete_with
from pbem.cli.command_groups import commands
from pbem.cli.plain_verify import report_lines, verify_file
from pbem.cli.rules import chosen_edition, put_chosen_edition
from pbem.cli.session import require_computer_players
from pbem.cli.terminal import put, put_board
from pbem.errors import FileError
from pbem.player.clock import claim
from pbem.player.practice import DemoMail, play_demo
from pbem.render.safe_text import WIDTH, cut, quote_path, safe_text, wrap
from pbem.render.story import describe_deed, describe_entry, describe_next_duty, summary
from pbem.texts import Texts

tr = Texts("pbem")


app = commands()


@app.command()
def demo(
    folder: Annotated[
        Path | None, typer.Argument(metavar="folder", help="A new folder for the game (default: pbem-demo).")
    ] = None,
    game: Annotated[
        str, typer.Option("--game", help="The game to play.", autocompletion=complete_with("names"))
    ] = "mortain",
    preset: Edition = "",
    no_color: NoColor = False,
) -> None:
    """Watch two computer players play a whole game, mailing real files back and forth.

    Example: pbem demo
    """
    rules = games.load(game)
    require_computer_players(rules)
    edition = chosen_edition(rules, preset)
    place = folder or _unused_folder()
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        problem = tr("already exists and is not empty")
        raise FileError(problem, where=str(place), hint=tr("give a new folder"))
    place.mkdir(parents=True, exist_ok=True)
    put(
        tr(
            "Two computer players are playing {game}. Each mail is a file in {folder}.",
            game=rules.title,
            folder=place / "mail",
        )
    )
    if not preset:
        put_chosen_edition(rules, edition)
    for mail in play_demo(place, rules, edition, claim()):
        _put_mail(mail)
    _put_end(mail, no_color)


def _unused_folder() -> Path:
    """`pbem-demo`, with a number if that exists, so that the demonstration can be repeated."""
    names = (Path("pbem-demo" if n == 1 else f"pbem-demo-{n}") for n in count(1))
    return next(name for name in names if not name.exists())


def _put_mail(mail: DemoMail) -> None:
    """Print a line for a mail and what its last entry does; on a terminal it replaces the previous line."""
    begin = tr("mail {number}", number=f"{mail.number:>3}")
    line = cut(f"{begin}  {mail.sender:<7} {describe_deed(mail.game, mail.game.replayed_entries[-1])}", WIDTH)
    if sys.stdout.isatty():
        typer.echo(f"\r{line:<{WIDTH}}", nl=False)
    else:
        put(line)


def _put_end(mail: DemoMail, no_color: bool) -> None:
    """Print the end of the story, the map, the result, and the verification of the file."""
    if sys.stdout.isatty():
        put()
    game = mail.game
    put(summary(game, None))
    for entry in game.replayed_entries[-3:]:
        put(describe_entry(game, entry))
    put_board(game.rules.view.legend(game.state.run.state), no_color)
    awaits = safe_text(describe_next_duty(game.state))
    put(
        tr.plural(
            "After {number} mail {awaits}", "After {number} mails {awaits}", mail.number, awaits=awaits
        ),
        indent=4,
    )
    put("\n".join(wrap(line, indent=4) for line in report_lines(verify_file(str(mail.file)).report)))
    also = tr("See also:")
    put(f"{also} pbem log {quote_path(mail.file)}\n{' ' * len(also)} pbem draws {quote_path(mail.file)}")
