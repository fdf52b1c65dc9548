"""Every game in some folders: the files are found, read, and judged by a crew, each content once.

What is kept in memory of a game is small, whatever its length: its ids stay in the cache.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from hashlib import sha256
from pathlib import Path
from sys import intern

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import SpecialFile, open_regular
from pbem.base.limits import MBOX_BYTES
from pbem.base.workers import Worker
from pbem.club.cache import Cache
from pbem.club.classify import Batch, FileFindings, classify_file
from pbem.club.join_segments import complete_logs
from pbem.club.judging_pool import JudgingTask
from pbem.club.log import SeatHolder, VerifiedLog
from pbem.errors import FileError
from pbem.render.words import safe_text
from pbem.study.worker_pool import WorkerPool, run_tasks
from pbem.texts import Texts

tr = Texts("pbem")

BATCH_FILES, BATCH_BYTES = 16, 2 * 2**20
"""The limits of a batch: about a second's work, and no more bytes than a scheduler passes on easily."""

ProgressListener = Callable[[int, int], None]
"""A progress listener: called with the files judged, and their total."""


class Problem(Struct, frozen=True, order=True):
    """A problem of a file or its content; `file` is relative to the folder given, empty if it is of none."""

    file: str
    problem: str


class CollectedLog(Struct, frozen=True):
    """A log without the ids of its entries, and where it was found: a file, and the digest of its bytes.

    One that was joined from parts has no file.
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
        """Add the name of a file; return whether it is the first with this content."""
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
    """Every file in these places (folders, Maildirs, single files) with its name relative to there, sorted.

    Names that begin with a dot are left out, except folders of a Maildir. Raises `FileError` where a place
    does not exist.
    """
    files: dict[tuple[str, Path], None] = {}
    left_out = {Path(os.path.realpath(path)) for path in without}
    for place in places:
        if not place.exists():
            raise FileError(tr("is not there"), where=safe_text(str(place)))
        for path in _files_below(place) if place.is_dir() else [place]:
            if left_out.isdisjoint([real := Path(os.path.realpath(path)), real.parent]):
                name = path.name if path == place else path.relative_to(place).as_posix()
                files[name, path] = None
    return sorted(files)


def _files_below(folder: Path) -> Iterator[Path]:
    """The files in a folder and below it; unreadable folders are yielded as if they were files."""
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

    `program` is the fingerprint of `JUDGING_CODE` where the workers are on other computers, whose unsure
    findings are judged again here. Raises `FileError` where the workers fail, `ShelfError` where the cache
    does.
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
    """The bytes of a file; None where it cannot be read, which becomes a problem."""
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
    """Every log once, in the order of heads: first the whole ones in files, then those joined from parts."""
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
    """The log without its ids, to save memory; texts that many logs share are interned."""
    interned = {name: intern(getattr(log, name)) for name in _INTERNED_FIELDS}
    players = tuple(
        SeatHolder(intern(player.seat), intern(player.name), intern(player.key)) for player in log.players
    )
    return CollectedLog(replace(log, ids=b"", players=players, **interned), log.game, log.head, digest, file)


_INTERNED_FIELDS = ("rules", "edition", "scenario", "winner", "way", "asked", "what", "clock")


def _collect_problems(files: FileIndex, cache: Cache) -> list[Problem]:
    """The problems of each file, under every name that it has."""
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
