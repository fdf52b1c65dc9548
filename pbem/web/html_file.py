"""One HTML file that loads nothing, with its scripts' messages and the policy on what a browser may run.

The scripts' messages are extracted from their source; `texts.js` reads translations from a table in the file.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from itertools import groupby
from pkgutil import get_data
from typing import Any, TypeAlias

from pbem.base.system import IN_BROWSER
from pbem.core.sides import unnamed
from pbem.render.safe_text import safe_text
from pbem.texts import ENGLISH, Texts, spoken

tr = Texts("pbem")

Message: TypeAlias = str | tuple[str, str]
"""A message in English; if it has a number, its singular and plural."""

_STRING = r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'"""
_STRINGS = rf"(?:{_STRING})(?:\s*\+\s*(?:{_STRING}))*"
_MESSAGE_CALL = re.compile(rf"\btr\(\s*({_STRINGS})|\bplural\(\s*({_STRINGS}),\s*({_STRINGS})")

_GIVEN_BY_FRAME = ("transport.js", "preferences.js") if IN_BROWSER else ()
"""The scripts that a surrounding page passes in before the page's own (browser/frame.js, decision 50)."""

_NUMBERS = range(200)
"""The numbers whose plural forms are listed: from 100 on, they repeat every hundred in every language."""


def script_messages(code: str) -> Iterator[Message]:
    """The messages in a script."""
    for match in _MESSAGE_CALL.finditer(code):
        yield _parse_strings(match[1]) if match[1] else (_parse_strings(match[2]), _parse_strings(match[3]))


def script_translations(codes: Iterable[str]) -> dict[str, str | list[str]]:
    """The translations of these scripts' messages into the current language; empty for English."""
    if spoken() == ENGLISH:
        return {}
    found = dict.fromkeys(message for code in codes for message in script_messages(code))
    return {one if isinstance(one, str) else one[0]: _translate(one) for one in found}


def _translate(message: Message) -> str | list[str]:
    """A translation; or all its plural forms, after a digit per number from 0 that selects one."""
    if isinstance(message, str):
        return tr(message)
    by_number = [tr.form(*message, number) for number in _NUMBERS]
    forms = list(dict.fromkeys(by_number))
    *runs, (last, _) = [(form, len(list(run))) for form, run in groupby(by_number)]
    figures = "".join(str(forms.index(form)) * times for form, times in runs)
    return [f"{figures}{forms.index(last)}", *forms]


def _parse_strings(literal: str) -> str:
    """The value of a string literal in a script, or of several joined by `+`."""
    return "".join(map(_parse_string, re.findall(_STRING, literal)))


def _parse_string(piece: str) -> str:
    """The value of a string in double or single quotes, with JSON's escapes."""
    inside = piece[1:-1]
    if piece.startswith("'"):
        inside = inside.replace("\\'", "'").replace('"', '\\"')
    return str(json.loads(f'"{inside}"'))


_BEGINNING = '<!doctype html>\n<html lang="{language}" data-proof="unchecked">\n'
"""The beginning of every page, by which pbem recognises its own."""

_OWN_BEGINNING = re.compile(_BEGINNING.format(language="[a-z]+").encode())

_CSS_BLANKS = re.compile(r"/\*.*?\*/|(?<=[{};,:])\s+|\s+(?=\{)|;(?=\s*\})", re.DOTALL)
"""Comments and needless spaces in a style sheet: a quarter of it."""

BEGINNING_BYTES = 100
"""How many bytes of a file `is_own_page` needs."""

_DOCUMENT = """\
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{styles}</style>
</head>
<body>
{body}
{data}{scripts}</body>
</html>
"""


def html_file(
    title: str,
    body: str,
    *,
    scripts: Sequence[str],
    styles: Sequence[str],
    data: Mapping[str, Any],
    drawing: str = "",
    allowed: Sequence[str] = (),
) -> bytes:
    """The file: `body` is HTML; `scripts` and `styles` are files in this folder; `data` is keyed by ids.

    `drawing` is the style sheet of the drawings in it; `allowed` are further directives of the policy.
    """
    codes, style = _codes_and_style(scripts, styles, drawing)
    if "sides" in data or "proof.js" in scripts:
        data = {**data, "sides": {**data.get("sides", {}), "": unnamed("{}").spoken()}}
    policy = [
        "default-src 'none'",
        f"script-src {' '.join(map(_policy_source, codes))}",
        f"style-src {_policy_source(style)}",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        *allowed,
    ]
    return (
        _BEGINNING.format(language=spoken())
        + _DOCUMENT.format(
            policy="; ".join(policy),
            title=to_html(title),
            styles=style,
            body=body,
            data="".join(_data_script(name, value) for name, value in data.items()),
            scripts="".join(f"<script>{code}</script>\n" for code in codes),
        )
    ).encode()


def policy_sources(scripts: Sequence[str], styles: Sequence[str], drawing: str) -> tuple[list[str], str]:
    """The policy's source expressions for the scripts and style of such a page in the current language."""
    codes, style = _codes_and_style(scripts, styles, drawing)
    return list(map(_policy_source, codes)), _policy_source(style)


def _codes_and_style(scripts: Sequence[str], styles: Sequence[str], drawing: str) -> tuple[list[str], str]:
    """Everything a page runs, in order, and its style sheet."""
    codes = [_read_shipped(name) for name in scripts if name not in _GIVEN_BY_FRAME]
    style = _CSS_BLANKS.sub("", "".join(map(_read_shipped, styles)) + drawing)
    if "texts.js" in scripts:
        codes.insert(0, _version_script(style, script_translations(codes)))
    return codes, style


def is_own_page(beginning: bytes) -> bool:
    """Whether a file with this beginning is a page written by pbem, in any language."""
    return _OWN_BEGINNING.match(beginning) is not None


def to_html(words: str) -> str:
    """Any text as HTML: on one line, safe to read, and without markup of its own."""
    return escape(safe_text(words))


def _data_script(name: str, value: Any) -> str:
    """The element in which a script finds this data."""
    return f'<script type="application/json" id="{name}">{_safe_json(value)}</script>\n'


def _version_script(style: str, texts: Mapping[str, Any]) -> str:
    """The script with what all such pages of a version and language have in common.

    It contains the digest of their style sheet, and the translations for their scripts.
    """
    return f"var OWN = {_safe_json({'style': sha256(style.encode()).hexdigest(), 'texts': texts})};"


def _safe_json(value: Any) -> str:
    """The value as ASCII JSON that cannot close the script element around it."""
    encoded = json.dumps(value, separators=(",", ":"), default=str)
    for character in "<>&":  # in JSON these occur only inside strings
        encoded = encoded.replace(character, f"\\u{ord(character):04x}")
    return encoded


def _policy_source(code: str) -> str:
    """The policy's source expression, a hash, for a script or style in the page."""
    return f"'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'"


def _read_shipped(name: str) -> str:
    content = get_data("pbem.web", name)
    assert content is not None
    return content.decode()
