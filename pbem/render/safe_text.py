"""Make strangers' text safe to print; cut, wrap or list text within a width.

A name, a subject, whatever a stranger calls something, is shown between double quotes that it cannot close,
and `wrap` keeps it on one line; a player's message is shown on lines of its own, each between such quotes. So
nothing that a stranger wrote can be mistaken for pbem's own words. `spreadsheet_cell` does the same for
tables: no spreadsheet evaluates such a text as a formula.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import PurePath
from unicodedata import category, normalize

from pbem.lookalikes import is_blank, is_invisible
from pbem.texts import spoken

WIDTH = 78
"""The most columns in a line that mail clients and 80-column terminals leave unbroken."""

MAX_NAME_COLUMNS = 40
"""The most columns shown of a name."""

_MAX_MARKS = 3
"""The most combining marks shown on a letter; more would overlap the lines above and below."""

_FIRST_MARK = "\u0300"
"""The first combining mark: every printable character with a lower code point takes one column."""

_DOUBLE = '"\u02ba\u02dd\u02ee\u02f6\u05f2\u05f4\u1cd3\u201c-\u201f\u2033\u2036\u3003\u301d-\u301f\uff02'
_SINGLE = "'`\u00b4\u02b9\u02bc\u02ca\u2018-\u201b\u2032\u2035\uff07"
_DOUBLE_QUOTES = f"[{_DOUBLE}{_SINGLE}]{{2,}}|[{_DOUBLE}]"
"""Everything that looks like a double quote (Unicode's confusables.txt), including two single quotes."""

_NEAREST_ASCII = {"ß": "ss", "–": "-", "—": "-", "−": "-", "×": "x", "º": "o", "ª": "a", "¡": "!", "¿": "?"}
_NEAREST_ASCII |= dict.fromkeys("„“”«»", "'") | dict.fromkeys("\u00a0\u202f", " ")
"""ASCII for other characters of pbem's languages; double quotes become single ones, as in a name."""

_LAST_LATIN = "\u024f"
"""The last letter of Unicode's Latin blocks, which all take one column in every terminal."""

_keep_accents: ContextVar[bool] = ContextVar("keep accents", default=False)
"""Whether drawings keep accents: only on screens, because a game file must be ASCII."""

_IN_GERMAN = {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}
"""The German spelling of umlauts in ASCII; in other languages `ü` becomes `u`, as in Spanish `pingüino`."""

_PIECE = re.compile(r' *(?:"[^"]{0,64}"|[^ ])++')
"""A word with the spaces before it; a quotation counts as one word unless it is too long for a line."""

_QUOTED, _ALL_QUOTED = re.compile(r'"([^"]*)"'), re.compile(r'( *)"([^"]*)"')
"""A quotation, and a line that consists of one."""


def safe_text(text: str) -> str:
    """The text on one line, safe to print; letters of any language are kept.

    Line ends, tabs and other white space become spaces. Escapes, control and bidi characters and everything
    else invisible or unprintable become `?`, as do combining marks without a letter, or too many on one.
    """
    if text.isascii() and text.isprintable():
        return text
    shown, marks = [], _MAX_MARKS
    for character in map(_safe_character, text):
        marks = 0 if columns(character) else marks + 1
        shown.append(character if marks <= _MAX_MARKS else "?")
    return "".join(shown)


def _safe_character(character: str) -> str:
    if is_blank(character):
        return " "
    return character if character.isprintable() and not is_invisible(character) else "?"


def quote_name(text: str, most: int = MAX_NAME_COLUMNS) -> str:
    """A stranger's text between double quotes that it cannot close, cut to `most` columns.

    Its own double quotes become single ones, and repeated spaces one space. Every name is shown this way.
    """
    return f'"{cut(" ".join(_replace_double_quotes(safe_text(text)).split()), most)}"'


def quote_lines(words: str, width: int = WIDTH, indent: int = 4) -> list[str]:
    """A player's message in lines of at most `width` columns, each between double quotes of its own."""
    lines = [wrap(_replace_double_quotes(safe_text(line)), width - indent - 2) for line in words.splitlines()]
    return [f'{" " * indent}"{line}"' for text in lines for line in text.split("\n")]


def fit_lines(text: str, width: int) -> list[str]:
    """The lines of pbem's own text, with lines wider than `width` broken at spaces.

    Quotes are closed on each line: a name is cut, and a player's message continues between new quotes.
    """
    return [part for line in text.split("\n") for part in _fit_line(line, width)]


def _fit_line(line: str, width: int) -> list[str]:
    if columns(line) <= width:
        return [line]
    indent = min(len(line) - len(line.lstrip(" ")) + 2, width // 2)
    words = _ALL_QUOTED.fullmatch(line)
    if words:
        blanks = " " * min(len(words[1]), indent)
        parts = wrap(words[2], width - len(blanks) - 2).split("\n")
        return [f'{blanks}"{part}"' for part in parts]
    shortened = _QUOTED.sub(lambda match: f'"{cut(match[1], width - indent - 2)}"', line)
    return wrap(shortened, width, indent).split("\n")


def _replace_double_quotes(text: str) -> str:
    return re.sub(_DOUBLE_QUOTES, "'", text)


def quote_path(file: PurePath | str, *, windows: bool = os.name == "nt") -> str:
    """A file's name as typed in a command, in quotation marks if the shell needs them.

    On Windows these are double quotation marks, which both `cmd` and PowerShell understand; no quotes protect
    a name with `%`, `$` or a backtick in both, since each has its own syntax for variables.
    """
    name = safe_text(str(file))
    if name.startswith("-") and name != "-":  # or it would be read as an option
        name = f".{chr(92) if windows else '/'}{name}"
    if not windows:
        return shlex.quote(name)
    if re.fullmatch(r"[\w.:\\/-]+", name):
        return name
    if name.endswith(
        "\\"
    ):  # the root of a drive or share: a single backslash would escape the quotation mark
        name += "\\"
    return f'"{name}"'


def split_command(command: str, *, windows: bool = os.name == "nt") -> list[str]:
    """The words of a typed or configured command, split as a shell does. Raises ValueError.

    On Windows a backslash separates folders and escapes nothing, and double quotation marks protect spaces.
    """
    if not windows:
        return shlex.split(command)
    if command.count('"') % 2:
        raise ValueError("No closing quotation")
    return [word.replace('"', "") for word in re.findall(r'(?:"[^"]*"|[^\s"])+', command)]


def to_ascii(text: str) -> str:
    """The text in printable ASCII: letters lose their accents, and other characters become `?`.

    In German, umlauts become `ae`, `oe` and `ue`.
    """
    if text.isascii() and text.isprintable():
        return text
    nearest = _NEAREST_ASCII | _IN_GERMAN if spoken() == "de" else _NEAREST_ASCII
    text = normalize("NFC", text)
    plain = "".join(nearest.get(character) or _strip_accents(character) for character in text)
    return plain.upper() if text.isupper() else plain


@contextmanager
def keeping_accents() -> Iterator[None]:
    """In the block, `drawn_text` keeps accents: for drawings on a screen, not in a file or mail."""
    before = _keep_accents.set(True)
    try:
        yield
    finally:
        _keep_accents.reset(before)


def keeps_accents() -> bool:
    """Whether a drawing is for a screen, by `keeping_accents`; in a file words and cuts stay as they were."""
    return _keep_accents.get()


def drawn_text(text: str) -> str:
    """Text for a drawing, each character one column wide: ASCII, and accents if `keeping_accents`."""
    if not _keep_accents.get():
        return to_ascii(text)
    return "".join(map(_drawn_character, normalize("NFC", text)))


def _drawn_character(character: str) -> str:
    is_latin = character.isalpha() and character <= _LAST_LATIN
    return character if is_latin else to_ascii(character)


def _strip_accents(character: str) -> str:
    """A letter without its accents, or `?`; never a punctuation mark, which could close a quotation."""
    base = normalize("NFD", character)[0]
    return base if (base.isalpha() and base.isascii()) or " " <= character <= "~" else "?"


def columns(text: str) -> int:
    """The most columns the text takes in a terminal: two for a wide letter, none for a combining mark.

    A spacing mark (category Mc) counts as one, though some terminals give it none.
    """
    if text.isascii() or max(text) < _FIRST_MARK:
        return len(text)
    from wcwidth import wcwidth  # 15 ms: few texts need it

    return sum(max(wcwidth(character), category(character) == "Mc") for character in text)


def cut(text: str, width: int) -> str:
    """The text if it fits the width, else as much as fits before a `~`."""
    return text if columns(text) <= width else text[: _fitting_length(text, width - 1)] + "~"


def wrap(text: str, width: int = WIDTH, indent: int = 0) -> str:
    """The text in lines of at most `width` columns, broken at spaces; all but the first are indented.

    Text in double quotes is not broken unless it is longer than a line.
    """
    lines = [""]
    for piece in _PIECE.findall(text):
        rest = piece
        while columns(lines[-1]) + columns(rest) > width:
            begun = bool(lines[-1].strip())
            if not begun or columns(rest.lstrip(" ")) > width - indent:  # too long for any line
                fitting = _fitting_length(rest, width - columns(lines[-1]))
                taken = fitting if begun else max(fitting, 1)
                lines[-1] += rest[:taken]
                rest = rest[taken:]
            lines.append(" " * indent)
            rest = rest.lstrip(" ")
        lines[-1] += rest
    return "\n".join(line.rstrip(" ") for line in lines)


def _fitting_length(text: str, width: int) -> int:
    """How many characters at the start of the text fit the width."""
    taken = 0
    for number, character in enumerate(text):
        taken += columns(character)
        if taken > width:
            return number
    return len(text)


def format_list(title: str, separator: str, items: list[str], width: int = WIDTH) -> list[str]:
    """Title and items in lines of a drawing, broken between items if possible; nothing without items."""
    if not items:
        return []
    title, items = drawn_text(title), [drawn_text(item) for item in items]
    apart = len(title) > width // 2 and len(title + items[0]) > width >= len(items[0]) + 2
    lines = [title, f"  {items[0]}"] if apart else [title + items[0]]
    for item in items[1:]:
        joined = lines[-1] + separator + item
        if len(joined) <= width:
            lines[-1] = joined
        else:
            lines.append("  " + item)
    return [wrap(line, width, indent=2) for line in lines]


_CELL_SEPARATORS = re.compile(r"([,;\t])")
"""Characters at which a spreadsheet might split a line, depending on locale and settings."""

_FORMULA_SIGNS = ("=", "+", "-", "@")
"""The characters with which a formula begins; their full-width forms count as well."""


def spreadsheet_cell(text: str) -> str:
    """The text on one line, without formulas, wherever a spreadsheet might split it into cells.

    An apostrophe before a part makes it text, as when it is typed into a cell.
    """
    pieces = _CELL_SEPARATORS.split(safe_text(text))
    return "".join(f"'{piece}" if _is_formula(piece) else piece for piece in pieces)


def _is_formula(piece: str) -> bool:
    """Whether a piece begins with a formula sign, after spaces and the quotes a table adds."""
    return normalize("NFKC", piece.lstrip(' "')[:1]) in _FORMULA_SIGNS
