"""What the sides, the terrains and the rest of what is printed are called, in the player's language."""

from __future__ import annotations

from pbem.games.mortain.terms.setting import GERMAN, US
from pbem.texts import Texts

tr = Texts("pbem.games.mortain")


def side(seat: str) -> str:
    """A side by its bare name, as in a heading or a list."""
    return tr.sense("name of a side", "German") if seat == GERMAN else tr.sense("name of a side", "US")


def sides() -> dict[str, str]:
    """Both, the US first: west on the left."""
    return {seat: side(seat) for seat in (US, GERMAN)}


def editions() -> dict[str, str]:
    """The four texts of the rules."""
    return {
        "it": tr("the Italian booklet"),
        "es": tr("the Spanish booklet"),
        "en": tr("the English booklet"),
        "de": tr("the German booklet"),
    }


def kinds() -> dict[str, str]:
    """The kinds of counters (M1.1)."""
    return {"tank": tr("tank"), "infantry": tr("infantry"), "gun": tr("gun")}


def letters() -> dict[str, str]:
    """What stands for a kind on the map. In another language two kinds may begin alike."""
    return {
        "tank": tr.sense("a tank's letter on the map, a capital of its own", "T"),
        "infantry": tr.sense("infantry's letter on the map, a capital of its own", "I"),
        "gun": tr.sense("a gun's letter on the map, a capital of its own", "G"),
    }


def terrain() -> dict[str, str]:
    """The terrains as they are called."""
    return {
        "clear": tr("clear"),
        "woods": tr("woods"),
        "village": tr("village"),
        "city": tr("city"),
        "hill": tr("hill"),
    }


def on_the_map() -> dict[str, str]:
    """The terrains as they stand on the map."""
    return {
        "clear": "",
        "woods": tr.sense("on the map, at most 5 letters", "woods"),
        "village": tr.sense("on the map, at most 5 letters", "vill"),
        "city": tr.sense("on the map, at most 5 letters", "city"),
        "hill": tr.sense("on the map, at most 5 letters", "hill"),
    }


def place(label: str) -> str:
    """A label of the map that ships, where it is more than a name; any other as it is."""
    match label:
        case "Hill 314":
            return tr("Hill 314")
        case "Hill 285":
            return tr("Hill 285")
        case "Heights":
            return tr("Heights")
    return label


def modifier(reason: str) -> str:
    """Why a card is changed (M5.5): a terrain, or what an attack is."""
    match reason:
        case "all adjacent":
            return tr("all adjacent")
        case "suppressed":
            return tr("suppressed")
    return terrain().get(reason, reason)
