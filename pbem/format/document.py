"""The documents that are mailed: a game file, a part of a log, a commander's draft (FORMAT 3, 10 and 11).

Also checks the links between the entries of a file. A draft is a few hundred bytes that a commander mails to
the lead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from pbem.base import limits, validation
from pbem.base.limits import DRAFT_BYTES, HEAD_BYTES
from pbem.base.validation import describe_value, unknown_key
from pbem.errors import FileError, NewerNeeded, VerificationError
from pbem.format.entries import (
    COMMANDERS,
    RETRACT,
    Accept,
    Entry,
    Hex32,
    Move,
    Number,
    Offer,
    Order,
    Propose,
    SeatName,
    Signature,
    parse_entry,
)
from pbem.format.yaml_reader import parse_yaml, top_level_keys
from pbem.format.yaml_text import Plain
from pbem.format.yaml_writer import dump_block, dump_yaml
from pbem.messages import Messages, Said, row
from pbem.version import FILE_VERSION

tr = Messages("pbem")


MAX_SAY_OF_A_SEAT = 128 * 2**10
"""The most bytes of UTF-8 in all the messages of one seat (FORMAT 4)."""

_GAME_FILE_KEYS = ("pbem", "status", "board", "log")
_SEGMENT_KEYS = ("pbem", "after", "status", "board", "log")


class After(Struct, frozen=True, forbid_unknown_fields=True):
    """The entry that a draft or part of a log continues: its number and id, and the id of entry 0."""

    game: Hex32
    n: Number
    id: Hex32


class Document(Struct, frozen=True):
    """A game file. `status` and `board` are its writer's text for people; the rules never read them.

    Only a part of a log has `after` (FORMAT 10); its entries are those after that one.
    """

    status: Plain
    board: Plain
    entries: tuple[Entry, ...]
    after: After | None = None


def parse_document(value: Plain) -> Document:
    """Parse a document and its entries by their schema (FORMAT 9, step 2). Raises `FileError`."""
    if not isinstance(value, dict):
        keys = ", ".join(_GAME_FILE_KEYS)
        raise FileError(
            tr("must be a mapping with the keys {keys}, not {found}", found=describe_value(value), keys=keys)
        )
    _check_version(value)
    for key in value:
        if key == "part":
            hint = tr("the lead includes it in a move, after --with")
            problem = tr("this is a commander's draft, not a game file")
            raise FileError(problem, where="part", hint=hint)
        if key not in _SEGMENT_KEYS:
            raise unknown_key(key, _GAME_FILE_KEYS)
    log = value.get("log")
    if not isinstance(log, list) or not log:
        if "log" not in value:
            raise FileError(tr("there is no list of entries"), where="log")
        raise FileError(tr("must be a list of entries, not {found}", found=describe_value(log)), where="log")
    after = validation.convert(value["after"], After, "after") if "after" in value else None
    entries = tuple(_read_all(log))
    if after is None:
        check_whole_log(entries)
    else:
        _check_words(entries)
    return Document(value.get("status"), value.get("board"), entries, after)


def check_whole_log(entries: Sequence[Entry]) -> None:
    """Check the messages and extensions of all entries together (FORMAT 9, step 2). Raises `FileError`.

    A part of a log is checked once it has been joined to the log it continues.
    """
    _check_words(entries)
    _check_extension(entries)


def _check_extension(entries: Sequence[Entry]) -> None:
    """Refuse keys of FORMAT 11 and 12 in a log whose offer does not name the extension."""
    offer = entries[0].body
    needs = (offer.needs or ()) if isinstance(offer, Offer) else ()
    for n, entry in enumerate(entries):
        body = entry.body
        if COMMANDERS not in needs:
            if isinstance(body, Move) and body.parts is not None:
                raise unknown_key("parts", _keys_without(body, "parts"), f"log[{n}]")
            if isinstance(body, (Offer, Accept)) and body.seat.commanders is not None:
                raise unknown_key(COMMANDERS, _keys_without(body.seat, COMMANDERS), f"log[{n}].seat")
        if RETRACT not in needs and isinstance(body, Propose) and body.what.retract is not None:
            raise unknown_key(RETRACT, _keys_without(body.what, RETRACT), f"log[{n}].what")


def _keys_without(shape: Struct, extended: str) -> list[str]:
    """The keys of a Struct, except `extended`, which belongs to an extension."""
    return [key for key in shape.__struct_fields__ if key != extended]


def check_links(entries: Sequence[Entry]) -> None:
    """Check `n`, `prev`, one offer, one accept (FORMAT 9, step 3). Raises `VerificationError`."""
    previous: str | None = None
    for n, entry in enumerate(entries):
        body = entry.body
        if body.n != n:
            raise _number_failure(entries, n)
        if body.prev != previous:
            raise _link_failure(n, previous, body.prev)
        if isinstance(body, Offer) != (n == 0) or isinstance(body, Accept) != (n == 1):
            raise VerificationError(3, n, expected=_describe_kind_at(n), found=f"kind: {entry.kind}")
        previous = entry.id


def document_bytes(status: Plain, board: str, entries: Iterable[Entry]) -> bytes:
    """The bytes of a game file: UTF-8, with a line feed after each line (FORMAT 1 and 3)."""
    block = dump_block("board", cut_board(status, board))
    log: list[Plain] = [entry.raw for entry in entries]
    return (_text_above_board(status) + block + dump_yaml({"log": log})).encode()


def log_text(data: bytes) -> bytes:
    """The text of a file from its key `log` on, which is the whole log if pbem wrote the file.

    Two files that pass verification and have the same text there contain the same entries.
    """
    return b"".join(data.partition(b"\nlog:\n")[1:])


def cut_board(status: Plain, board: str) -> str:
    """The board as written into a file with this status, without the lines beyond the size limit."""
    return _cut_lines(board, HEAD_BYTES - len(_text_above_board(status).encode()))


def _text_above_board(status: Plain) -> str:
    """The lines of a file above the board."""
    return dump_yaml({"pbem": FILE_VERSION, "status": status})


def segment_bytes(after: After, entries: Iterable[Entry]) -> bytes:
    """The bytes of a part of a log, with the entries after entry `after.n` (FORMAT 10)."""
    start: dict[str, Plain] = {"game": after.game, "n": after.n, "id": after.id}
    log: list[Plain] = [entry.raw for entry in entries]
    return dump_yaml({"pbem": FILE_VERSION, "after": start, "log": log}).encode()


def whole_log_bytes(entries: Iterable[Entry]) -> bytes:
    """The bytes of a game file without status and board."""
    log: list[Plain] = [entry.raw for entry in entries]
    return dump_yaml({"pbem": FILE_VERSION, "log": log}).encode()


def _cut_lines(text: str, room: int) -> str:
    """The lines of a text that fit into `room` bytes; if some do not, the last line says so."""
    last = str(tr("(there is no room for the rest here)"))
    room -= len(last.encode()) + 1
    lines = text.split("\n")
    for n, line in enumerate(lines):
        room -= len(line.encode()) + 1
        if room < 0:
            return "\n".join([*lines[:n], last])
    return text


def _check_version(value: dict[str, Plain]) -> None:
    """Refuse another version before its keys are checked, since they might be different."""
    version = value.get("pbem")
    if type(version) is not int:
        if "pbem" not in value:
            raise FileError(tr("there is no version: is this a game file?"), where="pbem")
        found = describe_value(version)
        problem = tr(
            "must be {version}, not {found}: is this a game file?", found=found, version=FILE_VERSION
        )
        raise FileError(problem, where="pbem")
    if version != FILE_VERSION:
        problem = tr(
            "this game file has version {found}; pbem reads version {expected}",
            found=version,
            expected=FILE_VERSION,
        )
        raise (NewerNeeded if version > FILE_VERSION else FileError)(problem, where="pbem")


def _read_all(log: list[Plain]) -> Iterator[Entry]:
    for n, raw in enumerate(log):
        limits.check()
        yield parse_entry(raw, f"log[{n}]")


def _check_words(entries: Iterable[Entry]) -> None:
    """Refuse more than 128 KiB of messages from one seat in the whole log (FORMAT 4)."""
    spoken: dict[str, int] = {}
    for n, entry in enumerate(entries):
        by = entry.body.by
        spoken[by] = spoken.get(by, 0) + len((entry.body.say or "").encode())
        if spoken[by] > MAX_SAY_OF_A_SEAT:
            problem = tr(
                "the messages of '{seat}' have {found} bytes in all; at most {most} are allowed",
                found=spoken[by],
                seat=by,
                most=MAX_SAY_OF_A_SEAT,
            )
            raise FileError(problem, where=f"log[{n}].say")


def _link_failure(n: int, previous: str | None, found: str | None) -> VerificationError:
    """The failure of an entry whose `prev` is not the id of the entry before it."""
    told: Said = ""
    if n:
        told = tr("entry {before} or {entry} has been changed: ask for the file again", before=n - 1, entry=n)
    return VerificationError(3, n, expected=_describe_prev(previous), found=_describe_prev(found), told=told)


def _number_failure(entries: Sequence[Entry], n: int) -> VerificationError:
    """The failure of an entry that should be number `n`, which mentions missing entries before it."""
    found, numbers = entries[n].body.n, {entry.body.n for entry in entries}
    told: Said = ""
    # No loop from n to `found`: a stranger wrote that number, and it can be 2^53 - 1.
    if found > n and not any(n <= number < found for number in numbers):
        told = tr.plural(
            "entry {first} is missing from this file: ask for it again",
            "entries {first} to {last} are missing from this file: ask for it again",
            found - n,
            first=n,
            last=found - 1,
        )
    return VerificationError(3, n, expected=f"n: {n}", found=f"n: {found}", told=told)


def _describe_prev(id_: str | None) -> Said:
    return row(("prev", tr("absent") if id_ is None else id_), ": ")


def _describe_kind_at(n: int) -> Said:
    """The kind of entry expected as number `n` of the log."""
    if n == 0:
        return tr("an offer")
    return tr("an accept") if n == 1 else tr("neither an offer nor an accept")


_DRAFT_KEYS = {"pbem", "after", "part"}


class DraftPart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The part in a draft: its seat, the commander's number at that seat, the orders and the signature."""

    seat: SeatName
    by: Number
    orders: list[Order]
    sig: Signature


