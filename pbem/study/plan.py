"""The plan of a study: a game and a scenario, and the cells to compare, each with options and players.

Everything that decides a game is in the plan and in the number of the game. So the same plan gives the same
table, whoever plays it, in whatever order and however often it is interrupted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.validation import quote_value
from pbem.core.requests import Plain
from pbem.core.rules import Rules
from pbem.errors import FileError
from pbem.format.canonical import digest
from pbem.texts import Texts

tr = Texts("pbem")

DEFAULT_PLAYER = "sensible"
"""The default player, of both seats."""

DEFAULT_PLAYOUTS = 40
"""The default number of playouts for a decision: two seconds of a slow computer."""


class StudyCell(Struct, frozen=True):
    """One condition of a study, compared with others by its games: all options, and the player of each seat.

    `edition` names the preset of the options, `changed` those that the study sets itself.
    """

    edition: str
    options: dict[str, Plain]
    players: dict[str, str]
    changed: dict[str, Plain] = {}

    @property
    def terms(self) -> str:
        """Edition and changed options: `es, turns 5`."""
        return ", ".join([self.edition, *(f"{option} {value}" for option, value in self.changed.items())])

    @property
    def pair(self) -> str:
        """The players, in the order of the seats: `strong against sensible`."""
        first, second = self.players.values()
        return tr("{first} against {second}", first=first, second=second)


class StudyPlan(Struct, frozen=True):
    """The plan of a study. `games` is the total over all cells; with `until` it is the maximum.

    `rules` is `name/version`, `scenario` its data, `playouts` the effort per decision of players that search.
    `until` is a width in percentage points: a cell is played until each interval is narrower.
    """

    rules: str
    scenario: Plain
    cells: list[StudyCell]
    seed: int
    games: int
    until: float | None = None
    playouts: int = 0

    @property
    def game(self) -> str:
        """The game's name."""
        return self.rules.partition("/")[0]

    @property
    def games_per_cell(self) -> int:
        """The maximum number of games of each cell, the same for all."""
        return -(-self.games // len(self.cells))

    def cell_key(self, cell: StudyCell) -> str:
        """The digest that, with seed and number, seeds a game of this cell: nothing else matters."""
        deciding: Plain = {
            "rules": self.rules,
            "scenario": digest(self.scenario),
            "options": cell.options,
            "players": cell.players,
            "playouts": self.playouts,
        }
        return digest(deciding)

    def cell_name(self, cell: StudyCell) -> str:
        """The shortest name that distinguishes a cell: `es, turns 5, strong against sensible`."""
        pairs = {tuple(each.players.values()) for each in self.cells}
        return f"{cell.terms}, {cell.pair}" if len(pairs) > 1 else cell.terms


def make_cells(
    rules: Rules, editions: Sequence[str], changed: Mapping[str, Sequence[Plain]], players: Sequence[str]
) -> list[StudyCell]:
    """A cell for every edition, choice of the changed options, and ordered pair of different players.

    A single player plays both seats. Raises `FileError` where the game has no such edition, option or player.
    """
    for edition in editions:
        _check_name(edition, list(rules.editions), "--editions")
    known = rules.editions[next(iter(rules.editions))]
    for option in changed:
        _check_name(option, list(known), "--option")
    for player in players:
        _check_name(player, list(rules.players), "--players")
    return [
        StudyCell(edition, {**rules.editions[edition], **choice}, seated, choice)
        for edition, choice, seated in product(
            editions, _option_choices(changed), _player_pairs(rules.seats, players)
        )
    ]


def extend_plan(old: StudyPlan, requested: StudyPlan) -> StudyPlan:
    """The plan of a study that continues with more games, editions, options or players.

    The cells of `begun` keep their places, and new ones follow, since stored games name their cell by its
    place. Raises `FileError` where stored games would be lost.
    """
    if _common_part(old) != _common_part(requested):
        raise FileError(tr("holds another study"))
    cells, new = list[StudyCell](), list(requested.cells)
    for cell in old.cells:
        key = old.cell_key(cell)
        place = next((place for place, other in enumerate(new) if requested.cell_key(other) == key), None)
        if place is None:
            raise FileError(
                tr("holds games of '{cell}' too, which this command leaves out", cell=old.cell_name(cell))
            )
        cells.append(new.pop(place))
    if requested.until is None and requested.games_per_cell < old.games_per_cell:
        raise FileError(
            tr.plural(
                "{number} game of each cell is there, and this command asks for fewer",
                "{number} games of each cell are there, and this command asks for fewer",
                old.games_per_cell,
            ),
            hint=tr(
                "to go on with them: {option}", option=f"--games {old.games_per_cell * len(requested.cells)}"
            ),
        )
    if (requested.until or 0) > (old.until or 0):
        raise FileError(
            tr("holds a study that ends later"),
            hint=tr("to go on with it: {option}", option=f"--until {old.until:g}"),
        )
    return replace(requested, cells=[*cells, *new])


def _common_part(plan: StudyPlan) -> tuple[Plain, ...]:
    """What all games of a folder must have in common; and whether the study ends by itself."""
    return plan.rules, digest(plan.scenario), plan.seed, plan.playouts, plan.until is None


def _option_choices(changed: Mapping[str, Sequence[Plain]]) -> Iterator[dict[str, Plain]]:
    for values in product(*changed.values()):
        yield dict(zip(changed, values, strict=True))


def _player_pairs(seats: Sequence[str], players: Sequence[str]) -> list[dict[str, str]]:
    different = list(dict.fromkeys(players))
    pairs = permutations(different, 2) if len(different) > 1 else [(different[0], different[0])]
    return [dict(zip(seats, pair, strict=True)) for pair in pairs]


def _check_name(name: str, known: Sequence[str], where: str) -> None:
    if name not in known:
        names = ", ".join(known)
        raise FileError(
            tr("must be one of {names}, not {found}", found=quote_value(name), names=names), where=where
        )
