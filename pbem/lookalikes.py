"""Invisible characters, and how to compare words and names that look the same."""

from __future__ import annotations

from unicodedata import category, combining, normalize

_IGNORABLE = (
    range(0x034F, 0x0350),  # the grapheme joiner
    range(0x115F, 0x1161),  # Hangul fillers
    range(0x17B4, 0x17B6),  # Khmer vowels that are not written
    range(0x180B, 0x1810),  # Mongolian variation selectors
    range(0x2060, 0x2070),  # joiners, and one reserved
    range(0x3164, 0x3165),  # the Hangul filler
    range(0xFE00, 0xFE10),  # variation selectors
    range(0xFFA0, 0xFFA1),  # the narrow Hangul filler
    range(0xFFF0, 0xFFF9),  # reserved
    range(0xE0000, 0xE1000),  # tags, more variation selectors, and reserved ones
)
"""The default-ignorable code points outside category Cf.

From `Default_Ignorable_Code_Point` in Unicode's DerivedCoreProperties.txt (UAX 44, 5.3; Unicode 16).
"""
_EMPTY = "\u2800"
"""The Braille pattern without dots: its category is not a space, but it looks like one."""


def is_invisible(character: str) -> bool:
    """Whether a character is invisible and leaves not even a gap."""
    return category(character) == "Cf" or any(ord(character) in codes for codes in _IGNORABLE)


def escape_invisible(text: str) -> str:
    """The text with an escape for each invisible character: `mo\\u200bve`."""
    if text.isascii():
        return text
    return "".join(ascii(char)[1:-1] if is_invisible(char) else char for char in text)


def is_blank(character: str) -> bool:
    """Whether a character looks like a space."""
    return character.isspace() or character == _EMPTY


def plain_letters(word: str) -> str:
    """A word in the form used to compare typed words: lower case, without accents."""
    if word.isascii():
        return word.lower()
    return "".join(letter for letter in normalize("NFKD", word.casefold()) if not combining(letter))


def fold_name(name: str) -> str:
    """A name in the form used to compare names (FORMAT 4): the same for names that look the same.

    It ignores case, compatibility forms (NFKC), repeated spaces and invisible characters, but not the script:
    Latin `A` and Cyrillic `А` make two names.
    """
    shown = "".join(" " if is_blank(char) else char for char in name if not is_invisible(char))
    letters = normalize("NFKC", shown)
    seen = "".join(char for char in letters if not is_invisible(char)).casefold()
    return " ".join(normalize("NFKC", seen).split())
