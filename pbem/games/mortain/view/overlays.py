"""The overlays for the map of Mortain: a unit's reach, the sight from a hex, threats."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from pbem.core.requests import Orders
from pbem.core.rules import Overlay, Threat
from pbem.core.sentences import listed
from pbem.games.mortain.rules.activation import check_known
from pbem.games.mortain.rules.activation_builder import ActivationBuilder
from pbem.games.mortain.rules.fire import attack_of, hit_chance, targets_of
from pbem.games.mortain.rules.orders import Fire, Question, Support
from pbem.games.mortain.rules.state import EXITED, WAITING, Questions, State
from pbem.games.mortain.rules.support import target_groups
from pbem.games.mortain.terms.setting import GERMAN, enemy
from pbem.games.mortain.view.forecast import describe_sum
from pbem.texts import Texts

tr = Texts("pbem.games.mortain")

BLOCKED = "x"


def routes(ask: Question, name: str) -> dict[str, Orders]:
    """M4.1, M4.4: the hexes a unit may move to or enter on this card, each with the order for it.

    Raises `IllegalOrder` (M9.2) for a unit that is not the player's.
    """
    state = ask.state
    check_known(state, ask.seat, name)
    if ask.question != Questions.ACTIVATE:
        return {}
    draft = ActivationBuilder(state)
    goals = [to for to in draft.goals_of(name) if to != EXITED] if draft.may_act(name) else []
    if state.at(name) == WAITING:
        return {to: [{"enter": name, "at": to}] for to in goals}
    return {to: [{"move": name, "to": to}] for to in goals}


def reach(ask: Question, name: str) -> dict[str, str]:
    """M3.6: the same hexes with the number of steps to each, which is 1."""
    return dict.fromkeys(routes(ask, name), "1")


def sight(state: State, at: str) -> Overlay:
    """M5.2, M5.3: the hexes that a unit in a hex can fire at, by distance, and what blocks the others."""
    sight, grid = state.setting.sight, state.setting.grid
    near = [to for to in grid.numbers if 1 <= grid.distance(at, to) <= sight.reach(at)]
    figures: dict[str, str] = {}
    hidden: dict[tuple[str, ...], list[str]] = {}
    for to in near:
        blocking = sight.blocking_hexes(at, to)
        figures[to] = BLOCKED if blocking else str(grid.distance(at, to))
        if blocking:
            hidden.setdefault(blocking, []).append(to)
    lines = [
        tr.plural(
            "{blocking} blocks {hexes}",
            "{blocking} block {hexes}",
            len(by),
            blocking=listed(by),
            hexes=listed(to),
        )
        for by, to in hidden.items()
    ]
    meaning = tr(
        "the distance to each hex that {hex} sees, within range {range}; {sign}: sight blocked",
        hex=at,
        range=sight.reach(at),
        sign=BLOCKED,
    )
    nothing = tr("nothing within range blocks sight from {hex}", hex=at)
    return Overlay(figures, meaning, tuple(lines or [nothing]))


def describe_threat_scope() -> str:
    """A sentence about what `threats` counts, and what it leaves out."""
    return tr(
        "Counts enemy fire from present positions, with the cards left, and enemy support. A unit "
        "that moves fires only on a later card (M3.6)"
    )


def threats(state: State, seat: str) -> list[Threat]:
    """M5, M6.3: fire at each unit of a seat by each enemy that sees it and by all together; and support."""
    fires = chain.from_iterable(_fire_threats(state, unit) for unit in state.field(seat))
    support = _support_threats(state) if seat == GERMAN else ()
    return [threat for threat in chain(fires, support) if threat.hit]


def _fire_threats(state: State, unit: str) -> Iterator[Threat]:
    able = [name for name in state.field(enemy(state.side(unit))) if unit in targets_of(state, name)]
    for firers in [*((name,) for name in able), *([tuple(able)] if len(able) > 1 else [])]:
        attack = attack_of(state, Fire(firers, unit))
        by = {name: state.at(name) for name in firers}
        yield Threat(unit, state.at(unit), by, hit_chance(state, attack), describe_sum(state, attack))


def _support_threats(state: State) -> Iterator[Threat]:
    """M6.1, M6.3: artillery and air on each German unit; they need no line of sight."""
    if state.support == "used":
        return
    for targets in target_groups(state):
        if len(targets) == 1:
            for way in ("artillery", "air"):
                attack = attack_of(state, Support(way, tuple(targets)))
                hit, why = hit_chance(state, attack), describe_sum(state, attack)
                yield Threat(targets[0], state.at(targets[0]), {}, hit, why)
