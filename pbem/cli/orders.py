"""Orders: what may be ordered (`moves`), and ready-made set-ups (`setup`)."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.arguments import File, Json, NoColor, offering
from pbem.cli.lazy import commands
from pbem.cli.screenful import Screenful, put_screenful
from pbem.cli.session import desk, open_file
from pbem.cli.terminal import put, put_json, say
from pbem.cli.turn import my_turn, no_proposal
from pbem.core.legend import Cell, Margin
from pbem.core.phrases import Word
from pbem.core.requests import Orders, Plain, Question, accepts
from pbem.core.rules import Odds
from pbem.correspondence.opening import Opened, by_id, open_game
from pbem.desk import Desk
from pbem.errors import FileError, NotYourMove, PbemError
from pbem.files import write_atomically
from pbem.render.screen import mentioned
from pbem.render.window import reaching
from pbem.render.words import WIDTH, quoted, safe, wrap
from pbem.report import awaited
from pbem.umpire import Game, seated
from pbem.umpire.table import Table

app = commands()

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
    opened = open_file(mine, file)
    game = opened.game
    asked = _asked_of_anyone(opened, seated.unlock(game, mine.key) if mine.has_key else game.table, mine)
    name = unit_of(game, asked, unit) if unit else ""
    reach_of = game.rules.view.reach
    reach = reach_of(asked, name) if name and reach_of else {}
    if as_json:
        attacks = [
            {"orders": one.orders, "words": one.words, "chance": str(one.hit), "why": one.why}
            for one in _odds(game, asked, name)
        ]
        orders = _offers(game, asked, name)
        coming = [{"orders": one, "chances": said} for one in orders if (said := _chances(game, asked, one))]
        prompt = game.rules.view.prompt(asked)
        found = {"prompt": prompt, "orders": orders, "attacks": attacks, "forecasts": coming}
        put_json({**found, "reach": reach} if name else found)
        return
    prompt = wrap(game.rules.view.prompt(asked), indent=2)
    choices = "\n".join(_choices(game, asked, name)) or f"{name} has nothing to do now"
    targets = _targets(game, asked, name) if name else []
    if not (reach or targets):
        put(prompt)
        put(choices)
        return
    figures = {**reach, **dict.fromkeys(targets, TARGET)}
    meaning = f"steps of {name}, ten as 0" + (f"; {TARGET}: whom it may attack" if targets else "")
    legend = reaching(game.rules.view.legend(asked.state), figures, meaning)
    screenful = Screenful([prompt], [], legend, [*mentioned(legend, name), *figures], [choices], [prompt])
    put_screenful(screenful, whole=False, no_color=no_color)


def _asked_of_anyone(opened: Opened, table: Table, mine: Desk) -> Question:
    """The question that waits, and a note where it is put to somebody else. Raises `NotYourMove`."""
    game, asked = opened.game, table.asked
    if asked is None or table.ending or table.proposal or asked.seat not in game.seats:
        return asked_of(game, table, mine, opened.typed)
    if not mine.has_key or asked.seat not in seated.held(game, mine.key):
        say(f"note: {asked.seat} is asked now, and this is what {asked.seat} may order")
    return asked


def asked_of(game: Game, table: Table, mine: Desk, file: Path | str) -> Question:
    """The question put to the player. Raises `NotYourMove`."""
    seat = my_turn(game, mine, file)
    no_proposal(game, file)
    if table.asked is None or table.asked.seat != seat:
        raise NotYourMove(
            f"{seat} is asked for no orders now: {awaited(table)}",
            hint=f"to pass on what you owe: pbem move {quoted(file)}" if game.table.open_beat else "",
        )
    return table.asked


@app.command()
def setup(
    file: File = "",
    out: Annotated[str, typer.Argument(help="The text file to make.", show_default=False)] = "",
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
        raise FileError("is there already; nothing was written", where=out, hint="give another name")
    opened = open_file(mine, file)
    game = opened.game
    asked = asked_of(game, seated.unlock(game, mine.key), mine, opened.typed)
    _check_setup(game, asked, named, out, quoted(opened.typed))
    orders = game.rules.view.read_words(asked, typed_orders(mine, named))
    remarks = wrap(f"{named}: {game.rules.view.prompt(asked)}", width=WIDTH - 2).splitlines()
    lines = [*(f"# {remark}" for remark in remarks), "", *game.rules.view.write_words(orders)]
    write_atomically(place, "".join(f"{line}\n" for line in lines).encode())
    move = f"pbem move {quoted(opened.typed)} --setup {quoted(place)}"
    put(f"wrote {safe(out)}: change it, then look at it: {move} --dry-run")
    put(f"To give these orders: {move}")


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
        raise typer.BadParameter(f"no set-up is ready-made for what {asked.seat} is asked now")
    name = named or (out if out in names else names[0])
    place = "my-setup.txt" if out in ("", *names) else quoted(out)
    found = "found no text file to make" if named else f"found no name, expected {', '.join(names)}"
    raise typer.BadParameter(
        f"{found}; type: pbem setup {file} {place} --setup {name}", param_hint="OUT" if named else "--setup"
    )


def typed_orders(mine: Desk, setup: str) -> list[str]:
    """The orders of `--setup`: the lines of that file, `#` begins a remark; without one a set-up's name."""
    path = Path(setup)
    if not path.is_file():
        return [f"setup {setup}"]
    try:
        text = mine.read(path).decode()
    except UnicodeDecodeError:
        raise FileError("is not UTF-8 text", where=setup) from None
    return [order for line in text.splitlines() if (order := line.partition("#")[0].strip())]


