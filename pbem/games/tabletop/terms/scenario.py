"""T2, T3: the scenario file, with two sides, dice, decks and tracks; and how many draws a game can need."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from pbem.base import validation
from pbem.core import shape
from pbem.core.requests import Plain
from pbem.core.scenarios import Scenarios
from pbem.core.shape import Problem
from pbem.core.sides import Side, unnamed
from pbem.errors import FileError
from pbem.lookalikes import plain_letters
from pbem.messages import Messages, Said

tr = Messages("pbem.games.tabletop")

PACKAGE = "pbem.games.tabletop"

SEATS = FIRST, SECOND = "first", "second"

EDITIONS: Mapping[str, Mapping[str, Plain]] = {"standard": {"exchanges": 2000}}

MOST_EXCHANGES = 30_000
"""T9: the most exchanges; at two beats each, they stay below the limit of FORMAT 4."""

MOST_CARDS = 500
"""T3: the most cards in a deck."""

MOST_DECKS = 8
MOST_TRACKS = 24
MOST_KINDS = 12
"""T2: the most decks, tracks or kinds of dice in a scenario."""

MOST_FACES = 100
"""T2: the most faces of a scenario's own die."""

MOST_NAME = 30
"""T2: the most characters in the name of a side, a track or a face."""

MOST_TEXT = 200
"""T4: the most characters in a text in orders, and in the name of a card."""

Face = int | str

_CARD = re.compile(r"(?:([1-9][0-9]?) +)?(\S.*)")
_RESERVED_DICE = re.compile(r"d[0-9%]*")
_RESERVED_TRACKS = ("game", "scenario", "commanders", "next")
"""The other keys at the head of a game file, which tracks must not have."""


class DeckText(shape.Struct, frozen=True, kw_only=True):
    """A deck: its cards, one per line, and its owner if only they see what they draw."""

    cards: str
    owner: shape.Line | None = None


class Scenario(shape.Struct, frozen=True, kw_only=True):
    """A whole scenario file."""

    name: shape.Name
    title: shape.Line
    sides: tuple[shape.Line, shape.Line]
    dice: dict[shape.Name, tuple[int | shape.Line, ...]] = field(default_factory=dict)
    decks: dict[shape.Name, DeckText] = field(default_factory=dict)
    tracks: dict[shape.Line, int] = field(default_factory=dict)


class Pack(Struct, frozen=True):
    """A deck in the scenario: its owner's seat, None for an open deck, and its cards in order."""

    owner: str | None
    cards: tuple[str, ...]


class Setting(Struct, frozen=True):
    """What never changes during a game: its sides, dice, decks and tracks."""

    title: str
    sides: tuple[str, str]
    dice: Mapping[str, tuple[Face, ...]]
    packs: Mapping[str, Pack]
    tracks: Mapping[str, int]
    exchanges: int

    def side(self, seat: str) -> str:
        """The name of a seat's side."""
        return self.sides[SEATS.index(seat)]

    def seat(self, side: str) -> str:
        """The seat of a side by its name."""
        return SEATS[self.sides.index(side)]

    def own_decks(self, seat: str) -> list[str]:
        """The names of the decks a seat owns."""
        return [name for name, pack in self.packs.items() if pack.owner == seat]


class Options(shape.Struct, frozen=True, kw_only=True):
    """The options: the most exchanges with dice or cards (T9)."""

    exchanges: int


def other_seat(seat: str) -> str:
    """The opponent's seat."""
    return SECOND if seat == FIRST else FIRST


def cards_of(text: str) -> Iterator[str]:
    """T3: the cards of a deck, one per line, with a number before those that occur several times."""
    for line in text.splitlines():
        if found := _CARD.fullmatch(" ".join(line.split())):
            yield from [found[2]] * int(found[1] or 1)


def is_plain_text(value: Plain, most: int = MOST_TEXT) -> bool:
    """T4: whether a text is allowed in the journal, on one line between quotation marks."""
    return (
        isinstance(value, str)
        and 0 < len(value) <= most
        and value.isprintable()
        and value == " ".join(value.split())
        and not set(value) & set('"\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02')
    )


