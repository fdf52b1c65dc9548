"""A commander's draft (FORMAT 11): a document of a few hundred bytes, which he mails to his lead."""

from __future__ import annotations

from msgspec import Struct

from pbem.base import validation
from pbem.base.limits import DRAFT_BYTES
from pbem.errors import FileError, NewerNeeded
from pbem.format.document import VERSION, After
from pbem.format.plain import Plain
from pbem.format.shapes import Number, Order, SeatName, Signature
from pbem.format.yaml_reader import parse_yaml, top_level_keys
from pbem.format.yaml_writer import dump_yaml
from pbem.messages import Messages

tr = Messages("pbem")

_DRAFT_KEYS = {"pbem", "after", "part"}


class DraftPart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The part in a draft: its seat, the number of the commander at that seat, his orders and signature."""

    seat: SeatName
    by: Number
    orders: list[Order]
    sig: Signature


class Draft(Struct, frozen=True):
    """A draft: the last entry of the game, which it continues, and the part."""

    after: After
    part: DraftPart


def is_draft(data: bytes) -> bool:
    """Whether bytes are a draft rather than a game file, in any layout; it may still be damaged.

    No game file has the key `part`. Reading stops at the first key that no draft has, or that comes twice.
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
        raise FileError(tr("this is not a draft, with the keys pbem, after, part (FORMAT 11)"))
    if value["pbem"] != VERSION:
        problem = tr(
            "this draft is of version {found}; pbem reads version {expected}",
            found=value["pbem"],
            expected=VERSION,
        )
        raise (NewerNeeded if value["pbem"] > VERSION else FileError)(problem, where="pbem")
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
    return dump_yaml({"pbem": VERSION, "after": after, "part": signed}).encode()
