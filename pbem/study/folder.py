"""The folder of a study: its plan, and the results so far, a line of JSON for each game.

Lines are appended as the games are played; a line that a crash has cut off is dropped when the study goes on.
At the end they are put in order, so that the files of one plan are the same to the byte.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec.structs import replace

from pbem.base.files import make_folder, read_if_there, write_atomically
from pbem.errors import FileError
from pbem.render.words import quote_path
from pbem.study.plan import StudyPlan, extend_plan
from pbem.study.record import GameRecord, parse_record
from pbem.study.sheet import study_csv
from pbem.texts import Texts

tr = Texts("pbem")

PLAN_FILE, GAMES_FILE, TABLE_FILE, PAGE_FILE = "study.json", "games.jsonl", "games.csv", "study.html"
"""The files of a study."""

_LOCK = ".lock"


class StudyFolder:
    """The folder of one plan, whose cells keep their order. Open it with `open_study`."""

    def __init__(self, path: Path, plan: StudyPlan) -> None:
        self.path = path
        self.plan = plan
        self._lines: dict[tuple[int, int], bytes] = {}
        self._begin_or_resume()

    def __contains__(self, game: tuple[int, int]) -> bool:
        """Whether a game of a cell has been played."""
        return game in self._lines

    def write_results(self, lines: bytes) -> None:
        """Append results to the file, a line each; all of them are on the disk when this returns."""
        with (self.path / GAMES_FILE).open("ab", buffering=0) as file:
            file.write(lines)
            os.fsync(file.fileno())
        self._index_lines(lines)

    def records(self, cell: int, games: int) -> Iterator[GameRecord]:
        """The records of the first `games` games of a cell, all of which have been played."""
        return (parse_record(self._lines[cell, game]) for game in range(games))

    def write_tables(self, games: list[int], sides: Mapping[str, str]) -> None:
        """Write the first games of each cell, in order, and the table; `sides` is as in `study_csv`."""
        kept = {(cell, game) for cell, number in enumerate(games) for game in range(number)}
        self._lines = {game: self._with_options(self._lines[game]) for game in sorted(kept)}
        write_atomically(self.path / GAMES_FILE, b"".join(line + b"\n" for line in self._lines.values()))
        table = study_csv(self.plan, map(parse_record, self._lines.values()), sides)
        write_atomically(self.path / TABLE_FILE, table.encode())

    def _with_options(self, line: bytes) -> bytes:
        """The line with the options that the study changes."""
        record = parse_record(line)
        changed = self.plan.cells[record.cell].changed
        return line if record.options == changed else msgspec.json.encode(replace(record, options=changed))

    def _begin_or_resume(self) -> None:
        """Write the plan of a new study, or read that of an old one and extend it; read the results.

        Raises `FileError` if there are results of cells that the plan lacks, or if a file is damaged.
        """
        stored = read_if_there(self.path / PLAN_FILE)
        if stored is not None:
            try:
                self.plan = extend_plan(msgspec.json.decode(stored, type=StudyPlan), self.plan)
            except msgspec.DecodeError:
                raise FileError(tr("is damaged"), where=quote_path(self.path / PLAN_FILE)) from None
            except FileError as error:
                other = tr(
                    "type the same command again to go on with that one, or name another folder: {option}",
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
    """The folder of a study, locked for this process. Raises `FileError`, `ShelfError`."""
    from filelock import FileLock, Timeout  # here: nothing else of a study needs it

    make_folder(path)
    lock = FileLock(path / _LOCK, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise FileError(tr("another pbem study is at work there"), where=quote_path(path)) from None
    try:
        yield StudyFolder(path, plan)
    finally:
        lock.release()
