"""All games of a player at a glance: whose turn it is in each, and where its file is; deadlines as a
calendar.

    home/games/<id of entry 0>/listed.json    the row of the game when it was last opened for a list

Opening a game takes a tenth of a second, and a list of twenty should not take two. So the row is stored
beside the game, with the digest of the bytes it was read from, the version of pbem and its language. If any
of these differs, the row is made again. The row is only a cache: deleting it loses nothing.

The calendar file (iCalendar, RFC 5545) has an event for each of the player's moves with a deadline.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from pbem import __version__
from pbem.base.files import read_regular, write_unsynced
from pbem.core.legend import Cell, Margin
from pbem.core.sentences import capitalized, joined
from pbem.core.sides import Side, unnamed
from pbem.errors import FileError, OverBudget, PbemError, StorageError, VerificationError
from pbem.format.keys import PrivateKey
from pbem.player.local_player import LocalPlayer
from pbem.player.plans.ready_made import usable_plans
from pbem.player.status import PendingQuestion, is_end_unseen, pending_question, pending_question_in
from pbem.player.store.delivery import is_refused
from pbem.player.store.log_relation import StoredGame
from pbem.render.safe_text import safe_text
from pbem.render.story import game_as_data, quote_player
from pbem.texts import Texts, spoken
from pbem.umpire import permissions
from pbem.umpire.game_facts import SHORT_ID_DIGITS
from pbem.umpire.game_state import Game
from pbem.umpire.verify import parse_log

tr = Texts("pbem")


NOTHING_PENDING = PendingQuestion(what="nothing")


class ListedGame(Struct, frozen=True, kw_only=True):
    """A row of the list: a stored game or an offer.

    `facts` are those of `render.story.game_as_data`. `asked` is the pending question, `key` the key of the
    seat that writes next (empty if the seat is free), `last` the key that wrote last, and `sides` the names
    of the sides. `units` and `hexes` are all names on the map, for completion, and `plans` the usable
    ready-made plans. If the game cannot be opened, `problem` says why and the rest is empty.
    """

    found_in: str
    game: str
    asked: PendingQuestion
    problem: str = ""
    facts: dict[str, Any] = {}
    title: str = ""
    own_scenario: str = ""
    key: str = ""
    last: str = ""
    sides: dict[str, dict[str, Any]] = {}
    units: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    setups: tuple[str, ...] = ()
    plans: tuple[str, ...] = ()

    @property
    def next_seat(self) -> str:
        """The seat that writes next; empty if none does."""
        return self.asked.seat or ""

    def side(self, seat: str) -> Side:
        """The names of a seat's side."""
        return Side(**self.sides[seat]) if seat in self.sides else unnamed(seat)

    @property
    def is_over(self) -> bool:
        """Whether the game needs no more entries."""
        return not self.next_seat

    @property
    def file_name(self) -> str:
        """The default name of its file (`umpire.game_facts.file_name`)."""
        return f"{self.facts['rules'].partition('/')[0]}-{self.game[:SHORT_ID_DIGITS]}.yaml"

    def waits_for(self, key: str) -> bool:
        """Whether it is the turn of this key's holder. Until an offer is accepted, it is nobody's turn."""
        return bool(self.next_seat) and self.key == key

    def may_be_joined(self, key: str) -> bool:
        """Whether a seat is free and the offer was not made with this key."""
        return bool(self.next_seat) and not self.key and self.last != key

    def may_draft(self, key: str) -> bool:
        """Whether this key is a commander's who can draft orders now (FORMAT 11)."""
        if self.is_over or self.facts["owed"]["what"] != "orders":
            return False
        return any(
            commander["key"] == key for commander in self.facts["seats"][self.next_seat].get("commanders", ())
        )


def list_games(player: LocalPlayer) -> Iterator[ListedGame]:
    """Every stored game, in the order of their ids. Raises `StorageError` if the store cannot be read."""
    for kept in player.store.games():
        yield list_game(player, kept)


def list_offers(player: LocalPlayer) -> Iterator[ListedGame]:
    """Every offer, newest first. Raises `StorageError` if they cannot be read."""
    for kept in player.offers.newest_first():
        try:
            yield _make_row(player, player.open(kept.data), "")
        except PbemError as error:
            yield ListedGame(found_in="", game=kept.game, asked=NOTHING_PENDING, problem=str(error))


def list_game(player: LocalPlayer, kept: StoredGame) -> ListedGame:
    """The row of a stored game, from the last list if it still holds."""
    problem = ""
    try:
        for data in _newest_first(player, kept):
            try:
                return _read_or_make_row(player, kept, data)
            except PbemError as error:
                problem = str(error)
    except StorageError as error:  # its record is damaged: list the other games all the same
        problem = str(error)
    return ListedGame(found_in="", game=kept.game, asked=NOTHING_PENDING, problem=problem)


def _newest_first(player: LocalPlayer, kept: StoredGame) -> Iterator[bytes]:
    """The player's own file, if it is newer than the stored game and not opened yet; then the stored game."""
    place = player.store.file_of(kept.game)
    with suppress(FileError, VerificationError, OverBudget):
        data = player.read(place) if place and place.is_file() else kept.data
        if data != kept.data:
            ids, known = ([entry.id for entry in parse_log(log)] for log in (data, kept.data))
            if len(ids) > len(known) and ids[: len(known)] == known:
                yield data
    yield kept.data


