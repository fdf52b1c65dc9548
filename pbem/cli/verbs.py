"""The commands of the prompt, which are typed in English or in the player's language."""

from __future__ import annotations

from collections.abc import Collection

from pbem.texts import Texts

tr = Texts("pbem")

TYPED = (
    "help",
    "map",
    "moves",
    "odds",
    "rules",
    "plan",
    "news",
    "orders",
    "undo",
    "back",
    "clear",
    "quit",
    "drafts",
    "zones",
    "supply",
    "threats",
    "hint",
    "all",
    "off",
)
"""The commands, and the words that some of them take."""


def prompt_commands(*, shared: bool, beside: Collection[str] = ()) -> dict[str, str]:
    """The commands with what they do; `shared`: the side has commanders; `beside`: see `overlay_commands`."""
    word = {name: tr.own(name) for name in TYPED}
    found = {
        "help": tr("this list"),
        "map": tr(
            "the map again, with your orders; {map} {all}: the whole of it; {map} UNIT or HEX",
            map=word["map"],
            all=word["all"],
        ),
        "moves": tr(
            "what you may order now; {moves} UNIT: that unit alone, and its reach on the map",
            moves=word["moves"],
        ),
        "odds": tr("the attacks that you may order, with their chances; {odds} UNIT", odds=word["odds"]),
        "rules": tr("how to play; {rules} WORD, or {rules} M4.2", rules=word["rules"]),
        "plan": tr(
            "the orders that your plan gives, or why none; {plan} hold 40% adds to it and arms it; "
            "{plan} {off}",
            plan=word["plan"],
            off=word["off"],
        ),
        "news": tr("what has happened, again; once more for what did not fit the screen"),
        "orders": tr("your orders so far, and what is still to do"),
        "undo": tr("take the last order back"),
        "back": tr("take the last order back to the line, to change it"),
        "clear": tr("take all orders back, until you undo it"),
        "quit": tr("go, and sign nothing"),
    }
    asides = {
        "zones": tr("the zones of control, on the map"),
        "supply": tr("where units are in supply, on the map"),
        "threats": tr("which of your units could be attacked from where, with the chance"),
        "hint": tr("what the program would do, after two seconds"),
    }
    found |= {name: does for name, does in asides.items() if name in beside}
    if shared:
        found["drafts"] = tr("the orders of your commanders' drafts that have come, and who is missing")
    return found


def help_lines(does: dict[str, str]) -> list[str]:
    """The lines of `help`: each command with what it does."""
    lines = [
        *((tr.own(name), what) for name, what in does.items()),
        (tr("Return"), tr("done: look at your orders, and sign them or not")),
    ]
    width = max(8, *(len(name) + 2 for name, _ in lines))
    return [f"{name:<{width}}{what}" for name, what in lines]
