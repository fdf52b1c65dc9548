"""The requests of the lobby's page and the answers (`lobby_session.py`), as typed data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct

from pbem.core.scenario_form import FormField
from pbem.web.page_data import Check, FileToSave


class OpenRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to open a game: the bytes of a file, a mail or a text in base64, and its name."""

    name: str
    data: str


class TakeRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to continue a game; `newest`: the player says that they know no newer state."""

    game: str
    newest: bool = False


class GameRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request about a stored game, named by its id."""

    game: str


class JoinRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to join an offered game; `scenario`: the player agrees to the offerer's own scenario."""

    game: str
    name: str
    say: str = ""
    scenario: bool = False


class BeginRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to begin a game: against the computer at a `level`, or without one, as an offer.

    `options` are values as YAML that differ from the edition's; `to` is the only key that may accept. Without
    a `scenario` it is the default one; `rematch` is the id of a game that has its own.
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
    """A request for the form of a scenario, filled with a shipped one, the player's own, or a game's."""

    game: str
    scenario: str
    rematch: str = ""


class SaveScenarioRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to save the scenario described by the texts of a form, by the names of its fields."""

    game: str
    values: dict[str, str]


class ScenarioFormData(Struct, frozen=True):
    """The fields of the form, and their texts."""

    fields: Sequence[FormField]
    values: dict[str, str]


class SavedScenario(Struct, frozen=True):
    """The faults by their fields; or, without faults, the scenario's name, and all with their sides."""

    wrong: list[tuple[str, str]]
    name: str = ""
    scenarios: list[Any] = []


class SendRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to mail the newest entries of a game: how, and to whom."""

    game: str
    how: Literal["server", "program"]
    to: str


class SettingsRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to save settings. `lang` is empty for the system's language."""

    name: str
    lang: str
    get_it: str


class PassphraseRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request with a passphrase: to unlock the key, to protect it, or for a backup."""

    passphrase: str


class RestoreRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to restore a backup: its bytes in base64, and its passphrase."""

    data: str
    passphrase: str


class Rematch(Struct, frozen=True):
    """The data of a rematch with sides changed; against the computer it has a `level`, and no `to`.

    If the scenario is not a shipped one, `own` is the id of the game that has it; `sides` are its seats and
    sides.
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
    """A game in the list; if it has a `problem`, it cannot be opened, and the rest is empty.

    `page` is the path of its page: the board, or pages to look at. `group` says where it is listed, `review`
    whether the computer can review it.
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
    """Everything the lobby shows of the player: who they are, their games, and the open offers."""

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
    """An opened game: what it is, how the ten checks ended, and what the player can do with it.

    `role`: the player can `join` it, `play`, or `look`; empty if checks fail. `picture`: the map of a game
    that can be joined, as SVG in base64.
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
    """The path of the page where the game continues, and what the player should know before."""

    page: str
    notes: list[str]


class Unconfirmed(Struct, frozen=True):
    """What the player must confirm first: that they know no newer state of the game."""

    unconfirmed: list[str]


class BackupMade(Struct, frozen=True):
    """A backup to save, and its passphrase, without which nobody can open it."""

    file: FileToSave
    passphrase: str
