"""A study: its plan, the folder of its results, and the run that plays the missing games.

A plan is a game, a scenario, and the cells to compare, each with options and players. Everything that decides
a game is in the plan and in the number of the game. So the same plan gives the same table, whoever plays it,
in any order and however often it is interrupted.

The folder contains the plan, and the results so far, one line of JSON per game. Lines are appended as games
are played; a line cut off by a crash is dropped when the study continues. At the end the lines are sorted, so
that the files of one plan are the same byte for byte, and also written as comma-separated values for a
spreadsheet; docs/STUDIES.md names every column with its unit.
"""

from __future__ import annotations

import csv
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from io import StringIO
from itertools import permutations, product
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.analysis.code_bundle import CodeBundle
from pbem.analysis.self_play import GameRecord, SelfPlayTask, parse_record
from pbem.analysis.statistics import wilson_interval
from pbem.base.files import make_folder, read_if_there, write_atomically
from pbem.base.system import LockTaken, lock_file
from pbem.base.validation import quote_value
from pbem.base.worker_pool import WorkerPool, run_tasks
from pbem.core.requests import Plain
from pbem.core.rules import Rules
from pbem.errors import FileError
from pbem.format.canonical import digest
from pbem.render.safe_text import quote_path, safe_text, spreadsheet_cell
from pbem.texts import Texts

tr = Texts("pbem")


DEFAULT_PLAYER = "sensible"
"""The default player for both seats."""

DEFAULT_PLAYOUTS = 40
"""The default number of playouts per decision, which take a slow computer two seconds."""


