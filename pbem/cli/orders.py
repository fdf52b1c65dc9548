"""Orders: what may be ordered (`moves`), and ready-made set-ups (`setup`)."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from pbem.base.files import write_atomically
from pbem.cli.arguments import File, Json, NoColor, offering
from pbem.cli.lazy import commands
from pbem.cli.ordering import asked_of, marked, reach, typed_orders, unit_of
from pbem.cli.paging import Screenful, put_screenful
from pbem.cli.session import desk, look_at
from pbem.cli.terminal import put, put_json, room, say
from pbem.core.requests import Question
from pbem.correspondence.naming import open_game
from pbem.correspondence.open_file import Opened, by_id
from pbem.errors import FileError, PbemError
from pbem.player.local_player import LocalPlayer
from pbem.player.orders.possible_orders import chances, choices, grouped, odds, offers
from pbem.render.screen import mentioned
from pbem.render.words import WIDTH, quoted, safe, wrap
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game import Game
from pbem.umpire.game_state import GameState

app = commands()
tr = Texts("pbem")


@app.command()
def moves(
    file: File = "",
    unit: Annotated[
        str,
        typer.Option(
            "--unit",
            metavar="NAME",
            help="Only this unit's, and a map of where it can go.",
            autocompletion=offering("units"),
        ),
    ] = "",
    as_json: Json = False,
    no_color: NoColor = False,
) -> None:
    """List the orders that you may give now, and the exact chance of each attack.

    While your opponent is asked, what he may order.

    Example: pbem moves mortain.yaml
    """
    mine = desk()
    opened = look_at(mine, file)
    game = opened.game
    asked = _asked_of_anyone(
        opened, permissions.unlock_state(game, mine.key) if mine.has_key else game.table, mine
    )
    name = unit_of(game, asked, unit) if unit else ""
    reached = reach(game, asked, name)
    if as_json:
        attacks = [
            {"orders": attack.orders, "words": attack.words, "chance": str(attack.hit), "why": attack.why}
            for attack in odds(game, asked, name)
        ]
        orders = offers(game, asked, name)
        coming = [
            {"orders": order, "chances": said} for order in orders if (said := chances(game, asked, order))
        ]
        prompt = game.rules.view.prompt(asked)
        found = {"prompt": prompt, "orders": orders, "attacks": attacks, "forecasts": coming}
        put_json({**found, "reach": reached} if name else found)
        return
    width, _ = room()
    prompt = wrap(game.rules.view.prompt(asked), width, indent=2)
    may = "\n".join(choices(game, asked, name, width)) or tr("{unit} has nothing to do now", unit=name)
    may = _with_own_first(mine, game, asked, may) if not name else may
    legend, figures = marked(game, asked, name, game.rules.view.legend(asked.state))
    if not figures:
        put(prompt)
        put(may)
        return
    screenful = Screenful([prompt], [], legend, [*mentioned(legend, name), *figures], [may], [prompt])
    put_screenful(screenful, whole=False, no_color=no_color)


def _with_own_first(mine: LocalPlayer, game: Game, asked: Question, may: str) -> str:
    """The list of a side's orders; for one of its commanders, after those of his own units."""
    if not (game.table.commanders.get(asked.seat) and mine.public):
        return may
    from pbem.player.orders.commander_view import own_offers  # here, because few sides are shared

    own = grouped(own_offers(game, asked, mine.public), room()[0])
    return "\n".join([tr("Units that you command:"), *own, tr("All of the side:"), may]) if own else may


def _asked_of_anyone(opened: Opened, table: GameState, mine: LocalPlayer) -> Question:
    """The pending question; prints a note where it is put to somebody else. Raises `NotYourMove`."""
    game, asked = opened.game, table.asked
    if asked is None and any(game.table.commanders.values()) and not game.table.ending:
        from pbem.umpire import drafts  # here, because few sides are shared

        if at := drafts.post(game, mine.public):
            drafts.asked_of(game, at)  # raises for a commander what must come before
    if asked is None or table.ending or table.proposal or asked.seat not in game.seats:
        return asked_of(game, table, mine, opened.typed)
    if not mine.has_key or asked.seat not in permissions.held_seats(game, mine.key):
        side = game.rules.side(asked.seat)
        say(tr("note: {side} {side:is|are} to move, and may order this", side=side))
    return asked


@app.command()
def setup(
    file: File = "",
    out: Annotated[
        str, typer.Argument(metavar="out", help="The text file to make.", show_default=False)
    ] = "",
    *,
    named: Annotated[
        str,
        typer.Option(
            "--setup",
            metavar="NAME",
            help="The ready-made set-up; without it, their names.",
            autocompletion=offering("setups"),
        ),
    ] = "",
) -> None:
    """Write out the orders of a ready-made set-up, an order a line, to change them.

    Example: pbem setup rommel.yaml my-setup.txt --setup historical
    """
    mine = desk()
    if not out and not _is_a_game(mine, file):  # a single word is the file to make
        file, out = "", file
    place = Path(out)
    if out and named and place.exists():
        problem = tr("already exists; nothing was written")
        raise FileError(problem, where=out, hint=tr("give another name"))
    opened = look_at(mine, file)
    game = opened.game
    asked = asked_of(game, permissions.unlock_state(game, mine.key), mine, opened.typed)
    _check_setup(game, asked, named, out, quoted(opened.typed))
    orders = game.rules.view.read_words(asked, typed_orders(mine, named))
    remarks = wrap(f"{named}: {game.rules.view.prompt(asked)}", width=WIDTH - 2).splitlines()
    lines = [*(f"# {remark}" for remark in remarks), "", *game.rules.view.write_words(orders)]
    write_atomically(place, "".join(f"{line}\n" for line in lines).encode())
    move = f"pbem move {quoted(opened.typed)} --setup {quoted(place)}"
    look = f"{move} --dry-run"
    put(tr("wrote {file}: change it, then look at it: {command}", file=safe(out), command=look))
    put(tr("To give these orders: {command}", command=move))


def _is_a_game(mine: LocalPlayer, word: str) -> bool:
    """Whether a word names an existing game, rather than a file to make."""
    with suppress(PbemError):
        return bool(word) and (by_id(mine, word) or bool(open_game(mine, word)))
    return False


def _check_setup(game: Game, asked: Question, named: str, out: str, file: str) -> None:
    """Raise `typer.BadParameter`, with the command to type, where the set-up or the file is not named."""
    if named and out:
        return
    names = game.rules.view.setups(asked) if game.rules.view.setups else ()
    if not names:
        side = game.rules.side(asked.seat)
        raise typer.BadParameter(
            tr("there is no ready-made set-up for what {side} {side:does|do} now", side=side)
        )
    name = named or (out if out in names else names[0])
    place = "my-setup.txt" if out in ("", *names) else quoted(out)
    command = f"pbem setup {file} {place} --setup {name}"
    if named:
        problem = tr("name the text file to make; type: {command}", command=command)
        raise typer.BadParameter(problem, param_hint=tr("out"))
    expected = ", ".join(names)
    problem = tr("choose one of {names}; type: {command}", names=expected, command=command)
    raise typer.BadParameter(problem, param_hint="--setup")
