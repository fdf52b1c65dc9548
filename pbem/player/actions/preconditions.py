"""Which actions are possible for a player now; for each that is not, the reason and a hint.

The reasons are the same wherever an action is refused. They name the file as typed, if there is one.
"""

from __future__ import annotations

from pathlib import Path, PurePath

from pbem.core.sealing import Open
from pbem.core.sentences import joined
from pbem.errors import NotYourMove
from pbem.player.actions.action import ActionContext, ActionKind
from pbem.player.actions.undo import undo_command
from pbem.player.local_player import LocalPlayer
from pbem.player.pending import deferred_for
from pbem.player.store.delivery import is_refused, refusal_with_command
from pbem.render.safe_text import quote_path
from pbem.render.story import describe_proposal, name_next_duty, quote_player
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game_state import Game, is_computed
from pbem.umpire.next_duty import next_duty

tr = Texts("pbem")

ENTRY_KINDS: tuple[ActionKind, ...] = ("orders", "share", "yes", "no", "draw", "takeback", "resign")
"""The kinds of entry a player can write, in the order they are offered."""


def possible_actions(hand: ActionContext) -> dict[ActionKind, NotYourMove | None]:
    """Each kind of entry, with None if it is possible now, else the reason it is not."""
    return {kind: why_not_possible(hand, kind) for kind in ENTRY_KINDS}


def why_not_possible(hand: ActionContext, kind: ActionKind) -> NotYourMove | None:
    """The reason an action is not possible now; None if it is possible."""
    try:
        check_possible(hand, kind)
    except NotYourMove as refusal:
        return refusal
    return None


def check_possible(hand: ActionContext, kind: ActionKind) -> None:
    """Raise `NotYourMove`, with the reason and a hint, if an action is not possible now (FORMAT 6)."""
    player, game, file = hand
    if kind == "draw":
        check_draw_may_be_proposed(game)
    try:
        seat = seat_to_write(player, game, file)
    except NotYourMove as error:
        if (
            kind != "resign"
            or next_duty(game.state).what == "nothing"
            or not permissions.held_seats(game, player.key)
        ):
            raise
        problem = tr("you can resign only when it is your turn to write; {why}", why=error)
        raise NotYourMove(problem, hint=error.hint) from None
    match kind:
        case "yes" | "no":
            if not game.state.proposal:
                raise NotYourMove(tr("nothing has been proposed"))
        case "resign":
            pass
        case _:
            check_no_proposal(game, file)
            _check_decides(hand, kind, seat)
            _check_not_refused(hand, kind, seat)
            if kind == "orders":
                _check_no_deferred_proposal(hand, seat)


def check_draw_may_be_proposed(game: Game) -> None:
    """Raise `NotYourMove` if the game settles its result by its own rules (FORMAT 13)."""
    if game.rules.settles_results:
        raise NotYourMove(
            tr("in this game you agree on a draw with an order, not with a proposal (FORMAT 13)")
        )


def seat_to_write(player: LocalPlayer, game: Game, file: Path | str) -> str:
    """The player's seat, if it writes next. Raises `NotYourMove` with the reason if it does not."""
    check_holds_seat(player, game, file)
    if game.state.writer in permissions.held_seats(game, player.key):
        return permissions.writing_seat(game, player.key)
    raise _not_your_move(player, game, file)


def check_holds_seat(player: LocalPlayer, game: Game, file: Path | str) -> None:
    """Raise `NotYourMove` if the player holds no seat in the game, with a hint on how to get one."""
    if player.public_key and any(seat.key == str(player.public_key) for seat in game.seats.values()):
        return
    if len(game.seats) < 2:
        raise NotYourMove(
            tr("you have not joined this game yet: {owed}", owed=next_duty(game.state).text),
            hint=tr("to join: {command}", command=f"pbem join {quote_path(file)}"),
        )
    for seat, taken in game.seats.items():
        if player.public_key and any(
            commander.key == str(player.public_key) for commander in taken.commanders or ()
        ):
            raise NotYourMove(
                tr(
                    "you are a commander of {side}, and {name} writes for your side",
                    side=game.rules.side(seat),
                    name=quote_player(taken.name),
                ),
                hint=tr("to draft your orders: {command}", command=f"pbem orders {quote_path(file)}"),
            )
    players = joined(
        [f"{quote_player(taken.name)} ({game.rules.side(seat)})" for seat, taken in game.seats.items()]
    )
    raise NotYourMove(
        tr("you do not play in this game; its players are {players}", players=players),
        hint=tr("to watch it: {command}", command=f"pbem show {quote_path(file)}"),
    )


def is_commander(player: LocalPlayer, game: Game) -> bool:
    """Whether the player is a commander, who has no secret that an old file could reveal."""
    keys = [commander.key for commanders in game.state.commanders.values() for commander in commanders]
    return player.public_key is not None and str(player.public_key) in keys


