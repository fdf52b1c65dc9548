"""Orders: what may be ordered (`moves`), and ready-made set-ups (`setup`)."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from pbem.base.files import write_atomically
from pbem.cli.arguments import File, Json, NoColor, complete_with
from pbem.cli.lazy import commands
from pbem.cli.ordering import mark_unit_reach, parse_unit, question_for_player, reach, read_setup_orders
from pbem.cli.paging import Screenful, put_screenful
from pbem.cli.session import local_player, open_to_read
from pbem.cli.terminal import printable_size, put, put_json, put_stderr
from pbem.core.requests import Question
from pbem.correspondence.naming import open_named_game
from pbem.correspondence.open_file import OpenedGame, is_beginning_of_id
from pbem.errors import FileError, PbemError
from pbem.player.local_player import LocalPlayer
from pbem.player.orders.possible_orders import (
    attack_odds,
    describe_chances,
    describe_possible_orders,
    group_orders,
    possible_orders,
)
from pbem.render.screen import mentioned_hexes
from pbem.render.words import WIDTH, quote_path, safe_text, wrap
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
            autocompletion=complete_with("units"),
        ),
    ] = "",
    as_json: Json = False,
    no_color: NoColor = False,
) -> None:
    """List the orders that you may give now, and the exact chance of each attack.

    While your opponent is asked, what he may order.

    Example: pbem moves mortain.yaml
    """
    mine = local_player()
    opened = open_to_read(mine, file)
    game = opened.game
    asked = _pending_question(
        opened, permissions.unlock_state(game, mine.key) if mine.has_key else game.state, mine
    )
    name = parse_unit(game, asked, unit) if unit else ""
    reached = reach(game, asked, name)
    if as_json:
        attacks = [
            {"orders": attack.orders, "words": attack.words, "chance": str(attack.hit), "why": attack.why}
            for attack in attack_odds(game, asked, name)
        ]
        orders = possible_orders(game, asked, name)
        coming = [
            {"orders": order, "chances": said}
            for order in orders
            if (said := describe_chances(game, asked, order))
        ]
        prompt = game.rules.view.prompt(asked)
        found = {"prompt": prompt, "orders": orders, "attacks": attacks, "forecasts": coming}
        put_json({**found, "reach": reached} if name else found)
        return
    width, _ = printable_size()
    prompt = wrap(game.rules.view.prompt(asked), width, indent=2)
    may = "\n".join(describe_possible_orders(game, asked, name, width)) or tr(
        "{unit} has nothing to do now", unit=name
    )
    may = _list_own_first(mine, game, asked, may) if not name else may
    legend, figures = mark_unit_reach(game, asked, name, game.rules.view.legend(asked.state))
    if not figures:
        put(prompt)
        put(may)
        return
    screenful = Screenful([prompt], [], legend, [*mentioned_hexes(legend, name), *figures], [may], [prompt])
    put_screenful(screenful, whole=False, no_color=no_color)


def _list_own_first(mine: LocalPlayer, game: Game, asked: Question, may: str) -> str:
    """The list of a side's orders; for one of its commanders, after those of his own units."""
    if not (game.state.commanders.get(asked.seat) and mine.public_key):
        return may
    from pbem.player.orders.commander_view import own_offers  # here, because few sides are shared

    own = group_orders(own_offers(game, asked, mine.public_key), printable_size()[0])
    return "\n".join([tr("Units that you command:"), *own, tr("All of the side:"), may]) if own else may


def _pending_question(opened: OpenedGame, table: GameState, mine: LocalPlayer) -> Question:
    """The pending question; prints a note where it is put to somebody else. Raises `NotYourMove`."""
    game, asked = opened.game, table.pending_question
    if asked is None and any(game.state.commanders.values()) and not game.state.ending:
        from pbem.umpire import drafts  # here, because few sides are shared

        if at := drafts.find_commander_seat(game, mine.public_key):
            drafts.commander_question(game, at)  # raises for a commander what must come before
    if asked is None or table.ending or table.proposal or asked.seat not in game.seats:
        return question_for_player(game, table, mine, opened.typed)
    if not mine.has_key or asked.seat not in permissions.held_seats(game, mine.key):
        side = game.rules.side(asked.seat)
        put_stderr(tr("note: {side} {side:is|are} to move, and may order this", side=side))
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
            autocompletion=complete_with("setups"),
        ),
    ] = "",
) -> None:
    """Write out the orders of a ready-made set-up, an order a line, to change them.

    Example: pbem setup rommel.yaml my-setup.txt --setup historical
    """
    mine = local_player()
    if not out and not _is_game(mine, file):  # a single word is the file to make
        file, out = "", file
    place = Path(out)
    if out and named and place.exists():
        problem = tr("already exists; nothing was written")
        raise FileError(problem, where=out, hint=tr("give another name"))
    opened = open_to_read(mine, file)
    game = opened.game
    asked = question_for_player(game, permissions.unlock_state(game, mine.key), mine, opened.typed)
    _check_setup(game, asked, named, out, quote_path(opened.typed))
    orders = game.rules.view.read_words(asked, read_setup_orders(mine, named))
    remarks = wrap(f"{named}: {game.rules.view.prompt(asked)}", width=WIDTH - 2).splitlines()
    lines = [*(f"# {remark}" for remark in remarks), "", *game.rules.view.write_words(orders)]
    write_atomically(place, "".join(f"{line}\n" for line in lines).encode())
    move = f"pbem move {quote_path(opened.typed)} --setup {quote_path(place)}"
    look = f"{move} --dry-run"
    put(tr("wrote {file}: change it, then look at it: {command}", file=safe_text(out), command=look))
    put(tr("To give these orders: {command}", command=move))


def _is_game(mine: LocalPlayer, word: str) -> bool:
    """Whether a word names an existing game, rather than a file to make."""
    with suppress(PbemError):
        return bool(word) and (is_beginning_of_id(mine, word) or bool(open_named_game(mine, word)))
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
    place = "my-setup.txt" if out in ("", *names) else quote_path(out)
    command = f"pbem setup {file} {place} --setup {name}"
    if named:
        problem = tr("name the text file to make; type: {command}", command=command)
        raise typer.BadParameter(problem, param_hint=tr("out"))
    expected = ", ".join(names)
    problem = tr("choose one of {names}; type: {command}", names=expected, command=command)
    raise typer.BadParameter(problem, param_hint="--setup")
