"""Play: `move`, `propose`, `answer`, `resign`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.arguments import File, FileBeforeOrders, Newest, offering, wrong_in
from pbem.cli.arguments import Say as Saying
from pbem.cli.lazy import commands
from pbem.cli.ordering import asked_of, typed_orders
from pbem.cli.session import desk, parted, take_up
from pbem.cli.terminal import agreed, answered, be_sure, interactive, put, put_board, warn
from pbem.errors import OrderError
from pbem.player.actions import deferred
from pbem.player.actions.action import Action, ActionContext
from pbem.player.actions.autoplay import go_on as all_by_itself
from pbem.player.actions.message import Say
from pbem.player.actions.orders import Orders as Given
from pbem.player.actions.orders import Share
from pbem.player.actions.preconditions import check, my_turn
from pbem.player.actions.proposals import Answer, Propose, Resign
from pbem.player.clock import claim
from pbem.player.commanders.opponent_home import is_practice
from pbem.player.local_player import LocalPlayer
from pbem.player.orders.parse_proposal import is_draw, proposed_entry
from pbem.player.orders.try_orders import trial
from pbem.player.pending.deferred_actions import DeferredActions, What
from pbem.player.practice.practice_opponent import go_on
from pbem.player.sign import sign
from pbem.player.status.describe_status import waiting, what_next, wishes
from pbem.player.status.game_status import GameStatus, game_status, news
from pbem.render.story import chapter, events, with_its_end
from pbem.render.words import cut, quoted, safe
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game import Game

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
    say: Saying = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would happen; write nothing.")
    ] = False,
    by_plan: Annotated[
        bool, typer.Option("--plan", help="Let your armed plan give the orders, or tell why it stops.")
    ] = False,
    newest: Newest = False,
) -> None:
    """Make your move. Without orders it does what is due, or asks you for orders.

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
    if not (typed or drafts or dry_run) and (wish := _wished(ActionContext(mine, caught_up, written), say)):
        _sign(wish)
        return
    if not (typed or drafts) and not dry_run and interactive() and _is_asked(mine, caught_up):
        _ask(mine, game, caught_up, written, say)
        return
    if caught_up is not game:
        mine.save(caught_up, written)
        _tell(mine, game, caught_up, written)
        return
    act = _moved(ActionContext(mine, game, written), typed, drafts or [], say, setup=bool(setup))
    if not dry_run:
        _sign(act)
        return
    put("\n".join(act.effect.lines))
    if setup and isinstance(act, Given):
        put_board(game.rules.view.legend(trial(permissions.unlock_state(game, mine.key), act.orders)[1]))


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
    say: Saying = "",
    withdraw: Annotated[
        bool, typer.Option("--withdraw", help="Take back the offer of a draw that waits.")
    ] = False,
    newest: Newest = False,
) -> None:
    """Propose a draw, as soon as you may; or to take a move back.

    Example: pbem propose mortain.yaml last
    """
    mine = desk()
    file, given = parted(mine, file, *(what or []))
    if not (given or withdraw):
        problem = tr("say what to propose: draw, last, a move of yours, or the number of an entry")
        raise typer.BadParameter(problem, param_hint=tr("what"))
    game, written = take_up(mine, file, newest)
    hand = ActionContext(mine, game, written)
    if withdraw:
        _withdraw(hand, "draw")
    elif is_draw(" ".join(given)):
        _sign(deferred.draw(hand, say))
    else:
        check(hand, "takeback")
        with wrong_in(tr("what")):
            entry = proposed_entry(game, mine.key, " ".join(given))
        _sign(Propose(hand, entry, say))


@app.command()
def answer(
    file: File = "",
    granted: Annotated[
        str, typer.Argument(metavar="yes|no", help="Whether you agree.", show_default=False)
    ] = "",
    say: Saying = "",
    newest: Newest = False,
) -> None:
    """Answer your opponent's proposal.

    Example: pbem answer mortain.yaml yes
    """
    mine = desk()
    file, given = parted(mine, file, *([granted] if granted else []))
    agrees = answered(" ".join(given)) if any(given) else None
    if agrees is None:
        problem = tr("answer yes or no")
        if given:
            problem = tr("answer yes or no, not '{found}'", found=cut(" ".join(given), 40))
        raise typer.BadParameter(problem, param_hint=tr("yes|no"))
    game, written = take_up(mine, file, newest)
    _sign(Answer(ActionContext(mine, game, written), agrees, say))


@app.command()
def resign(
    file: File = "",
    say: Saying = "",
    newest: Newest = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether you mean it.")] = False,
    certain: Annotated[
        bool, typer.Option("--for-certain", help="Nor again, where it waits until you may write it.")
    ] = False,
    withdraw: Annotated[
        bool, typer.Option("--withdraw", help="Take back the resignation that waits.")
    ] = False,
) -> None:
    """Give the game up; where it is not for you to write, as soon as it is.

    Example: pbem resign mortain.yaml --yes
    """
    mine = desk()
    game, written = take_up(mine, file, newest)
    if withdraw:
        _withdraw(ActionContext(mine, game, written), "resign")
        return
    act = deferred.resign(ActionContext(mine, game, written), say, certain=certain)
    if not (yes or certain):
        be_sure(_give_up(act))
    _sign(act)


