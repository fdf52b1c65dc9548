"""The record of a game at home: everything this home knows of a game besides its log.

It is one file, which `record_store.py` reads and writes; this module defines its contents. The meaning of
each part belongs to the module its docstring names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

VERSION = 1
"""The version of the record that this program writes."""


class _Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a record; default values are not written."""


class ReadMark(_Part, frozen=True):
    """The ids of the last entries when the player looked, this time and the time before; empty: never."""

    at: str = ""
    before: str = ""


class StoredMessage(_Part, frozen=True):
    """A message to the opponent, for the player's next decision (`pending.py`).

    `entries` is the number of entries the game had then. A `suspended` message needs the player's consent.
    """

    words: str
    entries: int
    suspended: bool = False


DeferredKind: TypeAlias = Literal["draw", "takeback", "resign"]


class StoredDeferral(_Part, frozen=True):
    """A deferred action (`pending.py`).

    `entries` is the number of entries then. It also says whether the action needs no confirmation, whether it
    is suspended, and the terms of a take-back.
    """

    entries: int
    certain: bool = False
    suspended: bool = False
    takeback: dict[str, int] = {}


class PlannedEntry(_Part, frozen=True):
    """An entry that a plan wrote: the step's number, its orders as typed in English, and its `despite`."""

    step: int
    words: str
    despite: tuple[str, ...] = ()


class PlanRecord(_Part, frozen=True):
    """The plan of a game (`plans/plan_store.py`): its text, the computer it is armed on, the entries then.

    `written` has the entries it wrote, by their ids.
    """

    text: str = ""
    computer: str = ""
    since: int = 0
    written: Mapping[str, PlannedEntry] = {}

    @property
    def is_armed(self) -> bool:
        """Whether the plan is armed on any computer."""
        return bool(self.computer)


class Ledger(_Part, frozen=True):
    """The entries this home has signed, and those since undone, by their ids (FORMAT 6, `signed_entries.py`).

    `signed` has the channel each was sent through: empty if it was not, `ELSEWHERE` if that is unknown.
    `signed_here` are those signed since this home was copied or restored; `stay` identifies the home on this
    disk.
    """

    signed: Mapping[str, str] = {}
    undone: tuple[str, ...] = ()
    signed_here: tuple[str, ...] = ()
    stay: str = ""


ELSEWHERE = "elsewhere"


def with_unknown_departures(signed: Mapping[str, str]) -> dict[str, str]:
    """The signed entries, in a home that cannot know whether unsent ones were sent elsewhere."""
    return {entry: way or ELSEWHERE for entry, way in signed.items()}


class MailFate(_Part, frozen=True):
    """What became of one copy of a mail (`delivery.py`); None for what has not happened.

    `sent` is the time (ISO 8601) when a server accepted it, `refused` the reply of a server that never will,
    `returned` the report of its bounce; each can be empty.
    """

    sent: str | None = None
    refused: str | None = None
    returned: str | None = None


class OrderDraft(_Part, frozen=True):
    """Orders in progress: the lines as typed, and the id of the last entry at that time."""

    lines: tuple[str, ...] = ()
    head: str = ""


class GameRecord(_Part, frozen=True):
    """Everything this home knows of a game besides its log.

    `file` is the path where the player's own file was last written or opened. `unconfirmed`: the player may
    have signed more than the store knows (see `game_store.py`). `mails` are by their names in the outbox,
    which `delivery.py` gives.
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
"""The record of a game of which this home knows nothing."""
