"""Which actions are possible for a player now, and for each that is not: why, and a hint.

The reasons are the same wherever an action is refused. They name the file as typed, where there is one.
"""

from __future__ import annotations

from pathlib import Path, PurePath

from pbem.core.sealing import Open
from pbem.core.sentences import joined
from pbem.errors import NotYourMove
from pbem.player.actions.action import ActionContext, Kind
from pbem.player.local_player import LocalPlayer
from pbem.player.pending.deferred_actions import wished
from pbem.player.store.delivery import refusal, was_refused
from pbem.render.story import awaited, proposal_waiting
from pbem.render.words import named, quoted
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game import Game
from pbem.umpire.next_duty import next_duty

tr = Texts("pbem")

OFFERED: tuple[Kind, ...] = ("orders", "share", "yes", "no", "draw", "takeback", "resign")
"""The kinds of entry that a player may write, in the order in which they are offered."""


def possible(hand: ActionContext) -> dict[Kind, NotYourMove | None]:
    """Each kind of entry: None where it is possible now, else why it is not."""
    return {kind: closed(hand, kind) for kind in OFFERED}


def closed(hand: ActionContext, kind: Kind) -> NotYourMove | None:
    """The reason why an action is not possible now; None where it is."""
    try:
        check(hand, kind)
    except NotYourMove as refusal:
        return refusal
    return None


def check(hand: ActionContext, kind: Kind) -> None:
    """Raise `NotYourMove`, with the reason and a hint, where an action is not possible now (FORMAT 6)."""
    desk, game, file = hand
    try:
        seat = my_turn(desk, game, file)
    except NotYourMove as error:
        if (
            kind != "resign"
            or next_duty(game.table).what == "nothing"
            or not permissions.held_seats(game, desk.key)
        ):
            raise
        problem = tr("you can resign only when it is your turn to write; {why}", why=error)
        raise NotYourMove(problem, hint=error.hint) from None
    match kind:
        case "yes" | "no":
            if not game.table.proposal:
                raise NotYourMove(tr("nothing has been proposed"))
        case "resign":
            pass
        case _:
            check_no_proposal(game, file)
            _decides(hand, kind, seat)
            _not_refused(hand, kind, seat)
            if kind == "orders":
                _no_draw_first(hand, seat)


def my_turn(desk: LocalPlayer, game: Game, file: Path | str) -> str:
    """The player's seat, which writes next. Raises `NotYourMove` with the reason why it does not."""
    held_a_seat(desk, game, file)
    if game.table.writer in permissions.held_seats(game, desk.key):
        return permissions.writing_seat(game, desk.key)
    raise _not_yet(desk, game, file)


def held_a_seat(desk: LocalPlayer, game: Game, file: Path | str) -> None:
    """Raise `NotYourMove` if the player holds no seat in the game, with a hint how to get one."""
    if desk.public and any(seat.key == str(desk.public) for seat in game.seats.values()):
        return
    if len(game.seats) < 2:
        raise NotYourMove(
            tr("you have not joined this game yet: {owed}", owed=next_duty(game.table).text),
            hint=tr("take the seat: {command}", command=f"pbem join {quoted(file)}"),
        )
    for seat, taken in game.seats.items():
        if desk.public and any(commander.key == str(desk.public) for commander in taken.commanders or ()):
            raise NotYourMove(
                tr(
                    "you are a commander of {side}, for whom {name} writes",
                    side=game.rules.side(seat),
                    name=named(taken.name),
                ),
                hint=tr("to draft your orders: {command}", command=f"pbem orders {quoted(file)}"),
            )
    players = joined([f"{named(taken.name)} ({game.rules.side(seat)})" for seat, taken in game.seats.items()])
    raise NotYourMove(
        tr("you play no side in this game; its players are {players}", players=players),
        hint=tr("to watch it: {command}", command=f"pbem show {quoted(file)}"),
    )


def is_commander(desk: LocalPlayer, game: Game) -> bool:
    """Whether the player is a commander; an old file cannot make one give away a secret, as he has none."""
    keys = [commander.key for commanders in game.table.commanders.values() for commander in commanders]
    return desk.public is not None and str(desk.public) in keys


