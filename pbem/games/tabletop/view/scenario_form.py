"""T2, T3: the form for a scenario: title, sides, tracks, dice and decks, each as people write them down."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from unicodedata import normalize

from pbem.core.requests import Plain
from pbem.core.scenario_form import FieldProblem, FormField
from pbem.games.tabletop.terms.scenario import MOST_DECKS
from pbem.messages import Messages
from pbem.texts import Texts

tr = Texts("pbem.games.tabletop")
say = Messages("pbem.games.tabletop")

OWNERS = ("", "1", "2")
"""Who sees what is drawn from a deck: both sides, or only the side with that number."""


def fields() -> list[FormField]:
    """The fields, in the player's language."""
    owners = (
        ("", tr("both sides see the cards drawn")),
        ("1", tr("only the first side sees its cards")),
        ("2", tr("only the second side sees its cards")),
    )
    found = [
        FormField("title", tr("The game"), example="Verdun 1916"),
        FormField("side1", tr("The first side"), example=tr("Allies")),
        FormField("side2", tr("The second side"), example=tr("Axis")),
        FormField("tracks", tr("Tracks, one per line"), "lines", example="turn 1\nVP 0"),
        FormField(
            "dice", tr("Special dice, one kind per line"), "lines", example="battle: hit, hit, flag, miss"
        ),
    ]
    for number in range(1, MOST_DECKS + 1):
        deck = f"deck{number}"
        found += [
            FormField(f"{deck}.name", tr("Deck or cup {number}", number=number), example="cup", group=deck),
            FormField(f"{deck}.owner", tr("Who sees them"), "choice", group=deck, choices=owners),
            FormField(
                f"{deck}.cards",
                tr("Its cards, one per line; start a line with a number for several copies"),
                "lines",
                example="2 Reinforcements\nSpy ring",
                group=deck,
            ),
        ]
    return found


def fill(data: Plain) -> dict[str, str]:
    """A scenario as the texts of the fields."""
    one, two = data["sides"]
    found = {"title": data["title"], "side1": one, "side2": two}
    found["tracks"] = "\n".join(f"{name} {value}" for name, value in data.get("tracks", {}).items())
    found["dice"] = "\n".join(
        f"{kind}: {', '.join(map(str, faces))}" for kind, faces in data.get("dice", {}).items()
    )
    for number, (name, deck) in enumerate(data.get("decks", {}).items(), 1):
        owner = deck.get("owner")
        found[f"deck{number}.name"] = name
        found[f"deck{number}.owner"] = "" if owner is None else str(1 + data["sides"].index(owner))
        found[f"deck{number}.cards"] = deck["cards"]
    return found


def read(texts: Mapping[str, str]) -> tuple[Plain, Sequence[FieldProblem]]:
    """The scenario that the texts describe, with the faults of those that cannot be read."""
    problems: list[FieldProblem] = []
    title, *sides = (" ".join(texts.get(name, "").split()) for name in ("title", "side1", "side2"))
    data: dict[str, Plain] = {"name": as_name(title) or "table", "title": title, "sides": sides}
    for name, parsed in (("tracks", _read_tracks(texts, problems)), ("dice", _read_dice(texts, problems))):
        if parsed:
            data[name] = parsed
    if decks := _read_decks(texts, sides, problems):
        data["decks"] = decks
    return data, problems


def field_of(path: str, texts: Mapping[str, str]) -> str:
    """The field that contains a fault, from the fault's path."""
    rest = path.removeprefix("scenario.")
    for begins, field in (("sides[1]", "side2"), ("sides", "side1"), ("tracks", "tracks"), ("dice", "dice")):
        if rest.startswith(begins):
            return field
    if rest.startswith("decks."):
        name, _, part = rest.removeprefix("decks.").partition(".")
        numbers = (n for n in range(1, MOST_DECKS + 1) if as_name(texts.get(f"deck{n}.name", "")) == name)
        return f"deck{next(numbers, 1)}.{part or 'name'}"
    return "title"


def as_name(text: str) -> str:
    """A text as a name of small letters, digits and hyphens that begins with a letter, or an empty text."""
    plain = normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).lstrip("-0123456789")[:32].strip("-")


def _lines(texts: Mapping[str, str], field: str) -> Iterator[str]:
    yield from filter(None, (" ".join(line.split()) for line in texts.get(field, "").splitlines()))


def _read_tracks(texts: Mapping[str, str], problems: list[FieldProblem]) -> dict[str, int]:
    """Tracks with their values, such as `VP 10`; without a number a track begins at 0."""
    found: dict[str, int] = {}
    for line in _lines(texts, "tracks"):
        parts = re.fullmatch(r"(.*?)[\s:=]*([+-]?[0-9]{1,5})?", line)
        assert parts is not None
        name, value = parts[1], int(parts[2] or 0)
        if not name or name in found:
            problems.append(("tracks", say("'{line}' needs a name of its own before its number", line=line)))
        else:
            found[name] = value
    return found


def _read_dice(texts: Mapping[str, str], problems: list[FieldProblem]) -> dict[str, list[Plain]]:
    """Kinds of dice with their faces, numbers or words, such as `battle: hit, hit, miss`."""
    found: dict[str, list[Plain]] = {}
    for line in _lines(texts, "dice"):
        kind, colon, faces = line.partition(":")
        name = as_name(kind)
        listed = [face.strip() for face in (faces.split(",") if "," in faces else faces.split())]
        if not colon or not name or name in found:
            problems.append(
                ("dice", say("write {example}, not '{line}'", example="battle: hit, hit, miss", line=line))
            )
        else:
            found[name] = [int(face) if re.fullmatch(r"[+-]?[0-9]{1,5}", face) else face for face in listed]
    return found


def _read_decks(
    texts: Mapping[str, str], sides: Sequence[str], problems: list[FieldProblem]
) -> dict[str, dict[str, str]]:
    """The decks that have a name or cards."""
    found: dict[str, dict[str, str]] = {}
    for number in range(1, MOST_DECKS + 1):
        typed, owner, cards = (texts.get(f"deck{number}.{part}", "") for part in ("name", "owner", "cards"))
        if not typed.strip() and not cards.strip():
            continue
        name = as_name(typed)
        if not name or name in found:
            problems.append(
                (f"deck{number}.name", say("give each deck a name of its own, of letters and digits"))
            )
            continue
        deck = {"cards": cards}
        if owner in OWNERS[1:]:
            deck["owner"] = sides[int(owner) - 1]
        found[name] = deck
    return found
