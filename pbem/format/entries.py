"""The entries of the log: a Struct for each kind, the data as read, the signed bytes (FORMAT 2 and 4).

An absent optional key is None in the Structs; in the file it is never null.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Callable
from functools import cached_property
from typing import Annotated, Any, TypeAlias, cast

from msgspec import Meta, Struct

from pbem.base import validation
from pbem.base.validation import describe_value
from pbem.errors import FileError, NewerNeeded
from pbem.format.canonical import canonical_form
from pbem.format.yaml_text import Plain
from pbem.messages import Messages, Said, row

tr = Messages("pbem")


MAX_SAY = 1_000
"""The most bytes of UTF-8 in an entry's `say`."""

MAX_X = 2**10
"""The most bytes in the canonical form of `x`."""

MAX_SCENARIO = 2**20
"""The most bytes in the canonical form of a scenario's `data`."""

MAX_BEATS = 65_536
"""The largest number of beats in a game (FORMAT 4)."""

MAX_COMMANDERS = 3
"""The most commanders of a seat, without its lead (FORMAT 11)."""

COMMANDERS = "commanders"
"""The extension of FORMAT 11: seats can be shared among commanders."""

BOUND = "bound"
"""The extension of FORMAT 12: the offering seat opens the first beat."""

RETRACT = "retract"
"""The extension of FORMAT 12: a take-back may undo only orders and keep the draw before them."""

RESULTS = "results"
"""The extension of FORMAT 13: the rules settle the result, and nobody can propose a draw."""

EXTENSIONS = (BOUND, COMMANDERS, RESULTS, RETRACT)
"""All extensions known to this version of pbem; an offer names those of its game in `needs`."""


def _whole_text(pattern: str) -> str:
    """A pattern that must match the whole text, with `\\Z`, since `$` would allow a line feed at the end."""
    return rf"\A(?:{pattern})\Z"


# Cc, Cs, the two separators and the bidi controls are not printable.
_PRINTABLE = r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"

Hex16: TypeAlias = Annotated[
    str, Meta(pattern=_whole_text("[0-9a-f]{32}"), description="32 hexadecimal digits")
]
Hex32: TypeAlias = Annotated[
    str, Meta(pattern=_whole_text("[0-9a-f]{64}"), description="64 hexadecimal digits")
]
# 64 bytes end within a group of base64, so only four characters can be the last before the padding.
Signature: TypeAlias = Annotated[
    str, Meta(pattern=_whole_text("[A-Za-z0-9+/]{85}[AQgw]=="), description="the base64 of 64 bytes")
]
Key: TypeAlias = Annotated[
    str,
    Meta(
        pattern=_whole_text("ssh-ed25519 [A-Za-z0-9+/]{68}"), description="an OpenSSH key 'ssh-ed25519 AAAA…'"
    ),
]
SeatName: TypeAlias = Annotated[
    str, Meta(pattern=_whole_text("[a-z][a-z0-9_]{0,15}"), description="a seat's name, such as 'german'")
]
RulesName: TypeAlias = Annotated[
    str,
    Meta(
        pattern=_whole_text("[a-z][a-z0-9_-]{0,31}/[1-9][0-9]{0,5}"),
        description="a name and a version, such as 'mortain/1'",
    ),
]
Name: TypeAlias = Annotated[
    str, Meta(pattern=_whole_text(_PRINTABLE + "{1,64}"), description="1 to 64 printable characters")
]
MailAddress: TypeAlias = Annotated[
    str, Meta(pattern=_whole_text(_PRINTABLE + "{1,254}"), description="1 to 254 printable characters")
]
Time: TypeAlias = Annotated[
    str,
    Meta(
        pattern=_whole_text("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"),
        description="a time YYYY-MM-DDThh:mm:ssZ",
    ),
]
Number: TypeAlias = Annotated[int, Meta(ge=0)]
BeatNumber: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_BEATS)]
Order: TypeAlias = dict[str, Any]


