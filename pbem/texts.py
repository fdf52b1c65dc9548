"""What the program and the games say, in the player's language: `tr = Texts("pbem")`, then `tr("…")`.

In English a text is said as it stands in the code, and no catalogue is read. Another language's is in the
package that says it, `locale/es/LC_MESSAGES/pbem.mo`: the program's own in `pbem`, a game's in the game,
beside its `data/`. What has no translation is said in English. `pbem.language` settles which language it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from gettext import NullTranslations

ENGLISH = "en"

LANGUAGES = {ENGLISH: "English", "es": "español", "it": "italiano", "de": "Deutsch"}
"""What may be chosen, and how its readers call it."""

TYPED = "typed"
"""The sense of words that players type, as catalogues have it."""


_MARKS = str.maketrans(",.", ".,")
"""From the marks of English numbers to those of all others here."""


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
        return _filled(self.form(one, many, number), english, places)

    def form(self, one: str, many: str, number: int, /) -> str:
        """The form of a message that goes with a number, its places unfilled: a script fills them."""
        if self.language == ENGLISH:
            return one if number == 1 else many
        return _catalogue(self.package, self.language).ngettext(one, many, number)

    def sense(self, sense: str, message: str, /, **places: object) -> str:
        """The same of a message that English uses in several senses: `tr.sense("of a card", "face")`."""
        if self.language == ENGLISH:
            return _filled(message, message, places)
        return _filled(_catalogue(self.package, self.language).pgettext(sense, message), message, places)

    def typed(self, word: str) -> tuple[str, ...]:
        """How the player may type an English word in his language, as it is shown first. Empty: as it is.

        The words that a module reads or writes so are listed in its `TYPED`; a catalogue parts them by `|`.
        """
        if self.language == ENGLISH:
            return ()
        said = _catalogue(self.package, self.language).pgettext(TYPED, word)
        return () if said == word else tuple(said.split("|"))

    def own(self, word: str) -> str:
        """An English word that is typed, as the player is shown it."""
        return (*self.typed(word), word)[0]

    def meant(self, word: str, words: Iterable[str]) -> str:
        """Which of these English words is typed, in English or in the player's language; else that, plain."""
        typed = plain(word)
        return next((one for one in words if typed == one or typed in map(plain, self.typed(one))), typed)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Within, all is said in that language, a key of `LANGUAGES`: a letter is written in its reader's."""
    before, Texts.language = Texts.language, language
    try:
        yield
    finally:
        Texts.language = before


def number(value: float, form: str = ",") -> str:
    """A number as the player's language writes it, in a format of Python's: `1,234.5`, `1.234,5`."""
    said = format(value, form)
    return said if Texts.language == ENGLISH else said.translate(_MARKS)


def plain(word: str) -> str:
    """A word as it is compared with what is typed: in small letters, and without their accents."""
    if word.isascii():
        return word.lower()
    from unicodedata import combining, normalize  # here, because English has no accents

    return "".join(letter for letter in normalize("NFKD", word.casefold()) if not combining(letter))


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