def _read_or_make_row(player: LocalPlayer, kept: StoredGame, data: bytes) -> ListedGame:
    """The row for a game in these bytes. Raises `PbemError` if it cannot be opened."""
    found_in = _source_id(data)
    beside = kept.path.with_name("listed.json")
    with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        known = msgspec.json.decode(read_regular(beside), type=ListedGame)
        if (known.found_in, known.game) == (found_in, kept.game):
            return known
    row = _make_row(player, player.open(data), found_in)
    with suppress(OSError):  # a row cut short by a crash is not JSON, and is made again next time
        write_unsynced(beside, msgspec.json.encode(row, enc_hook=str))
    return row


def _source_id(data: bytes) -> str:
    """What a row was made from: the version of pbem, its language, and the digest of the bytes."""
    return f"{__version__} {spoken()} {sha256(data).hexdigest()}"


def _make_row(player: LocalPlayer, game: Game, found_in: str) -> ListedGame:
    """Make the row of a game."""

    key = player.key_without_passphrase
    due = pending_question_in(game, permissions.unlock_state(game, key) if key else game.state, key)
    facts = game_as_data(game)
    view = game.rules.view
    legend = view.legend(game.state.run.state)
    places: list[Cell | Margin] = [*legend.cells, *legend.margins]
    return ListedGame(
        found_in=found_in,
        game=game.ids[0],
        facts=facts,
        title=game.rules.title,
        asked=due,
        own_scenario=facts["scenario"].get("text", ""),
        key=game.seats[due.seat].key if due.seat in game.seats else "",
        last=game.seats[game.replayed_entries[-1].entry.body.by].key,
        sides={seat: game.rules.side(seat).spoken() for seat in game.rules.seats},
        units=tuple(piece.name for place in places for piece in place.pieces),
        hexes=tuple(cell.number for cell in legend.cells),
        setups=tuple(view.setups(game.state.pending_question))
        if view.setups and game.state.pending_question
        else (),
        plans=(*usable_plans(game.rules), *view.plans()),
    )


def is_mail_refused(player: LocalPlayer, row: ListedGame) -> bool:
    """Whether a server refused the player's newest mail, so that it is not the opponent who is late."""
    if row.problem or row.last != str(player.public_key) or is_yours(player, row):
        return False
    return is_refused(player.home, row.game, row.facts["head"])


def describe_players(row: ListedGame) -> str:
    """The players of each side, with their commanders."""
    return ", ".join(
        f"{row.side(name):name}: {_describe_player(seat)}" for name, seat in row.facts["seats"].items()
    )


def _describe_player(seat: dict[str, Any]) -> str:
    staff = [f"{quote_player(who['name'])} ({', '.join(who['of'])})" for who in seat.get("commanders", ())]
    if not staff:
        return quote_player(seat["name"])
    return tr("{name} with {commanders}", name=quote_player(seat["name"]), commanders=joined(staff))


def is_yours(player: LocalPlayer, row: ListedGame) -> bool:
    """Whether it is the player's turn."""
    return player.public_key is not None and row.waits_for(str(player.public_key))


def needs_you(player: LocalPlayer, row: ListedGame) -> bool:
    """Whether a game needs the player: for a move, or because a server refused their mail."""
    return is_yours(player, row) or is_mail_refused(player, row)


def is_news(player: LocalPlayer, row: ListedGame) -> bool:
    """Whether one of the player's games is over, and they have not seen it since."""
    if row.problem or not row.is_over:
        return False
    own = any(seat["key"] == str(player.public_key) for seat in row.facts["seats"].values())
    return own and is_end_unseen(player, row.game, row.facts["head"])


_MOST_OCTETS = 75


class Reminder(Struct, frozen=True):
    """A move with a deadline: the game's id, the texts of the calendar entry, and the time."""

    game: str
    title: str
    text: str
    until: datetime


def reminder(game: Game, key: PrivateKey | None) -> Reminder | None:
    """The reminder for a game; None if it has no deadline, or no move is pending."""
    asked = pending_question(game, key)
    if asked.seat is None or asked.until is None:
        return None
    player = game.seats.get(asked.seat)
    name = quote_player(player.name) if player else str(game.rules.side(asked.seat))
    title = Texts(game.rules.package)(game.rules.title)
    if asked.yours:
        summary = tr("Your move: {title}", title=title)
    else:
        summary = tr("{player} to move: {title}", player=name, title=title)
    sides = ((quote_player(taken.name), game.rules.side(seat)) for seat, taken in game.seats.items())
    players = " - ".join(f"{name} ({side:name})" for name, side in sides)
    about = tr("{players}, game {game}.", players=players, game=game.ids[0][:SHORT_ID_DIGITS])
    words = capitalized(pending_question(game, None).words)
    return Reminder(game.ids[0], summary, f"{about} {words}", asked.until)


def to_ics(reminders: Sequence[Reminder], now: datetime) -> bytes:
    """A calendar file of one or more reminders. Importing it again moves the earlier events."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:-//pbem//pbem {__version__}//EN"]
    for event in reminders:
        lines += _event(event, now)
    return "".join(_fold_line(line) for line in [*lines, "END:VCALENDAR"]).encode()


def _event(one: Reminder, now: datetime) -> Iterator[str]:
    """An event without a duration, with an alarm one day before (RFC 5545, 3.6.1 and 3.6.6)."""
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
    """Escape a text and drop its control characters (RFC 5545, 3.3.11)."""
    return safe_text(words).replace("\\", "\\\\").replace(";", r"\;").replace(",", r"\,")


def _fold_line(line: str) -> str:
    """Fold a line to at most 75 octets between whole characters, with CRLF (RFC 5545, 3.1)."""
    parts = [""]
    for letter in line:
        if len((parts[-1] + letter).encode()) > _MOST_OCTETS:
            parts.append(" ")
        parts[-1] += letter
    return "".join(f"{part}\r\n" for part in parts)
