"""What the page of the lobby asks, and what comes back (`lobby_session.py`), as typed data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct

from pbem.core.scenario_form import FormField
from pbem.web.page_data import Check, FileToSave


class OpenRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request to open a game: the bytes of a file, a mail or a text in base64, and its name."""

    name: str
    data: str


class TakeRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request to play on in a game; `newest`: the player says that he knows no newer state."""

    game: str
    newest: bool = False


class GameRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request about a stored game, named by its id."""

    game: str


class JoinRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request to join an offered game; `scenario`: the player agrees to one of the offerer's own."""

    game: str
    name: str
    say: str = ""
    scenario: bool = False


class BeginRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request to begin a game: against the computer at a `level`, or as an offer without one.

    `options` are values as YAML that differ from the edition's; `to` is the only key that may accept. Without
    a `scenario` it is the default of those that ship; `rematch` is the id of a game that has one of its own.
    """

    game: str
    seat: str
    name: str
    edition: str = ""
    scenario: str = ""
    options: dict[str, str] = {}
    level: str = ""
    mail: str = ""
    to: str = ""
    deadline: str = ""
    say: str = ""
    rematch: str = ""


class ScenarioRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request for the form of a scenario, filled with one that ships, is his own, or a game's."""

    game: str
    scenario: str
    rematch: str = ""


class SaveScenarioRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request to save the scenario that the texts of a form describe, by the names of its fields."""

    game: str
    values: dict[str, str]


class ScenarioFormData(Struct, frozen=True):
    """The fields of the form, and their texts."""

    fields: Sequence[FormField]
    values: dict[str, str]


class SavedScenario(Struct, frozen=True):
    """What is wrong in which field; or, with nothing wrong, the scenario's name, and all with their sides."""

    wrong: list[tuple[str, str]]
    name: str = ""
    scenarios: list[Any] = []


class SendRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request to mail the newest entries of a game: how, and to whom."""

    game: str
    how: Literal["server", "program"]
    to: str


class SettingsRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request to save settings. `lang` is empty for the system's language."""

    name: str
    lang: str
    get_it: str


class PassphraseRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request with a passphrase: to unlock the key, to protect it anew, or for a backup."""

    passphrase: str


class RestoreRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request to restore a backup: its bytes in base64, and its passphrase."""

    data: str
    passphrase: str


class Rematch(Struct, frozen=True):
    """What a rematch with sides changed begins with; against the computer it has a `level`, and no `to`.

    If the scenario does not ship, `own` is the id of the game that has it; `sides` are its seats and sides.
    """

    game: str
    scenario: str
    own: str
    sides: list[list[str]]
    seat: str
    options: dict[str, str]
    to: str
    name: str
    level: str


class GameRow(Struct, frozen=True):
    """A game in the list; with `problem` it cannot be opened, and the rest is empty.

    `page` is the path of its page: the board, or what can be looked at. `group` says where it is listed,
    `review` whether the computer can look it over.
    """

    game: str
    brief: str
    group: Literal["yours", "theirs", "over", "damaged"]
    title: str = ""
    players: str = ""
    state: str = ""
    since: str = ""
    problem: str = ""
    page: str = ""
    news: bool = False
    review: bool = False
    rematch: Rematch | None = None


class LobbyState(Struct, frozen=True):
    """All that the lobby shows of the player: who he is, his games, and the offers he has not taken up."""

    name: str
    lang: str
    get_it: str
    has_key: bool
    locked: bool
    protected: bool
    fingerprint: str
    folder: str
    mail: str
    games: list[GameRow]
    offers: list[GameRow]


class OpenedData(Struct, frozen=True):
    """A game that was opened: what it is, how the ten checks ended, and what the player can do with it.

    `role`: he may `join` it, `play` on, or `look`; with checks that fail nothing. `picture`: the map
    of what he may join, SVG in base64.
    """

    game: str
    title: str
    lines: list[str]
    says: list[str]
    state: str
    checks: list[Check]
    failure: list[str]
    notes: list[str]
    scenario: str
    role: Literal["join", "play", "look", "nothing"]
    page: str
    picture: str = ""


class Entered(Struct, frozen=True):
    """The path of the page on which the game goes on, and what the player should know before."""

    page: str
    notes: list[str]


class Unconfirmed(Struct, frozen=True):
    """What the player must confirm first: that he knows no newer state of the game."""

    unconfirmed: list[str]


class BackupMade(Struct, frozen=True):
    """A backup to save, and its passphrase, without which nobody can open it."""

    file: FileToSave
    passphrase: str
