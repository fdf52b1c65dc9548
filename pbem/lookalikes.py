"""Invisible characters, and the forms in which words and names that look the same are equal."""

from __future__ import annotations

from unicodedata import category, combining, normalize

_IGNORABLE = (
    range(0x034F, 0x0350),  # the grapheme joiner
    range(0x115F, 0x1161),  # Hangul fillers
    range(0x17B4, 0x17B6),  # Khmer vowels that are not written
    range(0x180B, 0x1810),  # Mongolian variation selectors
    range(0x2060, 0x2070),  # joiners, and one that is reserved
    range(0x3164, 0x3165),  # the Hangul filler
    range(0xFE00, 0xFE10),  # variation selectors
    range(0xFFA0, 0xFFA1),  # the narrow Hangul filler
    range(0xFFF0, 0xFFF9),  # reserved
    range(0xE0000, 0xE1000),  # tags, more variation selectors, and the reserved ones among them
)
"""The default-ignorable code points outside category Cf.

From `Default_Ignorable_Code_Point` in Unicode's DerivedCoreProperties.txt (UAX 44, 5.3; Unicode 16).
"""
_EMPTY = "\u2800"
"""The Braille pattern without a dot: by its category no blank, but as empty as one."""


def is_invisible(character: str) -> bool:
    """Whether a reader sees nothing where this character stands, not even a gap."""
    return category(character) == "Cf" or any(ord(character) in codes for codes in _IGNORABLE)


def escape_invisible(text: str) -> str:
    """The text with an escape for each invisible character: `mo\\u200bve`."""
    if text.isascii():
        return text
    return "".join(ascii(char)[1:-1] if is_invisible(char) else char for char in text)


def is_blank(character: str) -> bool:
    """Whether a reader sees a gap where this character stands."""
    return character.isspace() or character == _EMPTY


def plain_letters(word: str) -> str:
    """A word as typed words are compared: in lower case, without accents."""
    if word.isascii():
        return word.lower()
    return "".join(letter for letter in normalize("NFKD", word.casefold()) if not combining(letter))


def fold_name(name: str) -> str:
    """The form in which names are compared (FORMAT 4): equal for two that look the same to a reader.

    Case, compatibility forms (NFKC), runs of blanks and invisible characters make no difference. The script
    does: Latin `A` and Cyrillic `А` are two names.
    """
    shown = "".join(" " if is_blank(char) else char for char in name if not is_invisible(char))
    letters = normalize("NFKC", shown)
    seen = "".join(char for char in letters if not is_invisible(char)).casefold()
    return " ".join(normalize("NFKC", seen).split())
