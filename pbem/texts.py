"""What the program and the games say, in the player's language: `tr = Texts("pbem")`, then `tr("…")`.

In English a text is said as it stands in the code, and no catalogue is read. Another language's is in the
package that says it, `locale/es/LC_MESSAGES/pbem.mo`: the program's own in `pbem`, a game's in the game,
beside its `data/`. What has no translation is said in English.

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

from pbem.names import plain

if TYPE_CHECKING:
    from gettext import NullTranslations

ENGLISH = "en"

LANGUAGES = {ENGLISH: "English", "es": "español", "it": "italiano", "de": "Deutsch"}
"""What may be chosen, and how its readers call it."""

TYPED = "typed"
"""The sense of words that players type, as catalogues have it."""


_language: ContextVar[str] = ContextVar("language", default=ENGLISH)
"""The language of whoever reads in this context, a key of `LANGUAGES`."""

_MARKS = str.maketrans(",.", ".,")
"""From the marks of English numbers to those of all others here."""


class Texts:
    """What a package says: `tr = Texts("pbem")`, then `tr("{title} brings no rules", title=…)`.

    A message is whole, never glued of parts, and names its places, so that a translation may turn them round.
    """

    def __init__(self, package: str) -> None:
        self.package = package

    def __call__(self, message: str, /, **places: object) -> str:
        """The message in the player's language, its places filled."""
        if spoken() == ENGLISH:
            return _filled(message, message, places)
        return _filled(_catalogue(self.package, spoken()).gettext(message), message, places)

    def plural(self, one: str, many: str, number: int, /, **places: object) -> str:
        """A message with a number in the player's language, its place `{number}`; a language may have several forms."""
        english = one if number == 1 else many
        places["number"] = number
        return _filled(self.form(one, many, number), english, places)

    def form(self, one: str, many: str, number: int, /) -> str:
        """The form of a message that goes with a number, its places unfilled: a script fills them."""
        if spoken() == ENGLISH:
            return one if number == 1 else many
        return _catalogue(self.package, spoken()).ngettext(one, many, number)

    def sense(self, sense: str, message: str, /, **places: object) -> str:
        """A message that English uses in several senses, in the player's language: `tr.sense("of a card", "face")`."""
        if spoken() == ENGLISH:
            return _filled(message, message, places)
        return _filled(_catalogue(self.package, spoken()).pgettext(sense, message), message, places)

    def typed(self, word: str) -> tuple[str, ...]:
        """How the player may type an English word in his language, as it is shown first. Empty: as it is.

        The words that a module reads or writes so are listed in its `TYPED`; a catalogue parts them by `|`.
        """
        if spoken() == ENGLISH:
            return ()
        said = _catalogue(self.package, spoken()).pgettext(TYPED, word)
        return () if said == word else tuple(said.split("|"))

    def own(self, word: str) -> str:
        """An English word that is typed, as the player is shown it."""
        return (*self.typed(word), word)[0]

    def meant(self, word: str, words: Iterable[str]) -> str:
        """Which of these English words is typed, in English or in the player's language; else that, plain."""
        typed = plain(word)
        return next((one for one in words if typed == one or typed in map(plain, self.typed(one))), typed)


def spoken() -> str:
    """The language of whoever reads just now, a key of `LANGUAGES`."""
    return _language.get()


def speak(language: str) -> None:
    """From now on all is said in that language, a key of `LANGUAGES`."""
    _language.set(language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Within, all is said in that language, a key of `LANGUAGES`: a letter is written in its reader's."""
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
