"""A session at the prompt: question after question, until the opponent writes next."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from pbem.cli.line_editor import Editor
from pbem.cli.prompt import Draft, OrderPrompt
from pbem.cli.terminal import may_use_colour, printable_size, put
from pbem.core.requests import Orders as Given
from pbem.core.sealing import Open
from pbem.correspondence.undo_with_mail import describe_undone, undo_with_mail
from pbem.errors import PbemError
from pbem.format.entries import Play
from pbem.player.actions.action import Action, ActionContext
from pbem.player.actions.arm_plan import arm_plan
from pbem.player.actions.orders import GiveOrders
from pbem.player.actions.proposals import parse_proposal
from pbem.player.actions.undo import describe_undo, undo_question, undoable_entries
from pbem.player.commanders import commanders_of
from pbem.player.local_player import LocalPlayer, is_practice
from pbem.player.plans.plan_store import consult_plan
from pbem.player.sign import sign
from pbem.player.status import GameStatus, describe_drafts, describe_next_step, describe_status, game_status
from pbem.player.store.record_store import ReadMarker, draft_of, set_draft
from pbem.render.safe_text import quote_path, safe_text
from pbem.render.story import harm_facts, quote_player, recent_events, settles_attack
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.drafts import CommanderSeat, commander_at
from pbem.umpire.game_state import Game, GameState, ReplayedEntry

tr = Texts("pbem")

REMEMBERED = 50
"""The most earlier orders of the player in the line editor's history."""


def play_at_prompt(
    player: LocalPlayer, game: Game, told: Sequence[ReplayedEntry], file: Path, words: str
) -> None:
    """Ask for orders and sign them as long as it is the player's turn, with the news before each question.

    `told` are the entries before the first question; `words` are a message to the opponent with the first
    orders. Raises `typer.Abort`.
    """
    editor = Editor(_earlier_orders(player, game), colour=may_use_colour(False))
    while True:
        now = game_status(player, game)
        table = now.table
        lines = [
            *describe_status(now, file),
            *recent_events(game, told, now.unlocked_events, printable_size()[0]),
            *describe_drafts(now),
        ]
        ReadMarker(player.home).save_mark(game)
        if not _is_asked(game, table, player):
            _put_next_step(player, now, file, lines)
            return
        events = [*(tell for entry in told for tell in entry.events), *table.run.told]
        happened = [tell.facts for tell in events]
        plan = partial(_plan_orders, player, game)
        side = commanders_of(player, game, table)
        signed = partial(_undo_question, player, game, file)
        talk = OrderPrompt(
            game,
            table,
            editor,
            lines,
            happened,
            plan,
            _describe_results(game, told),
            side,
            signed=signed,
            draft=_draft(player, game),
            harm=harm_facts(game.rules.view, events),
        )
        orders = talk.ask_orders()
        if talk.undoes:
            game = _undo_last(player, game, file)
            told = game.replayed_entries[-1:]
            continue
        if orders is None:
            put(_describe_quit(talk.sheet.current.lines, f"pbem move {quote_path(file)}"), indent=2)
            return
        hand, (parts, _) = ActionContext(player, game, file), side.signed_parts(orders) if side else ((), ())
        final = sign(GiveOrders(hand, orders, words, parts))
        assert final is not None
        told, game, words = (
            final.replayed_entries[len(game.replayed_entries) + 1 :],
            final,
            "",
        )  # the player's own entry is already printed


def _draft(player: LocalPlayer, game: Game) -> Draft:
    """The orders in progress in a game, which the board shares."""
    return Draft(draft_of(player.home, game), partial(set_draft, player.home, game))


def _describe_quit(lines: Sequence[str], command: str) -> str:
    """The message on leaving the prompt, with the orders that are kept, if there are any."""
    if lines:
        return tr("Nothing was signed, and your orders are kept. To continue: {command}", command=command)
    return tr("Nothing was signed. To continue: {command}", command=command)


def _undo_question(player: LocalPlayer, game: Game, file: Path) -> tuple[list[str], str]:
    """Lines about what the player can undo or take back, and the question that confirms it.

    Without a question, the lines say how to propose a take-back, if the player can.
    """
    found = undoable_entries(player, game)
    if not found.why_not:
        return describe_undo(found), undo_question(file)
    if found.take_back == "now" and is_practice(game, player):
        return list(_take_back(player, game, file).words), tr("Sign and save?")
    if found.take_back in ("now", "later"):
        command = f"pbem propose {quote_path(file)} last"
        return [tr("To propose to take back your last orders: {command}", command=command)], ""
    return [], ""