def unit_of(game: Game, asked: Question, typed: str) -> str:
    """The unit of the asked side whose name is typed or begins so. Raises `OrderError`."""
    legend = game.rules.view.legend(asked.state)
    places: list[Cell | Margin] = [*legend.cells, *legend.margins]
    names = [piece.name for place in places for piece in place.pieces if piece.side == asked.seat]
    return Word(typed, typed, 0, len(typed)).choose(names, f"a unit of the {asked.seat} side")


def _targets(game: Game, asked: Question, unit: str) -> list[str]:
    """The hexes of the enemies that a unit may attack now."""
    legend = game.rules.view.legend(asked.state)
    named = {number for one in _odds(game, asked, unit) for number in mentioned(legend, one.orders)}
    foes = {cell.number for cell in legend.cells for piece in cell.pieces if piece.side != asked.seat}
    return sorted(named & foes)


def _offers(game: Game, asked: Question, unit: str) -> list[Orders]:
    """What may be ordered, of one unit or of all; of one unit's movement every hex, and each once."""
    found = [orders for orders in game.rules.offers(asked) if not unit or _names(orders, unit)]
    routes = _routes(game, asked, unit)
    forms = [[order.keys() for order in orders] for orders in routes]
    return [orders for orders in found if [order.keys() for order in orders] not in forms] + routes


def _routes(game: Game, asked: Question, unit: str) -> list[Orders]:
    """A unit's movements, one to each hex that it may go to by itself."""
    routes = game.rules.view.routes
    found = routes(asked, unit).values() if unit and routes else ()
    return [orders for orders in found if accepts(asked.read, orders)]


def _odds(game: Game, asked: Question, unit: str) -> list[Odds]:
    """The attacks with their chances, of one unit or of all."""
    return [one for one in game.rules.view.odds(asked) if not unit or _names(one.orders, unit)]


def _names(value: Plain, unit: str) -> bool:
    """Whether orders, or a part of them, name a unit."""
    match value:
        case list():
            return any(_names(part, unit) for part in value)
        case dict():
            return unit in value or any(_names(part, unit) for part in value.values())
        case _:
            return bool(value == unit)


def _choices(game: Game, asked: Question, unit: str = "") -> list[str]:
    """What may be ordered, of one unit or of all, then the attacks with their chances, in lines."""
    attacking = [one.orders for one in _odds(game, asked, unit)]
    routes = _routes(game, asked, unit)
    offers = [one for one in _offers(game, asked, unit) if one not in attacking and one not in routes]
    typed = ("; ".join(game.rules.view.write_words(orders)) for orders in offers)
    lines = [*_going(game, asked, unit, routes), *grouped(typed)]
    if odds := odds_lines(game, asked, unit):
        return [*lines, *odds]
    coming = [line for orders in [*routes, *offers] for line in _coming(game, asked, orders)]
    return [*lines, *(["What may come of these, with the chance:", *coming] if coming else [])]


def odds_lines(game: Game, asked: Question, unit: str = "") -> list[str]:
    """The attacks of one unit or of all, with their chances, in lines."""
    odds = _odds(game, asked, unit)
    lines = [f"  {float(one.hit):>4.0%} {one.hit!s:>6}  {one.words}   {one.why}" for one in odds]
    return ["Attacks, with the chance of a hit:", *lines] if lines else []


def _going(game: Game, asked: Question, unit: str, routes: list[Orders]) -> list[str]:
    """The hexes in reach of a unit, by their steps, and how to type the first."""
    reach_of = game.rules.view.reach
    if not routes or not reach_of:
        return []
    by_steps: dict[str, list[str]] = {}
    for number, steps in sorted(reach_of(asked, unit).items(), key=lambda item: (len(item[1]), *item[::-1])):
        by_steps.setdefault(steps, []).append(number)
    lines = [wrap(f"  {steps} to {', '.join(hexes)}", indent=6) for steps, hexes in by_steps.items()]
    return [
        "In reach, with the steps:",
        *lines,
        f"  such as: {'; '.join(game.rules.view.write_words(routes[0]))}",
    ]


def _chances(game: Game, asked: Question, orders: Orders) -> tuple[str, ...]:
    """What orders come to by chance, or must lead to."""
    forecast = game.rules.view.forecast
    return forecast(asked, orders).chances if forecast else ()


def _coming(game: Game, asked: Question, orders: Orders) -> list[str]:
    """The same in lines, each after the orders as typed."""
    typed = "; ".join(game.rules.view.write_words(orders))
    return [wrap(f"  {typed}: {safe(line)}", indent=6) for line in _chances(game, asked, orders)]


def grouped(typed: Iterable[str]) -> list[str]:
    """Orders as typed, those that differ in their last word alone on one line."""
    endings: dict[str, list[str]] = {}
    for orders in typed:
        beginning, _, last = orders.rpartition(" ")
        endings.setdefault(beginning, []).append(last)
    lines = ("  " + f"{beginning} {', '.join(lasts)}".strip() for beginning, lasts in endings.items())
    return [wrap(line, indent=6) for line in lines]
