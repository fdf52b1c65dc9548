"""Orders as they are typed: words to plain orders and back, and the question in words.

    setup historical                         a ready-made set-up; place lines after it change it
    place 125Inf 1605 382Inf 1706            of several for one counter the last line holds
    move 125Inf [to] 1706 [clear 1805 ...]   the shortest path, on the board that the earlier orders leave
    move 125Inf 1605 1706 [clear 1805 ...]   this path: the hexes entered
    fly Ju88-1 [to] 1806 [bomb]              the path under the fewest guns
    fly Bf109-1 1205 1305 [dogfight Spit-1 ...]
    bomb Ju88-1                              dogfight Bf109-1 Bf109-2 on Spit-1
    land Ju88-1 1204 Bf109-1 1204            stand down
    fire 88mm-1 at Sherman-2                 attack 20-Aus 24-Aus on 61-Tre
    aa hold|bombers|all [88mm-1 ...]         pass

All words but names are shown in the player's language, and also understood in English.

Several orders on one line are separated by `;`. Commas and colons count as spaces. Verbs and names can be
shortened and in any case. Legality is not judged here: see `rules`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pbem.core import phrases
from pbem.core.phrases import Meaning, Phrase, Word
from pbem.core.requests import Orders, Plain
from pbem.core.sentences import joined
from pbem.errors import IllegalOrder
from pbem.games.rommel.rules import air, combat, flights, movement, setup
from pbem.games.rommel.rules.orders import Move, Question
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms import setting
from pbem.games.rommel.terms.setting import (
    AIMS,
    ALLIED,
    AT,
    BOMB,
    CLEAR,
    DOGFIGHT,
    DOWN,
    FIRST_COUNTERS,
    NAME,
    ON,
    TO,
    VERBS,
    other_side,
)
from pbem.games.rommel.view import reach
from pbem.games.rommel.view.names import order_text
from pbem.messages import quoted
from pbem.texts import Texts

tr = Texts("pbem.games.rommel")


NEAREST = 6
"""How many hexes in reach are suggested instead of one out of reach."""


def read(ask: Question, lines: Sequence[str]) -> Orders:
    """Parse typed lines into plain orders. Raises `OrderError`."""
    answer = _Answer(ask)
    for phrase in phrases.phrases(lines, tr.typed):
        answer.read_phrase(phrase)
    return answer.orders


class _Answer:
    """A parser for one answer: the orders parsed so far, and the board after their moves."""

    def __init__(self, ask: Question) -> None:
        self.question = ask.question
        self.own, self.enemy = ask.seat, other_side(ask.seat)
        self.board: State = ask.state
        self.grid = self.board.setting.grid
        self.orders: Orders = []

    def read_phrase(self, phrase: Phrase) -> None:
        """Parse one phrase: its verb and arguments, and check that nothing is left over."""
        match phrase.one_of(VERBS, tr("an order")):
            case "setup":
                self.set_up(phrase)
            case "place":
                self.put_places("place", phrase.places(self.unplaced_counter, self.grid))
            case "land":
                self.put_places("land", phrase.places(self.aircraft, self.grid))
            case "fly":
                self.fly(phrase)
            case "bomb":
                self.orders.append({"bomb": self.aircraft(phrase.next(tr("a bomber")))})
            case "dogfight":
                self.orders.append(self.joint_attack("dogfight", phrase, self.aircraft, self.enemy_aircraft))
            case "stand":
                phrase.one_of((DOWN,), quoted(order_text("stand down")))
                self.orders.append({"stand_down": True})
            case "move":
                self.move(phrase)
            case "fire":
                self.fire(phrase)
            case "attack":
                self.orders.append(self.joint_attack("attack", phrase, self.land_unit, self.enemy_land_unit))
            case "aa":
                self.aim_guns(phrase)
            case "pass":
                self.orders.append({"pass": True})
        phrase.ends()

    def set_up(self, phrase: Phrase) -> None:
        """Parse the name of a ready-made set-up, and add its orders."""
        names = setup.ready_names(self.board) if self.question in SET_UP_QUESTIONS else ()
        for order in setup.ready_placement(self.board, phrase.one_of(names, tr("a ready-made set-up"))):
            if "place" in order:
                self.put_places("place", order["place"])
            else:
                self.orders.append(order)

    def put_places(self, verb: str, places: dict[str, str]) -> None:
        """Add or change hexes in the order with this verb, which is made if there is none."""
        for order in self.orders:
            if verb in order:
                order[verb].update(places)
                return
        self.orders.append({verb: dict(places)})

    def fly(self, phrase: Phrase) -> None:
        """Parse a flight, and the attack at its end, which is a separate order."""
        unit = self.aircraft(phrase.next(tr("an aircraft")))
        path = self.path(phrase, unit, Phase.AIR)
        self.orders.append({"fly": unit, "path": path})
        if phrase.takes(BOMB):
            self.orders.append({"bomb": unit})
        elif phrase.takes(DOGFIGHT):
            self.orders.append({"dogfight": [unit], "on": phrase.names(self.enemy_aircraft, tr("an enemy"))})
        if self.may_move(unit, Phase.AIR):
            self.board = self.board.with_unit_at(unit, path[-1])

    def move(self, phrase: Phrase) -> None:
        """Parse a move of a land unit, and the hexes it clears."""
        unit = self.land_unit(phrase.next(tr("a land unit")))
        path = self.path(phrase, unit, Phase.MOVE)
        clear = phrase.hexes(self.grid) if phrase.takes(CLEAR) else []
        self.orders.append({"move": unit, "path": path, **({"clear": clear} if clear else {})})
        if self.may_move(unit, Phase.MOVE):
            self.board = movement.state_after(self.board, Move(unit, tuple(path), tuple(clear)))

    def path(self, phrase: Phrase, unit: str, question: str) -> list[str]:
        """A path: as typed, or chosen by pbem after `to` or for a single hex that is not adjacent."""
        chosen = phrase.takes(TO)
        hexes = [phrase.hex(self.grid)] if chosen else phrase.hexes(self.grid)
        if not self.may_move(unit, question):
            return hexes  # the rules refuse the order, whatever its path
        to = hexes[-1]
        if not chosen and (len(hexes) > 1 or self.grid.distance(self.board.at(unit), to) < 2):
            return hexes
        reached = (movement.reach if question == Phase.MOVE else flights.reach)(self.board, unit)
        return list(reached.get(to) or self.straight_path(unit, to, reached))

    def may_move(self, unit: str, question: str) -> bool:
        """Whether the unit may move in answer to this question."""
        movable = self.board.army(self.own) if question == Phase.MOVE else self.board.air_force(self.own)
        return self.question == question and unit in movable

    def straight_path(self, unit: str, to: str, reached: Collection[str]) -> tuple[str, ...]:
        """The straight path, if there is no legal one. Raises `IllegalOrder` with the rule against it."""
        far = reach.check_march if self.question == Phase.MOVE else reach.check_flight
        try:
            far(self.board, unit, to)
        except IllegalOrder as refused:
            raise IllegalOrder(
                refused.rule, refused.facts, hint=self.hint_nearest(to, reached), game=NAME
            ) from None
        path: list[str] = []
        at = self.board.at(unit)
        while at != to:
            at = min(self.grid.adjacent(at), key=lambda near: (self.grid.distance(near, to), near))
            path.append(at)
        try:
            if self.question == Phase.MOVE:
                movement.read(self.board, [{"move": unit, "path": path}])
            else:
                air.read(self.board, [{"fly": unit, "path": path}])
        except IllegalOrder as refused:
            facts = tr(
                "no path takes {unit} to {to}; on a straight line, {refusal}",
                unit=unit,
                to=to,
                refusal=refused.facts,
            )
            raise IllegalOrder(refused.rule, facts, hint=self.hint_nearest(to, reached), game=NAME) from None
        return tuple(path)

    def hint_nearest(self, to: str, reached: Collection[str]) -> str:
        """A hint with the hexes in reach nearest to one out of reach; empty if there are none."""
        found = sorted(reached, key=lambda at: (self.grid.distance(at, to), at))[:NEAREST]
        return tr("the nearest hexes it can reach: {hexes}", hexes=", ".join(found)) if found else ""

    def fire(self, phrase: Phrase) -> None:
        """Parse fire: a unit and its target."""
        unit = self.land_unit(phrase.next(tr("a unit that fires")))
        phrase.takes(AT)
        self.orders.append({"fire": unit, "at": self.enemy_land_unit(phrase.next(tr("a target")))})

    def joint_attack(self, verb: str, phrase: Phrase, ours: Meaning, theirs: Meaning) -> Plain:
        """Parse a combat: its units, up to the word `on`, and those they attack."""
        return {verb: phrase.names(ours, tr("a unit"), until=ON), "on": phrase.names(theirs, tr("an enemy"))}

    def aim_guns(self, phrase: Phrase) -> None:
        """Parse a standing order, for all guns of the side or for those named."""
        order: dict[str, Plain] = {"aa": phrase.one_of(AIMS, tr("a target for the guns"))}
        if phrase.goes_on:
            order["units"] = phrase.names(self.gun, tr("a gun"))
        self.orders.append(order)

    def unplaced_counter(self, word: Word) -> str:
        """A counter of the side that is not placed yet."""
        allied = self.own == ALLIED
        what = tr("an Allied counter to place") if allied else tr("an Axis counter to place")
        return self.choose_counter(word, setup.unplaced_counters(self.board), what)

    def land_unit(self, word: Word) -> str:
        """A land unit of the side."""
        return self.choose_counter(word, self.board.army(self.own), _describe_land_unit(self.own))

    def enemy_land_unit(self, word: Word) -> str:
        """A land unit of the enemy."""
        return self.choose_counter(word, self.board.army(self.enemy), _describe_land_unit(self.enemy))

    def aircraft(self, word: Word) -> str:
        """An aircraft of the side."""
        return self.choose_counter(word, self.board.air_force(self.own), _describe_aircraft(self.own))

    def enemy_aircraft(self, word: Word) -> str:
        """An aircraft of the enemy."""
        return self.choose_counter(word, self.board.air_force(self.enemy), _describe_aircraft(self.enemy))

    def gun(self, word: Word) -> str:
        """A gun of the side that fires at aircraft."""
        guns = [name for name in self.board.flak if self.board.side(name) == self.own]
        allied = self.own == ALLIED
        what = (
            tr("an Allied gun that fires at aircraft") if allied else tr("an Axis gun that fires at aircraft")
        )
        return self.choose_counter(word, guns, what)

    def choose_counter(self, word: Word, candidates: Sequence[str], what: str) -> str:
        """The counter that a word means. A full name can be any counter's, for the rules to judge."""
        return word.choose(candidates, what, known=self.board.setting.counters)