class StudyCell(Struct, frozen=True):
    """One of the conditions that a study compares: all options, and the player of each seat.

    `edition` names the preset of the options; `changed` are those the study sets itself.
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

    `rules` is `name/version`, `scenario` the scenario's data, `playouts` the number per decision for players
    that search. `until` is a width in percentage points: a cell is played until each interval is narrower.
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
        """The maximum number of games per cell."""
        return -(-self.games // len(self.cells))

    def cell_key(self, cell: StudyCell) -> str:
        """The digest that, with seed and number, seeds a game of this cell; nothing else does."""
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
    """A cell for each edition, choice of the changed options, and ordered pair of different players.

    A single player plays both seats. Raises `FileError` if the game has no such edition, option or player.
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

    The cells of `old` keep their places, and new ones follow, since stored games name their cell by its
    place. Raises `FileError` if stored games would be lost.
    """
    if _common_part(old) != _common_part(requested):
        raise FileError(tr("already contains a different study"))
    cells, new = list[StudyCell](), list(requested.cells)
    for cell in old.cells:
        key = old.cell_key(cell)
        place = next((place for place, other in enumerate(new) if requested.cell_key(other) == key), None)
        if place is None:
            raise FileError(
                tr("also contains games of '{cell}', which this command leaves out", cell=old.cell_name(cell))
            )
        cells.append(new.pop(place))
    if requested.until is None and requested.games_per_cell < old.games_per_cell:
        raise FileError(
            tr.plural(
                "already contains {number} game for each cell; this command asks for fewer",
                "already contains {number} games for each cell; this command asks for fewer",
                old.games_per_cell,
            ),
            hint=tr(
                "to continue with them: {option}",
                option=f"--games {old.games_per_cell * len(requested.cells)}",
            ),
        )
    if (requested.until or 0) > (old.until or 0):
        raise FileError(
            tr("already contains a study that ends later"),
            hint=tr("to continue with it: {option}", option=f"--until {old.until:g}"),
        )
    return replace(requested, cells=[*cells, *new])


def _common_part(plan: StudyPlan) -> tuple[Plain, ...]:
    """What all games of a folder must have in common, and whether the study ends by itself."""
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


def study_csv(plan: StudyPlan, records: Iterable[GameRecord], sides: Mapping[str, str]) -> str:
    """The games as comma-separated values, each with edition, changed options, and players.

    Figures are those at the end of a game; `sides` maps every unit to its side. Names in a stranger's
    scenario are escaped, so that none is a formula.
    """
    games = list(records)
    figures = list(dict.fromkeys(name for game in games for name in game.figures))
    buffer = StringIO()
    table = csv.writer(buffer, lineterminator="\n")
    seats = list(plan.cells[0].players)
    table.writerow(column_heads(list(plan.cells[0].changed), seats, figures))
    for game in games:
        cell = plan.cells[game.cell]
        row: list[Plain] = [cell.edition, *cell.changed.values(), *cell.players.values(), game.game]
        row += [game.winner or "draw", game.reason, game.rule, game.turns, game.decisions]
        row += [game.figures[name][-1] if name in game.figures else "" for name in figures]
        lost = Counter(sides.get(unit) for unit in game.lost)
        row += [*(lost[seat] for seat in seats), sum(game.fights.values())]
        table.writerow([spreadsheet_cell(value) if isinstance(value, str) else value for value in row])
    return buffer.getvalue()


def column_heads(options: Sequence[str], seats: Sequence[str], figures: Sequence[str]) -> list[str]:
    """The headings of the table, unique whatever a game calls its options, seats and figures.

    A name already taken gets a prefix for its kind: `figure_turns`. Names that differ only in case count as
    equal, since many programs ignore case in tables.
    """
    ours = ["edition", "game", "winner", "reason", "rule", "turns", "decisions", "attacks"]
    taken = set(ours)

    def unique_head(kind: str, name: str) -> str:
        while (head := safe_text(name)).casefold() in taken:
            name = f"{kind}_{name}"
        taken.add(head.casefold())
        return spreadsheet_cell(head)

    edition, *result, attacks = ours
    return [
        edition,
        *(unique_head("option", f"option_{option}") for option in options),
        *(unique_head("player", seat) for seat in seats),
        *result,
        *(unique_head("figure", figure) for figure in figures),
        *(unique_head("seat", f"{seat} lost") for seat in seats),
        attacks,
    ]


PLAN_FILE, GAMES_FILE, TABLE_FILE, PAGE_FILE = "study.json", "games.jsonl", "games.csv", "study.html"
"""The files of a study."""

_LOCK = ".lock"


class StudyFolder:
    """The folder of a plan, whose cells keep their order. Open it with `open_study`."""

    def __init__(self, path: Path, plan: StudyPlan) -> None:
        self.path = path
        self.plan = plan
        self._lines: dict[tuple[int, int], bytes] = {}
        self._begin_or_resume()

    def __contains__(self, game: tuple[int, int]) -> bool:
        """Whether a game of a cell has been played."""
        return game in self._lines

    def write_results(self, lines: bytes) -> None:
        """Append results to the file, one per line, and sync them to disk."""
        with (self.path / GAMES_FILE).open("ab", buffering=0) as file:
            file.write(lines)
            os.fsync(file.fileno())
        self._index_lines(lines)

    def records(self, cell: int, games: int) -> Iterator[GameRecord]:
        """The records of the first `games` games of a cell, which must all have been played."""
        return (parse_record(self._lines[cell, game]) for game in range(games))

    def write_tables(self, games: list[int], sides: Mapping[str, str]) -> None:
        """Write the first games of each cell, in order, and the table; `sides` as in `study_csv`."""
        kept = {(cell, game) for cell, number in enumerate(games) for game in range(number)}
        self._lines = {game: self._with_options(self._lines[game]) for game in sorted(kept)}
        write_atomically(self.path / GAMES_FILE, b"".join(line + b"\n" for line in self._lines.values()))
        table = study_csv(self.plan, map(parse_record, self._lines.values()), sides)
        write_atomically(self.path / TABLE_FILE, table.encode())

    def _with_options(self, line: bytes) -> bytes:
        """A game's line with the options changed by the study."""
        record = parse_record(line)
        changed = self.plan.cells[record.cell].changed
        return line if record.options == changed else msgspec.json.encode(replace(record, options=changed))

    def _begin_or_resume(self) -> None:
        """Write the plan of a new study, or read and extend that of an old one; read the results.

        Raises `FileError` if there are results of cells missing from the plan, or if a file is damaged.
        """
        stored = read_if_there(self.path / PLAN_FILE)
        if stored is not None:
            try:
                self.plan = extend_plan(msgspec.json.decode(stored, type=StudyPlan), self.plan)
            except msgspec.DecodeError:
                raise FileError(tr("is damaged"), where=quote_path(self.path / PLAN_FILE)) from None
            except FileError as error:
                other = tr(
                    "type the same command again to continue that study, or name another folder: {option}",
                    option=f"--out {quote_path(self.path.with_name(f'{self.path.name}-2'))}",
                )
                raise FileError(
                    error.problem, where=quote_path(self.path), hint=error.hint or other
                ) from None
        encoded = msgspec.json.format(msgspec.json.encode(self.plan), indent=1) + b"\n"
        if stored != encoded:
            write_atomically(self.path / PLAN_FILE, encoded)
        results = read_if_there(self.path / GAMES_FILE)
        whole = results[: results.rfind(b"\n") + 1] if results else b""
        if whole != results:
            write_atomically(self.path / GAMES_FILE, whole)
        try:
            self._index_lines(whole)
        except FileError as error:
            raise FileError(error.problem, where=quote_path(self.path / GAMES_FILE)) from error

    def _index_lines(self, lines: bytes) -> None:
        for line in lines.splitlines():
            record = parse_record(line)
            self._lines[record.cell, record.game] = line


@contextmanager
def open_study(path: Path, plan: StudyPlan) -> Iterator[StudyFolder]:
    """Open the folder of a study, locked for this process. Raises `FileError`, `StorageError`."""

    make_folder(path)
    with ExitStack() as held:
        try:
            held.enter_context(lock_file(path / _LOCK, 0))
        except LockTaken:
            raise FileError(
                tr("another pbem study is already running there"), where=quote_path(path)
            ) from None
        yield StudyFolder(path, plan)