class Commander(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player with their own key who commands some groups of a seat's units (FORMAT 11)."""

    name: Name
    key: Key
    of: list[Name]


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Orders signed by a commander; `by` is the commander's number at the seat (FORMAT 11)."""

    by: Number
    orders: list[Order]
    sig: Signature


class Seat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat, as signed by the player who takes it. Name and mail are claims; the key is the player."""

    name: Name
    key: Key
    nonce: Hex32
    anchor: Hex32
    mail: MailAddress | None = None
    commanders: list[Commander] | None = None

    def __post_init__(self) -> None:
        if self.commanders is None:
            return
        if not 0 < len(self.commanders) <= MAX_COMMANDERS:
            problem = tr(
                "give one to {most} commanders, not {found}",
                found=len(self.commanders),
                most=MAX_COMMANDERS,
            )
            raise FileError(problem, where="seat.commanders")
        for number, commander in enumerate(self.commanders):
            if not commander.of:
                problem = tr("name at least one group")
                raise FileError(problem, where=f"seat.commanders[{number}].of")


class Scenario(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The scenario played, with `data` if it does not ship with the rules."""

    name: Name
    sha256: Hex32
    data: dict[str, Any] | None = None


class ProposalTerms(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A proposal: exactly one of a take-back of all after an entry, a retraction of its orders, or a draw."""

    takeback: int | None = None
    draw: bool | None = None
    retract: int | None = None

    @property
    def first_undone(self) -> int | None:
        """The first entry whose orders a take-back undoes; None for a draw."""
        return self.retract if self.takeback is None else self.takeback + 1


class EntryBase(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """The keys of every entry. `check_links` checks that only entry 0 has no `prev`."""

    n: Number
    by: SeatName
    sig: Signature
    prev: Hex32 | None = None
    at: Time | None = None
    say: str | None = None
    x: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.at is not None and not _is_time(self.at):
            raise FileError(tr("the time {found} does not exist", found=self.at), where="at")
        if self.say is not None:
            _check_size(len(self.say.encode()), MAX_SAY, "say")
        if self.x is not None:
            _check_size(len(canonical_form(self.x)), MAX_X, "x")


class Offer(EntryBase, frozen=True, kw_only=True, tag="offer"):
    """Opens a game; entry 0."""

    game: Hex16
    rules: RulesName
    options: dict[str, Any]
    scenario: Scenario
    beats: Annotated[int, Meta(ge=0, le=MAX_BEATS)]
    seat: Seat
    to: Key | None = None
    needs: list[Name] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.scenario.data is not None:
            _check_size(len(canonical_form(self.scenario.data)), MAX_SCENARIO, "scenario.data")


class Move(EntryBase, frozen=True, kw_only=True):
    """What accept and play have in common: orders, a share of a beat, and the resulting position."""

    orders: list[Order] | None = None
    beat: BeatNumber | None = None
    share: Hex32 | None = None
    position: Hex32 | None = None
    parts: list[Part] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.parts is not None:
            _check_parts(self.parts, self.orders is not None)
        if (self.beat is None) != (self.share is None):
            raise FileError(tr("'beat' and 'share' go together: give both or neither"))


class Accept(Move, frozen=True, kw_only=True, tag="accept"):
    """Takes the other seat; entry 1."""

    seat: Seat

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.beat not in (None, 1):
            problem = tr("must be 1, not {found}: an accept opens the first beat", found=self.beat)
            raise FileError(problem, where="beat")


class Play(Move, frozen=True, kw_only=True, tag="play"):
    """Answers the rules' question, opens a share, or both."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.orders is None and self.share is None:
            raise FileError(tr("a play needs orders or a share"))


class Propose(EntryBase, frozen=True, kw_only=True, tag="propose"):
    """Asks the opponent for a take-back or a draw."""

    what: ProposalTerms
    needs: list[Name] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        what = self.what
        given = [each for each in (what.takeback, what.retract, what.draw) if each is not None]
        if len(given) != 1 or what.draw is False:
            problem = tr("give exactly one of {names}", names="{takeback: n}, {retract: n}, {draw: true}")
            raise FileError(problem, where="what")


class Answer(EntryBase, frozen=True, kw_only=True, tag="answer"):
    """Answers a proposal."""

    accept: bool


class Resign(EntryBase, frozen=True, kw_only=True, tag="resign"):
    """Ends the game."""


Body: TypeAlias = Offer | Accept | Play | Propose | Answer | Resign
KINDS: dict[str, type[Body]] = {
    "offer": Offer,
    "accept": Accept,
    "play": Play,
    "propose": Propose,
    "answer": Answer,
    "resign": Resign,
}


_KIND_NAMES: dict[str, Said] = {
    "offer": tr.sense("an entry", "offer"),
    "accept": tr.sense("an entry", "accept"),
    "play": tr.sense("an entry", "play"),
    "propose": tr.sense("an entry", "propose"),
    "answer": tr.sense("an entry", "answer"),
    "resign": tr.sense("an entry", "resign"),
}


def kind_name(kind: str) -> Said:
    """The name of a kind of entry, in English the kind itself."""
    return _KIND_NAMES[kind]


def _is_time(at: str) -> bool:
    try:
        datetime.datetime.fromisoformat(at)
    except ValueError:
        return False
    return True


def _check_parts(parts: list[Part], ordered: bool) -> None:
    """Check that an entry with parts has orders, and at most one part from each commander (FORMAT 11)."""
    if not ordered:
        problem = tr("parts need orders beside them")
        raise FileError(problem, where="parts")
    known: set[int] = set()
    for number, part in enumerate(parts):
        if part.by in known:
            problem = tr("commander {number} may have only one part", number=part.by)
            raise FileError(problem, where=f"parts[{number}]")
        known.add(part.by)


def _check_size(size: int, most: int, where: str) -> None:
    if size > most:
        problem = tr("{found} bytes are too many: at most {most}", found=size, most=most)
        raise FileError(problem, where=where)


_LABEL = b"pbem/1 entry\n"
_STRUCTS = ("seat", "scenario", "what")


class Entry(Struct, frozen=True, dict=True):
    """An entry: `raw` as signed and as in the file; `body` as a Struct."""

    raw: dict[str, Plain]
    body: Body

    @property
    def kind(self) -> str:
        """`offer`, `accept`, `play`, `propose`, `answer` or `resign`."""
        return cast(str, self.raw["kind"])

    @cached_property
    def message(self) -> bytes:
        """M(entry), the bytes that are signed (FORMAT 2)."""
        return _signed_message(self.raw, is_plain=True)  # checked by a reader or `sign_entry`

    @cached_property
    def id(self) -> str:
        """H(M(entry)) as 64 hex digits. It does not cover the signature."""
        return hashlib.sha256(self.message).hexdigest()


def parse_entry(raw: Plain, where: str) -> Entry:
    """Parse an entry at `where`, such as `log[3]`. Raises `FileError` with the path of a fault."""
    if not isinstance(raw, dict):
        problem = tr("must be {what}, not {found}", found=describe_value(raw), what=tr("a mapping"))
        raise FileError(problem, where=where)
    _refuse_extensions(raw, where)
    try:
        body = validation.convert(raw, _shape(raw), "")
    except FileError as error:
        place = f"{where}.{error.where}" if error.where else where
        raise FileError(error.problem, where=place, hint=error.remedy) from None
    _refuse_null(raw, where)
    return Entry(raw, body)


def sign_entry(raw: dict[str, Plain], sign: Callable[[bytes], str]) -> Entry:
    """Sign an entry, given without `sig`; `sign` makes the base64 signature of M. Raises `FileError`."""
    return parse_entry({**raw, "sig": sign(_signed_message(raw))}, f"log[{raw['n']}]")


def _shape(raw: dict[str, Plain]) -> type[Body]:
    """The Struct for an entry's kind. Raises `FileError` if there is no such kind."""
    if "kind" not in raw:
        raise FileError(tr("the key '{key}' is missing", key="kind"))
    kind = raw["kind"]
    if not isinstance(kind, str) or kind not in KINDS:
        problem = tr(
            "must be one of {names}, not {found}", found=describe_value(kind), names=", ".join(KINDS)
        )
        raise FileError(problem, where="kind")
    return KINDS[kind]


def _signed_message(raw: dict[str, Plain], *, is_plain: bool = False) -> bytes:
    signed: Plain = {key: value for key, value in raw.items() if key != "sig"}
    return _LABEL + canonical_form(signed, is_plain=is_plain)


def _refuse_extensions(raw: dict[str, Plain], where: str) -> None:
    """Refuse unknown extensions before anything else is checked, since they might add keys and kinds."""
    needs = raw.get("needs")
    if not isinstance(needs, list):
        return
    if unknown := [name for name in needs if name not in EXTENSIONS]:
        names = row(describe_value(name) for name in unknown[:5])
        problem = tr("this file needs extension {names}, which this program does not have", names=names)
        raise NewerNeeded(problem, where=f"{where}.needs")
    if needs and (raw.get("kind") != "offer" or len(set(needs)) < len(needs)):
        found = row(map(describe_value, needs[:5]))
        problem = tr("each of {found} is allowed only once, in the offer (FORMAT 11 and 12)", found=found)
        raise FileError(problem, where=f"{where}.needs")


def _refuse_null(raw: dict[str, Plain], where: str) -> None:
    """Refuse null, since an optional key must be left out instead: msgspec makes None of both."""
    for key, value in raw.items():
        if value is None:
            raise FileError(
                tr("null is not allowed: give a value, or leave the key out"), where=f"{where}.{key}"
            )
        if key in _STRUCTS and isinstance(value, dict):
            _refuse_null(value, f"{where}.{key}")
