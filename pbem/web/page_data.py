"""The type of a function that a page can call, and answers that lobby and board share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import Struct

from pbem.errors import VerificationError
from pbem.render.safe_text import safe_text
from pbem.umpire.verify import steps

MAX_REQUEST_BYTES = 1 << 16
"""The most bytes of most requests; a set-up of every counter takes two thousand."""

S = TypeVar("S")
R = TypeVar("R", bound=Struct)


class PageFunction(Struct, frozen=True):
    """A function that a page can call: the type of its request, its implementation, and its most bytes."""

    request: type[Struct]
    answer: Callable[[Any, Any], Any]
    most_bytes: int


def page_function(
    request: type[R], answer: Callable[[S, R], Any], most_bytes: int = MAX_REQUEST_BYTES
) -> PageFunction:
    """The page function implemented by `answer`, a method that takes this request."""
    return PageFunction(request, answer, most_bytes)


class NoRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request with nothing but its name."""


class FileToSave(Struct, frozen=True):
    """A file for the player to save from the page: its name, and its bytes in base64."""

    name: str
    data: str


class Check(Struct, frozen=True):
    """One of the ten checks of a game, and whether it passes."""

    words: str
    holds: bool


class Told(Struct, frozen=True):
    """Sentences that describe the result."""

    told: list[str]


class Verified(Struct, frozen=True):
    """The ten checks of the player's file, up to the first that fails, and what is wrong there."""

    checks: list[Check]
    failure: list[str]


def failed_checks(error: VerificationError) -> tuple[list[Check], list[str]]:
    """The checks of a game up to the one that fails, and what is wrong."""
    every = steps()
    place = "" if error.entry is None else f"log[{error.entry}]: "
    said = (str(words) for words in (error.told, f"{place}{error.problem}", error.hint) if words)
    holding = [Check(str(step), True) for step in every[: error.step - 1]]
    return [*holding, Check(str(every[error.step - 1]), False)], list(map(safe_text, said))