def _describe_land_unit(seat: str) -> str:
    return tr("an Allied land unit") if seat == ALLIED else tr("an Axis land unit")


def _describe_aircraft(seat: str) -> str:
    return tr("an Allied aircraft") if seat == ALLIED else tr("an Axis aircraft")


def write(orders: Orders) -> list[str]:
    """Plain orders as typed. Anything that is not an order becomes JSON.

    A set-up and landings have one line per counter.
    """
    return phrases.write(orders, _order_lines, tr.typed)


def _order_lines(order: Plain) -> list[list[Plain]]:
    """The words of one order, line by line; no lines for anything that is not an order."""
    said: list[list[Plain]]
    rest: dict[object, object]
    match order:
        case {"place": dict(places), **rest}:
            said = [["place", name, at] for name, at in places.items()]
        case {"land": dict(places), **rest}:
            said = [["land", name, at] for name, at in places.items()]
        case {"fly": unit, "path": [_, *_] as path, **rest}:
            said = [["fly", unit, *path]]
        case {"bomb": unit, **rest}:
            said = [["bomb", unit]]
        case {"dogfight": [_, *_] as units, "on": [_, *_] as on, **rest}:
            said = [["dogfight", *units, ON, *on]]
        case {"stand_down": True, **rest}:
            said = [["stand", DOWN]]
        case {"move": unit, "path": [_, *_] as path, "clear": [_, *_] as clear, **rest}:
            said = [["move", unit, *path, CLEAR, *clear]]
        case {"move": unit, "path": [_, *_] as path, **rest}:
            said = [["move", unit, *path]]
        case {"fire": unit, "at": target, **rest}:
            said = [["fire", unit, AT, target]]
        case {"attack": [_, *_] as units, "on": [_, *_] as on, **rest}:
            said = [["attack", *units, ON, *on]]
        case {"aa": aim, "units": [_, *_] as units, **rest}:
            said = [["aa", aim, *units]]
        case {"aa": aim, **rest}:
            said = [["aa", aim]]
        case {"pass": True, **rest}:
            said = [["pass"]]
        case _:
            return []
    return [] if rest else said


