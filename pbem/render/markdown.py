"""A page of Markdown as plain text for a terminal: the subset of Markdown used by the games' pages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem.core.rulebook import NUMBER
from pbem.core.rulebook import read as taken_apart
from pbem.render.safe_text import WIDTH, safe_text, wrap

_LINK = re.compile(r"\[([^]]+)\]\([^)]*\)")
_CODE = re.compile(r"(`[^`]*`)")
_STRESS = re.compile(r"(\*{1,2})(\S[^*]*)\1")
_BULLET = re.compile(r"( *)\* (.*)")
_FENCE = "```"


def markdown_to_text(markdown: str, width: int = WIDTH) -> str:
    """The page in lines of at most `width` columns, safe to print; table rows become bullets.

    Fenced code stays as it is, indented by four columns.
    """
    return "\n".join(_text_lines(markdown, width)).strip("\n")


def _text_lines(markdown: str, width: int) -> Iterator[str]:
    paragraph: list[str] = []
    inside = False
    for line in [*markdown.splitlines(), ""]:
        if line.startswith(_FENCE) or inside or not line or not _continues(paragraph, line):
            yield from _format_paragraph(paragraph, width)
            paragraph = []
        if line.startswith(_FENCE):
            inside = not inside
        elif inside:
            yield f"    {safe_text(line)}".rstrip()
        elif line:
            paragraph.append(line)
        else:
            yield ""


def _continues(paragraph: list[str], line: str) -> bool:
    """Whether a line continues the paragraph before it."""
    if line.startswith("|"):
        return bool(paragraph) and paragraph[0].startswith("|")
    return not _BULLET.fullmatch(line) and not line.startswith("#")


def _format_paragraph(paragraph: list[str], width: int) -> Iterator[str]:
    """The lines of a paragraph, bullet, heading or table."""
    if not paragraph:
        return
    if paragraph[0].startswith("|"):
        for row in taken_apart("\n".join(paragraph)).rows:
            yield from _format_bullet("", row.markdown().removeprefix("* "), width)
        return
    text = " ".join(line.strip() for line in paragraph)
    if bullet := _BULLET.fullmatch(paragraph[0].rstrip()):
        yield from _format_bullet(bullet[1], text.removeprefix("* "), width)
    else:
        margin = " " * (len(paragraph[0]) - len(paragraph[0].lstrip()))
        yield wrap(margin + _strip_markup(text.lstrip("# ")), width, indent=len(margin))


def _format_bullet(margin: str, text: str, width: int) -> Iterator[str]:
    """A bullet; a rule has its number instead of the asterisk."""
    dot = "" if NUMBER.match(text) else "* "
    yield wrap(f"{margin}{dot}{_strip_markup(text)}", width, indent=len(margin) + 2)


def _strip_markup(text: str) -> str:
    """The text without its markup; code keeps every character."""
    parts = _CODE.split(_LINK.sub(r"\1", text))
    return safe_text(
        "".join(_quote_code(p[1:-1]) if p.startswith("`") else _STRESS.sub(r"\2", p) for p in parts)
    )


def _quote_code(words: str) -> str:
    """A command or option in quotation marks, since it could be read as English; other code as it is."""
    return f'"{words}"' if re.fullmatch(r"[a-z_]+|[\w-]+( [\w.-]+)+", words) else words
