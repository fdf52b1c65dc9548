"""Lists of orders that grow order by order, and everything that can be added to them (M3.5 to M3.8).

Whatever a builder offers can be added and leaves the list legal, and nothing else can be added: legal orders
are constructed, not guessed and tried. `activation.read` remains the judge, and tests compare the two. Orders
are added one by one, so two full hexes never exchange units here, which the judge would accept.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.requests import Orders, Plain
from pbem.games.mortain.rules import fire, movement, support
from pbem.games.mortain.rules.allowance import can_pay, card_allows
from pbem.games.mortain.rules.movement import MOST_IN_A_HEX
from pbem.games.mortain.rules.state import EXITED, GONE, WAITING, Faces, State
from pbem.games.mortain.terms import cards
from pbem.games.mortain.terms.setting import US


class ActivationBuilder:
    """A legal answer to `activate`, at first a pass: movement, a use of support, fire at one target."""

    def __init__(self, state: State) -> None:
        assert state.card is not None
        self.state = state
        self.seat = cards.owner(state.card)
        self._barred = movement.barred_hexes(state, self.seat)
        self._crowd = movement.stacking_places(state, self.seat, {})
        self.goals: dict[str, str] = {}
        self.support: Plain | None = None
        self.firers: list[str] = []
        self.target = ""
        self._tiger = state.setting.tiger

    def orders(self, faces: Faces | None = None) -> Orders:
        """The list as it would be signed; fire includes the standing order for face cards, if any (M5.7)."""
        orders = [self._movement(name, to) for name, to in self.goals.items()]
        if self.support is not None:
            orders.append(self.support)
        if self.firers:
            fire = {"fire": list(self.firers), "at": self.target}
            orders.append({**fire, "faces": faces} if faces else fire)
        return orders or [{"pass": True}]

    def additions(self) -> Iterator[Plain]:
        """Every order of a single unit, and every use of support, that can be added."""
        for name in filter(self.may_act, self.state.army(self.seat)):
            yield from (self._movement(name, to) for to in self.goals_of(name))
            if not self.firers:
                yield from ({"fire": [name], "at": target} for target in self.targets_of(name))
        yield from self.attacks()
        yield from self.suppressions()

    def can_grow(self) -> bool:
        """Whether anything can be added."""
        for name in self.state.army(self.seat):
            if self.may_act(name) and (self.goals_of(name) or self.targets_of(name)):
                return True
        return bool(self.attacks() or self.suppressions())

    def may_act(self, name: str) -> bool:
        """Whether a unit has no order yet (M3.5, M3.6), and the card might allow one (M3.3, M3.4, M6.1).

        Whether Tiger 102 is free (M3.7) can depend on where units go.
        """
        if self.state.units[name].at in GONE or name in self.goals or name in self.firers:
            return False
        if self.support is not None and support.replaces_all(self.state):
            return False
        acting = [*self.goals, *self.firers, name]
        return self._tiger in acting or can_pay(self.state, acting, self.support is not None)

    def goals_of(self, name: str) -> list[str]:
        """The goals of a unit that may act: hexes, and `EXITED`."""
        goals = movement.goals(self.state, name, self._barred)
        if name != self._tiger:
            crowd = self._crowd
            goals = [to for to in goals if crowd.count(to) < MOST_IN_A_HEX or to == EXITED]
        acting = [*self.goals, *self.firers, name]
        if self._tiger not in acting or can_pay(self.state, acting, self.support is not None):
            return goals
        return [to for to in goals if self._card_allows(acting, {**self.goals, name: to})]

    def may_go(self, name: str, to: str) -> bool:
        """Whether a unit that may act may go to one of its `movement.goals`, so that it is in `goals_of`."""
        if name != self._tiger and to != EXITED and self._crowd.count(to) >= MOST_IN_A_HEX:
            return False
        acting = [*self.goals, *self.firers, name]
        return self._tiger not in acting or self._card_allows(acting, {**self.goals, name: to})

    def targets_of(self, name: str) -> list[str]:
        """The targets of a unit that may act, alone or together with units that already fire."""
        if self.support is not None and "suppress" not in self.support:
            return []
        targets = fire.targets_of(self.state, name)
        if self.firers:
            targets = [self.target] if self.target in targets else []
        acting = [*self.goals, *self.firers, name]
        if targets and self._tiger in acting and not self._card_allows(acting, self.goals):
            return []
        return targets

    def add_movement(self, name: str, to: str) -> None:
        """Add a movement to one of the unit's `goals_of`."""
        self.goals[name] = to
        self._crowd = movement.stacking_places(self.state, self.seat, self.goals)

    def add_firer(self, name: str, target: str) -> None:
        """Add a unit that fires at one of its `targets_of`."""
        self.firers.append(name)
        self.target = target

    def add_support(self, order: Plain) -> None:
        """Add one of `attacks` or `suppressions`."""
        self.support = order

    def attacks(self) -> list[Plain]:
        """The attacks by support that can be added (M6.3)."""
        return support.attacks(self.state) if self._may_use_support() and not self.firers else []

    def suppressions(self) -> list[Plain]:
        """The suppressions that can be added (M6.4)."""
        return support.suppressions(self.state) if self._may_use_support() else []

    def _may_use_support(self) -> bool:
        """M6.1: whether support may be used in addition to the acting units."""
        state, acting = self.state, [*self.goals, *self.firers]
        if self.seat != US or state.support == "used" or self.support is not None:
            return False
        return not (acting and support.replaces_all(state)) and card_allows(
            state, acting, self.goals, support=True
        )

    def _card_allows(self, acting: list[str], goals: dict[str, str]) -> bool:
        """M3.7: whether the card allows these units, including Tiger 102, which can be free."""
        return card_allows(self.state, acting, goals, self.support is not None)

    def _movement(self, name: str, to: str) -> Plain:
        if to == EXITED:
            return {"exit": name}
        if self.state.at(name) == WAITING:
            return {"enter": name, "at": to}
        return {"move": name, "to": to}