def check_no_proposal(game: Game, file: Path | str) -> None:
    """Raise `NotYourMove` if the opponent's proposal is pending (FORMAT 6.6)."""
    if game.table.proposal:
        raise NotYourMove(
            tr("{proposal}: answer that first", proposal=proposal_waiting(game)),
            hint=tr(
                "to agree: {agree}; to refuse: {refuse}",
                agree=f"pbem answer {quoted(file)} yes",
                refuse=f"pbem answer {quoted(file)} no",
            ),
        )


def _decides(hand: ActionContext, kind: Kind, seat: str) -> None:
    """Raise `NotYourMove` where the player has nothing to decide, or must decide before he gives a share."""
    desk, game, file = hand
    asked = permissions.unlock_state(game, desk.key).asked
    formality = asked is None or asked.seat != seat or isinstance(asked, Open)
    if kind == "share":
        if not game.table.open_beat and not isinstance(asked, Open):
            problem = tr("there are no orders yet")
            raise NotYourMove(
                problem, hint=tr("to see them: {command}", command=f"pbem moves {quoted(file)}")
            )
        return
    if not formality:
        return
    side = game.rules.side(seat)
    if isinstance(asked, Open) and asked.seat == seat:
        problem = tr(
            "{side} {side:has|have} already sealed orders: they are opened without further ones", side=side
        )
    elif game.table.open_beat:
        problem = tr(
            "{side} {side:has|have} nothing to decide but only to add {side:its|their} half of the next card "
            "or dice",
            side=side,
        )
    else:
        problem = tr("{side} {side:is|are} not asked for orders now", side=side)
    raise NotYourMove(problem, hint=tr("to do so: {command}", command=f"pbem move {quoted(file)}"))


def _not_refused(hand: ActionContext, kind: Kind, seat: str) -> None:
    """Raise `NotYourMove` for a proposal after a refused one without a play between (FORMAT 6)."""
    if kind in ("draw", "takeback") and hand.game.table.barred == seat:
        raise NotYourMove(
            tr("your last proposal was refused: give orders before you propose again (FORMAT 6)"),
            hint=tr("to see them: {command}", command=f"pbem moves {quoted(hand.file)}"),
        )


def _no_draw_first(hand: ActionContext, seat: str) -> None:
    """Raise `NotYourMove` where a deferred offer of a draw may be written, which goes before orders."""
    wish = wished(hand.desk, hand.game)
    if wish.draw and hand.game.table.barred != seat:
        offer = f"pbem propose {quoted(hand.file)} draw"
        hint = tr("to make it: {offer}; to take it back: {back}", offer=offer, back=f"{offer} --withdraw")
        raise NotYourMove(
            tr("your offer of a draw goes first, and is answered before you give orders"), hint=hint
        )


def _not_yet(desk: LocalPlayer, game: Game, path: Path | str) -> NotYourMove:
    """The error for a player of this game who does not write next."""
    from pbem.player.actions.undo import command  # here, because it imports plans, which few actions need

    file, due = quoted(path), next_duty(game.table)
    undo = command(desk, game, file)
    if due.what == "nothing" and undo:
        return NotYourMove(due.text, hint=_while_nobody_has_it(undo))
    if due.what == "nothing":
        return NotYourMove(due.text, hint=tr("the whole story: {command}", command=f"pbem log {file}"))
    if due.what == "accept":
        return NotYourMove(
            tr("nobody has taken the seat of {side} yet", side=game.rules.side(due.seat or "")),
            hint=tr(
                "mail {file} to your opponent, who types: {command}",
                file=file,
                command=f"pbem join {quoted(PurePath(path).name)}",
            ),
        )
    if was_refused(desk.home, game.ids[0], game.ids[-1]):
        hint = refusal(file)
    elif undo:
        send = tr("to mail it: {command}", command=f"pbem mail send {file}")
        hint = f"{_while_nobody_has_it(undo)}; {send}"
    elif game.chapters[-1].entry.body.by in permissions.held_seats(game, desk.key):
        hint = tr("if you have not mailed your move yet: {command}", command=f"pbem mail send {file}")
    else:
        hint = tr("wait for your opponent's mail")
    return NotYourMove(tr("it is not your move: {awaited}", awaited=awaited(game.table)), hint=hint)


def _while_nobody_has_it(undo: str) -> str:
    return tr("to undo your last entry, while nobody has it: {command}", command=undo)
