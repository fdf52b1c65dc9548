"""Chains of secrets, beat seeds and draws (FORMAT 5).

A seat holds the secrets x[0] … x[beats]. Each is the hash of the one above it, so opening x[b] reveals
everything below b and nothing above. x[0], the anchor, is in the file from the seat's first entry and fixes
all the others. Its owner holds a `Chain`; everyone else a `Commitment`.

A beat's seed is the hash of both seats' secrets; a draw is the hash of the seed and the draw's number. Both
are built as a `Preimage`, so that explanations show exactly what was computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from pbem.format.primitives import hkdf
from pbem.messages import Messages, Said

tr = Messages("pbem")


def chain_seed(private: bytes, nonce: bytes, game: str, seat: str) -> bytes:
    """The top of a seat's chain, x[beats], from the 32-byte private seed and the seat's 32 nonce bytes."""
    return hkdf(private, nonce, f"pbem/1 chain\n{game}\n{seat}".encode("ascii"))


def derive_log_secret(private: bytes, nonce: bytes, game: str, seat: str, head: str, purpose: str) -> bytes:
    """32 bytes only a seat's player can compute, after the entry with the id `head`, for one purpose.

    They are in no file, so other programs may derive theirs in another way.
    """
    return hkdf(private, nonce, f"pbem/1 computed\n{game}\n{seat}\n{head}\n{purpose}".encode("ascii"))


def _secrets_down_from(game: str, seat: str, secret: bytes) -> Iterator[bytes]:
    """A secret, the one below it, and so on without end: the links of FORMAT 5."""
    prefix = f"pbem/1 link\n{game}\n{seat}\n".encode("ascii")
    while True:
        yield secret
        secret = sha256(prefix + secret).digest()


class Chain:
    """A seat's own chain. It is computed as a whole, which takes up to 65,537 hashes."""

    def __init__(self, seed: bytes, beats: int, game: str, seat: str) -> None:
        """Build the chain down from `seed`, which is x[beats]."""
        self._secrets = tuple(islice(_secrets_down_from(game, seat, seed), beats + 1))[::-1]

    @property
    def anchor(self) -> bytes:
        """x[0], the public end of the chain."""
        return self._secrets[0]

    def share(self, beat: int) -> bytes:
        """x[beat], which opens this seat's part of a beat. Raises `ValueError` beyond the chain."""
        if not 1 <= beat < len(self._secrets):
            raise ValueError(f"found beat {beat}, expected 1 to {len(self._secrets) - 1}")
        return self._secrets[beat]


class Commitment(Struct, frozen=True):
    """A seat's chain as others know it: the newest secret it has opened, and that secret's beat.

    It begins with the anchor, at beat 0.
    """

    game: str
    seat: str
    beat: int
    secret: bytes

    def open(self, beat: int, share: bytes) -> Commitment | None:
        """The commitment after the seat opens `beat` with `share`; None if `share` is not its x[beat].

        Also None for a beat that is already open (FORMAT 6.5). The caller has checked that the beat is due at
        all.
        """
        if beat <= self.beat:
            return None
        opened = replace(self, beat=beat, secret=share)
        return opened if opened.secret_of(self.beat) == self.secret else None

    def secret_of(self, beat: int) -> bytes:
        """x[beat] of an open beat, from 0 to `self.beat`."""
        return next(islice(_secrets_down_from(self.game, self.seat, self.secret), self.beat - beat, None))


class PreimagePart(Struct, frozen=True):
    """Part of a preimage: its description, and its value, ASCII text or raw bytes."""

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
    """The input of a SHA-256, part by part, so that anyone can recompute the hash."""

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
    """The preimage of the beat's seed R[beat]; `secrets` maps each seat to its x[beat]."""
    return Preimage(
        (
            PreimagePart(lambda: tr("beat tag"), "pbem/1 beat\n"),
            PreimagePart(lambda: tr.sense("a game's id", "game"), f"{game}\n"),
            PreimagePart(lambda: tr("beat"), f"{beat}\n"),
            *(PreimagePart(_describe_secret(beat, seat), secrets[seat]) for seat in sorted(secrets)),
        )
    )


def explain_draw(seed: bytes, j: int) -> Preimage:
    """The preimage of D[b][j]: draw number j (from 0) of the beat with this seed."""
    return Preimage(
        (
            PreimagePart(lambda: tr("draw tag"), "pbem/1 draw\n"),
            PreimagePart(lambda: tr("beat seed"), seed),
            PreimagePart(lambda: tr("draw number"), j.to_bytes(4, "big")),
        )
    )


def beat_seed(game: str, beat: int, secrets: Mapping[str, bytes]) -> bytes:
    """The beat's seed R[beat], 32 bytes; `secrets` maps each seat to its x[beat]."""
    return explain_beat(game, beat, secrets).digest


def draw_number(seed: bytes, j: int) -> int:
    """D[b][j] as an integer: of k outcomes, the draw gives number `draw_number(…) % k`."""
    return int.from_bytes(explain_draw(seed, j).digest, "big")


def _describe_secret(beat: int, seat: str) -> Callable[[], Said]:
    """The description of a secret: its beat and its seat."""
    return lambda: tr("x[{beat}] of {seat}", beat=beat, seat=seat)
