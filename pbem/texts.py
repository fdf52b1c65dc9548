"""The texts of the program and the games, in the player's language: `tr = Texts("pbem")`, then `tr("…")`.

In English a text is said as it stands in the code, and no catalogue is read. Another language's is in the
package that says it, `locale/es/LC_MESSAGES/pbem.mo`: the program's own in `pbem`, a game's in the game,
beside its `data/`. A text without translation is said in English.

The language is that of whoever reads just then. It belongs to the context that the surface runs in: a
command's, one request's of the board, one letter's. `speak` sets it, `speaking` does so for a while, and
nothing else remembers it. Rooms without a reader before them make messages instead: see `pbem.messages`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING

from pbem.lookalikes import plain

if TYPE_CHECKING:
    from gettext import NullTranslations

ENGLISH = "en"

LANGUAGES = {ENGLISH: "English", "es": "español", "it": "italiano", "de": "Deutsch"}
"""The languages to choose from, each by its readers' name for it."""

TYPED = "typed"
"""The sense of words that players type, as catalogues have it."""


_language: ContextVar[str] = ContextVar("language", default=ENGLISH)
"""The language of whoever reads in this context, a key of `LANGUAGES`."""

_MARKS = str.maketrans(",.", ".,")
"""From the marks of English numbers to those of all others here."""


class Texts:
    """The texts of a package: `tr = Texts("pbem")`, then `tr("{title} brings no rules", title=…)`.

    A message is whole, never glued from parts, and names its places, so that a translation may reorder them.
    """

    def __init__(self, package: str) -> None:
        self.package = package

    def __call__(self, message: str, /, **places: object) -> str:
        """The message in the player's language, its places filled."""
        if spoken() == ENGLISH:
            return _filled(message, message, places)
        return _filled(_catalogue(self.package, spoken()).gettext(message), message, places)

    def plural(self, one: str, many: str, number: int, /, **places: object) -> str:
        """A message with a number, its place `{number}`; a language may have several forms."""
        english = one if number == 1 else many
        places["number"] = number
        return _filled(self.form(one, many, number), english, places)

    def form(self, one: str, many: str, number: int, /) -> str:
        """The form of a message that goes with a number, its places unfilled: a script fills them."""
        if spoken() == ENGLISH:
            return one if number == 1 else many
        return _catalogue(self.package, spoken()).ngettext(one, many, number)

    def sense(self, sense: str, message: str, /, **places: object) -> str:
        """A message that English uses in several senses: `tr.sense("of a card", "face")`."""
        if spoken() == ENGLISH:
            return _filled(message, message, places)
        return _filled(_catalogue(self.package, spoken()).pgettext(sense, message), message, places)

    def typed(self, word: str) -> tuple[str, ...]:
        """The forms in which the player may type an English word, the one shown first. Empty: the word alone.

        The words that a module reads or writes so are listed in its `TYPED`; a catalogue separates them by
        `|`.
        """
        if spoken() == ENGLISH:
            return ()
        said = _catalogue(self.package, spoken()).pgettext(TYPED, word)
        return () if said == word else tuple(said.split("|"))

    def own(self, word: str) -> str:
        """An English word of orders, as shown to the player."""
        return (*self.typed(word), word)[0]

    def meant(self, word: str, words: Iterable[str]) -> str:
        """The one of these English words that was typed, in either language; else what was typed, plain."""
        typed = plain(word)
        return next((one for one in words if typed == one or typed in map(plain, self.typed(one))), typed)


def spoken() -> str:
    """The language of whoever reads just now, a key of `LANGUAGES`."""
    return _language.get()


def speak(language: str) -> None:
    """Say everything in that language, a key of `LANGUAGES`, from now on."""
    _language.set(language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say everything within in that language, a key of `LANGUAGES`: a letter is written in its reader's."""
    before = _language.set(language)
    try:
        yield
    finally:
        _language.reset(before)


def number(value: float, form: str = ",") -> str:
    """A number as the player's language writes it, in a format of Python's: `1,234.5`, `1.234,5`."""
    said = format(value, form)
    return said if spoken() == ENGLISH else said.translate(_MARKS)


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
    from importlib import import_module

    folder = import_module(package).__path__[0]
    try:
        with open(f"{folder}/locale/{language}/LC_MESSAGES/pbem.mo", "rb") as file:
            return GNUTranslations(file)
    except (OSError, ValueError):  # none, or none that can be read
        return NullTranslations()
