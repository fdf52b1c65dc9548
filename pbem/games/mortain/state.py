"""The state of a game of Mortain, frozen, and the questions that the rules put to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from pbem.core.rules import Outcome
from pbem.games.mortain.setting import SEATS, Counter, Factors, Setting

UNPLACED, WAITING, EXITED, ELIMINATED = "unplaced", "waiting", "exited", "eliminated"
"""Where a unit may be that is on no hex."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Where a unit is (a hex number or one of the four words above), and whether it shows its reduced face."""

    at: str
    reduced: bool = False


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack that waits for a card (M5.5) or for an answer (M5.7); support is an attack without firers."""

    by: str
    way: Literal["fire", "artillery", "air"]
    firers: tuple[str, ...]
    targets: tuple[str, ...]
    faces: Literal["redraw", "miss", "ask"]


@dataclass(frozen=True, slots=True)
class State:
    """All that the rules depend on (M9.4). `step` names the step of the sequence that comes next."""

    setting: Setting
    step: str
    turn: int
    deck: tuple[str, ...]
    aside: tuple[str, ...]
    card: str | None
    support: Literal["available", "used"]
    suppressed: str | None
    units: Mapping[str, Unit]
    activated: tuple[str, ...]
    colours: tuple[str, ...]
    attack: Attack | None
    outcome: Outcome | None
