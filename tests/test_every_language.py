"""A random game of each kind in every language: no line is too long, no place is left unfilled, and the file
holds the same. That nothing is left untranslated, the language of marks shows (`test_translation.py`).
"""

from __future__ import annotations

import io
import re
import sys
from functools import cache
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from pbem.cli.app import run
from pbem.core.requests import Ask
from pbem.core.run import Position, Run
from pbem.core.sealing import Open
from pbem.correspondence.letter import letter
from pbem.errors import IllegalOrder
from pbem.format.keys import PrivateKey
from pbem.games import load
from pbem.player.store.game_file import board_text, status_fields
from pbem.render.safe_text import columns
from pbem.texts import ENGLISH, LANGUAGES, speaking
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.umpire.write import Claim, Person, Terms
from support.markers import sample_rows
from support.simulator import entropy

TRANSLATIONS = [name for name in LANGUAGES if name != ENGLISH]
GAMES = ["mortain", "rommel"]
SHOWN = sample_rows(product(TRANSLATIONS, GAMES), 3)
"""Languages in which every command shows a game; a letter and the file do in all."""

SEED = 7
STAGES = 6
"""In so many places of a game it is looked at."""

UNFILLED = re.compile(r"\{[a-z_]*\}")
"""A place of a message. The braces of JSON hold more."""

BOARD = 78
"""How many columns the status and the board of a file have at most (FORMAT 1)."""

LOOKS = [
    "show game.yaml",
    "show game.yaml --whole",
    "show game.yaml --threats",
    "show game.yaml --zones",
    "log game.yaml",
    "moves game.yaml",
    "verify game.yaml",
    "games",
    "rules game.yaml unit",
]
"""What tells of a game."""

CLAIM = Claim(at="2026-08-01T12:00:00Z", say="Buena suerte, viel Glück")

pytestmark = [pytest.mark.usefixtures("compiled"), pytest.mark.thorough]


def seeds(name: str) -> dict[str, bytes]:
    """The private key of each seat."""
    return {seat: sha256(f"{name} {seat}".encode()).digest() for seat in load(name).seats}


@cache
def played(name: str) -> list[bytes]:
    """A random game to its end, as the files that were written in it, from all over it."""
    rules, chooser = load(name), Random(SEED)
    keys = {seat: PrivateKey(seed) for seat, seed in seeds(name).items()}
    first, second = rules.seats
    options, *_ = rules.editions.values()
    terms = Terms(rules, dict(options), rules.scenarios.names[0])
    game = write.offer(Person("Ännchen", keys[first]), first, terms, entropy(first), claim=CLAIM)
    stages = [game]
    game = write.accept(game, Person("Íñigo", keys[second]), entropy(second), claim=CLAIM)
    while seat := game.state.writer:
        ask = permissions.unlock_state(game, keys[seat]).pending_question
        asked = ask is not None and ask.seat == seat and not isinstance(ask, Open)
        orders = rules.players["random"](ask, chooser) if ask and asked else None
        game = write.play(game, keys[seat], orders)
        stages.append(game)
    return [_file(one) for one in (*stages[:: max(1, len(stages) // STAGES)], stages[-1])]


def _file(game: Game) -> bytes:
    return write.to_bytes(game, {}, "")


class TestARandomGame:
    @pytest.mark.parametrize(("language", "name"), SHOWN)
    @pytest.mark.parametrize("width", [60, pytest.param(78, marks=pytest.mark.long)])
    def test_as_commands_show_it(
        self, name: str, language: str, width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("PBEM_HOME", "home")
        monkeypatch.setenv("PBEM_LANG", language)
        monkeypatch.setenv("NO_COLOR", "1")
        _, seat = seeds(name)
        _write_key(tmp_path / "home" / "key", seeds(name)[seat])
        for data in played(name)[::2]:
            (tmp_path / "game.yaml").write_bytes(data)
            for look in LOOKS:
                told, refused = _said(look.split(), width, monkeypatch)
                assert UNFILLED.findall(told + refused) == [], look
                assert [line for line in told.splitlines() if columns(line) > width] == [], look

    @pytest.mark.parametrize("language", TRANSLATIONS)
    @pytest.mark.parametrize("name", GAMES)
    def test_as_a_letter_and_a_file_tell_it(self, name: str, language: str) -> None:
        for data in played(name):
            with speaking(language):
                game = open_game(data)
                told = letter(game)
                board = board_text(game)
                written = write.to_bytes(game, status_fields(game), board_text(game))
            assert UNFILLED.findall(told) == []
            assert [line for line in told.splitlines() if columns(line) > BOARD] == []
            assert [line for line in board.splitlines() if len(line) > BOARD] == []
            assert f"{board}{status_fields(game)}".isascii()
            assert open_game(written).ids == game.ids


@pytest.mark.parametrize("name", GAMES)
def test_orders_typed_in_a_language_are_signed_as_in_english(name: str) -> None:
    """As `moves` shows how to type them: the entries have the same bytes, with their signatures."""
    rules, signed = load(name), 0
    for game in map(open_game, played(name)):
        ask = game.state.pending_question
        if ask is None or isinstance(ask, Open) or ask.seat != game.state.writer or len(game.entries) < 2:
            continue
        orders = rules.players["random"](ask, Random(SEED))
        key, entries = PrivateKey(seeds(name)[ask.seat]), set()
        for language in LANGUAGES:
            with speaking(language):
                typed = rules.view.write_words(orders)
                again = rules.view.read_words(ask, typed)
                entries.add(_file(write.play(game, key, again, entropy=entropy("seal"))))
        assert len(entries) == 1
        signed += 1
    assert signed


def begun(name: str) -> Run:
    """The rules of a game before its first question."""
    rules = load(name)
    options, *_ = rules.editions.values()
    state = rules.begin(dict(options), rules.scenarios.data(rules.scenarios.names[0]))
    return Run(rules, Position(state))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_no_letter_on_the_map_stands_for_two_kinds(name: str, language: str) -> None:
    with speaking(language):
        legend = load(name).view.legend(begun(name).state)
    letters = legend.kinds.values()
    assert {piece.kind for margin in legend.margins for piece in margin.pieces} <= {
        *legend.kinds,
        "fortification",
    }
    assert all(re.fullmatch("[A-Z]", one) for one in letters), letters
    assert len(letters) == len(set(letters)), letters


@pytest.mark.parametrize("name", GAMES)
def test_a_verb_that_answers_another_question_is_named_as_it_is_typed(name: str) -> None:
    """Every game begins with a set-up."""
    ask = begun(name).pending
    assert isinstance(ask, Ask)
    with pytest.raises(IllegalOrder) as refused:
        ask.read([{"pass": True}])
    with speaking("it"):
        words = re.findall(r"\w+", str(refused.value.facts))
    assert {"passa", "piazza"} <= set(words)
    assert not {"pass", "place"} & set(words)


class Terminal(io.StringIO):
    """What is printed on a terminal, whose width stands in `COLUMNS`."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def _said(arguments: list[str], width: int, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """What a command prints, and what it complains of: a line each, however long."""
    printed = [Terminal(), Terminal()]
    monkeypatch.setenv("COLUMNS", str(width))
    for stream, text in zip(("stdout", "stderr"), printed, strict=True):
        monkeypatch.setattr(sys, stream, text)
    run(arguments)
    told, refused = (text.getvalue() for text in printed)
    return told, refused


def _write_key(path: Path, seed: bytes) -> None:
    key = Ed25519PrivateKey.from_private_bytes(seed)
    path.parent.mkdir(mode=0o700)
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))
    path.chmod(0o600)