SET_UP_QUESTIONS = (
    Phase.AXIS_FIRST_SETUP,
    Phase.AXIS_SCREEN_SETUP,
    Phase.ALLIED_SCREEN_SETUP,
    Phase.ALLIED_LAST_SETUP,
)
"""The questions answered by ready-made set-ups (R2)."""


def setups(ask: Question) -> tuple[str, ...]:
    """The names of the ready-made set-ups that answer a question, as typed."""
    return tuple(map(order_text, setup.ready_names(ask.state))) if ask.question in SET_UP_QUESTIONS else ()


SYNTAX = {
    Phase.AIR: ("fly UNIT to HEX", "bomb UNIT", "dogfight UNIT on ENEMY", "land UNIT HEX", "stand down"),
    Phase.MOVE: ("move UNIT to HEX",),
    Phase.FIRE: ("fire UNIT at ENEMY",),
    Phase.COMBAT: ("attack UNIT on ENEMY",),
}
"""By question: the orders that can be typed, besides a pass and standing orders."""


def prompt(ask: Question) -> str:
    """The question in one line, with its orders and its rule."""
    if ask.question == Phase.AXIS_OPEN:
        return tr("pbem opens your sealed placement ({rule})", rule=ask.rule)
    if ask.question in SET_UP_QUESTIONS:
        return _set_up_prompt(ask)
    due = combat.attacks_due(ask.state) if ask.question == Phase.COMBAT else {}
    guns = tr(
        "for your guns you may add {aa} {hold}, {bombers} or {all} (R4.4)",
        **{word: order_text(word) for word in ("aa", *AIMS)},
    )
    return "; ".join(
        (
            _turn_prompt(ask),
            guns,
            *(
                tr("{unit} must attack {targets} (R5.5)", unit=unit, targets=joined(on, "or"))
                for unit, on in due.items()
            ),
        )
    )


