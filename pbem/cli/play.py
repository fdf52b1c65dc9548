"""Play: `move`, `propose`, `answer`, `resign`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli.arguments import File, FileBeforeOrders, Newest, Say, offering, wrong_in
from pbem.cli.lazy import commands
from pbem.cli.orders import asked_of, typed_orders
from pbem.cli.session import desk, parted, spoken, take_up
from pbem.cli.terminal import answered, be_sure, interactive, put, put_board, warn
from pbem.cli.turn import may_decide, my_turn, no_proposal
from pbem.core.requests import Orders
from pbem.desk import Desk
from pbem.desk.clock import claim
from pbem.desk.practice import go_on, is_practice, save_and_go_on
from pbem.desk.takeback import openings, proposal
from pbem.desk.trial import forecast, preview, trial
from pbem.errors import NotYourMove, OrderError
from pbem.render.words import cut, quoted, safe, said
from pbem.report import chapter, events, news, what_next, with_its_end
from pbem.texts import Texts
from pbem.umpire import Game, owed, seated, write
from pbem.umpire.table import Table

app = commands()
tr = Texts("pbem")


@app.command()
def move(
    file: FileBeforeOrders = "",
    orders: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="order…", help='Such as "move 2SS-A 1803".', autocompletion=offering("orders")
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
    drafts: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="DRAFT", help="Orders of a commander of your side: his draft."),
    ] = None,
    say: Say = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would happen; write nothing.")
    ] = False,
    by_plan: Annotated[
        bool, typer.Option("--plan", help="Let your armed plan give the orders, or tell why it stops.")
    ] = False,
    newest: Newest = False,
) -> None:
    """Apply your move; with no orders, pass on what is owed, or be asked for orders.

    At a terminal it asks for orders one by one, Tab completes them, and help tells what else may be typed.

    Example: pbem move mortain.yaml "move 2SS-A 1803" "fire DF 2SS-B at 117Inf"
    """
    mine = desk()
    file, given = parted(mine, file, *(orders or []))
    game, written = take_up(mine, file, newest)
    typed = [*(typed_orders(mine, setup) if setup else []), *given]
    caught_up = go_on(game, mine, claim=claim())
    if by_plan:
        _by_plan(mine, game, caught_up, written, typed)
        return
    if not (typed or drafts) and not dry_run and interactive() and _is_asked(mine, caught_up):
        _ask(mine, game, caught_up, written, say)
        return
    if caught_up is not game:
        _finish(mine, game, caught_up, written)
        return
    if say and not (given or setup or dry_run or game.table.writer in seated.held(game, mine.key)):
        _keep_words(mine, game, say)
        return
    my_turn(game, mine, written)
    no_proposal(game, written)
    table = seated.unlock(game, mine.key)
    try:
        plain, parts = _with_drafts(game, table, typed, drafts or [], mine, written, setup=bool(setup))
        if dry_run:
            put("" if plain is None else preview(game, table, plain))
            if setup and plain is not None:
                put_board(game.rules.view.legend(trial(table, plain)[1]))
            return
        if plain is not None:
            _warn_of_losses(forecast(table, plain).warnings)
        elif say:
            _keep_words(mine, game, say)
        words = claim() if plain is None else spoken(mine, game, say)
        after = write.play(game, mine.key, plain, claim=words, parts=parts)
    except OrderError as error:
        raise with_its_end(game, table.run.told, error) from None
    _finish(mine, game, after, written)


@app.command()
def propose(
    file: File = "",
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="what",
            help="draw; or what to take back: last, your last move; a move as you typed it; or the number of "
            "the entry to go back to.",
            show_default=False,
            autocompletion=offering("proposals"),
        ),
    ] = None,
    say: Say = "",
    newest: Newest = False,
) -> None:
    """Propose a draw, or to take a move back.

    Example: pbem propose mortain.yaml last
    """
    mine = desk()
    file, given = parted(mine, file, *(what or []))
    if not given:
        problem = tr("found nothing, expected draw, last, a move of yours or the number of an entry")
        raise typer.BadParameter(problem, param_hint=tr("what"))
    game, written = take_up(mine, file, newest)
    may_decide(game, mine, written)
    with wrong_in(tr("what")):
        proposed = proposal(game, mine.key, " ".join(given))
    _warn(proposed.warnings)
    _finish(mine, game, write.propose(game, mine.key, proposed.what, claim=spoken(mine, game, say)), written)


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
    agrees = answered(" ".join(given), default=None)
    if agrees is None:
        problem = tr("found {found}, expected yes or no", found=_typed(given))
        raise typer.BadParameter(problem, param_hint=tr("yes|no"))
    game, written = take_up(mine, file, newest)
    my_turn(game, mine, written)
    if agrees and game.table.proposal and game.table.proposal.entry is not None:
        _warn(openings(game, game.table.proposal.entry))
    _finish(mine, game, write.answer(game, mine.key, agrees, claim=spoken(mine, game, say)), written)


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
    _check_resigning(game, mine, written)
    if not yes:
        be_sure(tr("Give up {game}, {file}?", game=game.rules.title, file=quoted(written)))
    _finish(mine, game, write.resign(game, mine.key, claim=spoken(mine, game, say)), written)


def _check_resigning(game: Game, mine: Desk, written: Path) -> None:
    """Raise `NotYourMove` unless the player may resign: as all entries, in his own turn to write."""
    try:
        my_turn(game, mine, written)
    except NotYourMove as error:
        if owed(game.table).what == "nothing":
            raise
        problem = tr("you can resign only when it is for you to write; {why}", why=error)
        raise NotYourMove(problem, hint=error.hint) from None


def _by_plan(mine: Desk, before: Game, game: Game, file: Path, typed: list[str]) -> None:
    """Let the armed plan answer as long as it does. Raises `OrderError` if it does not answer at all."""
    from pbem.desk.plan import carry_out, chosen  # here, because most players have no plans

    if typed:
        problem = tr("found orders, expected none: the plan gives them")
        raise typer.BadParameter(problem, param_hint="--plan")
    after = write.play(game, mine.key) if seated.owes_no_decision(game, mine.key) else game
    if after is before and not ((choice := chosen(mine, after)) and choice.orders):
        my_turn(after, mine, file)
        if choice is None:
            raise OrderError(tr("no plan is armed here"), hint=f"pbem plan {quoted(file)}")
        problem = tr("your plan asks you: {why}", why=choice.why)
        raise OrderError(problem, hint=f"pbem plan {quoted(file)} --explain")
    while (more := carry_out(mine, after)) is not None:
        after = more
        mine.save(after, file)
    _finish(mine, before, after, file)


def _keep_words(mine: Desk, game: Game, say: str) -> None:
    """Keep words at home that no entry can take along yet."""
    from pbem.desk.words import Words

    words = Words(mine.home).keep(game, mine.key, say)
    put(tr("These words wait for your next orders, proposal or answer:"))
    put("\n".join(said(words)))


def _typed(words: list[str]) -> str:
    """Words as a complaint names them."""
    return f"'{cut(' '.join(words), 40)}'" if words else tr("nothing")


def _warn(warnings: tuple[str, ...]) -> None:
    for warning in warnings:
        warn(warning)


def _is_asked(mine: Desk, game: Game) -> bool:
    """Whether the player has orders to give."""
    writes = game.table.writer in seated.held(game, mine.key) and not game.table.proposal
    return writes and not seated.owes_no_decision(game, mine.key)


def _ask(mine: Desk, before: Game, game: Game, file: Path, say: str) -> None:
    """Ask for orders, in a game that a practice opponent may have carried on."""
    from pbem.cli.sitting import sit_down  # here, because most moves come with their orders

    if game is not before:
        mine.save(game, file)
    told = [*news(before, mine.key), *game.chapters[len(before.chapters) :]]
    sit_down(mine, game, told, file, say)


def _warn_of_losses(warnings: tuple[str, ...]) -> None:
    """Say what orders bring about that their giver may not mean; ask him, if he is at a terminal."""
    _warn(warnings)
    if warnings and interactive():
        be_sure(tr("Do it all the same?"))


def _with_drafts(
    game: Game, table: Table, typed: list[str], drafts: list[str], mine: Desk, file: Path, *, setup: bool
) -> tuple[Orders | None, list[dict[str, Any]]]:
    """The orders as typed, joined with those of commanders, and what these have signed (FORMAT 11)."""
    seat = game.table.writer or ""
    if not drafts and not (typed and game.table.commanders.get(seat)):
        return _orders(game, table, typed, mine, file), []
    from pbem.cli import commanders  # here, because few sides are shared

    asked = asked_of(game, table, mine, file)
    found = commanders.read_drafts(mine, drafts)
    own = game.rules.view.read_words(asked, typed) if typed else []
    return commanders.joined(mine, game, table, found, own, give_way=setup)


def _orders(game: Game, table: Table, typed: list[str], mine: Desk, file: Path) -> Orders | None:
    """The orders as typed; None where a share alone is to be written."""
    if typed:
        return game.rules.view.read_words(asked_of(game, table, mine, file), typed)
    if game.table.open_beat or seated.owes_no_decision(game, mine.key):
        return None
    hint = tr("to see them: {command}", command=f"pbem moves {quoted(file)}")
    raise OrderError(tr("found no orders, expected some"), hint=hint)


def _finish(mine: Desk, before: Game, after: Game, file: Path) -> None:
    """Save the player's entry, let a practice opponent answer it, and tell what was written."""
    final = save_and_go_on(mine, after, file)
    for one in final.chapters[len(before.chapters) :]:
        put(chapter(final, one))
    seen = seated.unlock(final, mine.key)
    if seen.run.told:
        put(f"    {tr('Unlocked for you; your next move writes it into the file:')}")
        put("\n".join(events(final, tuple(seen.run.told))))
    put(what_next(final, seen, mine.key, file))
    if any(final.table.commanders.values()):
        from pbem.desk.staff import persons  # here, because few sides are shared

        if persons(mine, final):
            put(tr("To your commanders: {command}", command=f"pbem mail share {quoted(file)}"))
    if final.table.ending and not is_practice(final, mine):
        put(tr("Mail {file} to your opponent once more.", file=safe(str(file))))
