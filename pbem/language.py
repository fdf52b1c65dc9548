"""The player's language.

It is settled once for each command: `--lang`, else `PBEM_LANG`, else the line `lang: es` of `config.yaml`,
else the system's. `pbem.texts` has the texts in it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.errors import FileError, ShelfError
from pbem.texts import ENGLISH, LANGUAGES, Texts, speak

if TYPE_CHECKING:
    from pathlib import Path

tr = Texts("pbem")

OPTION, VARIABLE = "--lang", "PBEM_LANG"
"""The names of the option and of the variable that set the language."""

_ON_WINDOWS = {"english": ENGLISH, "spanish": "es", "italian": "it", "german": "de"}
"""Languages by their names on older systems, where others say `es_ES`: `Spanish_Spain`."""

_LINE = re.compile(rb"""^lang:[ \t]*(["']?)(.*?)\1[ \t]*(?:[ \t]#.*)?\r?$""", re.MULTILINE)


def settle(typed: str = "") -> None:
    """Settle it, by the word typed after `--lang` (empty: not typed), or by the other sources.

    Raises `FileError` for a language that there is not, with `OPTION`, `VARIABLE` or the file as its `where`.
    The system's language is not a wish: if it is not here, English takes its place.
    """
    speak(ENGLISH)  # in which a wrong wish is told
    wishes = {OPTION: typed, VARIABLE: os.environ.get(VARIABLE, "")}
    where = next((place for place, wish in wishes.items() if wish), "")
    speak(known(wishes[where], where) if where else _by_settings() or _by_system(os.environ))


def configured(folder: Path) -> str:
    """The value of the line `lang:` in the `config.yaml` of a folder, whatever it is; empty if there is none.

    The line alone is looked for, because to read the whole file as YAML would take a command that prints one
    line longer than all the rest.
    """
    try:
        found = _LINE.search((folder / "config.yaml").read_bytes())
    except OSError:  # the commands that need the file say what is wrong with it
        return ""
    return found[2].decode("utf-8", "replace") if found else ""


def _by_settings() -> str:
    from pbem.home import home  # here, because a language that was typed needs no folder

    try:
        folder = home()
    except ShelfError:  # the commands that need it say so
        return ""
    wish = configured(folder)
    return known(wish, f"{folder / 'config.yaml'}: lang") if wish else ""


def known(wish: str, where: str) -> str:
    """A language that is here, by its key. Raises `FileError` for another."""
    if wish.lower() not in LANGUAGES:
        shown = wish if len(wish) <= 20 else f"{wish[:19]}~"
        problem = tr("found '{found}', expected one of {names}", found=shown, names=", ".join(LANGUAGES))
        raise FileError(problem, where=where)
    return wish.lower()


def _by_system(environment: Mapping[str, str]) -> str:
    """The language of the system's own messages: by the first of POSIX's variables, or by Windows."""
    names = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    said = next(filter(None, names), "") or (_windows() if os.name == "nt" else "")
    name = re.split(r"[_.@-]", said.lower())[0]
    name = _ON_WINDOWS.get(name, name)
    return name if name in LANGUAGES else ENGLISH


def _windows() -> str:
    from locale import getlocale  # here, because other systems have said it by now

    return getlocale()[0] or ""
