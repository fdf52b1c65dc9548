"""What a player writes into a game: `move`, `propose`, `answer`, `resign`, `say`; and `undo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli import commanders
from pbem.cli.arguments import File, FileBeforeOrders, Newest, complete_with, report_errors_at
from pbem.cli.arguments import SayOption as Saying
from pbem.cli.command_groups import commands
from pbem.cli.legal_moves import question_for_player, read_setup_orders
from pbem.cli.session import (
    file_to_write,
    local_player,
    open_file,
    open_to_play,
    put_unread_news,
    split_off_game,
)
from pbem.cli.terminal import (
    ask_yes_no,
    confirm_or_exit,
    is_interactive,
    parse_yes_no,
    printable_size,
    put,
    put_board,
    read_piped_text,
    warn,
)
from pbem.core.phrases import split_orders
from pbem.correspondence.open_named_game import unmailed_game
from pbem.correspondence.undo_with_mail import describe_undone, write_undone_state
from pbem.correspondence.undo_with_mail import undo_with_mail as take_back
from pbem.errors import NotYourMove, OrderError, PbemError
from pbem.player.actions import proposals
from pbem.player.actions.action import Action, ActionContext
from pbem.player.actions.autoplay import save_automatic_entries as all_by_itself
from pbem.player.actions.orders import GiveOrders as Given
from pbem.player.actions.orders import GiveShare, LeaveMessage
from pbem.player.actions.preconditions import check_holds_seat, seat_to_write
from pbem.player.actions.proposals import AnswerProposal, ResignGame, is_draw, parse_takeback
from pbem.player.actions.undo import (
    UndoableEntries,
    describe_undo,
    undo_command,
    undo_question,
    undoable_entries,
)
from pbem.player.clock import claim
from pbem.player.commanders import human_commanders
from pbem.player.local_player import LocalPlayer, is_practice
from pbem.player.order_preview import trial
from pbem.player.order_sheet import has_shortened_words, read_typed_orders
from pbem.player.pending import DeferredActions, PendingMessages
from pbem.player.plans.choice import Choice
from pbem.player.plans.plan_store import consult_armed_plan
from pbem.player.practice import play_to_next_decision
from pbem.player.sign import sign
from pbem.player.status import (
    GameStatus,
    describe_deferred,
    describe_next_step,
    describe_pending,
    describe_suspended_message,
    game_status,
    news,
    pending_question,
)
from pbem.player.store.game_record import DeferredKind
from pbem.player.store.log_relation import Relation
from pbem.render.safe_text import cut, quote_lines, quote_path, safe_text
from pbem.render.story import describe_entry, describe_events, explain_departure
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game_state import Game
from pbem.umpire.write import play_computed

tr = Texts("pbem")


app = commands()


@app.command()
def say(
    file: FileBeforeOrders = "",
    words: Annotated[
        str, typer.Argument(metavar="message", help="Your message; leave it out to see your waiting message.")
    ] = "",
    remove: Annotated[bool, typer.Option("--remove", help="Delete the waiting message.")] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Restore the message that pbem kept when you undid its entry.")
    ] = False,
) -> None:
    """Leave a message for your opponent, even when it is not your move. It goes with your next orders.

    Until then it stays on this computer only, and is not in any game file.

    Example: pbem say mortain.yaml "I am away until Sunday."
    """
    player = local_player()
    named, given = split_off_game(player, file, *([words] if words else []))
    words = " ".join(given)
    opened = open_file(player, named)
    game = opened.game
    kept = PendingMessages(player.home)
    if remove:
        kept.remove(game)
    keeping = words or (again and kept.suspended_message(game))
    waiting = kept.save(game, player.key, words) if keeping else kept.pending_for(game, player.key)
    if waiting:
        put(tr("This message goes with your next orders, proposal or answer:"))
        put("\n".join(quote_lines(waiting)))
        return
    put(
        "\n".join(describe_suspended_message(kept.suspended_message(game), opened.typed))
        or tr("You have no message waiting.")
    )


@app.command()
def undo(
    file: File = "",
    nobody_has_it: Annotated[
        bool, typer.Option("--nobody-has-it", help="Do not ask whether anybody has received the file since.")
    ] = False,
) -> None:
    """Undo your newest decision, or leave a game you have just joined, as long as nobody else has seen it.

    You cannot undo an entry that pbem has mailed, or put in a mail or a page. Ask for a take-back instead.

    Against the computer, your last orders are undone at once; the card or roll before them stays.

    Example: pbem undo mortain.yaml
    """
    player = local_player()
    opened = open_file(player, file or unmailed_game(player))
    game, place = opened.game, file_to_write(player, opened)
    check_holds_seat(player, game, opened.typed)
    if player.relation(game, opened.data) is Relation.UNDONE:
        _put_already_undone(write_undone_state(player, game, place), player, place)
        return
    player.record(game, opened.data, file=None if opened.source else place)
    found = undoable_entries(player, game)
    if found.take_back == "now" and is_practice(game, player) and not game.state.ending:
        _sign_and_report(proposals.parse_proposal(ActionContext(player, game, place), "last"))
        return
    if found.why_not:
        raise _undo_refusal(found, game, opened.typed)
    if not nobody_has_it:
        _confirm_undo(found, game, opened.typed, place)
    undone = take_back(player, game, place, nobody_has_it=True)
    lines = [tr("Undone: {entry}", entry=line) for line in found.words]
    put("\n".join([*lines, *describe_undone(player, undone, place)]))
    pending = pending_question(undone.game, player.key)
    put(describe_next_step(pending, undone.game, player.key, place, printable_size()[0]))


def _put_already_undone(now: Game, player: LocalPlayer, file: Path) -> None:
    """Print that a file which still had the undone entries now has the game without them."""
    put(tr("You had already undone that. Now it is no longer in {file} either.", file=safe_text(str(file))))
    put(describe_next_step(pending_question(now, player.key), now, player.key, file, printable_size()[0]))


def _undo_refusal(found: UndoableEntries, game: Game, file: str) -> NotYourMove:
    """The error that says why nothing can be undone, and what to do instead."""
    if game.state.ending:
        again = tr("to see it again: {command}", command=f"pbem replay {quote_path(file)}")
        return NotYourMove(tr("the game is over, and nothing in it can be undone"), hint=again)
    propose = f"pbem propose {quote_path(file)} last"
    hints = {
        "now": tr("ask for a take-back instead: {command}", command=propose),
        "never": tr("to resign: {command}", command=f"pbem resign {quote_path(file)}"),
        "later": tr("to ask for a take-back: {command}", command=propose),
    }
    return NotYourMove(found.why_not, hint=hints.get(found.take_back, ""))


def _confirm_undo(found: UndoableEntries, game: Game, file: str, place: Path) -> None:
    """Ask the player to confirm that nobody has received the entries.

    Raises `PbemError` without a terminal.
    """
    if not is_interactive():
        raise PbemError(
            tr("only you know whether anyone has received {file} since entry {n}", file=place, n=found.first),
            hint=tr("if nobody has: {command}", command=f"pbem undo {quote_path(file)} --nobody-has-it"),
        )
    for line in describe_undo(found):
        put(line, indent=2)
    confirm_or_exit(undo_question(place))


@app.command()
def move(
    file: FileBeforeOrders = "",
    orders: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="order…", help='Such as "move 2SS-A 1803".', autocompletion=complete_with("orders")
        ),
    ] = None,
    setup: Annotated[
        str,
        typer.Option(
            "--setup",
            metavar="NAME|FILE",
            help="A ready-made set-up, or a file with one order per line.",
            autocompletion=complete_with("setups"),
        ),
    ] = "",
    drafts: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="DRAFT", help="A draft of orders from a commander of your side."),
    ] = None,
    say: Saying = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would happen; do not write anything.")
    ] = False,
    by_plan: Annotated[
        bool, typer.Option("--plan", help="Let your armed plan give the orders, or say why it stops.")
    ] = False,
    newest: Newest = False,
) -> None:
    """Make your move. If you give no orders, pbem asks for them, or continues if you have nothing to decide.

    At a terminal it asks for orders one at a time: Tab completes them, and help lists what else you can type.

    Example: pbem move mortain.yaml "move 2SS-A 1803" "fire DF 2SS-B at 117Inf"
    """
    player = local_player()
    named, given = split_off_game(player, file, *(orders or []))
    game, written = open_to_play(player, named, newest)
    if not (given or setup or drafts or by_plan):
        given = split_orders(read_piped_text())
    typed = [*(read_setup_orders(player, setup) if setup else []), *given]
    if typed or drafts:
        game = play_computed(game, player.key)
    caught_up = play_to_next_decision(game, player, claim=claim())
    alone = not (typed or drafts or dry_run or by_plan)
    hand = ActionContext(player, caught_up, written)
    wish = proposals.due_deferred_action(hand, say) if alone else None
    prepared = play_computed(caught_up, player.key)
    asks = alone and is_interactive() and _has_orders_to_give(player, prepared)
    if wish or not asks:  # the prompt shows it beside the map
        put_unread_news(player, game)
    if by_plan:
        if typed:
            problem = tr("do not type orders here: the plan gives them")
            raise typer.BadParameter(problem, param_hint="--plan")
        if dry_run:
            _preview_plan(hand)
        else:
            _move_by_plan(player, game, caught_up, written)
        return
    if wish and _is_still_meant(wish):
        _sign_and_report(wish)
        return
    if asks:
        _ask_for_orders(player, game, prepared, written, say)
        return
    if caught_up is not game:
        if not dry_run:
            player.save(caught_up, written)
        _put_result(player, game, caught_up, written)
        return
    act = _build_action(ActionContext(player, game, written), typed, drafts or [], say, setup=bool(setup))
    if not dry_run:
        if isinstance(act, Given) and not setup:
            _confirm_shortened_orders(act, typed)
        _sign_and_report(act)
        return
    put("\n".join(act.effect.lines))
    if setup and isinstance(act, Given):
        put_board(game.rules.view.legend(trial(permissions.unlock_state(game, player.key), act.orders)[1]))


@app.command()
def propose(
    file: File = "",
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="what",
            help="A draw, or a move to take back: last (your last orders), a move as you typed it, or "
            "entry N (everything after that entry).",
            show_default=False,
            autocompletion=complete_with("proposals"),
        ),
    ] = None,
    say: Saying = "",
    withdraw: Annotated[
        bool, typer.Option("--withdraw", help="Withdraw your pending draw offer or take-back.")
    ] = False,
    newest: Newest = False,
) -> None:
    """Propose a draw or a take-back, now or as soon as you can.

    Example: pbem propose mortain.yaml last
    """
    player = local_player()
    named, given = split_off_game(player, file, *(what or []))
    if not (given or withdraw):
        problem = tr("say what to propose: draw, last, one of your moves, or entry N")
        raise typer.BadParameter(problem, param_hint=tr("what"))
    game, written = open_to_play(player, named, newest)
    put_unread_news(player, game)
    hand = ActionContext(player, game, written)
    if withdraw:
        _withdraw(hand, "draw", "takeback")
    elif is_draw(" ".join(given)):
        _sign_and_report(proposals.propose_or_defer_draw(hand, say))
    else:
        check_holds_seat(player, game, written)
        with report_errors_at(tr("what")):
            takeback = parse_takeback(game, player.key, " ".join(given))
        act = proposals.propose_or_defer_takeback(hand, takeback, say)
        _sign_and_report(act)
        if act.kind == "takeback" and (undo := undo_command(player, game, quote_path(written))):
            put(tr("To undo your last entry, as long as nobody has it: {command}", command=undo))


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
    player = local_player()
    named, given = split_off_game(player, file, *([granted] if granted else []))
    agrees = parse_yes_no(" ".join(given)) if any(given) else None
    if agrees is None:
        problem = tr("answer yes or no")
        if given:
            problem = tr("answer yes or no, not '{found}'", found=cut(" ".join(given), 40))
        raise typer.BadParameter(problem, param_hint=tr("yes|no"))
    game, written = open_to_play(player, named, newest)
    put_unread_news(player, game)
    _sign_and_report(AnswerProposal(ActionContext(player, game, written), agrees, say))


@app.command()
def resign(
    file: File = "",
    say: Saying = "",
    newest: Newest = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    certain: Annotated[
        bool,
        typer.Option("--for-certain", help="Do not ask now, nor later if you cannot resign yet."),
    ] = False,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Withdraw your pending resignation.")] = False,
) -> None:
    """Resign the game, now or as soon as it is your turn to write.

    Example: pbem resign mortain.yaml --yes
    """
    player = local_player()
    game, written = open_to_play(player, file, newest)
    put_unread_news(player, game)
    if withdraw:
        _withdraw(ActionContext(player, game, written), "resign")
        return
    act = proposals.resign_or_defer(ActionContext(player, game, written), say, certain=certain)
    if not (yes or certain):
        confirm_or_exit(_resign_question(act))
    _sign_and_report(act)


def _resign_question(act: Action) -> str:
    """The question that confirms a resignation."""
    game, file = act.context.game, act.context.file
    return tr("Resign {game}, {file}?", game=game.rules.title, file=quote_path(file))


def _withdraw(hand: ActionContext, *kinds: DeferredKind) -> None:
    """Withdraw deferred actions, and print what is still pending."""
    player, game, file = hand
    for kind in kinds:
        DeferredActions(player.home).withdraw(game, kind)
    for line in describe_deferred(game_status(player, game), file) or [tr("Nothing is pending.")]:
        put(line, indent=2)


def _is_still_meant(wish: Action) -> bool:
    """Whether a deferred action is still wanted: a draw offer is, a resignation after a new yes."""
    if isinstance(wish, ResignGame) and proposals.automatic_action(wish.context) is None:
        return is_interactive() and ask_yes_no(_resign_question(wish))
    return True


def _move_by_plan(player: LocalPlayer, before: Game, game: Game, file: Path) -> None:
    """Let the armed plan give orders as long as it can. Raises `OrderError` if it cannot at all."""
    after = play_to_next_decision(game, player, claim=claim(), by_plan=True)
    if after is not game:
        player.save(after, file)
    else:
        after, _ = all_by_itself(player, game, file, alone=True)
    if after is before:
        seat_to_write(player, game, file)
        raise _plan_refusal(consult_armed_plan(player, game), file)
    _put_result(player, before, after, file)


def _preview_plan(hand: ActionContext) -> None:
    """Print what the armed plan would do now, and its effect. Raises `OrderError` if it would do nothing."""
    player, game, file = hand
    seat_to_write(player, game, file)
    if permissions.has_forced_entry(game, player.key):
        put("\n".join(GiveShare(hand).effect.lines))
        return
    choice = consult_armed_plan(player, game)
    if choice is None or not choice.orders:
        raise _plan_refusal(choice, file)
    put(tr("It would now order: {orders}", orders=choice.words))
    put("\n".join(Given(hand, choice.orders).effect.lines))


def _plan_refusal(choice: Choice | None, file: Path) -> OrderError:
    """The error that says why the plan orders nothing; the choice is None if none is armed here."""
    if choice is None:
        hint = f"pbem plan {quote_path(file)}"
        return OrderError(tr("you have no armed plan on this computer"), hint=hint)
    problem = tr("your plan leaves this to you: {why}", why=choice.why)
    return OrderError(problem, hint=f"pbem plan {quote_path(file)} --explain")


def _has_orders_to_give(player: LocalPlayer, game: Game) -> bool:
    """Whether the player has orders to give."""
    writes = game.state.writer in permissions.held_seats(game, player.key) and not game.state.proposal
    return writes and not permissions.has_forced_entry(game, player.key)


def _ask_for_orders(player: LocalPlayer, before: Game, game: Game, file: Path, say: str) -> None:
    """Ask for orders at the prompt, after any move of the computer."""
    from pbem.cli.prompt_session import (
        play_at_prompt,
    )  # under 1 ms, and most moves come with their orders

    if game is not before:
        player.save(game, file)
    told = [*news(player, before), *game.replayed_entries[len(before.replayed_entries) :]]
    play_at_prompt(player, game, told, file, say)


def _confirm_shortened_orders(act: Given, typed: list[str]) -> None:
    """At a terminal, print orders with shortened words in full, and ask the player to confirm them."""
    game, view = act.context.game, act.context.game.rules.view
    asked = permissions.unlock_state(game, act.context.player.key).pending_question
    if asked is None or not is_interactive() or not has_shortened_words(game, asked, typed, act.orders):
        return
    put(tr("Orders: {orders}", orders=safe_text("; ".join(view.write_words(act.orders)))))
    confirm_or_exit(tr("Sign and save?"))


def _build_action(
    hand: ActionContext, typed: list[str], drafts: list[str], say: str, *, setup: bool
) -> Action:
    """The action of `move`: typed orders joined with drafts; without any, a share or a message."""
    player, game, file = hand
    if not (typed or drafts):
        writes = game.state.writer in permissions.held_seats(game, player.key)
        return GiveShare(hand, say) if writes or not say else LeaveMessage(hand, say)
    table = permissions.unlock_state(game, player.key)
    asked = question_for_player(game, table, player, file)
    try:
        own = read_typed_orders(game, asked, typed) if typed else []
        if not drafts and not game.state.commanders.get(asked.seat):
            return Given(hand, own, say)

        found = commanders.read_drafts(player, drafts)
        joined, parts = commanders.combine_with_drafts(player, game, table, found, own, give_way=setup)
        return Given(hand, joined, say, parts)
    except OrderError as error:
        raise explain_departure(game, table.run.told, error) from None


def _sign_and_report(act: Action) -> None:
    """Print the chances and warnings of an action, sign it, and print the result."""
    player, game, file = act.context
    for chance in act.effect.chances:
        put(chance)
    for warning in act.effect.warnings:
        warn(warning)
    if act.effect.warnings and is_interactive():
        confirm_or_exit(tr("Do it anyway?"))
    after = sign(act)
    if after is None:
        _put_pending(game_status(player, game), file)
    else:
        _put_result(player, game, after, file)


def _put_pending(now: GameStatus, file: Path) -> None:
    """Print the messages and deferred actions pending on this computer."""
    for line in describe_pending(now, file):
        put(line, indent=2)


def _put_result(player: LocalPlayer, before: Game, final: Game, file: Path) -> None:
    """Print what was written, by the player and in answer, and what comes next."""
    width, _ = printable_size()
    for entry in final.replayed_entries[len(before.replayed_entries) :]:
        put(describe_entry(final, entry, width))
    now = game_status(player, final)
    if now.unlocked_events:
        put(f"    {tr('You can already see this; your next move records it in the file:')}")
        put("\n".join(describe_events(final, now.unlocked_events, width)))
    put(describe_next_step(now.question, final, player.key, file, width))
    _put_pending(now, file)
    if any(final.state.commanders.values()) and human_commanders(player, final):
        put(tr("To your commanders: {command}", command=f"pbem mail share {quote_path(file)}"))
    if final.state.ending and not is_practice(final, player):
        put(tr("Mail {file} to your opponent.", file=safe_text(str(file))))
