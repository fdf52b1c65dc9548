"""Every game in some folders: files are found, read, and judged by workers, each content once.

A game takes little memory, whatever its length: its ids stay in the cache, a small database in the player's
home. Deleting the cache only costs time, and a damaged one is made again. A finding is valid for the program
that made it and for the games installed with it.

If a worker process ends while judging a file, only that file is lost. Parts of logs are joined to the logs
they continue (FORMAT 10), since a mailbox can contain a whole game in parts.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue
from sys import intern
from types import TracebackType
from typing import Self

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import PRIVATE, SpecialFile, make_folder, open_regular, read_regular
from pbem.base.limits import CLUB_CLOCK_SECONDS, CLUB_SECONDS, MBOX_BYTES
from pbem.base.worker_pool import Task, WorkerPool, run_task, run_tasks
from pbem.base.workers import Worker
from pbem.club.classify import (
    JUDGING_CODE,
    Batch,
    FileFindings,
    SeatHolder,
    VerifiedLog,
    classify_file,
    parse_logs,
)
from pbem.errors import (
    FileError,
    SegmentRefused,
    StorageError,
    VerificationError,
    WorkerEnded,
    describe_unforeseen_error,
)
from pbem.format.document import Document, whole_log_bytes
from pbem.format.entries import Entry
from pbem.render.safe_text import safe_text
from pbem.texts import ENGLISH, Texts, speaking
from pbem.umpire.code_fingerprint import judge_fingerprint
from pbem.umpire.game_facts import SHORT_ID_DIGITS
from pbem.umpire.log_segment import join_segment
from pbem.umpire.verify import parse_file

tr = Texts("pbem")


CACHE_FILE = "club.sqlite"
"""The file name of the database."""


class Cache:
    """The findings by the digest of a file; without a folder, in a temporary database."""

    def __init__(self, folder: Path | None) -> None:
        self._path = folder / CACHE_FILE if folder else None
        self._database = self._open_database()
        self._in_memory: dict[bytes, FileFindings] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(sqlite3.Error):
            self._database.commit()
        self._database.close()

    def get(self, digest: bytes) -> FileFindings | None:
        """The findings in the file with this digest; None if they are unknown."""
        if digest in self._in_memory:
            return self._in_memory[digest]
        with self._database_errors():
            query = "SELECT found FROM found WHERE digest = ? AND judge = ?"
            row = self._database.execute(query, (digest, judge_fingerprint(JUDGING_CODE))).fetchone()
        try:
            return msgspec.msgpack.decode(row[0], type=FileFindings) if row else None
        except msgspec.DecodeError:
            return None

    def put(self, digest: bytes, findings: FileFindings) -> None:
        """Store findings: on disk at `commit`, or only in memory if they are unsure."""
        if findings.unsure:
            self._in_memory[digest] = findings
            return
        row = (digest, judge_fingerprint(JUDGING_CODE), msgspec.msgpack.encode(findings))
        with self._database_errors():
            self._database.execute("INSERT OR REPLACE INTO found VALUES (?, ?, ?)", row)

    def commit(self) -> None:
        """Write everything stored to disk, so that it survives a crash."""
        with self._database_errors():
            self._database.commit()

    @contextmanager
    def _database_errors(self) -> Iterator[None]:
        """Turn database errors in this block into `StorageError`: damage, or a full disk."""
        try:
            yield
        except sqlite3.Error as error:
            place = str(self._path or tr("the temporary file"))
            hint = tr("delete it: pbem makes it again")
            raise StorageError(
                tr("{path} cannot be used: {reason}", path=place, reason=error), hint=hint
            ) from None

    def _open_database(self) -> sqlite3.Connection:
        if self._path is None:
            return _connect("")
        make_folder(self._path.parent)
        try:
            return _connect(self._path)
        except sqlite3.DatabaseError:  # the file is damaged or incomplete
            self._path.unlink(missing_ok=True)
            return _connect(self._path)


def _connect(path: Path | str) -> sqlite3.Connection:
    """Open the database, with its table; an empty name means a temporary file, deleted on closing."""
    database = sqlite3.connect(path, timeout=30)
    try:
        database.execute("PRAGMA synchronous = OFF")  # a power cut might damage it, but it can be made again
        database.execute(
            "CREATE TABLE IF NOT EXISTS found (digest BLOB PRIMARY KEY, judge TEXT, found BLOB) WITHOUT ROWID"
        )
        database.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError:
        database.close()
        raise
    if path:
        Path(path).chmod(PRIVATE)
    return database


class JudgingTask(Struct, frozen=True):
    """The task of judging a batch, with the digests of its files."""

    batch: Batch
    digests: tuple[bytes, ...]

    def carry_out(self) -> bytes:
        """Judge the files of the batch."""
        return self.batch.carry_out()


class JudgingPool:
    """A `WorkerPool` of `number` confined processes, each started when first needed."""

    def __init__(self, number: int) -> None:
        self.slots = number
        self._workers = [Worker() for _ in range(number)]
        self._free: SimpleQueue[Worker] = SimpleQueue()
        for worker in self._workers:
            self._free.put(worker)
        self._threads = ThreadPoolExecutor(number)

    def submit(self, task: Task) -> Future[bytes]:
        """Submit a batch of files; the result is a `FileFindings` for each."""
        assert isinstance(task, JudgingTask)
        return self._threads.submit(self._judge, task.batch)

    def replace_dead(self) -> None:
        """Do nothing: a process that ended is replaced at the next batch."""

    def check_alive(self) -> None:
        """Do nothing: each batch has a time limit."""

    def close(self) -> None:
        """End the processes at once."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.close()

    def _judge(self, batch: Batch) -> bytes:
        worker = self._free.get()
        try:
            return judge_batch(worker, batch)
        finally:
            self._free.put(worker)


