"""Words that others wrote, made harmless to print, and text cut or wrapped to a width."""

from __future__ import annotations

import os
import re
import shlex
import textwrap
from pathlib import PurePath

WIDTH = 78
"""How many characters a line holds at most: what mail clients and terminals of 80 columns leave alone."""


def safe(text: str) -> str:
    """The text on one line, harmless to print; letters of any language stay.

    Line ends, tabs and other blanks become a space; escapes, control and bidi characters and whatever else
    cannot be printed become `?`.
    """
    return "".join(_harmless(character) for character in text)


def _harmless(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character.isspace() else "?"


def quoted(file: PurePath | str, *, windows: bool = os.name == "nt") -> str:
    """A file's name as one types it in a command, in quotation marks where the shell wants them.

    On Windows double quotation marks, which `cmd` and PowerShell both read.
    """
    name = safe(str(file))
    if name.startswith("-") and name != "-":  # else it would be an option
        name = f".{chr(92) if windows else '/'}{name}"
    if not windows:
        return shlex.quote(name)
    return name if re.fullmatch(r"[\w.:\\/-]+", name) else f'"{name}"'


def ascii_only(text: str) -> str:
    """The text with `?` for every character that is not printable ASCII, so that its length stays."""
    return "".join(character if " " <= character <= "~" else "?" for character in text)


def cut(text: str, width: int) -> str:
    """The text if it fits the width, else its beginning and a `~`."""
    return text if len(text) <= width else text[: width - 1] + "~"


def wrap(text: str, width: int = WIDTH, indent: int = 0) -> str:
    """The text in lines of at most `width` characters, broken at spaces; each but the first is indented."""
    return textwrap.fill(
        text, width, subsequent_indent=" " * indent, break_on_hyphens=False, break_long_words=True
    )


def listed(title: str, separator: str, items: list[str], width: int = WIDTH) -> list[str]:
    """The title and the items in ASCII lines, each item whole where it fits; nothing without items."""
    if not items:
        return []
    lines = [title + items[0]]
    for item in items[1:]:
        joined = lines[-1] + separator + item
        if len(joined) <= width:
            lines[-1] = joined
        else:
            lines.append("  " + item)
    return [wrap(ascii_only(line), width, indent=2) for line in lines]
