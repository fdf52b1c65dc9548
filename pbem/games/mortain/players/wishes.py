"""Wishes: what a player would like to order, each with its worth; it joins a draft where it fits."""

from __future__ import annotations

from msgspec import Struct

from pbem.core.requests import Plain
from pbem.games.mortain.rules.partial import ActivationBuilder


class MoveOption(Struct, frozen=True):
    """A movement to one of `ActivationBuilder.goals_of`, and its value."""

    worth: float
    unit: str
    to: str

    def add_to(self, draft: ActivationBuilder) -> bool:
        """Add it to a list, if it can be added. Returns whether it was."""
        fits = draft.may_act(self.unit) and draft.may_go(self.unit, self.to)
        if fits:
            draft.add_movement(self.unit, self.to)
        return fits


class FireOption(Struct, frozen=True):
    """Fire of some units at an enemy, and its value."""

    worth: float
    firers: tuple[str, ...]
    target: str

    def add_to(self, draft: ActivationBuilder) -> bool:
        """Add it to a list without an attack, if all of it can be added; otherwise the list is spoilt."""
        for name in self.firers:
            if not draft.may_act(name) or self.target not in draft.targets_of(name):
                return False
            draft.add_firer(name, self.target)
        return True


class SupportOption(Struct, frozen=True):
    """A use of support, and its value."""

    worth: float
    order: Plain

    def add_to(self, draft: ActivationBuilder) -> bool:
        """Add it to a list, if it can be added. Returns whether it was."""
        fits = self.order in (draft.suppressions() if "suppress" in self.order else draft.attacks())
        if fits:
            draft.add_support(self.order)
        return fits
