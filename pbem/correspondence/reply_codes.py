"""Codes by which a player shows that an answer to his own computer is his: each for one letter, once.

    0f3a9c12.57.2.k7qd93mdx2fa8wvnk7qd93md    game, last entry, which letter about it, proof

The proof is an HMAC under a key that only the player's key gives (HKDF), over the purpose, the whole ids of
game and entry, and the letter's number: 120 bits. So it fits no other decision, and whoever has seen a code
knows nothing of the next one.
"""

from __future__ import annotations

import hmac
import re
from base64 import b32encode

from msgspec import Struct

from pbem.format.keys import PrivateKey
from pbem.umpire.game import Game

_PURPOSE = b"pbem/1 orders by reply"
_GAME_DIGITS = 8
_PROOF_BYTES = 15
_CODE = re.compile(
    rf"(?<![0-9a-z.])([0-9a-f]{{{_GAME_DIGITS}}})\.([0-9]{{1,5}})\.([1-9][0-9]{{0,3}})\.([a-z2-7]{{24}})(?![0-9a-z])",
    re.IGNORECASE,
)
MAX_CODES = 20
"""The most codes of one mail that are checked: a long thread quotes some."""


class ReplyCode(Struct, frozen=True):
    """A code: the beginning of the game's id, the number of its last entry, of the letter, and the proof."""

    game: str
    entry: int
    letter: int
    proof: str

    def __str__(self) -> str:
        return f"{self.game}.{self.entry}.{self.letter}.{self.proof}"


def make_code(game: Game, key: PrivateKey, entry: int, letter: int) -> ReplyCode:
    """The code of a letter, by its number, about the decision that follows an entry."""
    message = f"{game.ids[0]}\n{game.ids[entry]}\n{letter}".encode("ascii")
    proof = hmac.digest(_derive_secret(key), _PURPOSE + b"\n" + message, "sha256")[:_PROOF_BYTES]
    return ReplyCode(game.ids[0][:_GAME_DIGITS], entry, letter, b32encode(proof).decode("ascii").lower())


def is_genuine(found: ReplyCode, game: Game, key: PrivateKey) -> bool:
    """Whether the code was made with this key, for any decision in this game."""
    if found.entry >= len(game.entries):
        return False
    return hmac.compare_digest(str(found), str(make_code(game, key, found.entry, found.letter)))


def codes_in(text: str) -> list[ReplyCode]:
    """Everything in a text that looks like a code, in order, each once."""
    codes = (ReplyCode(m[1].lower(), int(m[2]), int(m[3]), m[4].lower()) for m in _CODE.finditer(text))
    return list(dict.fromkeys(codes))[:MAX_CODES]


def without_codes(text: str) -> str:
    """The text without its codes, and without lines that hold at most one word beside a code."""
    lines = ((line, _CODE.sub("", line)) for line in text.split("\n"))
    return "\n".join(rest for line, rest in lines if rest == line or len(rest.split()) > 1)


def _derive_secret(key: PrivateKey) -> bytes:
    # Here, because nothing else that is imported with this module needs it.
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE).derive(key.seed)