@contextmanager
def judging_pool(number: int) -> Iterator[WorkerPool]:
    """A pool of this many processes, closed at the end."""
    pool = JudgingPool(number)
    try:
        yield pool
    finally:
        pool.close()


def judge_batch(worker: Worker, batch: Batch) -> bytes:
    """Judge files in the worker; if that ends its process, judge each file by itself."""
    try:
        return worker.run(run_task, batch, seconds=CLUB_SECONDS, clock_seconds=CLUB_CLOCK_SECONDS)
    except WorkerEnded as ended:
        if len(batch.files) == 1:
            with speaking(ENGLISH):  # like everything in a club's tables
                return msgspec.msgpack.encode(
                    [FileFindings(problems=(str(describe_unforeseen_error(ended)),))]
                )
    results = [msgspec.msgpack.decode(judge_batch(worker, Batch((data,)))) for data in batch.files]
    return msgspec.msgpack.encode([findings for [findings] in results])


def complete_logs(
    game: str, places: Collection[Path], cache: Cache, worker: Worker
) -> Iterator[tuple[bytes, FileFindings]]:
    """The findings in whole logs of one game, joined from its parts in these files or already whole.

    Each joined log is verified as a whole, and cached by its digest, which is yielded with it.
    """
    try:
        joined, lacking = worker.run(join_parts, game, places)
    except WorkerEnded as ended:
        with speaking(ENGLISH):
            yield (
                b"",
                FileFindings(
                    problems=(
                        f"the parts of game {game[:SHORT_ID_DIGITS]}: {describe_unforeseen_error(ended)}",
                    )
                ),
            )
        return
    for data in joined:
        digest = sha256(data).digest()
        if (findings := cache.get(digest)) is None:
            [findings] = msgspec.msgpack.decode(judge_batch(worker, Batch((data,))), type=list[FileFindings])
            cache.put(digest, findings)
        yield digest, findings
    if lacking:
        ends = ", ".join(map(str, lacking))
        problem = f"a part goes on from entry {ends} of game {game[:SHORT_ID_DIGITS]}, which is not here"
        yield b"", FileFindings(problems=(problem,))


def join_parts(game: str, places: Collection[Path]) -> tuple[list[bytes], list[int]]:
    """Join one game's parts to whole logs, not verified yet; also the entries some of them lack."""
    whole, parts = _logs_and_parts(game, places)
    joined: list[tuple[Entry, ...]] = []
    lacking: set[int] = set()
    for part in parts:
        assert part.after is not None
        n, entry_id = part.after.n, part.after.id
        behind = next((log for log in [*whole, *joined] if n < len(log) and log[n].id == entry_id), ())
        try:
            joined.append(join_segment(part, behind))
        except SegmentRefused:
            lacking.add(n)
    return [whole_log_bytes(entries) for entries in joined], sorted(lacking)


