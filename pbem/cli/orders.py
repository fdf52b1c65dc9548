"""Orders: what may be ordered (`moves`), and ready-made set-ups (`setup`)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.arguments import File, Json, NoColor, offering
from pbem.cli.lazy import commands
from pbem.cli.screenful import Screenful, put_screenful
from pbem.cli.session import desk, look_at
from pbem.cli.terminal import put, put_json, room, say
from pbem.core.legend import Cell, Legend, Margin
from pbem.core.phrases import Word
from pbem.core.requests import Question
from pbem.correspondence.opening import Opened, by_id, open_game
from pbem.desk import Desk
from pbem.desk.acts.possible import check_no_proposal, my_turn
from pbem.desk.choices import chances, choices, grouped, odds, offers
from pbem.errors import FileError, NotYourMove, PbemError
from pbem.files import write_atomically
from pbem.render.screen import mentioned
from pbem.render.window import reaching
from pbem.render.words import WIDTH, quoted, safe, wrap
from pbem.report import awaited
from pbem.texts import Texts
from pbem.umpire import Game, seated
from pbem.umpire.table import Table

app = commands()
tr = Texts("pbem")

TARGET = "x"
"""What marks an enemy on the map of a unit's orders."""


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
    asked = _asked_of_anyone(opened, seated.unlock(game, mine.key) if mine.has_key else game.table, mine)
    name = unit_of(game, asked, unit) if unit else ""
    reach = _reach(game, asked, name)
    if as_json:
        attacks = [
            {"orders": one.orders, "words": one.words, "chance": str(one.hit), "why": one.why}
            for one in odds(game, asked, name)
        ]
        orders = offers(game, asked, name)
        coming = [{"orders": one, "chances": said} for one in orders if (said := chances(game, asked, one))]
        prompt = game.rules.view.prompt(asked)
        found = {"prompt": prompt, "orders": orders, "attacks": attacks, "forecasts": coming}
        put_json({**found, "reach": reach} if name else found)
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


def _with_own_first(mine: Desk, game: Game, asked: Question, may: str) -> str:
    """What a side may order; for one of its commanders after what his own units may."""
    if not (game.table.commanders.get(asked.seat) and mine.public):
        return may
    from pbem.cli.commanders import own_offers  # here, because few sides are shared

    own = grouped(own_offers(game, asked, mine.public), room()[0])
    return "\n".join([tr("Units that you command:"), *own, tr("All of the side:"), may]) if own else may


def _asked_of_anyone(opened: Opened, table: Table, mine: Desk) -> Question:
    """The question that waits, and a note where it is put to somebody else. Raises `NotYourMove`."""
    game, asked = opened.game, table.asked
    if asked is None and any(game.table.commanders.values()) and not game.table.ending:
        from pbem.umpire import drafts  # here, because few sides are shared

        if at := drafts.post(game, mine.public):
            drafts.asked_of(game, at)  # tells a commander what comes before
    if asked is None or table.ending or table.proposal or asked.seat not in game.seats:
        return asked_of(game, table, mine, opened.typed)
    if not mine.has_key or asked.seat not in seated.held(game, mine.key):
        say(tr("note: {seat} is asked now, and this is what {seat} may order", seat=asked.seat))
    return asked


def asked_of(game: Game, table: Table, mine: Desk, file: Path | str) -> Question:
    """The question put to the player. Raises `NotYourMove`."""
    seat = my_turn(mine, game, file)
    check_no_proposal(game, file)
    if table.asked is None or table.asked.seat != seat:
        raise NotYourMove(
            tr("{seat} is asked for no orders now: {awaited}", seat=seat, awaited=awaited(table)),
            hint=tr("to pass on what you owe: {command}", command=f"pbem move {quoted(file)}")
            if game.table.open_beat
            else "",
        )
    return table.asked


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
    if not out and not _is_a_game(mine, file):  # one word alone is the file to make
        file, out = "", file
    place = Path(out)
    if out and named and place.exists():
        problem = tr("is there already; nothing was written")
        raise FileError(problem, where=out, hint=tr("give another name"))
    opened = look_at(mine, file)
    game = opened.game
    asked = asked_of(game, seated.unlock(game, mine.key), mine, opened.typed)
    _check_setup(game, asked, named, out, quoted(opened.typed))
    orders = game.rules.view.read_words(asked, typed_orders(mine, named))
    remarks = wrap(f"{named}: {game.rules.view.prompt(asked)}", width=WIDTH - 2).splitlines()
    lines = [*(f"# {remark}" for remark in remarks), "", *game.rules.view.write_words(orders)]
    write_atomically(place, "".join(f"{line}\n" for line in lines).encode())
    move = f"pbem move {quoted(opened.typed)} --setup {quoted(place)}"
    look = f"{move} --dry-run"
    put(tr("wrote {file}: change it, then look at it: {command}", file=safe(out), command=look))
    put(tr("To give these orders: {command}", command=move))