def stored_editions(path: Path) -> list[str]:
    """The editions of the study in a folder; none if there is no readable study."""
    try:
        stored = msgspec.json.decode(read_if_there(path / PLAN_FILE) or b"", type=StudyPlan)
    except msgspec.DecodeError:
        return []
    return list(dict.fromkeys(cell.edition for cell in stored.cells))


FIRST_ROUND = 400
"""With `until`: the games of each cell before its interval is checked."""

MAX_TASK_GAMES = 200
"""The most games in a task."""

_TASK_SECONDS = 2.0
"""The seconds a task should take: long compared with submitting it, short if a crash loses it."""

ProgressListener = Callable[[int, int], None]
"""A progress listener: called with the number of games played, and the number to play as far as known."""


def run_study(
    folder: StudyFolder, pool: WorkerPool, bundle: CodeBundle | None, listener: ProgressListener
) -> list[int]:
    """Play the games missing from the folder. Returns the number of the study's games for each cell.

    Raises what rules and players raise, and `FileError` if a task kills its workers.
    """
    plan = folder.plan
    goal = [plan.games_per_cell if plan.until is None else min(FIRST_ROUND, plan.games_per_cell)] * len(
        plan.cells
    )
    while True:
        _play_missing(plan, folder, pool, bundle, goal, listener)
        needed = [_games_needed(plan, folder, cell, games) for cell, games in enumerate(goal)]
        if needed == goal:
            return goal
        goal = needed


def _games_needed(plan: StudyPlan, folder: StudyFolder, cell: int, games: int) -> int:
    """The number of games that should make a cell's widest interval narrow enough, judged by those played."""
    if plan.until is None or games >= plan.games_per_cell:
        return games
    width = 100 * widest_interval(list(folder.records(cell, games)))
    if width < plan.until:
        return games
    needed = games * (width / plan.until) ** 2 * 1.02
    return min(plan.games_per_cell, 4 * games, int(needed // 100 + 1) * 100)


def widest_interval(records: list[GameRecord]) -> float:
    """The width of the widest interval of a share of wins, from 0 to 1."""
    winners = [record.winner for record in records]
    shares = [wilson_interval(winners.count(winner), len(winners)) for winner in set(winners) - {None}]
    return max((high - low for low, high in shares), default=wilson_interval(0, len(winners))[1])


def _play_missing(
    plan: StudyPlan,
    folder: StudyFolder,
    pool: WorkerPool,
    bundle: CodeBundle | None,
    goal: list[int],
    listener: ProgressListener,
) -> None:
    """Play the missing games up to the goal of each cell, and write them to the folder."""
    pace = _Pace(folder, goal, listener)
    for task, lines in run_tasks(_missing_tasks(plan, bundle, folder, goal, pace), pool):
        folder.write_results(lines)
        pace.count(len(task.games), pool.slots)


def _missing_tasks(
    plan: StudyPlan, bundle: CodeBundle | None, folder: StudyFolder, goal: list[int], pace: _Pace
) -> Iterator[SelfPlayTask]:
    """Tasks for the missing games, from all cells in turn."""
    missing = {
        cell: [game for game in range(games) if (cell, game) not in folder] for cell, games in enumerate(goal)
    }
    keys = [plan.cell_key(cell) for cell in plan.cells]
    while missing := {cell: games for cell, games in missing.items() if games}:
        for cell, games in missing.items():
            size = pace.task_size(sum(map(len, missing.values())))
            now, missing[cell] = tuple(games[:size]), games[size:]
            conditions = plan.cells[cell]
            yield SelfPlayTask(
                plan.rules,
                plan.scenario,
                conditions.options,
                conditions.players,
                plan.playouts,
                plan.seed,
                keys[cell],
                cell,
                now,
                bundle,
            )


class _Pace:
    """The pace of a study: the size of tasks, and the progress reported. No result depends on it."""

    def __init__(self, folder: StudyFolder, goal: list[int], listener: ProgressListener) -> None:
        self._slots = 1
        self._listener = listener
        self._goal = sum(goal)
        self._begun = time.monotonic()
        self._played = 0
        self._already_played = sum(
            (cell, game) in folder for cell, games in enumerate(goal) for game in range(games)
        )
        listener(self._already_played, self._goal)

    def task_size(self, left: int) -> int:
        """The games in the next task: one at first, few at the end so that all workers finish together."""
        if not self._played:
            return 1
        a_second = self._played / max(time.monotonic() - self._begun, 0.001) / self._slots
        return max(1, min(MAX_TASK_GAMES, int(a_second * _TASK_SECONDS), left // (3 * self._slots)))

    def count(self, games: int, slots: int) -> None:
        """Count games played by this many workers, and report the progress."""
        self._slots = slots
        self._played += games
        self._listener(self._already_played + self._played, self._goal)
