"""The texts of pbem and its games, in the player's language: `tr = Texts("pbem")`, then `tr("…")`.

English texts come straight from the code, and no catalogue is read. Each package holds the catalogues of its
own texts, `locale/es/LC_MESSAGES/pbem.mo`: `pbem` those of the program, a game its own, beside its `data/`. A
text without a translation appears in English.

The current language is a context variable, set for a command, a request to the board or a letter. `speak`
sets it; `speaking` sets it for a block. Code that does not know its reader makes messages instead: see
`pbem.messages`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING

from pbem.lookalikes import plain_letters

if TYPE_CHECKING:
    from datetime import date, datetime
    from gettext import NullTranslations

ENGLISH = "en"

LANGUAGES = {ENGLISH: "English", "es": "español", "it": "italiano", "de": "Deutsch"}
"""The languages to choose from, each with its own name for itself."""

TYPED = "typed"
"""The context (msgctxt) of words to be typed, in catalogues."""


_language: ContextVar[str] = ContextVar("language", default=ENGLISH)
"""The current language, a key of `LANGUAGES`."""

SIGNS = {
    ENGLISH: {",": ",", ".": ".", "%": "%"},
    "es": {",": ".", ".": ",", "%": "\u00a0%"},
    "it": {",": ".", ".": ",", "%": "%"},
    "de": {",": ".", ".": ",", "%": "\u00a0%"},
}
"""The separators and percent sign of English numbers, as each language writes them.

They come from Unicode's CLDR. A test compares them with Babel's, which is too large to import here: 36 MB,
and 150 ms at each start. So do those below.
"""

DATES = {
    ENGLISH: "{day} {month} {year}",
    "es": "{day} de {month} de {year}",
    "it": "{day} {month} {year}",
    "de": "{day}. {month} {year}",
}
"""How each language writes a date."""

TIMES = {
    ENGLISH: "{hour:02}:{minute:02}",
    "es": "{hour}:{minute:02}",
    "it": "{hour:02}:{minute:02}",
    "de": "{hour:02}:{minute:02}",
}
"""How each language writes a time of day."""

MONTHS = {
    ENGLISH: "January February March April May June July August September October November December",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
}
"""The months of each language."""

QUANTITIES = frozenset(
    {"number", "bytes", "count", "files", "found", "games", "mails", "mebibytes", "most", "nodes", "playouts"}
)
"""The places of messages whose whole numbers are quantities. `web/texts.js` has those of the pages."""


class Texts:
    """The texts of a package: `tr = Texts("pbem")`, then `tr("{title} brings no rules", title=…)`.

    A message is whole, never concatenated, and its placeholders have names, so that a translation can reorder
    them. A whole number in one of the `QUANTITIES` is written as `number` does: `1,234`. Any other names
    something, such as a hex, a port or a year, and stays as it is typed.
    """

    def __init__(self, package: str) -> None:
        self.package = package

    def __call__(self, message: str, /, **places: object) -> str:
        """The message in the player's language, with its placeholders filled."""
        if spoken() == ENGLISH:
            return _fill_places(message, message, places)
        return _fill_places(_catalogue(self.package, spoken()).gettext(message), message, places)

    def plural(self, one: str, many: str, number: int, /, **places: object) -> str:
        """A message with a number as `{number}`; a language can have several plural forms."""
        english = one if number == 1 else many
        places["number"] = number
        return _fill_places(self.form(one, many, number), english, places)

    def form(self, one: str, many: str, number: int, /) -> str:
        """The form of a message for a number, with its placeholders unfilled: a page's script fills them."""
        if spoken() == ENGLISH:
            return one if number == 1 else many
        return _catalogue(self.package, spoken()).ngettext(one, many, number)

    def sense(self, sense: str, message: str, /, **places: object) -> str:
        """A message whose English has several senses: `tr.sense("of a card", "face")`."""
        if spoken() == ENGLISH:
            return _fill_places(message, message, places)
        return _fill_places(_catalogue(self.package, spoken()).pgettext(sense, message), message, places)

    def typed(self, word: str) -> tuple[str, ...]:
        """The forms in which players can type an English word, the displayed one first.

        Empty if only the English word can be typed. A module lists such words in its `TYPED`; a catalogue
        separates the forms with `|`.
        """
        if spoken() == ENGLISH:
            return ()
        said = _catalogue(self.package, spoken()).pgettext(TYPED, word)
        return () if said == word else tuple(said.split("|"))

    def own(self, word: str) -> str:
        """An English word of orders, as shown to the player."""
        return (*self.typed(word), word)[0]

    def meant(self, word: str, words: Iterable[str]) -> str:
        """The English word that was typed, in either language; if none, the input without accents."""
        typed = plain_letters(word)
        return next((en for en in words if typed == en or typed in map(plain_letters, self.typed(en))), typed)


def spoken() -> str:
    """The current language, a key of `LANGUAGES`."""
    return _language.get()


def speak(language: str) -> None:
    """Set the current language, a key of `LANGUAGES`."""
    _language.set(language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Set the current language for a block, such as the letter to a reader of that language."""
    before = _language.set(language)
    try:
        yield
    finally:
        _language.reset(before)


def number(value: float, form: str = ",") -> str:
    """A number in one of Python's formats, as the current language writes it: `1,234.5`, `1.234,5`."""
    signs = SIGNS[spoken()]
    return "".join(signs.get(character, character) for character in format(value, form))


def percent(share: float, decimals: int = 0) -> str:
    """A share from 0 to 1 as a percentage, as the current language writes it: `63%`, `63 %`.

    The space is a no-break space; text that must be ASCII gets an ordinary one.
    """
    return number(share, f".{decimals}%")


def date_in_words(day: date) -> str:
    """A date as the language writes it: `28 November 2026`, `28 de noviembre de 2026`."""
    month = MONTHS[spoken()].split()[day.month - 1]
    return DATES[spoken()].format(day=day.day, month=month, year=day.year)


def time_in_words(moment: datetime) -> str:
    """A date with its time of day: `28 November 2026, 14:05`, followed by `UTC` if that is its zone."""
    time = TIMES[spoken()].format(hour=moment.hour, minute=moment.minute)
    zone = " UTC" if moment.tzname() == "UTC" else ""
    return f"{date_in_words(moment)}, {time}{zone}"


def _fill_places(said: str, english: str, places: Mapping[str, object]) -> str:
    if not places:  # braces are ordinary text then
        return said
    quantities = {
        name: number(value) for name in QUANTITIES & places.keys() if isinstance(value := places[name], int)
    }
    if quantities:
        places = {**places, **quantities}
    try:
        return said.format_map(places)
    except (LookupError, ValueError, AttributeError):  # a game's catalogue might have wrong placeholders
        return english.format_map(places)


@cache
def _catalogue(package: str, language: str) -> NullTranslations:
    """The catalogue of a package in a language, or one that translates nothing."""
    from gettext import GNUTranslations, NullTranslations  # under 1 ms: English needs no catalogue
    from importlib import import_module

    folder = import_module(package).__path__[0]
    try:
        with open(f"{folder}/locale/{language}/LC_MESSAGES/pbem.mo", "rb") as file:
            return GNUTranslations(file)
    except (OSError, ValueError):  # missing or unreadable
        return NullTranslations()
