"""The armoured block: what is enclosed comes out again, or it is said what is damaged."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import MailError
from pbem.mail.armour import BEGIN, COLUMNS, END, blocks, enclose, unpack

FILE = "".join(f"line {number * number * 7919}\n" for number in range(200)).encode()
LINES = enclose(FILE).splitlines()


def unpacked(text: str) -> list[bytes]:
    return [unpack(block) for block in blocks(text)]


def refusal(lines: list[str]) -> str:
    with pytest.raises(MailError) as caught:
        unpacked("\n".join(lines))
    return str(caught.value)


class TestEnclose:
    def test_lines_fit_into_a_mail(self) -> None:
        assert LINES[0] == BEGIN
        assert LINES[-1] == END
        assert re.fullmatch(rf"lines {len(LINES) - 3}, bytes {len(FILE)}, sha256 [0-9a-f]{{32}}", LINES[1])
        assert {len(line) for line in LINES[2:-2]} == {COLUMNS}

    @given(st.binary(max_size=2000))
    def test_comes_out_again(self, data: bytes) -> None:
        assert unpacked(enclose(data)) == [data]


class TestWhatDoesNoHarm:
    @pytest.mark.parametrize(
        "mangled",
        [
            "".join(f"> > {line}\r\n" for line in LINES),
            "".join(f">>{line}   \n\n" for line in LINES),
            "".join(f"| \t{line}\n" for line in LINES),
            " ".join(LINES),
            "\n".join([BEGIN, *re.findall(".{1,31}", "".join(LINES[1:-1])), END]),
            enclose(FILE).replace("-----", "—–"),
        ],
        ids=["quoted", "double spaced", "barred", "one line", "broken", "dashes"],
    )
    def test_read(self, mangled: str) -> None:
        assert unpacked(mangled) == [FILE]

    def test_several_blocks(self) -> None:
        assert unpacked(f"one\n{enclose(b'1')}two\n> {enclose(b'2')}") == [b"1", b"2"]


class TestDamage:
    """Each damage is named: what was found, what was expected."""

    def test_cut(self) -> None:
        assert "the end of this game is missing: only 5 of 21 lines arrived" in refusal(LINES[:7])

    def test_cut_before_another(self) -> None:
        first, second = list(blocks("\n".join([*LINES[:7], *LINES])))
        assert not first.ended
        assert unpack(second) == FILE

    def test_line_missing(self) -> None:
        lines = len(LINES) - 3
        assert f"it has {lines - 1} lines instead of {lines}" in refusal(LINES[:4] + LINES[5:])

    def test_letter_missing(self) -> None:
        assert "line 3 has 63 characters instead of 64" in refusal([*LINES[:4], LINES[4][1:], *LINES[5:]])

    def test_letters_exchanged(self) -> None:
        assert "its checksum does not match" in refusal([*LINES[:4], LINES[4][::-1], *LINES[5:]])

    def test_foreign_letter(self) -> None:
        assert "'\\xe9' in line 3" in refusal([*LINES[:4], "é" + LINES[4][1:], *LINES[5:]])

    def test_first_line(self) -> None:
        assert "the first line of the encoded block" in refusal([LINES[0], "Hello", *LINES[2:]])

    def test_of_another_file(self) -> None:
        assert "its checksum does not match" in refusal(
            [BEGIN, enclose(FILE + b"x").splitlines()[1], *LINES[2:]]
        )

    def test_unpacks_to_more_than_it_says(self) -> None:
        bomb = enclose(bytes(20_000_000)).splitlines()
        assert "its checksum does not match" in refusal(bomb)

    @given(st.text(alphabet="-BEGINPDMA \nlinesby1,sha256=>|", max_size=300))
    def test_anything_is_refused_in_words(self, text: str) -> None:
        for block in blocks(f"{BEGIN}\n{text}"):
            with pytest.raises(MailError):
                unpack(block)
