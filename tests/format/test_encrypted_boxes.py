"""FORMAT section 8: the seal binds its maker, the box is for him alone."""

from __future__ import annotations

import hmac
import json
from base64 import b64decode
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from pbem.errors import FileError
from pbem.format.encrypted_boxes import box_key, close_box, open_box, seal_digest
from pbem.format.keys import PrivateKey

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "protocol.json").read_text("utf-8"))
GAME = VECTORS["game"]
SEAL = VECTORS["seal"]
KEY = bytes.fromhex(SEAL["box_key"])
CONTENT = b'{"orders":[],"salt":"33"}'


class TestSeal:
    """seal = H("pbem/1 seal\\n" || game || "\\n" || seat || "\\n" || salt || C(orders))."""

    def test_vector(self) -> None:
        salt, orders = bytes.fromhex(SEAL["salt"]), SEAL["canonical"].encode()
        assert seal_digest(GAME, SEAL["seat"], salt, orders) == SEAL["seal"]

    def test_every_input_matters(self) -> None:
        seals = {
            seal_digest(GAME, "us", b"s" * 32, b"[]"),
            seal_digest("ff" * 16, "us", b"s" * 32, b"[]"),
            seal_digest(GAME, "german", b"s" * 32, b"[]"),
            seal_digest(GAME, "us", b"t" * 32, b"[]"),
            seal_digest(GAME, "us", b"s" * 32, b"[1]"),
        }
        assert len(seals) == 5


class TestBoxKey:
    """HKDF-SHA256(private seed, nonce, "pbem/1 box\\n" || game || "\\n" || seat, 32)."""

    def test_vector(self) -> None:
        seat = VECTORS["seats"][SEAL["seat"]]
        private = PrivateKey(bytes.fromhex(seat["private"]))
        assert box_key(private, bytes.fromhex(seat["nonce"]), GAME, SEAL["seat"]) == KEY

    def test_rfc_5869_by_hand(self) -> None:
        extracted = hmac.digest(b"n" * 32, b"p" * 32, "sha256")
        info = b"pbem/1 box\n" + GAME.encode() + b"\nus"
        expected = hmac.digest(extracted, info + b"\x01", "sha256")
        assert box_key(PrivateKey(b"p" * 32), b"n" * 32, GAME, "us") == expected


class TestBox:
    """12 random bytes || ChaCha20-Poly1305 of the content, with the seal's 32 bytes as associated data."""

    def test_it_opens_to_what_was_put_in(self) -> None:
        assert open_box(KEY, SEAL["seal"], close_box(KEY, SEAL["seal"], CONTENT)) == CONTENT

    def test_its_layout(self) -> None:
        data = b64decode(close_box(KEY, SEAL["seal"], CONTENT), validate=True)
        opened = ChaCha20Poly1305(KEY).decrypt(data[:12], data[12:], bytes.fromhex(SEAL["seal"]))
        assert opened == CONTENT

    def test_no_two_are_alike(self) -> None:
        assert close_box(KEY, SEAL["seal"], CONTENT) != close_box(KEY, SEAL["seal"], CONTENT)

    @pytest.mark.parametrize("box", ["", "AAAA", "not base64", "A" * 64, "ä"])
    def test_what_is_no_box_is_refused(self, box: str) -> None:
        with pytest.raises(FileError, match="this key does not open"):
            open_box(KEY, SEAL["seal"], box)

    def test_nor_does_it_open_under_another_key_or_seal(self) -> None:
        box = close_box(KEY, SEAL["seal"], CONTENT)
        with pytest.raises(FileError, match="does not open"):
            open_box(bytes(32), SEAL["seal"], box)
        with pytest.raises(FileError, match="does not open"):
            open_box(KEY, "00" * 32, box)
