"""The worth of shots to a side, by hex (R7)."""

from __future__ import annotations

from pbem.games.rommel.players.tactics import prize
from pbem.games.rommel.rules import fire
from pbem.games.rommel.rules.chances import hit_chance
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.rules.weather import gun_range
from pbem.games.rommel.terms.setting import MAY_FIRE, other_side


class Gunnery:
    """The enemies as targets, in today's weather and where they stand now."""

    def __init__(self, state: State, seat: str) -> None:
        self._state = state
        self._targets = state.army(other_side(seat))
        self._best: dict[str, dict[str, float]] = {}

    def worth(self, name: str, at: str) -> float:
        """The value of a unit's best shot from a hex."""
        if self._state.kind(name) not in MAY_FIRE:
            return 0.0
        row = fire.row(self._state, name)
        if row not in self._best:
            self._best[row] = self._best_shots(row)
        return self._best[row].get(at, 0.0)

    def _best_shots(self, row: str) -> dict[str, float]:
        """The value of the best shot, by hex, for units of a row of the fire table."""
        state, within = self._state, self._state.setting.grid.within
        table, best = state.setting.fire[row], dict[str, float]()
        most = gun_range(table.reach, state.weather)
        for target in self._targets if most > 0 else ():
            faces = table.hits.get(fire.column(state, target), ())
            worth = float(hit_chance(faces)) * prize(state, target)
            for at in within(state.at(target), most) if worth else ():
                if worth > best.get(at, 0.0):
                    best[at] = worth
        return best