def _take_back(player: LocalPlayer, game: Game, file: Path) -> Action:
    """The proposal to take back the player's last orders, which the computer grants at once."""
    return parse_proposal(ActionContext(player, game, file), "last")


def _undo_last(player: LocalPlayer, game: Game, file: Path) -> Game:
    """Undo the newest decision, as confirmed; against the computer, even one it has answered."""
    if undoable_entries(player, game).why_not:
        after = sign(_take_back(player, game, file))
        assert after is not None, "it may be proposed now"
        return after
    undone = undo_with_mail(player, game, file, nobody_has_it=True)
    put("\n".join(describe_undone(player, undone, file)))
    return undone.game


def ask_commander(player: LocalPlayer, game: Game, at: CommanderSeat) -> Given | None:
    """Ask a commander for orders to their own units (FORMAT 11); None if they quit."""
    told = game.replayed_entries[-1:]
    lead = quote_player(game.seats[at.seat].name)
    groups = ", ".join(commander_at(game, at).of)
    yours = tr("What you sign is a draft for {lead}: your orders for {groups}.", lead=lead, groups=groups)
    lines = [*recent_events(game, told, (), printable_size()[0]), yours]
    happened = [tell.facts for entry in told for tell in entry.events]
    editor = Editor([], colour=may_use_colour(False))
    nobody = ("", [tr("Only the lead can have a plan.")])
    return OrderPrompt(
        game, game.state, editor, lines, happened, lambda _: nobody, at=at, draft=_draft(player, game)
    ).ask_orders()


def _plan_orders(player: LocalPlayer, game: Game, words: str) -> tuple[str, list[str]]:
    """The orders that the player's plan gives, armed or not, as typed; or lines about why it gives none.

    `words` are a step to add first, which also arms the plan, or `off`, which disarms it.
    """

    if words:
        try:
            if not arm_plan(player, game, words):
                return "", [tr("Your plan no longer answers.")]
        except PbemError as error:
            return "", [safe_text(str(error)), *([f"  {safe_text(error.hint)}"] if error.hint else [])]
    choice = consult_plan(player, game)
    assert choice is not None  # because the player has a decision to make
    if choice.orders:
        return choice.words, []
    return "", [
        tr("Your plan has stopped: {why}", why=safe_text(choice.why)),
        *(f"  {safe_text(reason)}" for reason in choice.reasons),
    ]


def _describe_results(game: Game, told: Sequence[ReplayedEntry]) -> list[str]:
    """Lines about the attacks resolved before the opponent's orders, whose entry reveals their dice."""
    view, seat = game.rules.view, game.state.writer
    plays = [(n, replayed.entry.body) for n, replayed in enumerate(told, 1) if replayed.entry.body.by != seat]
    own = told[: next((n for n, body in plays if isinstance(body, Play) and body.orders), None)]
    tells = (tell for replayed in own for tell in replayed.events if settles_attack(view, tell))
    return [f"      {safe_text(view.story(tell))}" for tell in tells]


def _is_asked(game: Game, table: GameState, player: LocalPlayer) -> bool:
    """Whether the player has orders to give, other than to open their own seal."""
    asked = table.pending_question
    writes = game.state.writer in permissions.held_seats(game, player.key) and not game.state.proposal
    return bool(writes and asked and asked.seat == game.state.writer and not isinstance(asked, Open))


def _put_next_step(player: LocalPlayer, now: GameStatus, file: Path, lines: list[str]) -> None:
    """Print the last news, and what comes next."""
    game = now.game
    put("\n".join([*lines, describe_next_step(now.question, game, player.key, file, printable_size()[0])]))
    if game.state.ending and not is_practice(game, player):
        put(tr("Mail {file} to your opponent.", file=safe_text(str(file))))


def _earlier_orders(player: LocalPlayer, game: Game) -> list[str]:
    """The player's own orders in this game as typed, newest last, except sealed ones."""
    own = permissions.held_seats(game, player.key)
    plays = [replayed.entry.body for replayed in game.replayed_entries if replayed.entry.body.by in own]
    lists = [body.orders for body in plays if isinstance(body, Play) and body.orders]
    write_words = game.rules.view.write_words
    lines = [line for orders in lists if not _is_sealed(orders[0]) for line in write_words(orders)]
    return lines[-REMEMBERED:]


def _is_sealed(order: object) -> bool:
    return isinstance(order, dict) and not {"seal", "open"}.isdisjoint(order)