def _problems(scenario: Scenario) -> Iterator[Problem]:
    """T2, T3: the faults of a scenario of the right shape."""
    name = tr("a text of 1 to {most} printable characters without quotation marks", most=MOST_NAME)
    yield from _count_problems("dice", scenario.dice, MOST_KINDS)
    yield from _count_problems("decks", scenario.decks, MOST_DECKS)
    yield from _count_problems("tracks", scenario.tracks, MOST_TRACKS)
    if not is_plain_text(scenario.title, 60):
        yield "scenario.title", tr("must be one line of printable characters without quotation marks")
    for n, side in enumerate(scenario.sides):
        if not is_plain_text(side, MOST_NAME):
            yield f"scenario.sides[{n}]", tr("must be {what}", what=name)
    one, two = scenario.sides
    if plain_letters(one) == plain_letters(two):
        yield "scenario.sides", tr("must be two different names")
    for word in ("draw", *SEATS):
        if word in (one.casefold(), two.casefold()):
            yield (
                "scenario.sides",
                tr("'{word}' means something else in orders: choose another name", word=word),
            )
    if len(set(map(plain_letters, scenario.tracks))) < len(scenario.tracks):
        yield "scenario.tracks", tr("must have names that differ in more than capitals and accents")
    for track, value in scenario.tracks.items():
        if not is_plain_text(track, MOST_NAME) or track[0].isdigit() or track.casefold() in _RESERVED_TRACKS:
            yield f"scenario.tracks.{track}", tr("choose another name for this track")
        if not -9999 <= value <= 9999:
            yield f"scenario.tracks.{track}", tr("must be a number from -9999 to 9999")
    for kind, faces in scenario.dice.items():
        if _RESERVED_DICE.fullmatch(kind):
            yield f"scenario.dice.{kind}", tr("{kind} already exists: choose another name", kind=kind)
        if not 2 <= len(faces) <= MOST_FACES:
            yield f"scenario.dice.{kind}", tr("must have 2 to {most} faces", most=MOST_FACES)
        for n, face in enumerate(faces):
            if isinstance(face, str) and not is_plain_text(face, MOST_NAME):
                yield f"scenario.dice.{kind}[{n}]", tr("must be {what}", what=name)
            elif isinstance(face, int) and not -9999 <= face <= 9999:
                yield f"scenario.dice.{kind}[{n}]", tr("must be a number from -9999 to 9999")
    for deck, text in scenario.decks.items():
        yield from _deck_problems(f"scenario.decks.{deck}", text, scenario.sides)


def _count_problems(kind: str, things: Mapping[str, object], most: int) -> Iterator[Problem]:
    if len(things) > most:
        yield f"scenario.{kind}", tr("{number} are too many: at most {most}", number=len(things), most=most)


def _deck_problems(path: str, text: DeckText, sides: tuple[str, str]) -> Iterator[Problem]:
    if text.owner is not None and text.owner not in sides:
        names = " / ".join(sides)
        yield f"{path}.owner", tr("must be one of the two sides: {names}", names=names)
    number = 0
    for line, card in enumerate(text.cards.splitlines(), 1):
        for name in cards_of(card):
            number += 1
            if name.startswith("#") or not is_plain_text(name, MOST_NAME * 2):
                problem: Said = tr(
                    "line {line}: a card is 1 to {most} printable characters without quotation marks, "
                    "and does not begin with #",
                    line=line,
                    most=MOST_NAME * 2,
                )
                yield f"{path}.cards", problem
                break
        if number > MOST_CARDS:
            break
    if not 1 <= number <= MOST_CARDS:
        yield f"{path}.cards", tr("must have 1 to {most} cards, one per line", most=MOST_CARDS)


SCENARIOS = Scenarios(PACKAGE, ("dice", "cards", "chits"), Scenario, _problems)


def named_sides(data: Plain) -> Mapping[str, Side]:
    """T2: the sides as the scenario names them."""
    return dict(zip(SEATS, map(unnamed, SCENARIOS.read(data).sides), strict=True))


def read_setting(options: Mapping[str, Plain], data: Plain) -> Setting:
    """Options and scenario, checked. Raises `FileError` with the path of the first fault."""
    scenario = SCENARIOS.read(data)
    SCENARIOS.look(scenario)
    packs = {}
    for name, text in scenario.decks.items():
        owner = None if text.owner is None else SEATS[scenario.sides.index(text.owner)]
        packs[name] = Pack(owner, tuple(cards_of(text.cards)))
    exchanges = _exchanges(options)
    return Setting(scenario.title, scenario.sides, scenario.dice, packs, scenario.tracks, exchanges)


def beats(options: Mapping[str, Plain], data: Plain) -> int:
    """T9: twice the answers that can lead to chance (FORMAT 4). Raises `FileError` for invalid options."""
    return 2 * _exchanges(options)


def _exchanges(options: Mapping[str, Plain]) -> int:
    number = validation.convert(options, Options, "options").exchanges
    if not 1 <= number <= MOST_EXCHANGES:
        problem = tr("must be a number from 1 to {most}", most=MOST_EXCHANGES)
        raise FileError(problem, where="options.exchanges")
    return number
