"""A game's status in sentences, the same on every surface: the question, its time, the next step, remarks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path, PurePath
from typing import Any

from pbem.core.sides import Side
from pbem.format.keys import PrivateKey, PublicKey
from pbem.player.clock import now
from pbem.player.pending.deferred_actions import Wish
from pbem.player.status.game_status import GameStatus, Remark
from pbem.player.status.pending_question import Asked
from pbem.render.words import WIDTH, quoted, safe, said, wrap
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.deadline import has_passed
from pbem.umpire.game import Game
from pbem.umpire.game_facts import PRACTICE

tr = Texts("pbem")

_A_DAY = timedelta(days=1)


def clock(due: Asked, whose: Side) -> str:
    """Since when a move is due, and by when, by the clock of which side (which is a claim)."""
    if due.since is None:
        return tr("owed since an entry that names no time")
    words = tr("owed since {time} by the clock of {side}", time=_time(due.since), side=whose)
    if due.since <= now():
        words = tr("{owed} ({time})", owed=words, time=_length(now() - due.since))
    if due.until:
        words = tr("{owed}, due {time}", owed=words, time=_time(due.until))
    return tr("{owed}: OVERDUE", owed=words) if is_overdue(due) else words


def deadline(due: Asked, whose: Side) -> str:
    """The deadline of a move, in a sentence that is true on any day; empty where there is none."""
    if due.until is None:
        return ""
    return tr("The move is due {time}, by the clock of {side}.", time=_time(due.until), side=whose)


def asks(due: Asked) -> str:
    """The question in a line; for a formality that there is nothing to decide, and what comes after it."""
    if due.is_formality and due.yours:
        return tr("{asked}: nothing to decide; then {then}", asked=due.words, then=due.then)
    return due.words


def what_next(due: Asked, game: Game, key: PrivateKey | None, file: Path | str, width: int = WIDTH) -> str:
    """The question, since when it is pending, and what this key's holder types next."""
    lines = [wrap(tr("Next: {waiting}", waiting=safe(asks(due))), width, indent=6)]
    if due.seat in game.seats and tells_time(due):
        lines.append(wrap(f"  {clock(due, game.rules.side(due.clock_of))}", width, indent=6))
    steps, typing = _steps(due, game, key, quoted(file), safe(str(file)))
    return "\n".join([*lines, *steps, *(tr("Type: {command}", command=line) for line in typing)])


def _steps(
    due: Asked, game: Game, key: PrivateKey | None, name: str, shown: str
) -> tuple[Sequence[str], Sequence[str]]:
    """The reader's next steps, in sentences, and the commands. `name` is the file as typed."""
    mine = permissions.held_seats(game, key) if key else ()
    by_mail = tr("Mail {file} to your opponent, and wait.", file=shown)
    match due.what:
        case "accept" if mine:
            join = f"pbem join {quoted(PurePath(shown).name)}"  # the opponent may keep it in any folder
            return [tr("Mail {file} to your opponent, who types: {command}", file=shown, command=join)], []
        case "accept":
            return [], [f"pbem join {name}"]
        case "nothing":
            return afterwards(game, mine, name) if mine else [], []
        case "orders" if not due.yours and _commands(game, due.seat, key):
            return [], [f"pbem moves {name}", f'pbem orders {name} "{tr("ORDER")}" ...']
        case _ if not due.yours:
            return [by_mail] if mine else [], []
        case "answer":
            return [], [f"pbem answer {name} yes", f"pbem answer {name} no"]
        case "orders":
            return [], [f"pbem moves {name}", f'pbem move {name} "{tr("ORDER")}" ...']
    return [], [f"pbem move {name}"]


def afterwards(game: Game, mine: Sequence[str], name: str) -> list[str]:
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


def beside(now: GameStatus, file: Path | str) -> list[str]:
    """The lines beside the question: remarks, since when it is pending, and what is pending at home.

    `describe_drafts` has the commanders' drafts.
    """
    whose = now.game.rules.side(now.asked.clock_of)
    time = [clock(now.asked, whose)] if tells_time(now.asked) else []
    others = [remark for remark in now.remarks if remark.kind != "draft"]
    return [*remarked(others), *time, *waiting(now, file)]


def drafts(now: GameStatus) -> list[str]:
    """The commanders whose drafts have arrived, and those whose have not (FORMAT 11)."""
    return remarked(remark for remark in now.remarks if remark.kind == "draft")


