"""Play: `show`, `moves`, `move`, `propose`, `answer`, `resign`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli.common import (
    File,
    Json,
    Newest,
    NoColor,
    Say,
    claim,
    colour,
    desk,
    interactive,
    put,
    put_json,
    remember_players,
    take_up,
    warn,
)
from pbem.cli.text import as_data, chapter, events, game_as_data, news, summary, what_next
from pbem.core.requests import Ask, Orders
from pbem.core.run import public
from pbem.desk import Desk
from pbem.errors import NotYourMove, OrderError, ShelfError, UnknownGame
from pbem.practice import practice_desk, respond
from pbem.render import board
from pbem.umpire import Game, owed, write
from pbem.umpire.table import Table


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the program."""
    for command in (show, moves, move, propose, answer, resign):
        app.command()(command)


def show(file: File, as_json: Json = False, no_color: NoColor = False) -> None:
    """Check a game file, unlock what is yours to see, tell what happened and what is asked; the map.

    Writes nothing into the file.

    Example: pbem show mortain.yaml
    """
    mine = desk()
    data = mine.read(file)
    game = mine.open(data)
    key = mine.key if mine.has_key else None
    refusal = _shelve(mine, game, data)
    table = write.unlock(game, key) if key else game.table
    legend = game.rules.legend(table.run.state)
    if as_json:
        position = public(game.rules, table.run.state, table.asked)
        fresh = [{"event": tell.event, "rule": tell.rule, **tell.facts} for tell in table.run.told]
        log = [as_data(game, one) for one in news(game, key)]
        put_json(
            {
                **game_as_data(game),
                "news": log,
                "unlocked": fresh,
                "position": position,
                "board": board(legend),
            }
        )
    else:
        put(summary(game, key))
        for one in news(game, key):
            put(chapter(game, one))
        if table.run.told:
            put("    Unlocked for you; your next move writes it into the file:")
            put("\n".join(events(game, tuple(table.run.told))))
        put(board(legend, colour=colour(no_color)))
        put(what_next(game, table, key, str(file)))
    if refusal:
        raise refusal


def moves(file: File, as_json: Json = False) -> None:
    """List the orders that you may give now, and the exact chance of each attack.

    Example: pbem moves mortain.yaml
    """
    mine = desk()
    game = mine.open(mine.read(file))
    asked = _asked(game, write.unlock(game, mine.key), mine)
    odds = game.rules.odds(asked)
    offers = list(game.rules.offers(asked))
    if as_json:
        attacks = [
            {"orders": one.orders, "words": one.words, "chance": str(one.hit), "why": one.why} for one in odds
        ]
        put_json({"prompt": game.rules.prompt(asked), "orders": offers, "attacks": attacks})
        return
    put(game.rules.prompt(asked))
    attacking = [one.orders for one in odds]
    for orders in offers:
        if orders not in attacking:
            put(f"  {'; '.join(game.rules.write_words(orders))}")
    if odds:
        put("Attacks, with the chance of a hit:")
    for one in odds:
        put(f"  {float(one.hit):>4.0%} {one.hit!s:>6}  {one.words}   {one.why}")


def move(
    file: File,
    orders: Annotated[
        list[str] | None, typer.Argument(metavar="ORDER…", help='Such as "move 2SS-A 1803".')
    ] = None,
    say: Say = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would happen; write nothing.")
    ] = False,
    newest: Newest = False,
) -> None:
    """Apply your move; with no orders, pass on what is owed, or be asked for orders.

    Example: pbem move mortain.yaml "move 2SS-A 1803" "fire DF 2SS-B at 117Inf"
    """
    mine = desk()
    game = take_up(mine, file, newest)
    if _practice_is_due(game, mine):
        _save_and_tell(mine, game, respond(game, practice_desk(mine), claim=claim()), file)
        return
    write.writing(game, mine.key)
    table = write.unlock(game, mine.key)
    asked = table.asked if table.asked and table.asked.seat == table.writer else None
    if orders:
        plain = game.rules.read_words(_asked(game, table, mine), orders)
        asked_for = _preview(game, table, plain)
        if dry_run:
            put(asked_for)
            return
    elif asked and write.held(game, mine.key) and interactive():
        put(board(game.rules.legend(table.run.state), colour=colour(False)))
        plain = _converse(game, table, asked)
    elif game.table.open_beat:
        plain = None
    else:
        raise OrderError("found no orders, expected some", hint=f"pbem moves {file} lists them")
    after = write.play(game, mine.key, plain, claim=claim(say))
    if _practice_is_due(after, mine):
        mine.save(after, file)
        after = respond(after, practice_desk(mine), claim=claim())
    _save_and_tell(mine, game, after, file)


