"""A game's status in sentences, the same on every surface: the question, its time, the next step, remarks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path, PurePath
from typing import Any

from pbem.core.sides import Side
from pbem.format.keys import PrivateKey, PublicKey
from pbem.player.clock import now
from pbem.player.pending.deferred_actions import Deferred
from pbem.player.status.game_status import GameStatus, Remark
from pbem.player.status.pending_question import PendingQuestion
from pbem.render.words import WIDTH, quote_lines, quote_path, safe_text, wrap
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.deadline import has_passed
from pbem.umpire.game import Game
from pbem.umpire.game_facts import PRACTICE

tr = Texts("pbem")

_A_DAY = timedelta(days=1)


def describe_clock(due: PendingQuestion, whose: Side) -> str:
    """Since when a move is due, and by when, by the clock of which side (which is a claim)."""
    if due.since is None:
        return tr("owed since an entry that names no time")
    words = tr("owed since {time} by the clock of {side}", time=_format_time(due.since), side=whose)
    if due.since <= now():
        words = tr("{owed} ({time})", owed=words, time=_describe_duration(now() - due.since))
    if due.until:
        words = tr("{owed}, due {time}", owed=words, time=_format_time(due.until))
    return tr("{owed}: OVERDUE", owed=words) if is_overdue(due) else words


def describe_deadline(due: PendingQuestion, whose: Side) -> str:
    """The deadline of a move, in a sentence that is true on any day; empty where there is none."""
    if due.until is None:
        return ""
    return tr("The move is due {time}, by the clock of {side}.", time=_format_time(due.until), side=whose)


def describe_question(due: PendingQuestion) -> str:
    """The question in a line; for a formality that there is nothing to decide, and what comes after it."""
    if due.is_formality and due.yours:
        return tr("{asked}: nothing to decide; then {then}", asked=due.words, then=due.then)
    return due.words


def describe_next_step(
    due: PendingQuestion, game: Game, key: PrivateKey | None, file: Path | str, width: int = WIDTH
) -> str:
    """The question, since when it is pending, and what this key's holder types next."""
    lines = [wrap(tr("Next: {waiting}", waiting=safe_text(describe_question(due))), width, indent=6)]
    if due.seat in game.seats and should_show_time(due):
        lines.append(wrap(f"  {describe_clock(due, game.rules.side(due.clock_of))}", width, indent=6))
    steps, typing = _next_steps(due, game, key, quote_path(file), safe_text(str(file)))
    return "\n".join([*lines, *steps, *(tr("Type: {command}", command=line) for line in typing)])


def _next_steps(
    due: PendingQuestion, game: Game, key: PrivateKey | None, name: str, shown: str
) -> tuple[Sequence[str], Sequence[str]]:
    """The reader's next steps, in sentences, and the commands. `name` is the file as typed."""
    mine = permissions.held_seats(game, key) if key else ()
    by_mail = tr("Mail {file} to your opponent, and wait.", file=shown)
    match due.what:
        case "accept" if mine:
            join = f"pbem join {quote_path(PurePath(shown).name)}"  # the opponent may keep it in any folder
            return [tr("Mail {file} to your opponent, who types: {command}", file=shown, command=join)], []
        case "accept":
            return [], [f"pbem join {name}"]
        case "nothing":
            return describe_afterwards(game, mine, name) if mine else [], []
        case "orders" if not due.yours and _is_commander(game, due.seat, key):
            return [], [f"pbem moves {name}", f'pbem orders {name} "{tr("ORDER")}" ...']
        case _ if not due.yours:
            return [by_mail] if mine else [], []
        case "answer":
            return [], [f"pbem answer {name} yes", f"pbem answer {name} no"]
        case "orders":
            return [], [f"pbem moves {name}", f'pbem move {name} "{tr("ORDER")}" ...']
    return [], [f"pbem move {name}"]


def describe_afterwards(game: Game, mine: Sequence[str], name: str) -> list[str]:
    """The commands for a player whose game is over: to see it again, to show it, to play again."""
    other = next((seat for seat in game.rules.seats if seat not in mine), mine[0])
    again = f"pbem new {game.rules.name} --seat {other}"
    if game.seats[other].name == PRACTICE:
        again += " --practice"
    return [
        tr("To see it again: {command}", command=f"pbem replay {name}"),
        tr("What luck did: {command}", command=f"pbem report {name}"),
        tr("A page to show it: {command}", command=f"pbem page {name}"),
        tr("Once more, with sides changed: {command}", command=again),
    ]


def describe_status(now: GameStatus, file: Path | str) -> list[str]:
    """The lines beside the question: remarks, since when it is pending, and what is pending at home.

    `describe_drafts` has the commanders' drafts.
    """
    whose = now.game.rules.side(now.question.clock_of)
    time = [describe_clock(now.question, whose)] if should_show_time(now.question) else []
    others = [remark for remark in now.remarks if remark.kind != "draft"]
    return [*describe_remarks(others), *time, *describe_pending(now, file)]


def describe_drafts(now: GameStatus) -> list[str]:
    """The commanders whose drafts have arrived, and those whose have not (FORMAT 11)."""
    return describe_remarks(remark for remark in now.remarks if remark.kind == "draft")


