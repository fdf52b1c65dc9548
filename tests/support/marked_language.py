"""A language that puts marks around each message: text outside the marks was not translated.

A test that uses the fixture `pseudo` (tests/conftest.py) gets it from every `tr`, of pbem and of every game.
`words_outside_marks` returns the words outside the marks; the test knows which are names.
"""

from __future__ import annotations

import io
import re
from functools import cache
from gettext import GNUTranslations
from importlib import import_module
from pathlib import Path

from babel.messages.catalog import Catalog, Message

from pbem.texts import TYPED
from support.catalogues import SourceMessage, compile_catalogue, messages

PSEUDO = "marks"
"""The name of the language, where others are `es` and so on."""

OPEN, CLOSE = "\u27e6", "\u27e7"


def words_outside_marks(said: str, *names: re.Pattern[str]) -> set[str]:
    """The words of a text outside the marks, without matches of `names`."""
    said = said.replace(f"{OPEN}'{CLOSE}", "'")  # by `quoted`
    rest = " ".join(re.sub(f"{OPEN}[^{CLOSE}]*{CLOSE}", " ", said).split())
    for pattern in reversed(names):
        rest = pattern.sub("", rest)
    return set(re.findall(r"[^\W\d]+", rest))


def mark_message(found: SourceMessage) -> Message:
    """A message between marks; the values of its placeholders are outside them."""
    if found.sense == TYPED:
        return Message(found.text, found.text, context=TYPED)
    place = r"\{\w+(?::[^{}|]*)?\}"  # a choice, as in {side:wins|win}, is part of the message's text
    said = [re.sub(place, f"{CLOSE}\\g<0>{OPEN}", f"{OPEN}{one}{CLOSE}") for one in found.forms]
    return Message(found.text, said[0] if isinstance(found.text, str) else tuple(said), context=found.sense)


@cache
def marked_catalogue(package: str) -> GNUTranslations:
    """A package's catalogue of marks, which translates everything translatable."""
    catalogue = Catalog(locale="en")
    for found in messages(Path(str(import_module(package).__file__)).parent):
        message = mark_message(found)
        catalogue.add(message.id, message.string, context=message.context)
    return GNUTranslations(io.BytesIO(compile_catalogue(catalogue)))
