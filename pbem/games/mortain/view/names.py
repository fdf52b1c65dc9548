"""The names of sides, editions, cards, counters and terrain, in the player's language."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.requests import Plain
from pbem.core.sentences import capitalized, joined, listed
from pbem.games.mortain.terms import cards
from pbem.games.mortain.terms.setting import GERMAN, SIDES, US
from pbem.texts import Texts

tr = Texts("pbem.games.mortain")


def side_name(seat: str) -> str:
    """The name of a side, as in a heading or a list."""
    return str(SIDES[seat].name)


def side_names() -> dict[str, str]:
    """Both sides' names, the US first, since west is on the left."""
    return {seat: side_name(seat) for seat in (US, GERMAN)}


def edition_names() -> dict[str, str]:
    """The names of the editions, which are the four texts of the rules."""
    return {
        "it": tr("the Italian booklet"),
        "es": tr("the Spanish booklet"),
        "en": tr("the English booklet; its support rules are unknown, so those of edition it are used"),
        "de": tr("the German booklet"),
    }


def describe_reconstruction() -> str:
    """Which parts of the game are reconstructed."""
    return tr(
        "The rules are the author's. The map and the counters are our reconstruction where the printed "
        "ones are lost."
    )


def card_heading(code: str) -> str:
    """The name of a card, capitalised to begin a line: `Queen of clubs`."""
    return capitalized(str(cards.card_name(code)))


def describe_cards(outcomes: Sequence[Plain]) -> str:
    """The names of several cards, grouped by suit: `diamonds, 2, 3, jack of clubs or joker`."""
    suits: dict[str, list[str]] = {}
    for code in map(str, outcomes):
        suits.setdefault(code if code == cards.JOKER else code[-1], []).append(code)
    together = [_describe_suit(suit, some) for suit, some in suits.items()]
    return str(joined(together, "or"))


def _describe_suit(suit: str, codes: Sequence[str]) -> str:
    """The names of cards of one suit, or of the joker; for a whole suit, its name."""
    if suit == cards.JOKER:
        return str(cards.card_name(suit))
    if len(codes) == len(cards.NUMBERS) + len(cards.FACES):
        return str(cards.suit_name(suit))
    return str(cards.name_of_suit(listed(str(cards.rank_name(code[:-1])) for code in codes), suit))


def kind_names() -> dict[str, str]:
    """The names of the kinds of counters (M1.1)."""
    return {"tank": tr("tank"), "infantry": tr("infantry"), "gun": tr("gun")}


def amount_of_kind(kind: str, number: int) -> str:
    """How many counters of a kind there are (M1.1)."""
    match kind:
        case "tank":
            return tr.plural("{number} tank", "{number} tanks", number)
        case "infantry":
            return tr.plural("{number} infantry", "{number} infantry", number)
        case _:
            return tr.plural("{number} gun", "{number} guns", number)


def kind_letters() -> dict[str, str]:
    """The letters for kinds on the map, translated because in some languages two kinds begin alike."""
    return {
        "tank": tr.sense("a tank's letter on the map, a capital of its own", "T"),
        "infantry": tr.sense("infantry's letter on the map, a capital of its own", "I"),
        "gun": tr.sense("a gun's letter on the map, a capital of its own", "G"),
    }


def terrain_names() -> dict[str, str]:
    """The names of the terrains."""
    return {
        "clear": tr("clear"),
        "woods": tr("woods"),
        "village": tr("village"),
        "city": tr("city"),
        "hill": tr("hill"),
    }


def terrain_labels() -> dict[str, str]:
    """The words for terrain on the map, at most five letters."""
    return {
        "clear": "",
        "woods": tr.sense("on the map, at most 5 letters", "woods"),
        "village": tr.sense("on the map, at most 5 letters", "vill"),
        "city": tr.sense("on the map, at most 5 letters", "city"),
        "hill": tr.sense("on the map, at most 5 letters", "hill"),
    }


def place_name(label: str) -> str:
    """A label on the map. Labels of the shipped scenario that contain a word are translated."""
    match label:
        case "Hill 314":
            return tr("Hill 314")
        case "Hill 285":
            return tr("Hill 285")
        case "Heights":
            return tr("Heights")
        case "St-Barthelemy":
            return _ST_BARTHELEMY
        case "Foret de Mortain":
            return "Forêt de Mortain"
    return label


_ST_BARTHELEMY = "St-Barthélemy"


def brief_names() -> dict[str, str]:
    """Shorter words for a hex on a screen; a terrain has its whole name where that has five letters."""
    called = terrain_names()
    whole = {word: called[key] for key, word in terrain_labels().items() if word and len(called[key]) <= 5}
    german = tr.sense("in a hex, at most 7 letters", "German")
    return {**whole, side_name(GERMAN): german, _ST_BARTHELEMY: "St-Barth."}


def modifier_name(reason: str) -> str:
    """The name of a modifier (M5.5): a terrain, or a circumstance of the attack."""
    match reason:
        case "all adjacent":
            return tr("all adjacent")
        case "suppressed":
            return tr("suppressed")
    return terrain_names().get(reason, reason)