def _give_up(act: Action) -> str:
    """The question that confirms a resignation."""
    game, file = act.hand.game, act.hand.file
    return tr("Give up {game}, {file}?", game=game.rules.title, file=quoted(file))


def _withdraw(hand: ActionContext, what: What) -> None:
    """Withdraw a deferred action, and print what still waits."""
    desk, game, file = hand
    DeferredActions(desk.home).withdraw(game, what)
    for line in wishes(game_status(desk, game), file) or [tr("Nothing waits to be written.")]:
        put(line, indent=2)


def _wished(hand: ActionContext, say: str) -> Action | None:
    """The deferred action that may be written now: an offer of a draw; a resignation, if confirmed again."""
    act = deferred.due(hand, say)
    if isinstance(act, Resign) and deferred.by_itself(hand) is None:
        sure = interactive() and agreed(_give_up(act))
        return act if sure else None
    return act


def _by_plan(mine: LocalPlayer, before: Game, game: Game, file: Path, typed: list[str]) -> None:
    """Let the armed plan answer, as long as it does. Raises `OrderError` if it does not answer at all."""
    from pbem.player.plans.plan_store import chosen  # here, because most players have no plans

    if typed:
        problem = tr("give no orders here: the plan gives them")
        raise typer.BadParameter(problem, param_hint="--plan")
    after = go_on(game, mine, claim=claim(), by_plan=True)
    if after is not game:
        mine.save(after, file)
    else:
        after, _ = all_by_itself(mine, game, file, alone=True)
    if after is before:
        my_turn(mine, game, file)
        if (choice := chosen(mine, game)) is None:
            raise OrderError(tr("no plan is armed here"), hint=f"pbem plan {quoted(file)}")
        problem = tr("your plan asks you: {why}", why=choice.why)
        raise OrderError(problem, hint=f"pbem plan {quoted(file)} --explain")
    _tell(mine, before, after, file)


def _is_asked(mine: LocalPlayer, game: Game) -> bool:
    """Whether the player has orders to give."""
    writes = game.table.writer in permissions.held_seats(game, mine.key) and not game.table.proposal
    return writes and not permissions.owes_no_decision(game, mine.key)


def _ask(mine: LocalPlayer, before: Game, game: Game, file: Path, say: str) -> None:
    """Ask for orders at the prompt, after what a practice opponent may have played."""
    from pbem.cli.prompt_session import sit_down  # here, because most moves come with their orders

    if game is not before:
        mine.save(game, file)
    told = [*news(mine, before), *game.chapters[len(before.chapters) :]]
    sit_down(mine, game, told, file, say)


def _moved(hand: ActionContext, typed: list[str], drafts: list[str], say: str, *, setup: bool) -> Action:
    """The action of `move`: typed orders joined with drafts; without any, a share or a message."""
    desk, game, file = hand
    if not (typed or drafts):
        writes = game.table.writer in permissions.held_seats(game, desk.key)
        return Share(hand, say) if writes or not say else Say(hand, say)
    table = permissions.unlock_state(game, desk.key)
    asked = asked_of(game, table, desk, file)
    try:
        own = game.rules.view.read_words(asked, typed) if typed else []
        if not drafts and not game.table.commanders.get(asked.seat):
            return Given(hand, own, say)
        from pbem.cli import commanders  # here, because few sides are shared

        found = commanders.read_drafts(desk, drafts)
        joined, parts = commanders.joined(desk, game, table, found, own, give_way=setup)
        return Given(hand, joined, say, parts)
    except OrderError as error:
        raise with_its_end(game, table.run.told, error) from None


def _sign(act: Action) -> None:
    """Print the chances and warnings of an action, sign it, and print the result."""
    desk, game, file = act.hand
    for chance in act.effect.chances:
        put(chance)
    for warning in act.effect.warnings:
        warn(warning)
    if act.effect.warnings and interactive():
        be_sure(tr("Do it all the same?"))
    after = sign(act)
    if after is None:
        _put_waiting(game_status(desk, game), file)
    else:
        _tell(desk, game, after, file)


def _put_waiting(now: GameStatus, file: Path) -> None:
    """Print the messages and deferred actions that wait on this computer."""
    for line in waiting(now, file):
        put(line, indent=2)


def _tell(mine: LocalPlayer, before: Game, final: Game, file: Path) -> None:
    """Print what was written, by the player and in answer to it, and what comes next."""
    for entry in final.chapters[len(before.chapters) :]:
        put(chapter(final, entry))
    now = game_status(mine, final)
    if now.unlocked:
        put(f"    {tr('You can already see this; your next move records it in the file:')}")
        put("\n".join(events(final, now.unlocked)))
    put(what_next(now.asked, final, mine.key, file))
    _put_waiting(now, file)
    if any(final.table.commanders.values()):
        from pbem.player.commanders.lead import persons  # here, because few sides are shared

        if persons(mine, final):
            put(tr("To your commanders: {command}", command=f"pbem mail share {quoted(file)}"))
    if final.table.ending and not is_practice(final, mine):
        put(tr("Mail {file} to your opponent again.", file=safe(str(file))))
