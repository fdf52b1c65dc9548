"""What a plan sees: the pending decision, and the events since the plan was armed.

It is made from a game, or from one of the ways in which a game may go on; all of it is public, or the
player's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any

from msgspec import Struct

from pbem.core.legend import Piece
from pbem.core.requests import Ask, Plain, Question, Tell
from pbem.core.rules import Odds, Rules
from pbem.core.run import Run
from pbem.core.sentences import joined
from pbem.core.traces import Shot
from pbem.texts import Texts

tr = Texts("pbem")


class Moment(Struct, frozen=True):
    """An entry's effect: its events, the state after it, and whether the opponent said something with it.

    If the player or his plan decided: `noted_stops` are the stops (`grammar.STOPS`) that were noted thereby.
    """

    state: Any
    events: tuple[Tell, ...] = ()
    has_message: bool = False
    noted_stops: tuple[str, ...] = ()


class PlanContext(Struct, frozen=True, dict=True):
    """A decision of a seat, which `run` waits for.

    `moments` are those since the plan was armed, the first as it was then, the last the present one. `done`
    is how often each step has been carried out.
    """

    run: Run
    seat: str
    moments: tuple[Moment, ...]
    done: Mapping[int, int]

    @property
    def rules(self) -> Rules:
        """The game's."""
        return self.run.rules

    @property
    def state(self) -> Any:
        """The state of the rules."""
        return self.run.state

    @property
    def question(self) -> Question:
        """The pending question."""
        asked = self.run.pending
        assert isinstance(asked, Ask)
        return asked

    @cached_property
    def facts(self) -> dict[str, Plain]:
        """The facts of the position, each in a word or a number."""
        return facts(self.rules, self.state, self.question)

    @cached_property
    def odds(self) -> list[Odds]:
        """The attacks that may be ordered, with their chances; many conditions may ask for them."""
        return self.rules.view.odds(self.question)

    def stop_reason(self, despite: tuple[str, ...]) -> str:
        """The reason why the plan must stop: an event that the player would want to know; empty for none."""
        if "words" not in despite and any(moment.has_message for moment in self._moments_since("words")):
            return tr("your opponent has said something")
        before = self._moments_since("hits")[0].state
        if "hits" not in despite and (hurt := _units_hit(self.rules, before, self.state, self.seat)):
            return tr.plural("{units} was hit", "{units} were hit", len(hurt), units=joined(hurt))
        if "range" not in despite and (near := self._new_threat(self._moments_since("range")[0].state)):
            return tr("{enemy} came into range of {unit}", enemy=near[0], unit=near[1])
        return ""

    def _moments_since(self, stop: str) -> tuple[Moment, ...]:
        """The moments from the last one on at which a stop was noted."""
        seen = (number for number, moment in enumerate(self.moments) if stop in moment.noted_stops)
        return self.moments[max(seen, default=0) :]

    def _new_threat(self, before: Any) -> tuple[str, str] | None:
        """An enemy that may attack now but not before, and its target; one of the two has moved since."""
        then, now = (
            {piece.name: at for piece, at in pieces(self.rules, state)} for state in (before, self.state)
        )
        known = set(threats_in_range(self.rules, before, self.seat))
        for pair in threats_in_range(self.rules, self.state, self.seat):
            if pair not in known and any(then.get(name) != now.get(name) for name in pair):
                return pair
        return None


def facts(rules: Rules, state: Any, asked: Question | None) -> dict[str, Plain]:
    """The words and numbers of the public state (FORMAT 7), and the game's facts on a question."""
    public = {
        name: value for name, value in rules.public(state).items() if not isinstance(value, (dict, list))
    }
    view = rules.view
    if view.turn:
        public["turn"] = view.turn(state)
    if asked is not None and view.allows:
        public |= view.allows(asked)
    return public


def pieces(rules: Rules, state: Any) -> Iterator[tuple[Piece, str]]:
    """Every counter with its hex, which is empty off the map."""
    legend = rules.view.legend(state)
    yield from ((piece, cell.number) for cell in legend.cells for piece in cell.pieces)
    yield from ((piece, "") for margin in legend.margins for piece in margin.pieces)


ALL = "all"
"""In a march: every unit on the ground."""


def marching_units(rules: Rules, state: Any, seat: str, word: str) -> Iterator[tuple[str, str]]:
    """The units of a seat that a word in a march means, each with its hex.

    It is the name of one, a kind, a group, or `all`, which means all but aircraft.
    """
    legend = rules.view.legend(state)
    ground, meant = legend.layers[:1], word.lower()
    for piece, at in pieces(rules, state):
        whose = (piece.name, piece.kind, piece.group, legend.groups.get(piece.group, ""))
        lies = meant == ALL and (not ground or piece.layer in ground)
        if piece.side == seat and (lies or meant in (name.lower() for name in whose if name)):
            yield piece.name, at


def threats_in_range(rules: Rules, state: Any, seat: str) -> Iterator[tuple[str, str]]:
    """Each enemy that may attack, with its possible target; support from off the map does not count."""
    threats = rules.view.threats
    for threat in threats(state, seat) if threats else ():
        yield from ((enemy, threat.unit) for enemy in threat.by)


def units_shot_at(rules: Rules, moments: tuple[Moment, ...], seat: str) -> Iterator[str]:
    """Each unit of a seat that was in a hex at which the other side shot."""
    traces = rules.view.traces
    if traces is None:
        return
    for before, moment in pairwise(moments):
        shot = {
            trace.at
            for tell in moment.events
            for trace in traces(tell)
            if isinstance(trace, Shot) and trace.side != seat
        }
        if shot:
            yield from (
                piece.name for piece, at in pieces(rules, before.state) if at in shot and piece.side == seat
            )


def _units_hit(rules: Rules, before: Any, now: Any, seat: str) -> list[str]:
    """The units of a seat that were hit or lost between two states."""
    faces = {piece.name: (piece.reduced, at) for piece, at in pieces(rules, now) if piece.side == seat}
    hurt = []
    for piece, at in pieces(rules, before):
        if piece.side == seat and at:
            reduced, there = faces.get(piece.name, (True, ""))
            if not there or (reduced and not piece.reduced):
                hurt.append(piece.name)
    return hurt