def _logs_and_parts(game: str, places: Collection[Path]) -> tuple[list[tuple[Entry, ...]], list[Document]]:
    """The whole logs and the parts of one game in some files, the parts in the order of their entries."""
    whole: list[tuple[Entry, ...]] = []
    parts: dict[str, Document] = {}
    for place in places:
        try:
            with speaking(ENGLISH):
                readings, documents, _ = parse_logs(read_regular(place))
        except (OSError, VerificationError):  # already reported as a problem of that file
            continue
        for reading in readings:
            if reading.ids[:32].hex() == game:
                whole.append(parse_file(reading.data).entries)
        parts |= {part.entries[-1].id: part for part in documents if part.after and part.after.game == game}
    return whole, sorted(
        parts.values(), key=lambda part: (part.after.n if part.after else 0, part.entries[-1].id)
    )


BATCH_FILES, BATCH_BYTES = 16, 2 * 2**20
"""The limits of a batch: about a second's work, and no more bytes than a scheduler handles easily."""

ProgressListener = Callable[[int, int], None]
"""Called with the number of files judged, and their total."""


class Problem(Struct, frozen=True, order=True):
    """A problem of a file or its content; `file` is relative to the folder given, empty if there is none."""

    file: str
    problem: str


class CollectedLog(Struct, frozen=True):
    """A log without the ids of its entries, and where it was found: a file, and the digest of its bytes.

    A log joined from parts has no file.
    """

    log: VerifiedLog
    game: str
    head: str
    digest: bytes
    file: Path | None


class FileIndex:
    """The files of a club by the digests of their contents."""

    def __init__(self) -> None:
        self.names: dict[bytes, list[str]] = {}
        self.paths: dict[bytes, Path] = {}
        self.problems: list[Problem] = []

    def add_name(self, digest: bytes, name: str, path: Path) -> bool:
        """Add the name of a file. Returns whether it is the first with this content."""
        self.paths.setdefault(digest, path)
        self.names.setdefault(digest, []).append(name)
        return len(self.names[digest]) == 1


class _Progress:
    """Counts the files that have been judged, or need not be, and reports their number."""

    def __init__(self, number: int, listener: ProgressListener) -> None:
        self._done, self._number, self._listener = 0, number, listener
        listener(0, number)

    def count(self, files: int) -> None:
        """Count more files, and report it."""
        self._done += files
        self._listener(self._done, self._number)


def find_files(places: Collection[Path], without: Collection[Path] = ()) -> list[tuple[str, Path]]:
    """Every file in these places (folders, Maildirs, single files), with its name relative to there, sorted.

    Names that begin with a dot are left out, except the folders of a Maildir. Raises `FileError` if a place
    does not exist.
    """
    files: dict[tuple[str, Path], None] = {}
    left_out = {Path(os.path.realpath(path)) for path in without}
    for place in places:
        if not place.exists():
            raise FileError(tr("does not exist"), where=safe_text(str(place)))
        for path in _files_below(place) if place.is_dir() else [place]:
            if left_out.isdisjoint([real := Path(os.path.realpath(path)), real.parent]):
                name = path.name if path == place else path.relative_to(place).as_posix()
                files[name, path] = None
    return sorted(files)


def _files_below(folder: Path) -> Iterator[Path]:
    """The files in a folder and below it; an unreadable folder is yielded as if it were a file."""
    unread: list[Path] = []
    for at, folders, names in os.walk(folder, onerror=lambda error: unread.append(Path(error.filename))):
        maildir = {"cur", "new"} <= set(folders)
        folders[:] = sorted(one for one in folders if (one != "tmp" if maildir else not one.startswith(".")))
        if not maildir:
            yield from (Path(at, name) for name in names if not name.startswith("."))
    yield from unread


def collect_games(
    named_files: list[tuple[str, Path]],
    cache: Cache,
    pool: WorkerPool,
    listener: ProgressListener,
    program: str = "",
) -> tuple[list[CollectedLog], list[Problem]]:
    """All logs in these files, in the order of their heads, and the problems of the rest.

    `program` is the fingerprint of `JUDGING_CODE` if the workers are on other computers; their unsure
    findings are judged again here. Raises `FileError` if the workers fail, `StorageError` if the cache does.
    """
    files, progress = FileIndex(), _Progress(len(named_files), listener)
    for task, lines in run_tasks(_unjudged_batches(named_files, files, cache, progress, program), pool):
        results = msgspec.msgpack.decode(lines, type=list[FileFindings])
        for digest, data, result in zip(task.digests, task.batch.files, results, strict=True):
            cache.put(digest, classify_file(data) if result.unsure and program else result)
        cache.commit()
        progress.count(len(results))
    logs = _collect_logs(files, cache)
    return logs, _collect_problems(files, cache)