def describe_pending(now: GameStatus, file: Path | str, width: int = WIDTH) -> list[str]:
    """Lines about deferred actions and messages at home, each with what the player types about it."""
    words = (
        [tr("Your next orders take these words along:"), *quote_lines(now.pending_message, width)]
        if now.pending_message
        else []
    )
    return [
        *describe_deferred(now, file),
        *words,
        *describe_suspended_message(now.suspended_message, file, width),
    ]


def describe_suspended_message(words: str, file: Path | str, width: int = WIDTH) -> list[str]:
    """Lines about a message whose entry was undone, and how to release it; none if it is empty."""
    if not words:
        return []
    again = f"pbem say {quote_path(file)} --again"
    told = tr("These words wait until you say that they may go: {command}", command=again)
    return [told, *quote_lines(words, width)]


def describe_deferred(now: GameStatus, file: Path | str) -> list[str]:
    """Lines about deferred actions, with how to withdraw or repeat each; and about a suspended plan."""
    wish, decides = now.deferred, now.question.yours and now.question.what == "orders"
    draw, resign = f"pbem propose {quote_path(file)} draw", f"pbem resign {quote_path(file)}"
    refused = now.game.state.barred == now.question.seat
    lines = (
        [_describe_deferred_draw(draw, due=decides and not refused, here=now.may_sign_here)]
        if wish.draw
        else []
    )
    lines += [_describe_deferred_resignation(resign, now, due=decides)] if wish.resign else []
    if "draw" in wish.suspended:
        lines.append(tr("Your offer of a draw came back with what you undid; again: {command}", command=draw))
    if "resign" in wish.suspended:
        lines.append(tr("Your resignation came back with what you undid; again: {command}", command=resign))
    if wish.lapsed:
        lines.append(tr("Your resignation has lapsed, since your opponent proposes something."))
    if now.is_planned and decides and not now.may_sign_here:
        command = f"pbem move {quote_path(file)} --plan"
        lines.append(
            tr(
                "Your plan waits for you here, since your last decision was signed elsewhere: {command}",
                command=command,
            )
        )
    return lines


def deferred_as_data(wish: Deferred) -> dict[str, Any]:
    """The deferred actions as data for programs; empty where there are none."""
    if not (wish.is_pending or wish.suspended):
        return {}
    told = {"draw": wish.draw, "resign": wish.resign or None, "suspended": list(wish.suspended)}
    return {"wishes": told}


def _describe_deferred_draw(again: str, *, due: bool, here: bool) -> str:
    """The line about a deferred offer of a draw."""
    back = f"{again} --withdraw"
    if not due:
        return tr(
            "Your offer of a draw waits until you may write it; to take it back: {command}", command=back
        )
    if here:
        return tr(
            "Your offer of a draw goes first: {command}; to take it back: {back}", command=again, back=back
        )
    return tr(
        "Your offer of a draw waits for you here, since your last decision was signed elsewhere: {command}; "
        "to take it back: {back}",
        command=again,
        back=back,
    )


def _describe_deferred_resignation(again: str, now: GameStatus, *, due: bool) -> str:
    """The line about a deferred resignation."""
    back, certain = f"{again} --withdraw", now.deferred.resign == "certain"
    match due, certain:
        case True, True if now.may_sign_here:
            return tr(
                "Your resignation goes first: {command}; to take it back: {back}", command=again, back=back
            )
        case True, _:
            return tr(
                "You wanted to resign; if you still do: {command}; if not: {back}", command=again, back=back
            )
        case _, True:
            return tr(
                "Your resignation waits, and goes as soon as it may be written; to take it back: {command}",
                command=back,
            )
    return tr(
        "Your resignation waits until you may write it, and you are asked again; to take it back: {command}",
        command=back,
    )


def describe_remarks(remarks: Iterable[Remark]) -> list[str]:
    """Remarks in lines, with their hints."""
    lines = []
    for remark in remarks:
        lines.append(f"{tr('warning')}: {remark.words}" if remark.warning else remark.words)
        lines += [tr("hint: {hint}", hint=remark.hint)] if remark.hint else []
    return [safe_text(line) for line in lines]


def is_overdue(due: PendingQuestion) -> bool:
    """Whether there is a deadline that has passed."""
    return has_passed(due.until, now())


def timestamp(moment: datetime | None) -> str | None:
    """A time as in the game file."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None


def describe_wait(span: timedelta) -> str:
    """How long a move has been due, in whole days; in hours during the first two days."""
    hours = _hours(span)
    if hours < 48:
        return tr.plural("for {number} hour", "for {number} hours", hours)
    return tr.plural("for {number} day", "for {number} days", hours // 24)


def should_show_time(due: PendingQuestion) -> bool:
    """Whether the time is worth a line: there is a deadline, or a day has passed."""
    return due.until is not None or (due.since is not None and now() - due.since >= _A_DAY)


def _describe_duration(span: timedelta) -> str:
    """A duration in words, without "for"."""
    hours = _hours(span)
    if hours < 48:
        return tr.plural("{number} hour", "{number} hours", hours)
    return tr.plural("{number} day", "{number} days", hours // 24)


def _hours(span: timedelta) -> int:
    return int(span.total_seconds()) // 3600


def _format_time(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M UTC")


def _is_commander(game: Game, seat: str | None, key: PrivateKey | None) -> bool:
    """Whether this key's holder is a commander of a seat (FORMAT 11)."""
    commanders = game.state.commanders.get(seat or "", ())
    return key is not None and any(PublicKey.parse(commander.key) == key.public for commander in commanders)