def waiting(now: GameStatus, file: Path | str, width: int = WIDTH) -> list[str]:
    """Lines about deferred actions and messages at home, each with what the player types about it."""
    words = [tr("Your next orders take these words along:"), *said(now.words, width)] if now.words else []
    return [*wishes(now, file), *words, *came_back(now.came_back, file, width)]


def came_back(words: str, file: Path | str, width: int = WIDTH) -> list[str]:
    """Lines about a message whose entry was undone, and how to release it; none if it is empty."""
    if not words:
        return []
    again = f"pbem say {quoted(file)} --again"
    told = tr("These words wait until you say that they may go: {command}", command=again)
    return [told, *said(words, width)]


def wishes(now: GameStatus, file: Path | str) -> list[str]:
    """Lines about deferred actions, with how to withdraw or repeat each; and about a suspended plan."""
    wish, decides = now.wish, now.asked.yours and now.asked.what == "orders"
    draw, resign = f"pbem propose {quoted(file)} draw", f"pbem resign {quoted(file)}"
    refused = now.game.table.barred == now.asked.seat
    lines = [_draw(draw, due=decides and not refused, here=now.here)] if wish.draw else []
    lines += [_resign(resign, now, due=decides)] if wish.resign else []
    if "draw" in wish.suspended:
        lines.append(tr("Your offer of a draw came back with what you undid; again: {command}", command=draw))
    if "resign" in wish.suspended:
        lines.append(tr("Your resignation came back with what you undid; again: {command}", command=resign))
    if wish.lapsed:
        lines.append(tr("Your resignation has lapsed, since your opponent proposes something."))
    if now.planned and decides and not now.here:
        command = f"pbem move {quoted(file)} --plan"
        lines.append(
            tr(
                "Your plan waits for you here, since your last decision was signed elsewhere: {command}",
                command=command,
            )
        )
    return lines


def wishes_as_data(wish: Wish) -> dict[str, Any]:
    """The deferred actions as data for programs; empty where there are none."""
    if not (wish.waits or wish.suspended):
        return {}
    told = {"draw": wish.draw, "resign": wish.resign or None, "suspended": list(wish.suspended)}
    return {"wishes": told}


def _draw(again: str, *, due: bool, here: bool) -> str:
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


def _resign(again: str, now: GameStatus, *, due: bool) -> str:
    """The line about a deferred resignation."""
    back, certain = f"{again} --withdraw", now.wish.resign == "certain"
    match due, certain:
        case True, True if now.here:
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


def remarked(remarks: Iterable[Remark]) -> list[str]:
    """Remarks in lines, with their hints."""
    lines = []
    for remark in remarks:
        lines.append(f"{tr('warning')}: {remark.words}" if remark.warning else remark.words)
        lines += [tr("hint: {hint}", hint=remark.hint)] if remark.hint else []
    return [safe(line) for line in lines]


def is_overdue(due: Asked) -> bool:
    """Whether there is a deadline that has passed."""
    return has_passed(due.until, now())


def stamp(moment: datetime | None) -> str | None:
    """A time as in the game file."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None


def waited(span: timedelta) -> str:
    """How long a move has been due, in whole days; in hours during the first two days."""
    hours = _hours(span)
    if hours < 48:
        return tr.plural("for {number} hour", "for {number} hours", hours)
    return tr.plural("for {number} day", "for {number} days", hours // 24)


def tells_time(due: Asked) -> bool:
    """Whether the time is worth a line: there is a deadline, or a day has passed."""
    return due.until is not None or (due.since is not None and now() - due.since >= _A_DAY)


def _length(span: timedelta) -> str:
    """A duration in words, without "for"."""
    hours = _hours(span)
    if hours < 48:
        return tr.plural("{number} hour", "{number} hours", hours)
    return tr.plural("{number} day", "{number} days", hours // 24)


def _hours(span: timedelta) -> int:
    return int(span.total_seconds()) // 3600


def _time(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M UTC")


def _commands(game: Game, seat: str | None, key: PrivateKey | None) -> bool:
    """Whether this key's holder is a commander of a seat (FORMAT 11)."""
    commanders = game.table.commanders.get(seat or "", ())
    return key is not None and any(PublicKey.parse(commander.key) == key.public for commander in commanders)
