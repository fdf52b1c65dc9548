"""The scenario of an offer: shipped with the rules, or the offerer's own, as every display points out.

An own scenario comes from a stranger. Its name must not look like a shipped one's, and its description is
ASCII and short; docs/decisions/0010-own-scenarios.md says why.
"""

from __future__ import annotations

from unicodedata import category, normalize

from msgspec import Struct

from pbem.base.validation import quote_value
from pbem.core.requests import Plain
from pbem.core.rules import Rules
from pbem.core.scenario_changes import Change, nearest
from pbem.core.sides import Side
from pbem.errors import FileError
from pbem.format.canonical import digest
from pbem.format.entries import Offer
from pbem.messages import Messages, Said, row
from pbem.umpire.game_state import Game

tr = Messages("pbem")

MAX_SHOWN_CHANGES = 2
"""The number of changes in the short description; `pbem scenario compare` lists all."""

_LOOKS = {"d": ("cl",), "i": ("1", "l", "|"), "l": ("1", "i", "|"), "m": ("rn",), "o": ("0",), "w": ("vv",)}
"""The texts that can be mistaken for a letter."""

_ANY = "\uffff"
"""Stands for a character outside ASCII, which might look like any letter."""

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789|")
"""What counts as a letter in ASCII; everything else is spaces and punctuation."""

_BLANK = "\u115f\u1160\u2800"
"""Invisible characters that Unicode calls letters or symbols: Hangul fillers, the empty Braille pattern."""


class OwnScenario(Struct, frozen=True):
    """The offerer's own scenario: its name, the offerer's seat and side, and its changes from a shipped one.

    `resembles` is empty in a game whose players usually make their own (`Rules.compares_scenarios`).
    """

    name: str
    by: str
    side: Side
    resembles: str
    changes: tuple[Change, ...]

    @property
    def heading(self) -> Said:
        """Owner, name and the most similar shipped one: `supplied by the Germans, "own"; compared with …`."""
        if not self.resembles:
            return tr("supplied by {side}, {name}", side=self.side, name=quote_value(self.name))
        return tr(
            "supplied by {side}, {name}; compared with {shipped}",
            side=self.side,
            name=quote_value(self.name),
            shipped=self.resembles,
        )

    @property
    def text(self) -> Said:
        """The heading and the largest changes, in ASCII: `…: 2SS-A full 6-3, here 20-20; 7 more: …`."""
        if not self.resembles:
            return self.heading
        parts = [change.words() for change in self.changes[:MAX_SHOWN_CHANGES]] or [tr("no value differs")]
        more = len(self.changes) - len(parts)
        if more > 0:
            parts.append(
                tr.plural(
                    "{number} more: pbem scenario compare FILE",
                    "{number} more: pbem scenario compare FILE",
                    more,
                )
            )
        return row((self.heading, row(parts, "; ")), ": ")


def own_scenario(game: Game) -> OwnScenario | None:
    """The offerer's own scenario, or None if the scenario ships with the rules."""
    offer, rules = game.offer, game.rules
    if offer.scenario.data is None:
        return None
    side = rules.side(offer.by)
    if not rules.compares_scenarios:
        return OwnScenario(offer.scenario.name, offer.by, side, "", ())
    shipped = {name: rules.scenarios.data(name) for name in rules.scenarios.names}
    resembles, changes = nearest(shipped, offer.scenario.data)
    return OwnScenario(offer.scenario.name, offer.by, side, resembles, tuple(changes))


def agreed_data(offer: Offer, rules: Rules) -> Plain:
    """The data of the offered scenario, shipped or own. Raises `FileError` if it violates FORMAT 4."""
    name, data = offer.scenario.name, offer.scenario.data
    ships = name in rules.scenarios.names
    if not ships and data is None:
        problem = tr(
            "the data are missing: '{name}' does not ship with {rules}", name=name, rules=offer.rules
        )
        raise FileError(problem, where="log[0].scenario")
    agreed = rules.scenarios.data(name) if ships else data
    if digest(agreed) != offer.scenario.sha256:
        problem = tr(
            "must be {digest}, the digest of '{name}', not {found}",
            found=offer.scenario.sha256,
            digest=digest(agreed),
            name=name,
        )
        raise FileError(problem, where="log[0].scenario.sha256")
    if ships and data is not None:
        problem = tr("data are not allowed here: '{name}' ships with {rules}", name=name, rules=offer.rules)
        raise FileError(problem, where="log[0].scenario.data")
    if not ships and (mistakable := _name_fault(name, rules)):
        raise FileError(mistakable, where="log[0].scenario.name")
    return agreed


def scenario_faults(data: Plain, rules: Rules) -> list[Said]:
    """All faults that prevent a player from offering this scenario, shipped or own, each with its path."""
    if wrong := rules.scenarios.check(data):
        return wrong
    name = data.get("name")
    if not isinstance(name, str):
        problem = tr("must be {what}, not {found}", found=quote_value(name), what=tr("a text"))
        return [row(("scenario.name", problem), ": ")]
    if name in rules.scenarios.names and data == rules.scenarios.data(name):
        return []
    mistakable = _name_fault(name, rules)
    return [row(("scenario.name", mistakable), ": ")] if mistakable else []


def _name_fault(name: str, rules: Rules) -> Said:
    """The fault of an own scenario's name that looks like a shipped one's, or an empty text."""
    for shipped in rules.scenarios.names:
        if looks_like(name, shipped):
            return tr(
                "{found} looks like '{name}', a scenario of the game itself: choose another name",
                found=quote_value(name),
                name=shipped,
            )
    return ""


def looks_like(name: str, shipped: str) -> bool:
    """Whether a careless reader could mistake a name for a shipped one, which is ASCII.

    Ignores case, spaces, punctuation, accents and invisible characters; a character outside ASCII might look
    like any letter. A name without any ASCII is in another alphabet, and cannot be mistaken.
    """
    seen = "".join(map(_visible_form, normalize("NFKD", normalize("NFKD", name).casefold())))
    ends = {_skip_blanks(seen, 0)}  # a set of ends: a regular expression could backtrack exponentially
    for letter in filter(str.isalnum, shipped.casefold()):
        looks = (letter, *_LOOKS.get(letter, ()))
        read = (end + len(look) for end in ends for look in looks if _may_read(seen, end, look))
        ends = {_skip_blanks(seen, end) for end in read}
    return any(map(str.isascii, seen)) and len(seen) in ends


def _skip_blanks(seen: str, at: int) -> int:
    """The place of the next letter, after spaces and punctuation."""
    while at < len(seen) and not (seen[at] in _LETTERS or seen[at] == _ANY):
        at += 1
    return at


def _may_read(seen: str, at: int, look: str) -> bool:
    """Whether a reader could see these letters at a place."""
    there = seen[at : at + len(look)]
    return len(there) == len(look) and all(
        char in (letter, _ANY) for char, letter in zip(there, look, strict=True)
    )


def _visible_form(character: str) -> str:
    """A character as a reader sees it: itself if it is ASCII, else possibly any letter, or nothing."""
    if character.isascii():
        return character
    kind = category(character)
    unseen = kind[0] in "MPZ" or kind == "Cf" or character in _BLANK
    return "" if unseen else _ANY