def _is_a_game(mine: Desk, word: str) -> bool:
    """Whether a word names a game that is there, rather than a file to make."""
    with suppress(PbemError):
        return bool(word) and (by_id(mine, word) or bool(open_game(mine, word)))
    return False


def _check_setup(game: Game, asked: Question, named: str, out: str, file: str) -> None:
    """Raise `typer.BadParameter`, with the command to type, where the set-up or the file is not named."""
    if named and out:
        return
    names = game.rules.view.setups(asked) if game.rules.view.setups else ()
    if not names:
        raise typer.BadParameter(tr("no set-up is ready-made for what {seat} is asked now", seat=asked.seat))
    name = named or (out if out in names else names[0])
    place = "my-setup.txt" if out in ("", *names) else quoted(out)
    command = f"pbem setup {file} {place} --setup {name}"
    if named:
        problem = tr("found no text file to make; type: {command}", command=command)
        raise typer.BadParameter(problem, param_hint=tr("out"))
    expected = ", ".join(names)
    problem = tr("found no name, expected {names}; type: {command}", names=expected, command=command)
    raise typer.BadParameter(problem, param_hint="--setup")


def typed_orders(mine: Desk, setup: str) -> list[str]:
    """The orders of `--setup`: the lines of that file, `#` begins a remark; without one a set-up's name."""
    path = Path(setup)
    if not path.is_file():
        return [f"setup {setup}"]
    try:
        text = mine.read(path).decode()
    except UnicodeDecodeError:
        raise FileError(tr("is not UTF-8 text"), where=setup) from None
    return [order for line in text.splitlines() if (order := line.partition("#")[0].strip())]


def unit_of(game: Game, asked: Question, typed: str) -> str:
    """The unit of the asked side whose name is typed or begins so. Raises `OrderError`."""
    legend = game.rules.view.legend(asked.state)
    places: list[Cell | Margin] = [*legend.cells, *legend.margins]
    names = [piece.name for place in places for piece in place.pieces if piece.side == asked.seat]
    return Word(typed, typed, 0, len(typed)).choose(names, tr("a unit of the {seat} side", seat=asked.seat))


def marked(game: Game, asked: Question, unit: str, legend: Legend) -> tuple[Legend, list[str]]:
    """A map with the reach of a unit and whom it may attack, and the hexes that are marked so."""
    targets = _targets(game, asked, unit) if unit else []
    figures = {**_reach(game, asked, unit), **dict.fromkeys(targets, TARGET)}
    meaning = (
        tr("steps of {unit}, ten as 0; {mark}: whom it may attack", unit=unit, mark=TARGET)
        if targets
        else tr("steps of {unit}, ten as 0", unit=unit)
    )
    return reaching(legend, figures, meaning) if figures else legend, list(figures)


def _reach(game: Game, asked: Question, unit: str) -> Mapping[str, str]:
    """The hexes that a unit may go to, with its steps; none for no unit."""
    reach_of = game.rules.view.reach
    return reach_of(asked, unit) if unit and reach_of else {}


def _targets(game: Game, asked: Question, unit: str) -> list[str]:
    """The hexes of the enemies that a unit may attack now."""
    legend = game.rules.view.legend(asked.state)
    named = {number for one in odds(game, asked, unit) for number in mentioned(legend, one.orders)}
    foes = {cell.number for cell in legend.cells for piece in cell.pieces if piece.side != asked.seat}
    return sorted(named & foes)
