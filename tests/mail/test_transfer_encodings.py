"""Transfer encodings: what programs write is undone, what is broken costs some letters."""

from __future__ import annotations

from binascii import b2a_uu

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.base.limits import FILE_BYTES
from pbem.mail.mime_decoding import decode_loose_base64, decode_transfer, decode_uuencode


class TestBase64:
    @pytest.mark.parametrize(
        ("letters", "held"),
        [
            (b"cGJlbQ==", b"pbem"),
            (b"cGJl\r\nbQ==\n", b"pbem"),
            (b"cGJlbQ", b"pbem"),
            (b"cGJlb", b"pbe"),
            (b"AAAAA", b"\0\0\0"),
            (b"cGJl!\xe4bQ==", b"pbem"),
            (b"cGJlbQ==\n\n_____\nlist", b"pbem"),
            (b"=", b""),
        ],
    )
    def test_each(self, letters: bytes, held: bytes) -> None:
        assert decode_loose_base64(letters) == held


class TestUuencode:
    """The examples are `uuencode`'s own; the first is that of its manual."""

    CAT = b"begin 644 cat.txt\n#0V%T\n`\nend\n"

    @pytest.mark.parametrize(
        "text",
        [
            CAT,
            b"Hello,\n\n" + CAT + b"Bye\n",
            CAT.replace(b"\n", b"\r\n"),
            CAT.replace(b"`", b" "),
            CAT.partition(b"`")[0],
            CAT.replace(b"T\n", b"T*\n"),
        ],
        ids=["whole", "in a text", "crlf", "blank", "cut", "with a checksum"],
    )
    def test_a_file(self, text: bytes) -> None:
        assert decode_uuencode(text) == b"Cat"

    def test_none(self) -> None:
        assert decode_uuencode(b"begin the game\n#0V%T\nend\n") == b""

    @given(st.binary(max_size=200))
    def test_comes_out_again(self, data: bytes) -> None:
        lines = b"".join(b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45))
        assert decode_uuencode(b"begin 600 x\n" + lines + b"`\nend\n") == data


@given(st.binary(), st.sampled_from(["base64", "quoted-printable", "x-uuencode", "8bit", ""]))
def test_anything(data: bytes, encoding: str) -> None:
    assert len(decode_transfer(data, encoding)) <= len(data)


def test_lines_that_promise_more_than_they_hold() -> None:
    assert len(decode_uuencode(b"begin 644 x\n" + b"M\n" * FILE_BYTES)) < FILE_BYTES + 100