def check_no_proposal(game: Game, file: Path | str) -> None:
    """Raise `NotYourMove` if a proposal of the opponent's is pending (FORMAT 6.6)."""
    if game.state.proposal:
        raise NotYourMove(
            tr("{proposal}: answer this proposal first", proposal=describe_proposal(game)),
            hint=tr(
                "to agree: {agree}; to refuse: {refuse}",
                agree=f"pbem answer {quote_path(file)} yes",
                refuse=f"pbem answer {quote_path(file)} no",
            ),
        )


def _check_decides(hand: ActionContext, kind: ActionKind, seat: str) -> None:
    """Raise `NotYourMove` if the player has nothing to decide, or must decide before giving a share."""
    player, game, file = hand
    asked = permissions.unlock_state(game, player.key).pending_question
    computed = asked is not None and is_computed(game.rules, asked)
    formality = asked is None or asked.seat != seat or isinstance(asked, Open) or computed
    if kind == "share":
        if not (game.state.open_beat or game.state.is_beat_due or isinstance(asked, Open) or computed):
            problem = tr("there are no orders yet")
            raise NotYourMove(
                problem, hint=tr("to see them: {command}", command=f"pbem moves {quote_path(file)}")
            )
        return
    if not formality:
        return
    side = game.rules.side(seat)
    if isinstance(asked, Open) and asked.seat == seat:
        problem = tr(
            "{side} {side:has|have} already sealed orders: they are opened without any new ones", side=side
        )
    elif game.state.open_beat or game.state.is_beat_due:
        problem = tr(
            "{side} {side:has|have} no decision to make, only {side:its|their} half of the next draw to add",
            side=side,
        )
    elif computed:
        problem = tr("the program of {side} seals an order for {side:it|them}", side=side)
    else:
        problem = tr("{side} {side:is|are} not due to give orders now", side=side)
    raise NotYourMove(problem, hint=tr("to do so: {command}", command=f"pbem move {quote_path(file)}"))


def _check_not_refused(hand: ActionContext, kind: ActionKind, seat: str) -> None:
    """Raise `NotYourMove` for a proposal that repeats a refused one with no play in between (FORMAT 6)."""
    if kind in ("draw", "takeback") and hand.game.state.barred == seat:
        raise NotYourMove(
            tr("your last proposal was refused: give orders before you propose again (FORMAT 6)"),
            hint=tr("to see them: {command}", command=f"pbem moves {quote_path(hand.file)}"),
        )


def _check_no_deferred_proposal(hand: ActionContext, seat: str) -> None:
    """Raise `NotYourMove` if a deferred draw offer or take-back can be written now: it goes first."""
    wish = deferred_for(hand.player, hand.game)
    if wish.takeback and hand.game.state.barred != seat:
        file = quote_path(hand.file)
        raise NotYourMove(
            tr("your take-back goes first: it has to be answered before you give orders"),
            hint=tr(
                "to propose it: {command}; to withdraw it: {back}",
                command=f"pbem move {file}",
                back=f"pbem propose {file} --withdraw",
            ),
        )
    if wish.draw and hand.game.state.barred != seat:
        offer = f"pbem propose {quote_path(hand.file)} draw"
        hint = tr("to make it: {offer}; to withdraw it: {back}", offer=offer, back=f"{offer} --withdraw")
        raise NotYourMove(
            tr("your draw offer goes first: it has to be answered before you give orders"), hint=hint
        )


def _not_your_move(player: LocalPlayer, game: Game, path: Path | str) -> NotYourMove:
    """The error for a player of this game who does not write next."""

    file, due = quote_path(path), next_duty(game.state)
    undo = undo_command(player, game, file)
    if due.what == "nothing" and undo:
        return NotYourMove(due.text, hint=_undo_hint(undo))
    if due.what == "nothing":
        return NotYourMove(due.text, hint=tr("the whole story: {command}", command=f"pbem log {file}"))
    if due.what == "accept":
        return NotYourMove(
            tr("nobody has joined as {side} yet", side=game.rules.side(due.seat or "")),
            hint=tr(
                "mail {file} to your opponent, who types: {command}",
                file=file,
                command=f"pbem join {quote_path(PurePath(path).name)}",
            ),
        )
    if is_refused(player.home, game.ids[0], game.ids[-1]):
        hint = refusal_with_command(file)
    elif undo:
        send = tr("to mail it: {command}", command=f"pbem mail send {file}")
        hint = f"{_undo_hint(undo)}; {send}"
    elif game.replayed_entries[-1].entry.body.by in permissions.held_seats(game, player.key):
        hint = tr("if you have not mailed your move yet: {command}", command=f"pbem mail send {file}")
    else:
        hint = tr("wait for your opponent's mail")
    return NotYourMove(tr("it is not your move: {awaited}", awaited=name_next_duty(game.state)), hint=hint)


def _undo_hint(undo: str) -> str:
    return tr("to undo your last entry, as long as nobody has it: {command}", command=undo)