def _set_up_prompt(ask: Question) -> str:
    """R2: the prompt for a placement."""
    task, order, made = set_up_task(ask.state.step), _localize_syntax("place UNIT HEX"), setups(ask)
    if not made:
        return tr("{task}: {order} ({rule})", task=task, order=order, rule=ask.rule)
    return tr(
        "{task}: {order}, or {setup} {names} ({rule})",
        task=task,
        order=order,
        setup=order_text("setup"),
        names=joined(made, "or"),
        rule=ask.rule,
    )


def set_up_task(question: Phase) -> str:
    """R2.1 to R2.3: what to set up."""
    match question:
        case Phase.AXIS_FIRST_SETUP:
            return tr(
                "place your aircraft on airfields, and {number} counters in your zone, none of "
                "them supply or fortification",
                number=FIRST_COUNTERS,
            )
        case Phase.AXIS_SCREEN_SETUP:
            return tr("place everything that is left, including fortifications; your opponent cannot see it")
        case Phase.ALLIED_SCREEN_SETUP:
            return tr(
                "place your aircraft on airfields, and all but {number} of your land counters in your zone",
                number=FIRST_COUNTERS,
            )
        case Phase.ALLIED_LAST_SETUP:
            return tr("place your last {number} counters in your zone", number=FIRST_COUNTERS)
    raise AssertionError(question)


def _turn_prompt(ask: Question) -> str:
    """The prompt in a turn: the turn, its weather, and the orders."""
    state = ask.state
    assert state.weather is not None
    places = {
        "turn": state.turn,
        "weather": setting.weather_name(state.weather),
        "orders": ", ".join(map(_localize_syntax, SYNTAX[state.step])),
        "nothing": order_text("pass"),
        "rule": ask.rule,
    }
    if ask.question != Phase.AIR:
        return tr("turn {turn}, {weather}: {orders}, or {nothing} ({rule})", **places)
    return tr(
        "turn {turn}, {weather}, air sub-turn {subturn}: {orders}, or {nothing} ({rule})",
        subturn=state.subturn,
        **places,
    )


def _localize_syntax(syntax: str) -> str:
    """The syntax of an order in the player's language, with capitals as placeholders for names."""
    places = {"UNIT": tr("UNIT"), "HEX": tr("HEX"), "ENEMY": tr("ENEMY")}
    return " ".join(places.get(word) or order_text(word) for word in syntax.split())
