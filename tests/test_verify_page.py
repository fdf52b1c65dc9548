"""docs/VERIFY.md on any game: its commands, and `pbem draws --recipe`, which writes them for one draw.

What they print comes from bash, awk, sha256sum, openssl and a bare Python, and is held against the umpire.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.cli.verify import STEPS, recipe_values, shell_recipe
from pbem.core.requests import Plain
from pbem.core.sealing import Open
from pbem.errors import FileError
from pbem.format.yaml_writer import dump_yaml
from pbem.games import load
from pbem.player.store.game_file import game_file_bytes
from pbem.umpire import permissions, write
from pbem.umpire.game_state import DrawResult, Game
from pbem.umpire.verify import open_game
from pbem.umpire.write import Claim, Person, Terms
from support.markers import Posix, skip_without
from support.sample_log import plain_values
from support.simulator import KEYS, entropy

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
PAGE = (ROOT / "docs/VERIFY.md").read_text("utf-8").partition("## A commander's part")[0]
BLOCKS = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
SIGNATURE = BLOCKS[len(STEPS) + 1]
WORDS = (
    'sig: "x"\n  - n: 9\n    share: "' + "0" * 64 + '"\n    by: us ' + "é, no; “quoted” \\ " * 20 + "\u2028"
)
"""Words of a player that look like an entry."""


@cache
def example(name: str) -> tuple[Path, Game]:
    file = EXAMPLES / f"{name}.yaml"
    return file, open_game(file.read_bytes())


def fresh(name: str, edition: str, offerer: str, seed: int = 1, **options: Plain) -> Game:
    """A new game at random, `offerer` first: now and then words, and take-backs, granted and refused."""
    rules, chooser = load(name), random.Random(seed)
    keys = dict(zip(rules.seats, KEYS.values(), strict=True))
    terms = Terms(rules, {**rules.editions[edition], **options}, rules.scenarios.names[0], None)
    names = {seat: Person(f"{seat} 'n\" $(x): y", keys[seat], f"{seat}@example.org") for seat in keys}
    game = write.offer(names[offerer], offerer, terms, entropy(offerer), claim=Claim(say=WORDS[:300]))
    game = write.accept(game, names[game.state.opponent(offerer)], entropy("guest"), claim=Claim())
    while not game.state.ending and len(game.entries) < 120:
        seat = str(game.state.writer)
        at_rest = game.state.pending_question and not game.state.open_beat and game.state.barred != seat
        rests = [n for n in range(1, len(game.entries)) if game.state.may_take_back_to(n)]
        if at_rest and rests and chooser.random() < 0.1:
            game = write.propose(game, keys[seat], {"takeback": rests[-2:][0]}, claim=Claim(say="sorry"))
            game = write.answer(game, keys[game.state.opponent(seat)], chooser.random() < 0.6, claim=Claim())
            continue
        asked = permissions.unlock_state(game, keys[seat]).pending_question
        mine = asked is not None and asked.seat == seat and not isinstance(asked, Open)
        orders = rules.players["random"](asked, chooser) if asked and mine else None
        words = Claim(say=WORDS if chooser.random() < 0.1 else "") if orders else Claim()
        game = write.play(game, keys[seat], orders, claim=words, entropy=entropy(f"{len(game.entries)}"))
    return game


def drawn(game: Game) -> Iterator[tuple[int, DrawResult]]:
    """Every draw, with the entry that it came with."""
    for n, one in enumerate(game.replayed_entries):
        yield from ((n, draw) for draw in (one.beat.draws if one.beat else ()))


def printed(script: str, folder: Path) -> list[str]:
    """What bash prints, in lines; its `python3` is the bare one that runs these tests."""
    skip_without(Posix.SHELL)
    path = f"{Path(sys.executable).resolve().parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": ""}
    done = subprocess.run(
        ["bash"], input=script.encode(), cwd=folder, env=environment, capture_output=True, check=False
    )
    assert done.stderr == b""
    return done.stdout.decode().removesuffix("\n").split("\n")


def check_draw(game: Game, n: int, draw: DrawResult, lines: list[str]) -> None:
    """What the lines must print about a draw, after what the umpire knows."""
    beat, by = game.replayed_entries[n].beat, game.entries[n].body.by
    assert beat is not None
    both = {seat: secret.hex() for seat, secret in beat.secrets.items()}
    other = game.state.opponent(by)
    many = len(draw.outcomes)
    anchors = {seat: one.anchor for seat, one in game.seats.items()}
    assert re.fullmatch(rf"draw {draw.j} of entry {n} in .*\.yaml, one of {many}", lines.pop(0))
    assert lines[0] == f"game {game.offer.game}"
    assert lines[1] == f"entry {n} by {by} completes beat {beat.number}, which {other} opened"
    assert lines[2] == f"{other} {beat.number} {both[other]}"
    assert lines[4] == f"{by} {beat.number} {both[by]}"
    assert lines[5:7] == [f"{seat} {anchors[seat]} the anchor" for seat in (other, by)]
    assert re.fullmatch(rf"number (\d+) of {many}, counted from 0: {re.escape(str(draw.outcome))}", lines[9])


def check_recipes(file: Path, game: Game, draws: list[tuple[int, DrawResult]]) -> None:
    """The recipes of these draws, pasted into one shell one after the other."""
    data = file.read_bytes()
    script = "".join(shell_recipe(game, data, Path(file.name), n, draw) + "\n" for n, draw in draws)
    lines = printed(script, file.parent)
    assert len(lines) == 11 * len(draws)
    for at, (n, draw) in enumerate(draws):
        check_draw(game, n, draw, lines[11 * at : 11 * at + 11])


class TestTheRecipe:
    """`pbem draws FILE ENTRY --recipe`."""

    def test_is_the_page(self) -> None:
        file, game = example("mortain-it-exits")
        n, draw = next(one for one in drawn(game) if one[0] == 4)
        assert BLOCKS[: len(STEPS) + 1] == [recipe_values(file.relative_to(ROOT), n, draw), *STEPS]

    @pytest.mark.parametrize("name", ["mortain-it-exits", "rommel-allied-wins"])
    def test_some_beats(self, name: str) -> None:
        file, game = example(name)
        check_recipes(file, game, list(dict(drawn(game)).items())[::10])

    @pytest.mark.long
    @pytest.mark.parametrize("name", ["mortain-it-exits", "rommel-allied-wins"])
    def test_every_beat(self, name: str) -> None:
        """The last draw of each."""
        file, game = example(name)
        check_recipes(file, game, list(dict(drawn(game)).items()))

    @pytest.mark.long
    @pytest.mark.parametrize("name", ["mortain-de-takebacks", "mortain-en-solitaire", "rommel-axis-wins"])
    def test_every_draw(self, name: str) -> None:
        file, game = example(name)
        check_recipes(file, game, list(drawn(game)))

    @pytest.mark.parametrize("name", ["a game; of 'mine'.yaml", "-.yaml", "Spiel für Jörg.yaml"])
    def test_names_that_a_shell_would_misread(self, name: str, tmp_path: Path) -> None:
        game = example("mortain-de-own-scenario")[1]
        file = tmp_path / name
        file.write_bytes((EXAMPLES / "mortain-de-own-scenario.yaml").read_bytes())
        check_recipes(file, game, list(drawn(game))[:1])

    def test_line_ends_and_blanks_of_mail(self, tmp_path: Path) -> None:
        source, game = example("mortain-es-resigns")
        file = tmp_path / "game.yaml"
        file.write_bytes(b"\xef\xbb\xbf" + source.read_bytes().replace(b"\n", b" \r\n"))
        assert open_game(file.read_bytes()).ids == game.ids
        check_recipes(file, game, list(drawn(game))[-2:])

    def test_a_file_in_another_layout(self) -> None:
        """Another program may write the same entries with other blanks, which these lines cannot read."""
        file, game = example("mortain-it-exits")
        n, draw = next(drawn(game))
        data = file.read_bytes().replace(b"  - n: ", b"  -  n: ").replace(b"\n    ", b"\n     ")
        assert open_game(data).ids == game.ids
        with pytest.raises(FileError, match="is not laid out as pbem writes it"):
            shell_recipe(game, data, file, n, draw)

    def test_another_secret_is_found_out(self, tmp_path: Path) -> None:
        """The opener's share changed by one digit: it leads to another card, and not to the anchor."""
        source, game = example("mortain-it-exits")
        n, draw = next(one for one in drawn(game) if one[0] == 4)
        share = str(game.entries[3].raw["share"])
        text = source.read_text("utf-8").replace(share, ("1" if share[0] == "0" else "0") + share[1:])
        (tmp_path / source.name).write_text(text, "utf-8")
        lines = printed(shell_recipe(game, source.read_bytes(), Path(source.name), n, draw), tmp_path)
        assert lines[6].endswith("NOT the anchor")
        assert not lines[7].endswith("NOT the anchor")


