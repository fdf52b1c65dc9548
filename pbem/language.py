"""The player's language: which it is, and what the program and the games say in it.

It is settled once for each command: `--lang`, else `PBEM_LANG`, else the line `lang: es` of `config.yaml`,
else the system's. Until then, and in English, a text is said as it stands in the code: no catalogue is read.

A package's catalogues are `locale/es/LC_MESSAGES/pbem.mo` in it: the program's own in `pbem`, a game's in the
game, beside its `data/`. What has no translation is said in English.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from pbem.errors import FileError, ShelfError

if TYPE_CHECKING:
    from gettext import NullTranslations
    from pathlib import Path

ENGLISH = "en"

LANGUAGES = {ENGLISH: "English", "es": "español", "it": "italiano", "de": "Deutsch"}
"""What may be chosen, and how its readers call it."""

OPTION, VARIABLE = "--lang", "PBEM_LANG"
"""What names the language on the command line and in the environment."""

_ON_WINDOWS = {"english": ENGLISH, "spanish": "es", "italian": "it", "german": "de"}
"""What older systems call a language where others say `es_ES`: `Spanish_Spain`."""

_LINE = re.compile(rb"""^lang:[ \t]*(["']?)(.*?)\1[ \t]*(?:[ \t]#.*)?\r?$""", re.MULTILINE)


def settle(typed: str = "") -> None:
    """Settle it, by what was typed after `--lang` (nothing: not typed), or by what else says it.

    Raises `FileError` if that names none that there is, with `OPTION`, `VARIABLE` or the file as its `where`.
    What the system says is no wish: of a language that is not here, English is meant.
    """
    Texts.language = ENGLISH  # in which a wrong wish is told
    wishes = {OPTION: typed, VARIABLE: os.environ.get(VARIABLE, "")}
    where = next((place for place, wish in wishes.items() if wish), "")
    Texts.language = _known(wishes[where], where) if where else _by_settings() or _by_system(os.environ)


def configured(folder: Path) -> str:
    """What the line `lang:` says in the `config.yaml` of a folder, whatever it is; empty if none is there.

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
    return _known(wish, f"{folder / 'config.yaml'}: lang") if wish else ""


def _known(wish: str, where: str) -> str:
    if wish.lower() not in LANGUAGES:
        shown = wish if len(wish) <= 20 else f"{wish[:19]}~"
        raise FileError(f"found '{shown}', expected one of {', '.join(LANGUAGES)}", where=where)
    return wish.lower()


def _by_system(environment: Mapping[str, str]) -> str:
    """What the system's own messages are in: the first of POSIX's variables, or what Windows says."""
    names = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    said = next(filter(None, names), "") or (_windows() if os.name == "nt" else "")
    name = re.split(r"[_.@-]", said.lower())[0]
    name = _ON_WINDOWS.get(name, name)
    return name if name in LANGUAGES else ENGLISH


def _windows() -> str:
    from locale import getlocale  # here, because other systems have said it by now

    return getlocale()[0] or ""


class Texts:
    """What a package says: `tr = Texts("pbem")`, then `tr("{title} brings no rules", title=…)`.

    A message is whole, never glued of parts, and names its places, so that a translation may turn them round.
    """

    language: ClassVar[str] = ENGLISH
    """The player's, a key of `LANGUAGES`."""

    def __init__(self, package: str) -> None:
        self.package = package

    def __call__(self, message: str, /, **places: object) -> str:
        """The message in the player's language, its places filled."""
        if self.language == ENGLISH:
            return _filled(message, message, places)
        return _filled(_catalogue(self.package, self.language).gettext(message), message, places)

    def plural(self, one: str, many: str, number: int, /, **places: object) -> str:
        """The same of a message with a number, its place `{number}`; a language may have several forms."""
        english = one if number == 1 else many
        places["number"] = number
        if self.language == ENGLISH:
            return _filled(english, english, places)
        said = _catalogue(self.package, self.language).ngettext(one, many, number)
        return _filled(said, english, places)


def _filled(said: str, english: str, places: Mapping[str, object]) -> str:
    if not places:  # then braces are no places
        return said
    try:
        return said.format_map(places)
    except (LookupError, ValueError, AttributeError):  # the catalogue of another's game may name what is none
        return english.format_map(places)


@cache
def _catalogue(package: str, language: str) -> NullTranslations:
    """The catalogue that a package has in a language; one that changes nothing if it has none."""
    from gettext import GNUTranslations, NullTranslations  # here, because English needs no catalogue
    from io import BytesIO
    from pkgutil import get_data

    try:
        found = get_data(package, f"locale/{language}/LC_MESSAGES/pbem.mo")
        return GNUTranslations(BytesIO(found)) if found else NullTranslations()
    except (OSError, ValueError):  # none, or none that can be read
        return NullTranslations()
