"""Orders: what may be ordered (`moves`), what it would do, and the talk that leads to it."""

from __future__ import annotations

from typing import Any

import typer

from pbem.cli.common import File, Json, complain, desk, put, put_json
from pbem.cli.text import events
from pbem.core.requests import Ask, Orders
from pbem.desk import Desk
from pbem.errors import NotYourMove, OrderError
from pbem.render import wrap
from pbem.umpire import Game, owed, write
from pbem.umpire.table import Table


def register(app: typer.Typer) -> None:
    """Add the command of this module to the program."""
    app.command()(moves)


def moves(file: File, as_json: Json = False) -> None:
    """List the orders that you may give now, and the exact chance of each attack.

    Example: pbem moves mortain.yaml
    """
    mine = desk()
    game = mine.open(mine.read(file))
    asked = asked_of(game, write.unlock(game, mine.key), mine)
    if as_json:
        attacks = [
            {"orders": one.orders, "words": one.words, "chance": str(one.hit), "why": one.why}
            for one in game.rules.odds(asked)
        ]
        offers = list(game.rules.offers(asked))
        put_json({"prompt": game.rules.prompt(asked), "orders": offers, "attacks": attacks})
        return
    put(wrap(game.rules.prompt(asked), indent=2))
    put("\n".join(_choices(game, asked)))


def asked_of(game: Game, table: Table, mine: Desk) -> Ask[Any]:
    """The question put to the player. Raises `NotYourMove`."""
    seat = write.writing(game, mine.key)
    if table.asked is None or table.asked.seat != seat:
        raise NotYourMove(
            f"{seat} is asked for no orders now: {owed(table).text}",
            hint="pbem move FILE, without orders, writes the share that you owe"
            if game.table.open_beat
            else "",
        )
    return table.asked


def preview(game: Game, table: Table, orders: Orders) -> str:
    """What the orders would do, up to the next card or die. Raises `OrderError`."""
    trial = table.fork()
    assert trial.asked is not None
    trial.answer(trial.asked.seat, orders)
    lines = events(game, tuple(trial.run.told))
    chance = game.rules.chance(trial.run.state)
    if chance is not None:
        lines.append(f"      The chance of a hit is {float(chance):.0%} ({chance})")
    return "\n".join(lines)


def converse(game: Game, table: Table, asked: Ask[Any]) -> Orders:
    """Ask for orders until they are legal and confirmed."""
    put(wrap(game.rules.prompt(asked), indent=2))
    while True:
        text = typer.prompt("Orders, parted by ; (or: moves)")
        if text.strip() == "moves":
            put("\n".join(_choices(game, asked)))
            continue
        try:
            plain = game.rules.read_words(asked, [text])
            put(preview(game, table, plain))
        except OrderError as error:
            complain(error)
            continue
        if typer.confirm("Do it?", default=True):
            return plain


def _choices(game: Game, asked: Ask[Any]) -> list[str]:
    """What may be ordered, then the attacks with their chances, in lines."""
    odds = game.rules.odds(asked)
    attacking = [one.orders for one in odds]
    lines = _grouped(game, [orders for orders in game.rules.offers(asked) if orders not in attacking])
    if odds:
        lines.append("Attacks, with the chance of a hit:")
    lines += [f"  {float(one.hit):>4.0%} {one.hit!s:>6}  {one.words}   {one.why}" for one in odds]
    return lines


def _grouped(game: Game, offers: list[Orders]) -> list[str]:
    """Orders as typed, those that differ in their last word alone on one line."""
    endings: dict[str, list[str]] = {}
    for orders in offers:
        beginning, _, last = "; ".join(game.rules.write_words(orders)).rpartition(" ")
        endings.setdefault(beginning, []).append(last)
    lines = ("  " + f"{beginning} {', '.join(lasts)}".strip() for beginning, lasts in endings.items())
    return [wrap(line, indent=6) for line in lines]