def _unjudged_batches(
    named_files: list[tuple[str, Path]], files: FileIndex, cache: Cache, progress: _Progress, program: str
) -> Iterator[JudgingTask]:
    """The files without cached findings, in batches, each read when a worker is free."""
    batch: dict[bytes, bytes] = {}
    size = 0
    for name, path in named_files:
        data = _read_file(name, path, files)
        digest = sha256(data).digest() if data is not None else b""
        if data is None or not files.add_name(digest, name, path) or cache.get(digest) is not None:
            progress.count(1)
            continue
        batch[digest] = data
        size += len(data)
        if len(batch) >= BATCH_FILES or size >= BATCH_BYTES:
            yield JudgingTask(Batch(tuple(batch.values()), program), tuple(batch))
            batch, size = {}, 0
    if batch:
        yield JudgingTask(Batch(tuple(batch.values()), program), tuple(batch))


def _read_file(name: str, path: Path, files: FileIndex) -> bytes | None:
    """The bytes of a file; None if it cannot be read, which is added as a problem."""
    try:
        with open_regular(path) as opened:
            size = os.fstat(opened.fileno()).st_size
            if size <= MBOX_BYTES:
                return opened.read(MBOX_BYTES)
            problem = f"has {size} bytes, more than {MBOX_BYTES}, the most of a file"
    except SpecialFile:
        problem = "is no ordinary file"
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
    files.problems.append(Problem(name, problem))
    return None


def _collect_logs(files: FileIndex, cache: Cache) -> list[CollectedLog]:
    """Every log once, in the order of heads: first whole ones in files, then those joined from parts."""
    collected: dict[str, CollectedLog] = {}
    whole: dict[str, set[bytes]] = {}
    parts: dict[str, list[bytes]] = {}
    for digest in sorted(files.names):
        findings = _cached_findings(cache, digest)
        for game in findings.parts:
            parts.setdefault(game, []).append(digest)
        for log in findings.logs:
            collected.setdefault(log.head, _without_ids(log, digest, files.paths[digest]))
            whole.setdefault(log.game, set()).add(digest)
    with Worker() as worker:
        for game, digests in sorted(parts.items()):
            places = [files.paths[digest] for digest in sorted({*digests, *whole.get(game, ())})]
            for digest, findings in complete_logs(game, places, cache, worker):
                for log in findings.logs:
                    collected.setdefault(log.head, _without_ids(log, digest, None))
                name = min(files.names[digests[0]])
                files.problems += [Problem(name, problem) for problem in findings.problems]
    cache.commit()
    return [collected[head] for head in sorted(collected)]


def _without_ids(log: VerifiedLog, digest: bytes, file: Path | None) -> CollectedLog:
    """The log without its ids, to save memory; texts shared by many logs are interned."""
    interned = {name: intern(getattr(log, name)) for name in _INTERNED_FIELDS}
    players = tuple(
        SeatHolder(intern(player.seat), intern(player.name), intern(player.key)) for player in log.players
    )
    return CollectedLog(replace(log, ids=b"", players=players, **interned), log.game, log.head, digest, file)


_INTERNED_FIELDS = ("rules", "edition", "scenario", "winner", "way", "asked", "what", "clock")


def _collect_problems(files: FileIndex, cache: Cache) -> list[Problem]:
    """The problems of each file, under every name it has."""
    problems = {*files.problems}
    for digest, names in files.names.items():
        for problem in _cached_findings(cache, digest).problems:
            problems |= {Problem(name, problem) for name in names}
    return sorted(problems)


def _cached_findings(cache: Cache, digest: bytes) -> FileFindings:
    findings = cache.get(digest)
    assert findings is not None
    return findings


def log_with_ids(collected: CollectedLog, cache: Cache) -> VerifiedLog:
    """The log with its ids, from the cache."""
    return next(log for log in _cached_findings(cache, collected.digest).logs if log.head == collected.head)