def propose(
    file: File,
    what: Annotated[str, typer.Argument(help="draw, or the number of the entry to take back to.")],
    say: Say = "",
    newest: Newest = False,
) -> None:
    """Propose a draw, or to take back to where the game stood after an entry.

    Example: pbem propose mortain.yaml 17
    """
    if what != "draw" and not what.isdecimal():
        raise typer.BadParameter(
            f"found '{what}', expected draw or the number of an entry", param_hint="WHAT"
        )
    mine = desk()
    game = take_up(mine, file, newest)
    proposal = {"draw": True} if what == "draw" else {"takeback": int(what)}
    _finish(mine, game, write.propose(game, mine.key, proposal, claim=claim(say)), file)


def answer(
    file: File,
    granted: Annotated[str, typer.Argument(metavar="yes|no", help="Whether you agree.")],
    say: Say = "",
    newest: Newest = False,
) -> None:
    """Answer your opponent's proposal.

    Example: pbem answer mortain.yaml yes
    """
    if granted not in ("yes", "no"):
        raise typer.BadParameter(f"found '{granted}', expected yes or no", param_hint="yes|no")
    mine = desk()
    game = take_up(mine, file, newest)
    _finish(mine, game, write.answer(game, mine.key, granted == "yes", claim=claim(say)), file)


def resign(
    file: File,
    say: Say = "",
    newest: Newest = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether you mean it.")] = False,
) -> None:
    """Give the game up.

    Example: pbem resign mortain.yaml --yes
    """
    mine = desk()
    game = take_up(mine, file, newest)
    write.writing(game, mine.key)
    if not yes:
        typer.confirm("Give this game up?", abort=True)
    _finish(mine, game, write.resign(game, mine.key, claim=claim(say)), file)


def _finish(mine: Desk, before: Game, after: Game, file: Path) -> None:
    """Let a practice opponent answer, save, and tell."""
    if _practice_is_due(after, mine):
        after = respond(after, practice_desk(mine), claim=claim())
    _save_and_tell(mine, before, after, file)


def _save_and_tell(mine: Desk, before: Game, after: Game, file: Path) -> None:
    mine.save(after, file)
    for one in after.chapters[len(before.chapters) :]:
        put(chapter(after, one))
    put(what_next(after, write.unlock(after, mine.key), mine.key, str(file)))


def _practice_is_due(game: Game, mine: Desk) -> bool:
    """Whether the seat that writes next is played by this computer's practice opponent."""
    seat = game.table.writer
    if seat is None or not (mine.home / "practice").exists():
        return False
    return seat in write.held(game, practice_desk(mine).key)


def _shelve(mine: Desk, game: Game, data: bytes) -> ShelfError | None:
    """Put the file on the shelf if it belongs there; what the shelf refuses is told after showing."""
    try:
        mine.keep(game, data)
    except UnknownGame as unknown:
        if len(game.entries) > 1:
            warn(unknown)
        return None
    except ShelfError as refusal:
        return refusal
    remember_players(mine, game)
    return None


def _asked(game: Game, table: Table, mine: Desk) -> Ask[Any]:
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


def _preview(game: Game, table: Table, orders: Orders) -> str:
    """What the orders would do, up to the next card or die. Raises `OrderError`."""
    trial = table.fork()
    assert trial.asked is not None
    trial.answer(trial.asked.seat, orders)
    return "\n".join(events(game, tuple(trial.run.told)))


def _converse(game: Game, table: Table, asked: Ask[Any]) -> Orders:
    """Ask for orders until they are legal and confirmed."""
    put(game.rules.prompt(asked))
    while True:
        text = typer.prompt("Orders, parted by ; (or: moves)")
        if text.strip() == "moves":
            for orders in game.rules.offers(asked):
                put(f"  {'; '.join(game.rules.write_words(orders))}")
            continue
        try:
            plain = game.rules.read_words(asked, [text])
            put(_preview(game, table, plain))
        except OrderError as error:
            warn(error)
            continue
        if typer.confirm("Do it?", default=True):
            return plain
