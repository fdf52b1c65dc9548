"""One entry of the log: its plain data, its typed body, the signed bytes (FORMAT sections 2 and 4)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cached_property
from typing import cast

from msgspec import Struct

from pbem.base import validation
from pbem.base.validation import describe_value
from pbem.errors import FileError, NewerNeeded
from pbem.format.canonical import canonical_form
from pbem.format.plain import Plain
from pbem.format.shapes import COMMANDERS, KINDS, Body
from pbem.messages import Messages, row

tr = Messages("pbem")

_LABEL = b"pbem/1 entry\n"
_STRUCTS = ("seat", "scenario", "what")


class Entry(Struct, frozen=True, dict=True):
    """An entry: `raw` as it is signed and stands in the file; `body` as the program uses it."""

    raw: dict[str, Plain]
    body: Body

    @property
    def kind(self) -> str:
        """`offer`, `accept`, `play`, `propose`, `answer` or `resign`."""
        return cast(str, self.raw["kind"])

    @cached_property
    def message(self) -> bytes:
        """M(entry): the bytes under the signature."""
        return _signed_message(self.raw)

    @cached_property
    def id(self) -> str:
        """Hex H(M(entry)), 64 digits. It does not cover the signature."""
        return hashlib.sha256(self.message).hexdigest()


def parse_entry(raw: Plain, where: str) -> Entry:
    """The entry in plain data at `where`, such as `log[3]`. Raises `FileError` with the path of a fault."""
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
    """Sign an entry: `raw` without `sig`; `sign` makes the base64 signature of M. Raises `FileError`."""
    return parse_entry({**raw, "sig": sign(_signed_message(raw))}, f"log[{raw['n']}]")


def _shape(raw: dict[str, Plain]) -> type[Body]:
    """The Struct for the kind of an entry. Raises `FileError` if there is no such kind."""
    if "kind" not in raw:
        raise FileError(tr("the key '{key}' is missing", key="kind"))
    kind = raw["kind"]
    if not isinstance(kind, str) or kind not in KINDS:
        problem = tr(
            "must be one of {names}, not {found}", found=describe_value(kind), names=", ".join(KINDS)
        )
        raise FileError(problem, where="kind")
    return KINDS[kind]


def _signed_message(raw: dict[str, Plain]) -> bytes:
    return _LABEL + canonical_form({key: value for key, value in raw.items() if key != "sig"})


def _refuse_extensions(raw: dict[str, Plain], where: str) -> None:
    """Refuse unknown extensions before anything else is checked, since they may add keys and kinds."""
    needs = raw.get("needs")
    if isinstance(needs, list) and needs and not (needs == [COMMANDERS] and raw.get("kind") == "offer"):
        unknown = [name for name in needs if name != COMMANDERS]
        if not unknown:
            found = row(map(describe_value, needs[:5]))
            problem = tr("{found} may stand only once, in the offer (FORMAT 11)", found=found)
            raise FileError(problem, where=f"{where}.needs")
        names = row(describe_value(name) for name in unknown[:5])
        problem = tr("this file needs extension {names}, which this program does not have", names=names)
        raise NewerNeeded(problem, where=f"{where}.needs")


def _refuse_null(raw: dict[str, Plain], where: str) -> None:
    """Refuse null: an optional key is left out instead. To msgspec both are None. All keys are known here."""
    for key, value in raw.items():
        if value is None:
            raise FileError(
                tr("null is not allowed: give a value, or leave the key out"), where=f"{where}.{key}"
            )
        if key in _STRUCTS and isinstance(value, dict):
            _refuse_null(value, f"{where}.{key}")
