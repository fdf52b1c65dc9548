"""The scenes of a page, and the luck it tells: every example, against what the game itself says."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from pbem.core.requests import Tell
from pbem.core.run import public
from pbem.core.traces import Drawn, Lost, Settled, Shot, Struck, Turn, Way
from pbem.games.mortain.rules import events as mortain
from pbem.games.rommel.rules import events as rommel
from pbem.games.rommel.terms.setting import FACES
from pbem.umpire.game_state import Game
from pbem.web.luck import SettledAttack, hit_distribution, joint_chance, settled_attacks, sum_luck
from pbem.web.scene import game_scene
from support.game_pages import NAMES, game_of

MARKS = {
    "rommel-axis-wins": pytest.mark.long,
    "rommel-allied-wins": pytest.mark.thorough,
    "rommel-goes-on": pytest.mark.long,
}
"""Those with so many moves that they take long."""

every_example = pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=MARKS.get(name, ())) for name in NAMES if not name.startswith("tabletop")],
)
"""Of the games that have a map."""


def tells(game: Game) -> Iterator[tuple[int, Tell]]:
    yield from ((chapter.entry.body.n, tell) for chapter in game.replayed_entries for tell in chapter.events)


def built(frames: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Each scene whole, out of what changes, as `replay.js` does it."""
    now: dict[str, Any] = {}
    for frame in frames:
        for name, value in frame.items():
            now[name] = {**now.get(name, {}), **value} if isinstance(value, dict) else value
        yield {
            name: {hex_: found for hex_, found in value.items() if found != []}
            if isinstance(value, dict)
            else value
            for name, value in now.items()
        }


@every_example
def test_the_scenes_are_the_positions(name: str) -> None:
    game = game_of(name)
    data = game_scene(game).data
    numbers = [hex_[0] for hex_ in data["hexes"]]
    assert len(data["frames"]) == len(game.entries)
    for now, chapter in zip(built(data["frames"]), game.replayed_entries, strict=True):
        assert chapter.rest
        legend = game.rules.view.legend(chapter.rest[0])
        there = {
            numbers[index]: [data["faces"][face].partition(",")[0] for face in faces]
            for index, faces in now["cells"].items()
        }
        assert there == {cell.number: [p.name for p in cell.pieces] for cell in legend.cells if cell.pieces}
        factors = [data["faces"][face].split(", ")[2] for faces in now["cells"].values() for face in faces]
        assert sorted(factors) == sorted(p.factors for cell in legend.cells for p in cell.pieces)
        off = {
            title: [data["faces"][face].partition(",")[0] for face in faces] for title, faces in now["off"]
        }
        units = public(game.rules, *chapter.rest)["units"]  # which no fortification is
        boxes = {m.title: [piece.name for piece in m.pieces if piece.name in units] for m in legend.margins}
        assert off == {title: names for title, names in boxes.items() if names}
        marked = {numbers[index]: len(found) for index, found in now["marks"].items()}
        assert marked == {cell.number: len(cell.marks) for cell in legend.cells if cell.marks}
        assert [value for _, value in now["figures"]][: len(legend.figures)] == [v for _, v in legend.figures]


@every_example
def test_each_trace_lies_on_the_map_and_each_attack_is_settled_once(name: str) -> None:
    game = game_of(name)
    traces = game.rules.view.traces
    assert traces is not None
    numbers = {cell.number for cell in game.rules.view.legend(game.state.run.state).cells}
    for _, tell in tells(game):
        for trace in traces(tell):
            match trace:
                case Way(_, hexes):
                    assert hexes
                    assert set(hexes) <= numbers
                case Shot(side, out_of, at, chance, _):
                    assert {*out_of, at} <= numbers
                    assert side in game.rules.seats
                    assert 0 <= chance <= 1
                case Struck(at) | Lost(at):
                    assert at in numbers
                case Turn() | Drawn() | Settled():
                    pass


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("mortain")])
def test_every_attack_of_mortain_counts_once(name: str) -> None:
    """Support may hit several units: it is one attack. One that nothing has settled does not count."""
    game = game_of(name)
    told: list[tuple[int, str]] = []
    for number, tell in tells(game):
        if isinstance(tell.what, mortain.Attack):
            told.append((number, "open"))
        elif isinstance(tell.what, (mortain.Hit, mortain.Eliminated)) and told[-1][1] == "open":
            told[-1] = (number, "hit")
        elif isinstance(tell.what, mortain.Misses):
            told[-1] = (number, "miss")
    settled = [one for one in told if one[1] != "open"]
    assert [(one.entry, "hit" if one.hit else "miss") for one in settled_attacks(game)] == settled


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("rommel")])
def test_the_chances_of_rommel_are_those_of_the_declared_faces(name: str) -> None:
    """R7.1: fire is declared with the faces that hit; they are of a die with the faces of R1.2."""
    game = game_of(name)
    traces = game.rules.view.traces
    assert traces is not None
    declared: dict[tuple[str, str], list[int]] = {}
    shots = 0
    for _, tell in tells(game):
        match tell.what:
            case rommel.Aims(unit, on, _, hits):
                declared[unit, on] = hits
            case rommel.Shoots(unit, on, face, hit):
                shot, drawn, settled = traces(tell)
                assert isinstance(shot, Shot)
                chance = Fraction(sum(face in declared[unit, on] for face in FACES), len(FACES))
                assert (shot.chance, drawn, settled) == (chance, Drawn(str(face)), Settled(hit))
                shots += 1
    assert shots > 10


def attack(chance: str, *, hit: bool) -> SettledAttack:
    return SettledAttack(1, "us", "one at another", Fraction(chance), hit)


class TestLuck:
    """Reckoned by hand."""

    def test_two_coins(self) -> None:
        assert hit_distribution([0.5, 0.5]) == [0.25, 0.5, 0.25]

    def test_more_hits_than_expected(self) -> None:
        """1/2 and 1/4 give 3/4 hits; two of two come with 1/8."""
        found = sum_luck([attack("1/2", hit=True), attack("1/4", hit=True)])
        assert (found.attacks, found.expected, found.hits, found.chance) == (2, 0.75, 2, 0.125)

    def test_fewer_hits_than_expected(self) -> None:
        """No hit of 1/2 and 1/4: 1/2 times 3/4."""
        assert sum_luck([attack("1/2", hit=False), attack("1/4", hit=False)]).chance == 0.375

    def test_certain_attacks_are_no_luck(self) -> None:
        assert sum_luck([attack("1", hit=True), attack("0", hit=False)]).chance == 1

    def test_nobody_attacks(self) -> None:
        assert sum_luck([]).chance == 1

    def test_both_sides(self) -> None:
        """A coin each, one hits and one does not: two games of four are as lopsided, either way."""
        assert joint_chance([attack("1/2", hit=True)], [attack("1/2", hit=False)]) == 0.5

    def test_equal_luck_is_always_reached(self) -> None:
        assert joint_chance([attack("1/2", hit=True)], [attack("1/2", hit=True)]) == 1
