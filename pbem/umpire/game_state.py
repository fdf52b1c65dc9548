"""The table: the game as the log has brought it so far (FORMAT sections 5 to 7).

A table takes entries whose form, links, seats and signatures have been checked, one by one. It asks of
each: may this seat write this now, does its share belong to its anchor, do the rules allow its orders?
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

from msgspec import Struct

from pbem.core.requests import Ask, Chance, Orders, Plain, Question
from pbem.core.rules import Outcome, Rules
from pbem.core.run import Position, Run, public
from pbem.core.sealing import Open
from pbem.errors import PbemError, expectation
from pbem.format.canonical import canonical, digest
from pbem.format.draws import beat_seed, draw_number
from pbem.format.sealed_boxes import seal_digest
from pbem.format.secret_chains import Commitment
from pbem.format.shapes import Commander
from pbem.messages import Messages, Said, row

tr = Messages("pbem")

TOLD = 20
"""The most entries named by a refusal, the newest that a take-back may name."""


class EntryRefused(PbemError):
    """An entry cannot come here: the step of FORMAT section 9 that fails, what was expected and found."""

    def __init__(self, step: int, *, expected: Said, found: Said) -> None:
        super().__init__(expectation(expected, found))
        self.step = step
        self.expected = expected
        self.found = found


class Ending(Struct, frozen=True):
    """The end of the game: `way` is `rules`, `resignation` or `agreement`; no winner means a draw."""

    way: str
    winner: str | None
    reason: Said


class Proposal(Struct, frozen=True):
    """A seat's proposal, which the other has to answer: a draw, or (with `entry`) a take-back."""

    by: str
    entry: int | None

    def words(self, rules: Rules) -> Said:
        """The proposal, and whose it is."""
        side = rules.side(self.by)
        if self.entry is None:
            return tr("{side} {side:proposes|propose} a draw", side=side)
        return tr(
            "{side} {side:proposes|propose} to undo all after entry {entry}", side=side, entry=self.entry
        )


class Drawn(Struct, frozen=True):
    """The j-th draw of a beat: the rule that called for it, the equally likely outcomes, and which came."""

    j: int
    rule: str
    outcomes: tuple[Plain, ...]
    outcome: Plain


class Beat(Struct, frozen=True):
    """A beat: its number, the seats' secrets that are known, and its draws once both are."""

    number: int
    secrets: dict[str, bytes]
    draws: tuple[Drawn, ...] = ()


