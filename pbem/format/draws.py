"""Beat seeds and draws (FORMAT section 5).

A beat's seed is the hash of both seats' secrets; a draw is the hash of the seed and the draw's
number. Both are built as a `Preimage`, so that what is explained is what was computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256

from msgspec import Struct

from pbem.messages import Messages, Said

tr = Messages("pbem")


class PreimagePart(Struct, frozen=True):
    """A part of a preimage: its description, and its value, ASCII text or raw bytes."""

    meaning: Callable[[], Said]
    value: str | bytes

    @property
    def data(self) -> bytes:
        """The bytes that are hashed."""
        return self.value.encode("ascii") if isinstance(self.value, str) else self.value

    def __str__(self) -> str:
        """Text in quotation marks as FORMAT writes it, raw bytes in hex."""
        if isinstance(self.value, str):
            return '"' + self.value.replace("\n", r"\n") + '"'
        return self.value.hex()


class Preimage(Struct, frozen=True):
    """The data under a SHA-256, part by part, so that anyone can recompute it."""

    parts: tuple[PreimagePart, ...]

    @property
    def data(self) -> bytes:
        """All parts, joined."""
        return b"".join(part.data for part in self.parts)

    @property
    def digest(self) -> bytes:
        """The SHA-256 of the data."""
        return sha256(self.data).digest()


def explain_beat(game: str, beat: int, secrets: Mapping[str, bytes]) -> Preimage:
    """The preimage of the beat's seed R[beat]; `secrets` gives x[beat] of each seat by its name."""
    return Preimage(
        (
            PreimagePart(lambda: tr("beat tag"), "pbem/1 beat\n"),
            PreimagePart(lambda: tr.sense("a game's id", "game"), f"{game}\n"),
            PreimagePart(lambda: tr("beat"), f"{beat}\n"),
            *(PreimagePart(_describe_secret(beat, seat), secrets[seat]) for seat in sorted(secrets)),
        )
    )


def explain_draw(seed: bytes, j: int) -> Preimage:
    """The preimage of D[b][j], the draw number j (from 0) of the beat with this seed."""
    return Preimage(
        (
            PreimagePart(lambda: tr("draw tag"), "pbem/1 draw\n"),
            PreimagePart(lambda: tr("beat seed"), seed),
            PreimagePart(lambda: tr("draw number"), j.to_bytes(4, "big")),
        )
    )


def beat_seed(game: str, beat: int, secrets: Mapping[str, bytes]) -> bytes:
    """R[beat], 32 bytes; `secrets` gives x[beat] of each seat by its name."""
    return explain_beat(game, beat, secrets).digest


def draw_number(seed: bytes, j: int) -> int:
    """D[b][j] as an integer: among k outcomes the draw gives outcome number `draw_number(…) % k`."""
    return int.from_bytes(explain_draw(seed, j).digest, "big")


def _describe_secret(beat: int, seat: str) -> Callable[[], Said]:
    """The description of a secret: its beat and its seat."""
    return lambda: tr("x[{beat}] of {seat}", beat=beat, seat=seat)
