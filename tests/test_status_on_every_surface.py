"""Each fact is told on each surface where a reader would look for it: kinds of situation times surfaces."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.player.pending import DeferredActions, PendingMessages
from pbem.texts import speaking
from support.status_cases import SEAT, SITUATIONS, TODAY
from support.status_surfaces import SURFACES, SituatedHome, read_surface

LISTS = ("pbem", "games")
HERS = ("show", "json", "terminal", "board", "to herself", "page")
"""Not his newest letter: an older one has told it, or her own share does."""
NEWS = ("show", "json", "terminal", "board", "letter", "to herself", "page")
TOLD: dict[str, tuple[str, ...]] = {
    "words with a share": HERS,
    "words before his own card": ("show", "json", "terminal", "board", "letter", "page"),
    "an offer's words": ("show", "json", "terminal", "board", "letter", "page"),
    "a card for the other side": ("show", "json", "move", "terminal", "board"),
    "a hit on her own": HERS,
    "a proposal": (*LISTS, "show", "json", "move", "terminal", "board", "letter", "to herself", "page"),
    "its answer": NEWS,
    "a take-back done": NEWS,
    "victory": (*LISTS, "show", "json", "move", "terminal", "board", "letter", "page"),
    "resignation": (*LISTS, "show", "json", "move", "terminal", "board", "letter", "page"),
    "a draw": (*LISTS, "show", "json", "move", "terminal", "board", "letter", "page"),
    "a formality": (*LISTS, "show", "json", "board"),
    "a decision": (*LISTS, *NEWS),
    "a forced pass": NEWS,
    "a missing commander": ("show", "json", "terminal", "board", "to herself"),
    "overdue": (*LISTS, "show", "terminal", "board", "to herself"),
    "an own scenario": (*LISTS, *NEWS),
    "a fork": (*LISTS, "show", "json", "terminal", "board", "to herself"),
    "a refused mail": (*LISTS, "show", "json", "move", "board"),
    "a doubted game": (*LISTS, "show", "json", "move", "board"),
    "an older file": ("show", "json", "move"),
}


def cases() -> list[object]:
    """All cells; three surfaces at once, the others with more time."""
    return [
        pytest.param(
            name,
            surface,
            id=f"{name}-{surface}",
            marks=() if surface in {"show", "json", "board"} else pytest.mark.thorough,
        )
        for name, surfaces in TOLD.items()
        for surface in surfaces
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(TODAY.timestamp())))
    monkeypatch.setenv("COLUMNS", "78")
    return tmp_path


@pytest.mark.parametrize(("name", "surface"), cases())
def test_told(name: str, surface: str, folder: Path) -> None:
    found = SITUATIONS[name]()
    assert found.words in read_surface(SituatedHome(folder, found), surface)


def test_the_table_is_whole() -> None:
    assert list(TOLD) == list(SITUATIONS)
    assert {one for surfaces in TOLD.values() for one in surfaces} == set(SURFACES)


WAITING = (*LISTS, "show", "board", "to herself")


@pytest.mark.parametrize(
    ("surface", "words"),
    [
        *((one, "You wanted to resign. If you still do: pbem resign ") for one in WAITING),
        *((one, "This message is waiting until you confirm it: pbem say ") for one in WAITING),
        ("json", "wishes draw false takeback null resign ask suspended"),
    ],
)
def test_what_waits_is_told(surface: str, words: str, folder: Path) -> None:
    """Wishes and words by one function, which the prompt asks too."""
    home = SituatedHome(folder, SITUATIONS["a decision"]())
    game = home.found.game
    DeferredActions(home.local_player.home).save_resignation(game, certain=False)
    PendingMessages(home.local_player.home).save(game, home.local_player.key, "Soon!")
    PendingMessages(home.local_player.home).suspend(game, len(game.entries), [SEAT])
    assert words in read_surface(home, surface)


OWED = r"waiting since|to move, for|OVERDUE|owed_since"


@pytest.mark.parametrize("surface", TOLD["a refused mail"])
def test_he_does_not_owe_what_he_has_not_got(surface: str, folder: Path) -> None:
    """A month later: only where no server refuses the mail, he is late."""
    home = SituatedHome(folder, SITUATIONS["a refused mail"]())
    assert re.search(OWED, read_surface(home, surface)) is None
    (game,) = home.local_player.store.ids()
    home.local_player.store.records.change(game, lambda record: replace(record, mails={}))
    if surface not in ("move", "json"):  # these name no time
        assert re.search(OWED, read_surface(home, surface))


IN_OTHER_WORDS = {
    "a proposal": {"es": "proponen un empate", "it": "propongono il pareggio", "de": "bieten Remis an"},
    "resignation": {
        "es": "los estadounidenses abandonaron",
        "it": "gli americani hanno abbandonato",
        "de": "die Amerikaner haben aufgegeben",
    },
    "a formality": {"es": "nada que decidir", "it": "nulla da decidere", "de": "zu entscheiden ist nichts"},
}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "language", "surface"),
    [
        (name, language, surface)
        for name, words in IN_OTHER_WORDS.items()
        for language in words
        for surface in TOLD[name]
    ],
)
def test_in_other_words(
    name: str, language: str, surface: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the catalogues have it, typed here once more."""
    monkeypatch.setenv("PBEM_LANG", language)
    with speaking(language):
        home = SituatedHome(folder, SITUATIONS[name]())
        assert IN_OTHER_WORDS[name][language] in read_surface(home, surface)
