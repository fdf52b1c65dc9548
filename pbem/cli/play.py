"""Play: `move`, `propose`, `answer`, `resign`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.arguments import File, FileBeforeOrders, Newest, Say, offering
from pbem.cli.lazy import commands
from pbem.cli.orders import asked_of, converse, typed_orders
from pbem.cli.session import desk, parted, take_up
from pbem.cli.takeback import proposal
from pbem.cli.terminal import interactive, put, put_board, warn
from pbem.cli.turn import may_decide, my_turn, no_proposal
from pbem.core.requests import Orders
from pbem.desk import Desk
from pbem.desk.clock import claim
from pbem.desk.practice import go_on, is_practice
from pbem.desk.trial import forecast, preview, trial
from pbem.errors import OrderError
from pbem.render.words import cut, quoted, safe
from pbem.report import chapter, what_next
from pbem.umpire import Game, seated, write
from pbem.umpire.table import Table

app = commands()


@app.command()
def move(
    file: FileBeforeOrders = "",
    orders: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ORDER…", help='Such as "move 2SS-A 1803".', autocompletion=offering("orders")
        ),
    ] = None,
    setup: Annotated[
        str,
        typer.Option(
            "--setup",
            metavar="NAME|FILE",
            help="A ready-made set-up, or a file with an order a line.",
            autocompletion=offering("setups"),
        ),
    ] = "",
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
    file, given = parted(mine, file, *(orders or []))
    game, written = take_up(mine, file, newest)
    caught_up = go_on(game, mine, claim=claim())
    if caught_up is not game:
        _finish(mine, game, caught_up, written)
        return
    my_turn(game, mine, written)
    no_proposal(game, written)
    table = seated.unlock(game, mine.key)
    typed = [*(typed_orders(mine, setup) if setup else []), *given]
    plain = _orders(game, table, typed, mine, written)
    if dry_run:
        put("" if plain is None else preview(game, table, plain))
        if setup and plain is not None:
            put_board(game.rules.view.legend(trial(table, plain)[1]))
        return
    if typed and plain is not None:
        _warn_of_losses(forecast(table, plain).warnings)
    _finish(mine, game, write.play(game, mine.key, plain, claim=claim(say)), written)


@app.command()
def propose(
    file: File = "",
    what: Annotated[
        str,
        typer.Argument(
            help="draw; or what to take back: last, your last move; a move as you typed it; or the number of "
            "the entry to go back to.",
            show_default=False,
        ),
    ] = "",
    say: Say = "",
    newest: Newest = False,
) -> None:
    """Propose a draw, or to take a move back.

    Example: pbem propose mortain.yaml last
    """
    mine = desk()
    file, given = parted(mine, file, *([what] if what else []))
    if len(given) != 1:
        expected = "draw, last, a move of yours or the number of an entry"
        raise typer.BadParameter(f"found {_typed(given)}, expected {expected}", param_hint="WHAT")
    game, written = take_up(mine, file, newest)
    may_decide(game, mine, written)
    proposed = proposal(game, mine.key, given[0])
    if isinstance(entry := proposed.get("takeback"), int):
        _warn_of_openings(game, entry)
    _finish(mine, game, write.propose(game, mine.key, proposed, claim=claim(say)), written)


@app.command()
def answer(
    file: File = "",
    granted: Annotated[
        str, typer.Argument(metavar="yes|no", help="Whether you agree.", show_default=False)
    ] = "",
    say: Say = "",
    newest: Newest = False,
) -> None:
    """Answer your opponent's proposal.

    Example: pbem answer mortain.yaml yes
    """
    mine = desk()
    file, given = parted(mine, file, *([granted] if granted else []))
    if given not in (["yes"], ["no"]):
        raise typer.BadParameter(f"found {_typed(given)}, expected yes or no", param_hint="yes|no")
    game, written = take_up(mine, file, newest)
    my_turn(game, mine, written)
    if given == ["yes"] and game.table.proposal and game.table.proposal.entry is not None:
        _warn_of_openings(game, game.table.proposal.entry)
    _finish(mine, game, write.answer(game, mine.key, given == ["yes"], claim=claim(say)), written)


@app.command()
def resign(
    file: File = "",
    say: Say = "",
    newest: Newest = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether you mean it.")] = False,
) -> None:
    """Give the game up.

    Example: pbem resign mortain.yaml --yes
    """
    mine = desk()
    game, written = take_up(mine, file, newest)
    my_turn(game, mine, written)
    if not yes:
        typer.confirm(f"Give up {game.rules.title}, {quoted(written)}?", abort=True)
    _finish(mine, game, write.resign(game, mine.key, claim=claim(say)), written)


def _typed(words: list[str]) -> str:
    """Words as a complaint names them."""
    return f"'{cut(' '.join(words), 40)}'" if words else "nothing"


def _warn_of_openings(game: Game, entry: int) -> None:
    """Say that sealed orders were opened after the entry to be taken back to (FORMAT 8)."""
    if seen := [n for n in game.table.openings if n > entry]:
        warn(f"entry {seen[0]} opened sealed orders: what was seen stays seen")


def _warn_of_losses(warnings: tuple[str, ...]) -> None:
    """Say what orders bring about that their giver may not mean; ask him, if he is at a terminal."""
    for warning in warnings:
        warn(warning)
    if warnings and interactive():
        typer.confirm("Do it all the same?", abort=True)


def _orders(game: Game, table: Table, typed: list[str], mine: Desk, file: Path) -> Orders | None:
    """The orders as typed or as asked for; None where a share alone is to be written."""
    if typed:
        return game.rules.view.read_words(asked_of(game, table, mine, file), typed)
    asked = table.asked
    if seated.owes_no_decision(game, mine.key):
        return None
    if asked and asked.seat in seated.held(game, mine.key) and interactive():
        put_board(game.rules.view.legend(table.run.state))
        return converse(game, table, asked)
    if game.table.open_beat:
        return None
    raise OrderError("found no orders, expected some", hint=f"to see them: pbem moves {quoted(file)}")


def _finish(mine: Desk, before: Game, after: Game, file: Path) -> None:
    """Save the player's entry, let a practice opponent answer it, and tell what was written."""
    mine.save(after, file)
    final = go_on(after, mine, claim=claim())
    if final is not after:
        mine.save(final, file)
    for one in final.chapters[len(before.chapters) :]:
        put(chapter(final, one))
    put(what_next(final, seated.unlock(final, mine.key), mine.key, file))
    if final.table.ending and not is_practice(final, mine):
        put(f"Mail {safe(str(file))} to your opponent once more.")
