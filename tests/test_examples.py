"""The example games are the golden files: each is checked, replayed, and told again line by line."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from independent import minimal_verifier
from pbem.cli.app import run
from pbem.format.document import parse_document
from pbem.format.draws import beat_seed
from pbem.format.entries import Answer, Play, Propose
from pbem.format.yaml_reader import parse_yaml
from pbem.games.mortain import RULES
from pbem.player.store.game_file import board_text, status_fields
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game, parse_log
from pbem.umpire.write import to_bytes
from support.markers import sample_rows

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
NAMED_IN_THE_TEXTS = (
    "activation_rounding",
    "early_joker",
    "tiger_free",
    "support_costs",
    "support_target",
)
"""The options in which the editions differ."""

NAMES = sorted(path.stem for path in EXAMPLES.glob("*.yaml"))

every_example = pytest.mark.parametrize("name", NAMES)
some_examples = pytest.mark.parametrize("name", sample_rows(NAMES, 3))


def data_of(name: str) -> bytes:
    return (EXAMPLES / f"{name}.yaml").read_bytes()


@cache
def game_of(name: str) -> Game:
    return open_game(data_of(name))


@cache
def schema(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text("utf-8")))


def valid(name: str, value: Any) -> bool:
    return schema(name).is_valid(value)


def first_difference(found: str, kept: str) -> str | None:
    """Where two texts part, line by line, in words; None if they are the same."""
    pairs = zip_longest(found.splitlines(), kept.splitlines())
    for number, (new, old) in enumerate(pairs, 1):
        if new != old:
            return f"line {number}: found {new!r}, kept is {old!r}"
    return None


class TestEveryExample:
    """What must hold of each."""

    @every_example
    def test_verifies_and_is_over(self, name: str) -> None:
        assert game_of(name).state.ending is not None

    @every_example
    def test_tells_the_same_story_and_map(
        self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("PBEM_HOME", str(tmp_path))
        assert run(["log", str(EXAMPLES / f"{name}.yaml")]) == 0
        found = f"{capsys.readouterr().out}\n{board_text(game_of(name))}\n"
        kept = (EXAMPLES / f"{name}.txt").read_text("utf-8")
        assert first_difference(found, kept) is None

    @every_example
    def test_the_files_own_status_and_map_are_those_of_its_log(self, name: str) -> None:
        """But for what names a side: that is said in the words of the day on which the file was mailed."""
        game, document = game_of(name), parse_document(parse_yaml(data_of(name)))
        assert isinstance(document.status, dict)
        said = dict.fromkeys(document.status.keys() & {"scenario", "next"}, "")
        assert {**document.status, **said} == {**status_fields(game), **said}
        (kept, _), (found, _) = (one.split("\n\nNext: ") for one in (str(document.board), board_text(game)))
        assert first_difference(found, kept) is None

    @every_example
    def test_is_written_again_byte_for_byte(self, name: str) -> None:
        document = parse_document(parse_yaml(data_of(name)))
        board = str(document.board).rstrip("\n")
        assert to_bytes(game_of(name), document.status, board) == data_of(name)

    @pytest.mark.thorough
    @every_example
    def test_blanks_at_the_ends_of_lines_do_no_harm(self, name: str) -> None:
        padded = data_of(name).replace(b"\n", b" \r\n")
        assert tuple(entry.id for entry in parse_log(padded)) == game_of(name).ids
        assert minimal_verifier.verify(padded) == minimal_verifier.verify(data_of(name))

    @some_examples
    def test_a_stock_yaml_loader_reads_the_same_values(self, name: str) -> None:
        assert yaml.safe_load(data_of(name)) == parse_yaml(data_of(name))

    @every_example
    def test_the_independent_verifier_accepts_it_with_the_same_seeds(self, name: str) -> None:
        game = game_of(name)
        assert minimal_verifier.verify(data_of(name)) == {
            beat.number: beat_seed(game.offer.game, beat.number, beat.secrets).hex()
            for beat in game.state.beats
            if len(beat.secrets) == 2
        }

    @pytest.mark.thorough
    @some_examples
    def test_obeys_the_schemas(self, name: str) -> None:
        document = yaml.load(data_of(name), Loader=yaml.CSafeLoader)
        assert valid("game-file", document)
        for entry in document["log"]:
            assert "orders" not in entry or valid(f"{game_of(name).rules.name}-orders", entry["orders"])
        own = document["log"][0]["scenario"].get("data")
        assert own is None or valid(f"{game_of(name).rules.name}-scenario", own)


def of_game(rules: str) -> list[str]:
    """The examples of one game, by their names."""
    return [name for name in NAMES if name.startswith(f"{rules}-")]


class TestTheCollection:
    """What the examples show together."""

    def test_every_edition(self) -> None:
        agreed = [game_of(name).offer.options for name in of_game("mortain")]
        for edition, options in RULES.editions.items():
            named = {name: options[name] for name in NAMED_IN_THE_TEXTS}
            assert any(named.items() <= others.items() for others in agreed), edition

    def test_every_way_to_end(self) -> None:
        endings = [game_of(name).state.ending for name in NAMES]
        assert {ending.way for ending in endings if ending} == {"rules", "resignation", "agreement"}
        assert {ending.winner for ending in endings if ending} >= {"german", "us", "allied", "axis", None}

    def test_both_seats_offer(self) -> None:
        assert {game_of(name).offer.by for name in NAMES} == {"german", "us", "allied", "axis", "first"}

    def test_words_beyond_ascii(self) -> None:
        spoken = {name: "".join(entry.body.say or "" for entry in game_of(name).entries) for name in NAMES}
        assert [name for name in NAMES if spoken[name].isascii()] == ["mortain-en-solitaire"]

    def test_the_readme_names_them_all(self) -> None:
        text = (EXAMPLES / "README.md").read_text("utf-8")
        assert [name for name in NAMES if f"| `{name}` |" not in text] == []

    def test_they_stay_small(self) -> None:
        assert sum(path.stat().st_size for path in EXAMPLES.iterdir()) < 3_000_000


class TestEachByItsName:
    """Each shows what its name says."""

    def test_orders_are_taken_back_and_the_card_before_them_stays(self) -> None:
        """And the side that offers starts the first draw (FORMAT 12)."""
        game = game_of("mortain-en-orders-taken-back")
        assert game.offer.needs == ["bound", "retract"]
        opening = game.entries[3].body
        assert isinstance(opening, Play)
        assert (opening.by, opening.beat, opening.orders) == (game.offer.by, 1, None)
        proposals = {
            entry.body.n: entry.body.what for entry in game.entries if isinstance(entry.body, Propose)
        }
        (asked, first), (again, second) = proposals.items()
        retracted = game.replayed_entries[first.retract or 0]
        answers = [game.entries[n + 1].body for n in (asked, again)]
        assert second.takeback
        assert [body.accept for body in answers if isinstance(body, Answer)] == [True, False]
        anew = game.replayed_entries[asked + 2]
        assert retracted.beat
        assert anew.entry.body.by == retracted.entry.body.by
        assert anew.beat is None, "the card lies open already"

    def test_the_deciding_exit_ends_the_game(self) -> None:
        assert reason("mortain-it-exits") == "M8.3: five German units have exited"

    def test_no_german_left_ends_the_game(self) -> None:
        assert "M8.3: no German unit is left" in reason("mortain-es-no-germans-left")

    def test_resigned(self) -> None:
        assert "resigned" in reason("mortain-es-resigns")

    def test_the_deck_runs_out_in_the_last_turn(self) -> None:
        events = [tell.event for tell in game_of("mortain-en-deck-runs-out").replayed_entries[-1].events]
        assert events[-3:] == ["deck_out", "turn_ends", "victory"]

    def test_proposals_granted_and_refused(self) -> None:
        assert proposals("mortain-it-draw") == [("draw", False), ("draw", True)]
        assert proposals("mortain-de-takebacks") == [("takeback", True), ("takeback", False)]

    def test_beats_go_on_after_a_take_back(self) -> None:
        """FORMAT 6.6: no beat is opened twice, so what was taken back is not drawn again."""
        numbers = [beat.number for beat in game_of("mortain-de-takebacks").state.beats]
        assert numbers == list(range(1, len(numbers) + 1))
        opened = [
            entry.body.beat
            for entry in game_of("mortain-de-takebacks").entries
            if isinstance(entry.body, Play)
        ]
        shares = [beat for beat in opened if beat is not None]
        assert shares == sorted(shares)

    def test_a_scenario_of_ones_own_and_an_offer_to_one_key(self) -> None:
        game = game_of("mortain-de-own-scenario")
        assert game.offer.scenario.data is not None
        assert game.offer.to == game.seats["us"].key

    def test_solitaire_under_one_key_with_questions_about_faces(self) -> None:
        game = game_of("mortain-en-solitaire")
        assert len({seat.key for seat in game.seats.values()}) == 1
        orders = [entry.body.orders for entry in game.entries if isinstance(entry.body, Play)]
        assert [{"faces": "redraw"}] in orders or [{"faces": "miss"}] in orders


class TestRommelByName:
    """The second game: each side wins once, and one game goes on."""

    def test_allied_holds_three_points(self) -> None:
        assert reason("rommel-allied-wins").startswith("R8.1: ")

    def test_axis_holds_all_points(self) -> None:
        assert reason("rommel-axis-wins") == "R8.2: no victory point has an Allied land unit"

    def test_continued_past_turn_eleven(self) -> None:
        told = [tell for one in game_of("rommel-goes-on").replayed_entries for tell in one.events]
        assert max(tell.facts["turn"] for tell in told if tell.event == "weather") > 11

    @pytest.mark.parametrize("name", of_game("rommel"))
    def test_sealed_and_opened(self, name: str) -> None:
        """FORMAT 8: every game of it seals one placement and opens it two entries later."""
        orders = [getattr(entry.body, "orders", None) or [{}] for entry in game_of(name).entries]
        sealed = [n for n, one in enumerate(orders) if "seal" in one[0]]
        assert [n for n, one in enumerate(orders) if "open" in one[0]] == [n + 2 for n in sealed]
        assert len(sealed) == 1


def reason(name: str) -> str:
    ending = game_of(name).state.ending
    assert ending is not None
    return str(ending.reason)


def proposals(name: str) -> list[tuple[str, bool]]:
    """What was proposed, and whether it was granted."""
    bodies = [entry.body for entry in game_of(name).entries]
    return [
        ("takeback" if body.what.draw is None else "draw", reply.accept)
        for body, reply in pairwise(bodies)
        if isinstance(body, Propose) and isinstance(reply, Answer)
    ]


@pytest.mark.thorough
def test_making_them_again_gives_the_same_bytes(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, str(EXAMPLES / "make.py"), str(tmp_path)], check=True, capture_output=True
    )
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == sorted(path.name for path in EXAMPLES.iterdir() if path.suffix in (".yaml", ".txt"))
    for name in made:
        found, kept = (tmp_path / name).read_bytes(), (EXAMPLES / name).read_bytes()
        assert first_difference(found.decode(), kept.decode()) is None, name
        assert found == kept
