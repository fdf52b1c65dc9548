"""Orders as they are typed: words to plain orders and back, and the question in words.

    place 117Inf 1503 119Inf 1402 …              pass
        (of several for one unit the last holds)
    move 2SS-A [to] 1803                         enter D [at] 1902
    exit DF                                      suppress 1604
    fire 117Inf 823TD at 2SS-A [faces miss]      faces redraw
    artillery DF [faces ask]                     air 1604: the units of the hex that M6.3 lets it attack

All words but names are shown in the player's language, and also understood in English: see `TYPED`.

Several orders on one line are separated by `;`. Commas and colons count as spaces. Verbs and unit names can
be shortened and in any case. Legality is not judged here: see `rules.orders`.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core import phrases
from pbem.core.phrases import Phrase, Word
from pbem.core.requests import Orders, Plain
from pbem.core.sentences import listed, numeral
from pbem.errors import Ambiguous
from pbem.games.mortain.rules.orders import VERBS, Question
from pbem.games.mortain.rules.state import UNPLACED, Questions, State
from pbem.games.mortain.rules.support import support_of
from pbem.games.mortain.terms import cards
from pbem.games.mortain.terms.scenario import AT, FACES, TO
from pbem.games.mortain.terms.setting import GERMAN, US, enemy
from pbem.games.mortain.view import names
from pbem.texts import Texts

tr = Texts("pbem.games.mortain")

CHOICES = ("redraw", "miss", "ask")

TYPED = (
    "place",
    "pass",
    "move",
    "enter",
    "exit",
    "fire",
    "artillery",
    "air",
    "suppress",
    "faces",
    "redraw",
    "miss",
    "ask",
    "at",
    "to",
)
"""All words of typed orders but names: `VERBS`, `CHOICES`, and prepositions."""


def read(ask: Question, lines: Sequence[str]) -> Orders:
    """Parse typed lines into plain orders. Raises `NotUnderstood` or `Ambiguous`."""
    answer = _Answer(ask)
    orders: Orders = []
    for phrase in phrases.phrases(lines, tr.typed):
        order = answer.order(phrase)
        placed = next((earlier["place"] for earlier in orders if "place" in earlier), None)
        if "place" in order and placed is not None:  # a set-up is one order on any number of lines
            placed.update(order["place"])
        else:
            orders.append(order)
    return orders


class _Answer:
    """A parser for the words of one answer, with the side, the map, and the units."""

    def __init__(self, ask: Question) -> None:
        self.state = ask.state
        self.grid = ask.state.setting.grid
        self.side, self.foe = ask.seat, enemy(ask.seat)

    def order(self, phrase: Phrase) -> Plain:
        """Parse the verb and its arguments, and check that nothing is left over."""
        order = self._order(phrase.one_of(VERBS, tr("an order")), phrase)
        phrase.ends()
        return order

    def _order(self, verb: str, phrase: Phrase) -> Plain:
        """Parse what follows a verb."""
        match verb:
            case "place":
                return {"place": phrase.places(self.own, self.grid)}
            case "move" | "enter":
                small = TO if verb == "move" else AT
                return {verb: self.own(phrase.next(tr("a unit"))), small: self.hex(phrase, small)}
            case "exit":
                return {"exit": self.own(phrase.next(tr("a unit")))}
            case "fire":
                more = tr("another firing unit, or '{at}' and the target", at=tr.own(AT))
                firers = phrase.names(self.own, tr("a unit"), until=AT, more=more)
                return {"fire": firers, "at": self.enemy(phrase.next(tr("a unit"))), **self.faces(phrase)}
            case "artillery" | "air":
                return {verb: self.targets(phrase), **self.faces(phrase)}
            case "suppress":
                return {"suppress": phrase.hex(self.grid)}
            case "faces":
                return {"faces": phrase.one_of(CHOICES, tr("a choice"))}
        return {"pass": True}

    def targets(self, phrase: Phrase) -> list[str]:
        """The targets of support: units, or a hex, which means the enemy units in it (M6.3)."""
        first = phrase.ahead
        if first is not None and first.text.isdigit():
            return self.stack(first, phrase.hex(self.grid))
        targets = [self.enemy(phrase.next(tr("a unit")))]
        while phrase.ahead is not None and not phrase.ahead.means(FACES):
            targets.append(self.enemy(phrase.next(tr("a unit"))))
        return targets

    def stack(self, word: Word, at: str) -> list[str]:
        """The enemy units in a hex. Raises `Ambiguous` if there are several and only one may be attacked."""
        stack = [name for name in self.state.stack(at) if self.state.side(name) == self.foe]
        if not stack:
            german = self.foe == GERMAN
            raise word.problem(
                tr("no German unit is in {hex}", hex=at) if german else tr("no US unit is in {hex}", hex=at)
            )
        if len(stack) > 1 and self.state.setting.options.support_target == "unit":
            raise Ambiguous(at, stack)
        return stack

    def faces(self, phrase: Phrase) -> dict[str, str]:
        """The standing order for face cards (M5.7), if there is one."""
        return {"faces": phrase.one_of(CHOICES, tr("a choice"))} if phrase.takes(FACES) else {}

    def hex(self, phrase: Phrase, small: str) -> str:
        """A hex of the map, perhaps after a preposition."""
        phrase.takes(small)
        return phrase.hex(self.grid)

    def own(self, word: Word) -> str:
        """A unit of the side."""
        return self.unit(word, self.side)

    def enemy(self, word: Word) -> str:
        """A unit of the enemy."""
        return self.unit(word, self.foe)

    def unit(self, word: Word, side: str) -> str:
        """A unit. A shortened name means one of this side; a full name can be any, for the rules to judge."""
        what = tr("a German unit") if side == GERMAN else tr("a US unit")
        return word.choose(self.state.army(side), what, known=self.state.setting.counters)


def write(orders: Orders) -> list[str]:
    """Plain orders as typed. Anything that is not an order becomes JSON."""
    return phrases.write(orders, _order_lines, tr.typed)


def _order_lines(order: Plain) -> list[list[Plain]]:
    """The words of one order, on one line; no lines for anything that is not an order."""
    rest: dict[object, object]
    match order:
        case {"place": dict(placed), **rest}:
            words = ["place", *(word for pair in placed.items() for word in pair)]
        case {"pass": True, **rest}:
            words = ["pass"]
        case {"move": unit, "to": at, **rest}:
            words = ["move", unit, at]
        case {"enter": unit, "at": at, **rest}:
            words = ["enter", unit, at]
        case {"exit": unit, **rest}:
            words = ["exit", unit]
        case {"fire": list(firers), "at": target, **rest}:
            words = ["fire", *firers, AT, target, *_take_faces(rest)]
        case {"artillery": list(targets), **rest}:
            words = ["artillery", *targets, *_take_faces(rest)]
        case {"air": list(targets), **rest}:
            words = ["air", *targets, *_take_faces(rest)]
        case {"suppress": at, **rest}:
            words = ["suppress", at]
        case {"faces": choice, **rest}:
            words = ["faces", choice]
        case _:
            return []
    return [] if rest else [words]


def _take_faces(rest: dict[object, object]) -> list[Plain]:
    """Remove the standing order for face cards from the rest of an order, and return its words."""
    return [FACES, rest.pop(FACES)] if FACES in rest else []


def prompt(ask: Question) -> str:
    """The question in one line, with its rule."""
    state, rule = ask.state, ask.rule
    match ask.question:
        case Questions.PLACE:
            return tr(
                "set up {units}: at most two to a hex, none in column {column} ({rule})",
                units=listed(state.stack(UNPLACED)),
                column=state.setting.east,
                rule=rule,
            )
        case Questions.FACES:
            assert state.attack is not None
            return tr(
                "a face card for the attack on {targets}: draw again, or accept a miss ({rule})",
                targets=listed(state.attack.targets),
                rule=rule,
            )
    assert state.card is not None
    card, units, support = (
        names.card_heading(state.card),
        _describe_allowance(state),
        _describe_support(state, ask),
    )
    if support:
        return tr(
            "{card}: {units}, {support}, or pass ({rule})",
            card=card,
            units=units,
            support=support,
            rule=rule,
        )
    return tr("{card}: {units}, or pass ({rule})", card=card, units=units, rule=rule)


def card_facts(ask: Question) -> dict[str, Plain]:
    """M3.2 to M3.4: the colour of the card, whether it is a face card, and how many units it activates."""
    card = ask.state.card
    if card is None:
        return {}
    kind = "face" if cards.is_face(card) else "number"
    return {"colour": cards.colour(card), "kind": kind, "allowance": ask.state.allowance}


def _describe_allowance(state: State) -> str:
    """How many units the card activates, in words (M3.3, M3.4)."""
    assert state.card is not None
    match state.allowance:
        case None:
            return tr("activate one unit, or units of one hex")
        case 0 if cards.owner(state.card) == GERMAN:
            return tr("activate only a free Tiger 102")
        case 0:
            return tr("activate no units")
        case 1:
            return tr("activate one unit")
        case number:
            return tr("activate up to {number} units", number=numeral(number))


def _describe_support(state: State, ask: Question) -> str:
    """The support that the card allows, in words; empty if support is not available (M6.1, M6.2)."""
    assert state.card is not None
    costs = state.setting.options.support_costs
    if ask.seat != US or state.support == "used" or (costs == "one_unit" and state.allowance == 0):
        return ""
    match support_of(state.card), costs:
        case "air", "one_unit":
            return tr("air support in place of a unit")
        case "air", _:
            return tr("air support instead")
        case _, "one_unit":
            return tr("artillery support in place of a unit")
    return tr("artillery support instead")