def check_page(file: Path, game: Game, n: int, draw: DrawResult) -> None:
    """The page's commands, with a draw of this game in the first box."""
    script = recipe_values(Path(file.name), n, draw) + "".join(f"{block}\n" for block in BLOCKS[1:])
    lines = printed(script.replace("openssl pkeyutl", "openssl pkeyutl 2>&1"), file.parent)
    check_draw(game, n, draw, lines)
    entry = game.entries[n]
    key = game.seats[entry.body.by].key
    fingerprint = lines[10].split()[-1]
    assert lines[10].startswith(f"entry {n} by {entry.body.by} ")
    assert fingerprint == next(seat.public.fingerprint for seat in KEYS.values() if str(seat.public) == key)
    signed = entry.message.decode().split("\n")
    assert lines[11 : 11 + len(signed)] == signed
    following = [game.ids[n]] if n + 1 < len(game.entries) else []
    assert lines[11 + len(signed) :] == [
        "Signature Verified Successfully",
        game.ids[n],
        *following,
        "Signature Verification Failure",
    ]


class TestThePage:
    """Its commands with another file, entry and draw in their first box."""

    @pytest.mark.parametrize(
        ("name", "edition", "offerer", "options"),
        [
            pytest.param("mortain", "es", "german", {"turns": 2}, marks=pytest.mark.thorough),
            pytest.param("mortain", "en", "us", {}, marks=pytest.mark.thorough),
            pytest.param("rommel", "nac", "axis", {}, marks=pytest.mark.thorough),
        ],
        ids=str,
    )
    def test_a_new_game(
        self, name: str, edition: str, offerer: str, options: dict[str, Any], tmp_path: Path
    ) -> None:
        """Take-backs and passes, words that look like an entry; shares of this beat and of the next."""
        game = fresh(name, edition, offerer, **options)
        file = tmp_path / "my game.yaml"
        file.write_bytes(game_file_bytes(game))
        assert open_game(file.read_bytes()).ids == game.ids
        assert {"answer", "propose"} <= {entry.kind for entry in game.entries}
        draws = list(drawn(game))
        shares = {n: game.entries[n].raw["beat"] for n, _ in draws}
        beats = {n: one.beat.number for n, one in enumerate(game.replayed_entries) if one.beat}
        same = [one for one in draws if shares[one[0]] == beats[one[0]]]
        next_too = [one for one in draws if shares[one[0]] == beats[one[0]] + 1]
        several = [one for one in draws if one[1].j]
        for n, draw in (draws[0], draws[-1], same[-1], next_too[-1], several[len(several) // 2]):
            check_page(file, game, n, draw)

    def test_an_entry_with_which_nothing_was_drawn(self) -> None:
        script = "file=examples/mortain-it-exits.yaml entry=2\n" + BLOCKS[1]
        assert printed(script, ROOT)[1] == "entry 2 completes no beat"


def page_reader() -> dict[str, Any]:
    """What the page's Python defines before it reads a file."""
    python = SIGNATURE.partition("<<'END'\n")[2].partition("\nEND\n")[0]
    found: dict[str, Any] = {}
    exec(python.partition("\ntext = ")[0], found)
    return found


class TestThePagesReader:
    """The few lines that read an entry read what pbem writes."""

    @pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.yaml")), ids=lambda file: file.stem)
    def test_signed_bytes_of_every_entry(
        self, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Its whole Python runs once, for entry 1; the others are read by what it has defined."""
        game = example(file.stem)[1]
        python = SIGNATURE.partition("<<'END'\n")[2].partition("\nEND\n")[0]
        monkeypatch.setattr(sys, "argv", ["-", str(file), "1", str(tmp_path)])
        found: dict[str, Any] = {}
        exec(python, found)
        assert (tmp_path / "message").read_bytes() == game.entries[1].message
        read: Callable[[int], Any] = found["read"]
        assert [read(n) for n in range(len(game.entries))] == [entry.raw for entry in game.entries]

    @given(st.dictionaries(st.text(max_size=70), plain_values(), min_size=1, max_size=4))
    def test_any_value(self, value: dict[str, Plain]) -> None:
        reader = page_reader()
        if None in value.values() or "null" in dump_yaml(value):
            return
        one_line = re.sub(reader["STRING"], reader["string"], dump_yaml(value).removesuffix("\n"))
        lines = re.sub(r"\? (.*)\n *: ?", r"\1: ", one_line).split("\n")
        assert reader["block"](lines) == value
