"""Logs for the store's tests: an entry is a line of words, its id a digest of that line and the id before.

A seat taken in other words is taken with another key.
"""

from hashlib import sha256

from pbem.errors import FileError
from pbem.player.store.log_relation import Log, LogLine


def store_log(*entries: str, note: str = "") -> Log:
    """A log of entries such as `us play A`; the `note` changes its bytes but no id, as a new map does."""
    return Log("".join(f"{text}\n" for text in (f"# {note}", *entries)).encode(), tuple(_lines(entries)))


def parse_store_log(data: bytes) -> tuple[LogLine, ...]:
    """Like the parser the store is given: the lines of a file's bytes, or FileError."""
    note, *entries = data.decode().splitlines() or [""]
    if not note.startswith("#"):
        raise FileError("expected a note", where="line 1")
    return tuple(_lines(entries))


def _lines(entries: list[str] | tuple[str, ...]) -> list[LogLine]:
    lines: list[LogLine] = []
    for text in entries:
        by, kind, *_ = text.split()
        before = lines[-1].id if lines else ""
        key = text if kind in ("offer", "accept") else ""
        lines.append(LogLine(sha256(f"{before}{text}".encode()).hexdigest(), by, kind, key))
    return lines
