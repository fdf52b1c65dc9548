"""The content of a part of a mail as plain text, whatever its charset, layout or markup."""

from __future__ import annotations

import html
import re

_CHARSET = re.compile(
    r"(?:iso-8859-|windows-|cp)\d{1,5}|iso-2022-\w{2,9}|koi8-[ru]|gb\w{1,9}|big5|euc-\w{2}|shift_jis|utf-(?:7|16|32)\w*",
    re.IGNORECASE,
)
"""The charsets that mails use. Python knows others too, but some of its codecs are slow, or no charsets."""
_BLOCK = re.compile(r"(?i)</?(?:br|div|p|li|tr|h[1-6]|blockquote|pre|table)\b[^<>]*>")
_TAG = re.compile(r"<[^<>]*>")
_LONG_REFERENCE = re.compile(r"(?i)&#x?[0-9a-f]{9,};?")
"""A character reference in HTML whose number is beyond all characters, and slow to convert."""


def decode_charset(data: bytes, charset: str = "") -> str:
    """Bytes as text: what is valid UTF-8, or looks like UTF-16, is that, whatever charset is claimed."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    if data[1:8:2].count(0) == 4:
        return data.decode("utf-16-le", "replace")
    if b"\x1b" not in data:  # ISO 2022 is all ASCII; an escape begins its shifts
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            pass
    try:
        return data.decode(charset if _CHARSET.fullmatch(charset) else "cp1252", "replace")
    except LookupError:
        return data.decode("cp1252", "replace")


def decode_raw_words(words: str) -> str:
    """The unencoded words of a header, in which the parser has left raw bytes for letters beyond ASCII."""
    try:
        return words if words.isascii() else decode_charset(words.encode("latin-1"))
    except UnicodeEncodeError:
        return words


def unflow(text: str, *, delete_blanks: bool) -> str:
    """A text with `format=flowed` (RFC 3676) as it was before: a line that ends in a blank goes on."""
    text = re.sub(r"^ ", "", text.replace("\r\n", "\n"), flags=re.MULTILINE)
    text = re.sub(r"^(>++)(?=[^ \n])", r"\1 ", text, flags=re.MULTILINE)
    blank = "" if delete_blanks else " "
    return re.sub(r"(?<!^--)(?<=[^>\n]) \n(?:>++ )?", blank, text, flags=re.MULTILINE)


def html_to_text(page: str) -> str:
    """The text of an HTML page: each `br` and block begins a line, entities are decoded."""
    if not re.search(r"(?i)<pre\b", page):
        page = "\r".join(line.strip(" \t\r") for line in page.split("\n"))
    page = _BLOCK.sub("\n", page)
    text = html.unescape(_LONG_REFERENCE.sub("\ufffd", _TAG.sub("", page)))
    return text.replace("\n\r", "\n").replace("\r\n", "\n").replace("\r", " ")
