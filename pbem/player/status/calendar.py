"""Deadlines as a calendar file (iCalendar, RFC 5545): one event for each move that is due by a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from pbem import __version__
from pbem.format.keys import PrivateKey
from pbem.player.status.pending_question import pending_question
from pbem.render.words import quote_name, safe_text
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.game_facts import SHORT_ID_DIGITS

tr = Texts("pbem")

_MOST_OCTETS = 75


class Reminder(Struct, frozen=True):
    """A move that is due by a certain time: the game's id, the texts in the calendar, and the time."""

    game: str
    title: str
    text: str
    until: datetime


def reminder(game: Game, key: PrivateKey | None) -> Reminder | None:
    """The reminder for a game; None if it has no deadline, or nothing is due."""
    asked = pending_question(game, key)
    if asked.seat is None or asked.until is None:
        return None
    player = game.seats.get(asked.seat)
    name = quote_name(player.name) if player else str(game.rules.side(asked.seat))
    title = Texts(game.rules.package)(game.rules.title)
    if asked.yours:
        summary = tr("Your move: {title}", title=title)
    else:
        summary = tr("{player} to move: {title}", player=name, title=title)
    sides = ((quote_name(taken.name), game.rules.side(seat)) for seat, taken in game.seats.items())
    players = " - ".join(f"{name} ({side:name})" for name, side in sides)
    about = tr("{players}, game {game}.", players=players, game=game.ids[0][:SHORT_ID_DIGITS])
    return Reminder(game.ids[0], summary, f"{about} {pending_question(game, None).words}", asked.until)


def to_ics(reminders: Sequence[Reminder], now: datetime) -> bytes:
    """The calendar file with at least one reminder; a calendar that imports it again moves the old events."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:-//pbem//pbem {__version__}//EN"]
    for event in reminders:
        lines += _event(event, now)
    return "".join(_fold_line(line) for line in [*lines, "END:VCALENDAR"]).encode()


def _event(one: Reminder, now: datetime) -> Iterator[str]:
    """An event without a duration, with an alarm a day before (RFC 5545, 3.6.1 and 3.6.6)."""
    yield "BEGIN:VEVENT"
    yield f"UID:{one.game}@pbem.invalid"
    yield f"DTSTAMP:{_format_utc(now)}"
    yield f"DTSTART:{_format_utc(one.until)}"
    yield f"SUMMARY:{_escape_text(one.title)}"
    yield f"DESCRIPTION:{_escape_text(one.text)}"
    yield "BEGIN:VALARM"
    yield "ACTION:DISPLAY"
    yield f"DESCRIPTION:{_escape_text(one.title)}"
    yield "TRIGGER:-P1D"
    yield "END:VALARM"
    yield "END:VEVENT"


def _format_utc(moment: datetime) -> str:
    """A moment in UTC (RFC 5545, 3.3.5, form 2)."""
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escape_text(words: str) -> str:
    """A text without control characters, escaped (RFC 5545, 3.3.11)."""
    return safe_text(words).replace("\\", "\\\\").replace(";", r"\;").replace(",", r"\,")


def _fold_line(line: str) -> str:
    """A line with its end, folded to at most 75 octets between whole characters (RFC 5545, 3.1)."""
    parts = [""]
    for letter in line:
        if len((parts[-1] + letter).encode()) > _MOST_OCTETS:
            parts.append(" ")
        parts[-1] += letter
    return "".join(f"{part}\r\n" for part in parts)
