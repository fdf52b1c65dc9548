"""The record of a game at home: all that is known here of one game beside its log.

It is one file, which `record_store.py` reads and writes; here is what it holds. What each part means is the
business of the module that its docstring names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

VERSION = 1
"""The version of the record that this program writes."""


class _Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a record; what is as in a new game is not written."""


class ReadMark(_Part, frozen=True):
    """The ids of the last entries when the player looked, this time and the time before; empty: never."""

    at: str = ""
    before: str = ""


class StoredMessage(_Part, frozen=True):
    """A message to the opponent, for the player's next decision.

    `entries` is the number of entries that the game had then; a `suspended` one waits for his consent.
    """

    words: str
    entries: int
    suspended: bool = False


DeferredKind: TypeAlias = Literal["draw", "takeback", "resign"]


class StoredDeferral(_Part, frozen=True):
    """A deferred action: the number of entries then, if it is written without asking, if it is suspended.

    `takeback`: the terms of a take-back.
    """

    entries: int
    certain: bool = False
    suspended: bool = False
    takeback: dict[str, int] = {}


class PlannedEntry(_Part, frozen=True):
    """An entry written by a plan: the step's number, its orders as typed in English, and its `despite`."""

    step: int
    words: str
    despite: tuple[str, ...] = ()


class PlanRecord(_Part, frozen=True):
    """The plan of a game: its text; if it is armed, the computer, and the number of entries then.

    `written` is by the ids of the entries.
    """

    text: str = ""
    computer: str = ""
    since: int = 0
    written: Mapping[str, PlannedEntry] = {}

    @property
    def is_armed(self) -> bool:
        """Whether it is armed on some computer."""
        return bool(self.computer)


class Ledger(_Part, frozen=True):
    """The entries that this home has signed, and those undone before, by their ids (FORMAT 6).

    `signed` has the channel by which each has left, empty if it has not, `ELSEWHERE` if that is unknown.
    `signed_here` are those signed since this home was copied or restored; `stay` is what it is known by on
    this disk (see `signed_entries.py`).
    """

    signed: Mapping[str, str] = {}
    undone: tuple[str, ...] = ()
    signed_here: tuple[str, ...] = ()
    stay: str = ""


ELSEWHERE = "elsewhere"


def with_unknown_departures(signed: Mapping[str, str]) -> dict[str, str]:
    """The entries signed, where it is no longer known whether the others have left."""
    return {entry: way or ELSEWHERE for entry, way in signed.items()}


class MailFate(_Part, frozen=True):
    """What became of one copy of a mail; None for what has not happened.

    `sent` is the time (ISO 8601) when a server accepted it, `refused` what a server said that never will,
    `returned` what was reported when it came back; each may be empty.
    """

    sent: str | None = None
    refused: str | None = None
    returned: str | None = None


class OrderDraft(_Part, frozen=True):
    """Orders in progress: the lines as typed, in order, and the id of the last entry when they were."""

    lines: tuple[str, ...] = ()
    head: str = ""


class GameRecord(_Part, frozen=True):
    """All that this home knows of a game beside its log.

    `file` is the path of the player's own file of it, where it was last written or played on. `unconfirmed`:
    he may have signed more than the store knows (see `game_store.py`). `mails` are by their names in the
    outbox, which `delivery.py` gives.
    """

    version: int
    file: str = ""
    unconfirmed: bool = False
    read: ReadMark = ReadMark()
    ledger: Ledger = Ledger()
    message: StoredMessage = StoredMessage("", 0)
    deferred: Mapping[DeferredKind, StoredDeferral] = {}
    plan: PlanRecord = PlanRecord()
    mails: Mapping[str, MailFate] = {}
    draft: OrderDraft = OrderDraft()


NEW_RECORD = GameRecord(VERSION)
"""The record of a game of which nothing is known here."""
