"""Parts of logs put behind the logs that they go on from (FORMAT 10): a mailbox may hold a whole game so."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from hashlib import sha256
from pathlib import Path

import msgspec

from pbem.base.files import read_regular
from pbem.base.workers import Worker
from pbem.club.cache import Cache
from pbem.club.classify import Batch, FileFindings, parse_logs
from pbem.club.judging_pool import judge_batch
from pbem.errors import SegmentRefused, VerificationError, WorkerEnded, describe_unforeseen_error
from pbem.format.document import Document, whole_log_bytes
from pbem.format.entries import Entry
from pbem.texts import ENGLISH, speaking
from pbem.umpire.game_facts import SHORT_ID_DIGITS
from pbem.umpire.log_segment import join_segment
from pbem.umpire.verify import parse_file


def complete_logs(
    game: str, places: Collection[Path], cache: Cache, worker: Worker
) -> Iterator[tuple[bytes, FileFindings]]:
    """The findings in whole logs joined from one game's parts in these files, and from its whole logs.

    Each joined log is verified whole, and cached by its digest, which comes with it.
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
    """Join one game's parts to whole logs, not verified yet; also the entries that some of them lack."""
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
        except (OSError, VerificationError):  # already a problem of that file
            continue
        for reading in readings:
            if reading.ids[:32].hex() == game:
                whole.append(parse_file(reading.data).entries)
        parts |= {part.entries[-1].id: part for part in documents if part.after and part.after.game == game}
    return whole, sorted(
        parts.values(), key=lambda part: (part.after.n if part.after else 0, part.entries[-1].id)
    )
