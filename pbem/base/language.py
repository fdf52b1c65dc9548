"""The choice of the player's language.

It is made once for each command: `--lang`, else `PBEM_LANG`, else the line `lang: es` in `config.yaml`, else
the system's language. `pbem.texts` has the texts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.base.files import read_regular
from pbem.errors import FileError, StorageError
from pbem.texts import ENGLISH, LANGUAGES, Texts, speak

if TYPE_CHECKING:
    from pathlib import Path

tr = Texts("pbem")

OPTION, VARIABLE = "--lang", "PBEM_LANG"
"""The option and the environment variable that set the language."""

_ELSEWHERE = {
    **dict.fromkeys(("c", "posix", "english"), ENGLISH),
    "spanish": "es",
    "italian": "it",
    "german": "de",
}
"""Languages with names in forms other than `es_ES`: `C`, `Spanish_Spain`."""

_LINE = re.compile(rb"^lang:(.{0,200})", re.MULTILINE)
"""The line that names a language. A longer one cannot be a language, and would be slow to match below."""

_VALUE = re.compile(rb"""[ \t]*(["']?)(.*?)\1[ \t]*(?:[ \t]#.*)?\r?$""")


def settle(typed: str = "") -> str:
    """Set the language, from what was typed after `--lang` (empty: nothing), or else from the other sources.

    Returns a warning, in English, if the requested language is not available, else an empty text. If only the
    system is in such a language, there is no warning, and English is used.
    """
    speak(ENGLISH)
    where, wish = (OPTION, typed) if typed else (VARIABLE, os.environ.get(VARIABLE, ""))
    if not wish:
        where, wish = _language_setting()
    try:
        speak(parse_language(wish, where) if wish else _system_language(os.environ))
    except FileError as error:
        return str(error)
    return ""


def configured_language(folder: Path) -> str:
    """The value of the line `lang:` in a folder's `config.yaml`, valid or not; empty if there is none.

    Only this line is searched for: reading the whole file as YAML would take longer than everything else in a
    command that prints one line.
    """
    try:
        line = _LINE.search(read_regular(folder / "config.yaml"))
    except OSError:  # the commands that need the file report its fault
        return ""
    found = line and _VALUE.match(line[1])
    return found[2].decode("utf-8", "replace") if found else ""


def _language_setting() -> tuple[str, str]:
    """The setting in `config.yaml` that names a language, and its value; both empty without a home."""
    from pbem.base.home import home  # under 1 ms: a typed language needs no home folder

    try:
        folder = home()
    except StorageError:  # the commands that need a home report it
        return "", ""
    return f"{folder / 'config.yaml'}: lang", configured_language(folder)


def parse_language(wish: str, where: str) -> str:
    """The key of an available language, from any system's spelling: `de_DE.UTF-8`, `it-IT`.

    Raises `FileError` for another language.
    """
    if not (found := _language_of_locale(wish)):
        shown = wish if len(wish) <= 20 else f"{wish[:19]}~"
        problem = tr("pbem does not speak '{found}': use {names}", found=shown, names=", ".join(LANGUAGES))
        raise FileError(problem, where=where)
    return found


def _system_language(environment: Mapping[str, str]) -> str:
    """The language of the system's own messages: from the first POSIX variable set, or from Windows."""
    names = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    said = next(filter(None, names), "") or (_windows_locale() if os.name == "nt" else "")
    return _language_of_locale(said) or ENGLISH


def _language_of_locale(locale: str) -> str:
    """The language in a locale's name, in any case: `es`, `de_DE.UTF-8`; empty if it is not available."""
    name = re.split(r"[_.@-]", locale.strip().lower())[0]
    name = _ELSEWHERE.get(name, name)
    return name if name in LANGUAGES else ""


def _windows_locale() -> str:
    from locale import getlocale  # under 1 ms: only Windows needs it

    return getlocale()[0] or ""
