"""FORMAT section 2, keys: their text, their fingerprint, and the ones that are refused."""

from __future__ import annotations

import json
import subprocess
from base64 import b64decode, b64encode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import FileError
from pbem.format import openssl_primitives
from pbem.format.keys import PrivateKey, PublicKey, verify_signature
from support.markers import Posix, requires

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "protocol.json").read_text("utf-8"))
SEATS = VECTORS["seats"]
WIRE = b"\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20"

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P


def openssh(raw: bytes, prefix: bytes = WIRE) -> str:
    return "ssh-ed25519 " + b64encode(prefix + raw).decode()


def x_squared(y: int) -> int:
    """x² on the curve -x² + y² = 1 + d x² y² (RFC 8032, 5.1)."""
    return (y * y - 1) * pow(D * y * y + 1, -1, P) % P


def doubled(y: int) -> int:
    """The y of twice a point: (y² + x²) / (1 - d x² y²); the sign of x does not matter."""
    xx, yy = x_squared(y), y * y
    return (yy + xx) * pow(1 - D * xx * yy, -1, P) % P


def small_order_encodings() -> list[bytes]:
    """Every 32 bytes that decode, reduced mod p or not, to a point whose eightfold is the identity (0, 1)."""
    eighth = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
    ys = [y for y in (0, 1, P - 1, P, P + 1, eighth, P - eighth) if doubled(doubled(doubled(y))) == 1]
    return [(y | sign << 255).to_bytes(32, "little") for y in ys for sign in (0, 1)]


class TestText:
    """A key is written in OpenSSH form without a comment and equals its own re-encoding."""

    @pytest.mark.parametrize("seat", sorted(SEATS))
    def test_vector(self, seat: str) -> None:
        private = PrivateKey(bytes.fromhex(SEATS[seat]["private"]))
        assert str(private.public) == SEATS[seat]["key"]
        assert PublicKey.parse(SEATS[seat]["key"]) == private.public

    @given(st.binary(min_size=32, max_size=32))
    def test_round_trip(self, seed: bytes) -> None:
        public = PrivateKey(seed).public
        assert PublicKey.parse(str(public)) == public

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("", "must begin with 'ssh-ed25519 …', not ''"),
            ("ssh-rsa AAAAB3NzaC1yc2E=", "not 'ssh-rsa'"),
            (SEATS["us"]["key"].upper(), "not 'SSH-ED25519'"),
            (" " + SEATS["us"]["key"], "not ''"),
            ("ssh-ed25519", "not the OpenSSH form of 32 bytes"),
            (SEATS["us"]["key"] + " me@home", "not exact base64"),
            (SEATS["us"]["key"] + "\n", "not exact base64"),
            (SEATS["us"]["key"].replace("ed25519 ", "ed25519  "), "not exact base64"),
            (SEATS["us"]["key"][:-1], "not exact base64"),
            (SEATS["us"]["key"] + "=", "not exact base64"),
            (SEATS["us"]["key"].replace("/", "_"), "not exact base64"),
            ("ssh-ed25519 Käse", "not exact base64"),
            (openssh(b"\x02" * 31), "not the OpenSSH form of 32 bytes"),
            (openssh(b"\x02" * 33), "not the OpenSSH form of 32 bytes"),
            (openssh(b"\x02" * 32, WIRE.replace(b"\x20", b"\x21")), "not the OpenSSH form of 32 bytes"),
            (openssh(b"\x02" * 32, b"\x00\x00\x00\x0bssh-ed25518\x00\x00\x00\x20"), "not the OpenSSH form"),
        ],
    )
    def test_anything_else_is_refused(self, text: str, problem: str) -> None:
        with pytest.raises(FileError, match=problem):
            PublicKey.parse(text)

    def test_base64_that_is_not_its_own_re_encoding(self) -> None:
        """`/w==` and `/x==` are the same byte, for the last letter has bits to spare."""
        for body in ("/w==", "/x=="):
            assert b64decode(body) == b"\xff"
        with pytest.raises(FileError, match="not the OpenSSH form"):
            PublicKey.parse("ssh-ed25519 /w==")
        with pytest.raises(FileError, match="not exact base64"):
            PublicKey.parse("ssh-ed25519 /x==")

    @given(st.text())
    def test_garbage_raises_nothing_else(self, text: str) -> None:
        for key in (text, f"ssh-ed25519 {text}"):
            with pytest.raises(FileError):
                PublicKey.parse(key)

    def test_the_private_seed_is_not_shown(self) -> None:
        assert repr(PrivateKey(b"\x22" * 32)) == "PrivateKey()"


class TestFingerprint:
    """A program shows both fingerprints when a seat is taken."""

    @requires(Posix.SHELL)
    def test_it_is_that_of_ssh_keygen(self, tmp_path: Path) -> None:
        file = tmp_path / "key.pub"
        file.write_text(SEATS["us"]["key"] + "\n")
        shown = subprocess.run(["ssh-keygen", "-l", "-f", file], capture_output=True, text=True, check=True)
        assert shown.stdout.split()[1] == PublicKey.parse(SEATS["us"]["key"]).fingerprint


class TestSmallOrder:
    """A key of small order is refused where it is offered: anyone can sign under it."""

    def test_there_are_14(self) -> None:
        assert len(set(small_order_encodings())) == 14

    @pytest.mark.parametrize("raw", small_order_encodings(), ids=bytes.hex)
    def test_a_forged_signature_would_verify_under_it(self, raw: bytes) -> None:
        """With S = 0 what is checked is R = -kA, a point of small order: try them, and a few wordings."""
        forged = [point + bytes(32) for point in small_order_encodings()]
        wordings = [b"I resign" + b"!" * marks for marks in range(20)]
        pairs = [(wording, sig) for wording in wordings for sig in forged]
        assert any(openssl_primitives.verify(raw, wording, sig) for wording, sig in pairs)
        assert not any(
            verify_signature(PublicKey(raw), words, b64encode(sig).decode()) for words, sig in pairs
        )

    @pytest.mark.parametrize("raw", small_order_encodings(), ids=bytes.hex)
    def test_it_is_refused(self, raw: bytes) -> None:
        with pytest.raises(FileError, match="small order"):
            PublicKey.parse(openssh(raw))

    @pytest.mark.parametrize("y", [P + 3, 2**255 - 1])
    def test_so_is_a_y_that_is_not_below_p(self, y: int) -> None:
        """RFC 8032, 5.1.3: decoding fails if y >= p."""
        with pytest.raises(FileError, match="y is out of range"):
            PublicKey.parse(openssh(y.to_bytes(32, "little")))

    def test_the_least_other_y_is_not(self) -> None:
        assert PublicKey.parse(openssh((3).to_bytes(32, "little"))).raw[0] == 3