class Draft(Struct, frozen=True):
    """A commander's draft: the last entry of the game, which the draft continues, and the part."""

    after: After
    part: DraftPart


def is_draft(data: bytes) -> bool:
    """Whether bytes are a draft, perhaps a damaged one, rather than a game file, in any layout.

    No game file has the key `part`. Reading stops at the first key that no draft has, or that is repeated.
    """
    if len(data) > DRAFT_BYTES:
        return False
    left = set(_DRAFT_KEYS)
    try:
        for key in top_level_keys(data):
            if key == "part" or key not in left:
                return key == "part"
            left.remove(key)
    except FileError:
        pass
    return False


def parse_draft(data: bytes) -> Draft:
    """The draft in these bytes, its signature unchecked. Raises `FileError` for its YAML or schema."""
    value = parse_yaml(data)
    if not isinstance(value, dict) or set(value) != _DRAFT_KEYS or type(value["pbem"]) is not int:
        raise FileError(tr("this is not a draft: a draft has the keys pbem, after and part (FORMAT 11)"))
    if value["pbem"] != FILE_VERSION:
        problem = tr(
            "this draft has version {found}; pbem reads version {expected}",
            found=value["pbem"],
            expected=FILE_VERSION,
        )
        raise (NewerNeeded if value["pbem"] > FILE_VERSION else FileError)(problem, where="pbem")
    after = validation.convert(value["after"], After, "after")
    return Draft(after, validation.convert(value["part"], DraftPart, "part"))


def draft_bytes(draft: Draft) -> bytes:
    """The bytes of a draft."""
    after: dict[str, Plain] = {"game": draft.after.game, "n": draft.after.n, "id": draft.after.id}
    part = draft.part
    signed: dict[str, Plain] = {
        "seat": part.seat,
        "by": part.by,
        "orders": list(part.orders),
        "sig": part.sig,
    }
    return dump_yaml({"pbem": FILE_VERSION, "after": after, "part": signed}).encode()