class GameState:
    """A game between two seats, as far as entries have brought it.

    `run` is the game by the rules, `beats` are all beats opened so far (the last may be open still), `known`
    is what each seat's shares have shown of its chain. `rest` is the state when the rules last asked or were
    over, with the question (FORMAT 7). `openings` are the entries that opened a seal,
    `commanders` those with whom each seat is shared.
    """

    def __init__(self, rules: Rules, game: str, start: Any, beats: int) -> None:
        self.rules = rules
        self.game = game
        self.limit = beats
        self.run = Run(rules, Position(start))
        self.beats: list[Beat] = []
        self.known: dict[str, Commitment] = {}
        self.proposal: Proposal | None = None
        self.barred: str | None = None
        self.ending: Ending | None = None
        self.openings: list[int] = []
        self.commanders: dict[str, Sequence[Commander]] = {}
        self._marks: list[Position | None] = []
        self.rest: tuple[Any, Question | None] | None = None
        self._position: str | None = None  # of `rest`, once wanted; two entries in turn often share it
        self._note_rest()

    def fork(self) -> GameState:
        """An independent table from here, to try something on."""
        twin = copy(self)
        twin.run = self.run.fork()
        twin.beats = list(self.beats)
        twin.known = dict(self.known)
        twin.openings = list(self.openings)
        twin.commanders = dict(self.commanders)
        twin._marks = list(self._marks)
        return twin

    # What a reader may ask

    @property
    def open_beat(self) -> Beat | None:
        """The beat that waits for one seat's share; None if none is open."""
        return self.beats[-1] if self.beats and len(self.beats[-1].secrets) == 1 else None

    @property
    def next_beat(self) -> int:
        """The number of the next beat; beats never run backwards, whatever was taken back (FORMAT 6.6)."""
        return len(self.beats) + 1

    @property
    def asked(self) -> Question | None:
        """The question that the rules put; None if they wait for chance or are over."""
        return self.run.pending if isinstance(self.run.pending, Ask) else None

    @property
    def at_chance(self) -> bool:
        """Whether the rules wait for a draw or a throw."""
        return isinstance(self.run.pending, Chance)

    @property
    def writer(self) -> str | None:
        """The seat that writes next (FORMAT 6); None when the game is over."""
        if self.ending:
            return None
        if len(self.known) == 1:
            return self.other(*self.known)
        if self.proposal:
            return self.other(self.proposal.by)
        if self.open_beat:
            return self.other(*self.open_beat.secrets)
        return self.asked.seat if self.asked else None

    def other(self, seat: str) -> str:
        """The opponent's seat."""
        first, second = self.rules.seats
        return second if seat == first else first

    def may_be_named(self, entry: int) -> bool:
        """Whether a take-back may name an entry: from 1 on, at rest when it was complete (FORMAT 6.6)."""
        return 0 < entry < len(self._marks) and self._marks[entry] is not None

    def place(self, entry: int) -> Position | None:
        """The position of the rules after an entry, at rest; None where chance or an end came with it."""
        return self._marks[entry]

    def position(self) -> str | None:
        """The digest of the position when the rules last asked or were over (FORMAT 7), if they ever did."""
        if self.rest is None:
            return None
        if self._position is None:
            self._position = digest(public(self.rules, *self.rest), b"pbem/1 position\n")
        return self._position

    # What entries do

    def sit(self, seat: str, anchor: bytes, commanders: Sequence[Commander] = ()) -> None:
        """Seat a player, with the anchor of his chain and the commanders with whom he shares (FORMAT 11)."""
        self.commanders[seat] = commanders
        self.known[seat] = Commitment(self.game, seat, 0, anchor)

    def answer(self, seat: str, orders: Orders) -> None:
        """Give the rules a seat's orders for what they ask. Raises `OrderError`, `EntryRefused`."""
        if self.asked is None or self.asked.seat != seat:
            side = self.rules.side(seat)
            problem = tr(
                "this entry has orders of {side}, and {side:it is|they are} not asked for any", side=side
            )
            raise EntryRefused(6, expected="", found=problem)
        if isinstance(self.asked, Open):
            self._check_seal(self.asked, orders)
            self.openings.append(len(self._marks))
        self.run.answer(orders)
        self._note_rest()

    def open(self, seat: str, beat: int, secret: bytes) -> None:
        """Open the next beat with one seat's share (FORMAT 6.1)."""
        if beat != self.next_beat:
            raise _other_beat(self.next_beat, beat)
        self.known[seat] = self._checked(seat, beat, secret)
        self.beats.append(Beat(beat, {seat: secret}))

    def complete(self, seat: str, beat: int, secret: bytes) -> None:
        """Complete the open beat: settle every chance up to the next question (FORMAT 5 and 6.2).

        `secret` may be the share of the beat after it, from which that of the open one follows.
        """
        opened = self.open_beat
        assert opened is not None
        if beat not in (opened.number, opened.number + 1):
            raise _other_beat(opened.number, beat)
        own = self._checked(seat, beat, secret).secret_of(opened.number)
        self.known[seat] = self._checked(seat, opened.number, own)
        secrets = {**opened.secrets, seat: own}
        self.beats[-1] = Beat(opened.number, secrets, tuple(self._settle(opened.number, secrets)))
        self._note_rest()

    def propose(self, seat: str, entry: int | None) -> None:
        """Put a proposal on the table: a take-back to after `entry`, or a draw (FORMAT 6.6 and 6.7)."""
        if self.barred == seat:
            problem = tr(
                "{side} may not propose again before {side:it has moved: its|they have moved: their} last "
                "proposal was refused",
                side=self.rules.side(seat),
            )
            raise EntryRefused(6, expected="", found=problem)
        if entry is not None:
            if not self.may_be_named(entry):
                newest = [n for n in range(len(self._marks)) if self.may_be_named(n)][-TOLD:]
                problem = tr(
                    "a take-back may go to an entry that left no draw open and no proposal pending, such as"
                    " {entries}, not to entry {entry}",
                    entries=", ".join(map(str, newest)),
                    entry=entry,
                )
                raise EntryRefused(6, expected="", found=problem)
            if 2 * (self.limit - len(self.beats)) < self.limit:
                told = tr(
                    "no take-back is allowed any more: {left} of {number} draws are left, fewer than half",
                    left=self.limit - len(self.beats),
                    number=self.limit,
                )
                raise EntryRefused(6, expected="", found=told)
        self.proposal = Proposal(seat, entry)

    def settle_proposal(self, granted: bool) -> None:
        """Carry out the answer to the proposal."""
        assert self.proposal is not None
        proposal, self.proposal = self.proposal, None
        if not granted:
            self.barred = proposal.by
        elif proposal.entry is None:
            self.ending = Ending("agreement", None, tr("a draw was agreed"))
        else:
            position = self._marks[proposal.entry]
            assert position is not None
            self.run = Run(self.rules, position)
            self.run.told.clear()
            self._note_rest()

    def resign(self, seat: str) -> None:
        """Give the game up for a seat; the other wins."""
        self.proposal = None
        reason = tr("{side} {side:has|have} resigned", side=self.rules.side(seat))
        self.ending = Ending("resignation", self.other(seat), reason)

    def mark(self) -> None:
        """Remember of a complete entry whether a take-back may name it (FORMAT 6.6)."""
        at_rest = not (self.at_chance or self.proposal or self.ending)
        self._marks.append(self.run.position if at_rest else None)

    def _checked(self, seat: str, beat: int, share: bytes) -> Commitment:
        """Check a share by hashing it down to the last one known of that seat (FORMAT 6.5)."""
        known = self.known[seat]
        opened = known.open(beat, share)
        if opened is None:
            side = self.rules.side(seat)
            if known.beat:
                expected = tr(
                    "a share of beat {beat} that hashes to the share of {side} of beat {last}",
                    beat=beat,
                    side=side,
                    last=known.beat,
                )
            else:
                expected = tr(
                    "a share of beat {beat} that hashes to the anchor of {side}", beat=beat, side=side
                )
            raise EntryRefused(6, expected=expected, found=share.hex())
        return opened

    def _check_seal(self, asked: Open[Any, Any], orders: Orders) -> None:
        """Check that what is opened is what was sealed (FORMAT 8)."""
        salt, hidden = asked.opening(orders)
        found = seal_digest(self.game, asked.seat, bytes.fromhex(salt), canonical(hidden))
        if found != asked.seal:
            problem = tr("what is opened has the seal {found}, not {seal}", found=found, seal=asked.seal)
            raise EntryRefused(9, expected="", found=problem)

    def _settle(self, beat: int, secrets: dict[str, bytes]) -> list[Drawn]:
        seed = beat_seed(self.game, beat, secrets)
        draws: list[Drawn] = []
        while isinstance(pending := self.run.pending, Chance):
            j = len(draws)
            outcome = self.run.decide(draw_number(seed, j))
            draws.append(Drawn(j, pending.rule, pending.outcomes, outcome))
        return draws

    def _note_rest(self) -> None:
        """Keep the state for the position where the rules ask or are over; see whether the game has ended."""
        if self.at_chance:
            return
        self.rest = (self.run.state, self.asked)
        self._position = None
        outcome: Outcome | None = self.run.state.outcome
        if self.run.pending is None and outcome is not None:
            self.ending = Ending("rules", outcome.winner, row((outcome.rule, outcome.reason), ": "))


def _other_beat(expected: int, found: int) -> EntryRefused:
    """The refusal of a share of another beat."""
    return EntryRefused(
        6,
        expected=tr("a share of beat {beat}", beat=expected),
        found=tr("one of beat {beat}", beat=found),
    )
