"""The player's language.

It is settled once for each command: `--lang`, else `PBEM_LANG`, else the line `lang: es` of `config.yaml`,
else the system's. `pbem.texts` has the texts in it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.base.files import read_regular
from pbem.errors import FileError, ShelfError
from pbem.texts import ENGLISH, LANGUAGES, Texts, speak

if TYPE_CHECKING:
    from pathlib import Path

tr = Texts("pbem")

OPTION, VARIABLE = "--lang", "PBEM_LANG"
"""The names of the option and of the variable that set the language."""

_ELSEWHERE = {
    **dict.fromkeys(("c", "posix", "english"), ENGLISH),
    "spanish": "es",
    "italian": "it",
    "german": "de",
}
"""Languages by their names where others say `es_ES`: `C`, `Spanish_Spain`."""

_LINE = re.compile(rb"^lang:(.{0,200})", re.MULTILINE)
"""The line that names a language; what is longer is none, and would take the pattern below too long."""

_VALUE = re.compile(rb"""[ \t]*(["']?)(.*?)\1[ \t]*(?:[ \t]#.*)?\r?$""")


def settle(typed: str = "") -> str:
    """Settle it, by what was typed after `--lang` (nothing: not typed), or by what else says it.

    Returns a line that tells of a wish for a language that is not here: English is spoken then. Empty where
    all is well. What the system says is no wish: of a language that is not here, English is meant.
    """
    speak(ENGLISH)
    where, wish = (OPTION, typed) if typed else (VARIABLE, os.environ.get(VARIABLE, ""))
    if not wish:
        where, wish = _by_settings()
    try:
        speak(known(wish, where) if wish else _by_system(os.environ))
    except FileError as error:
        return str(error)
    return ""


def configured(folder: Path) -> str:
    """The value of the line `lang:` in the `config.yaml` of a folder, whatever it is; empty if there is none.

    The line alone is looked for, because to read the whole file as YAML would take a command that prints one
    line longer than all the rest.
    """
    try:
        line = _LINE.search(read_regular(folder / "config.yaml"))
    except OSError:  # the commands that need the file say what is wrong with it
        return ""
    found = line and _VALUE.match(line[1])
    return found[2].decode("utf-8", "replace") if found else ""


def _by_settings() -> tuple[str, str]:
    """The place in `config.yaml` that names a language, and what it says, if it says any."""
    from pbem.base.home import home  # here, because a language that was typed needs no folder

    try:
        folder = home()
    except ShelfError:  # the commands that need it say so
        return "", ""
    return f"{folder / 'config.yaml'}: lang", configured(folder)


def known(wish: str, where: str) -> str:
    """A language that is here, by its key, however a system would write it: `de_DE.UTF-8`, `it-IT`.

    Raises `FileError` for another.
    """
    if not (found := _named(wish)):
        shown = wish if len(wish) <= 20 else f"{wish[:19]}~"
        problem = tr(
            "'{found}' is not a language of pbem: use {names}", found=shown, names=", ".join(LANGUAGES)
        )
        raise FileError(problem, where=where)
    return found


def _by_system(environment: Mapping[str, str]) -> str:
    """The language of the system's own messages: by the first of POSIX's variables, or by Windows."""
    names = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    said = next(filter(None, names), "") or (_windows() if os.name == "nt" else "")
    return _named(said) or ENGLISH


def _named(locale: str) -> str:
    """The language of a locale's name, in any case: `es`, `de_DE.UTF-8`, `it-IT`; empty if it is not here."""
    name = re.split(r"[_.@-]", locale.strip().lower())[0]
    name = _ELSEWHERE.get(name, name)
    return name if name in LANGUAGES else ""


def _windows() -> str:
    from locale import getlocale  # here, because other systems have said it by now

    return getlocale()[0] or ""
