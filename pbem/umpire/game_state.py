"""The state of a game after the entries of its log, and the game as a whole.

`GameState` applies entries, one by one, whose form, links, seats and signatures have been checked (FORMAT 5
to 7). For each it checks that this seat may write it now, that its share belongs to its anchor, and that the
rules allow its orders. A `Game` is a verified and replayed log, with the effect of each entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from pbem import games
from pbem.core.requests import Ask, Chance, Orders, Plain, Question, Tell
from pbem.core.rules import Outcome, Rules
from pbem.core.run import Position, Run, public
from pbem.core.sealing import Open, Seal
from pbem.errors import PbemError, expectation
from pbem.format.canonical import canonical_form, digest
from pbem.format.draws import Commitment, beat_seed, draw_number
from pbem.format.encrypted_boxes import seal_digest
from pbem.format.entries import BOUND, Accept, Commander, Entry, Offer, Seat
from pbem.messages import Messages, Said, row

tr = Messages("pbem")


MAX_NAMED_ENTRIES = 20
"""How many entries, the newest, a refusal suggests for a take-back."""


class EntryRefused(PbemError):
    """An entry is not allowed here: the step of FORMAT 9 that fails, what was expected and found."""

    def __init__(self, step: int, *, expected: Said, found: Said) -> None:
        super().__init__(expectation(expected, found))
        self.step = step
        self.expected = expected
        self.found = found


ProposalKind: TypeAlias = Literal["draw", "takeback", "retract"]


class Ending(Struct, frozen=True):
    """The end of the game: `way` is `rules`, `resignation` or `agreement`; no winner means a draw."""

    way: str
    winner: str | None
    reason: Said


class Proposal(Struct, frozen=True):
    """A seat's proposal, which the other seat has to answer.

    `what` is a draw; a take-back of everything after `entry` (FORMAT 6.6); or a retraction of the orders of
    `entry` and everything after them, which keeps the draw before them (FORMAT 12).
    """

    by: str
    what: ProposalKind
    entry: int = 0

    def describe(self, rules: Rules) -> Said:
        """The proposal and its author, in words."""
        side = rules.side(self.by)
        if self.what == "draw":
            return tr("{side} {side:proposes|propose} a draw", side=side)
        if self.what == "retract":
            return tr(
                "{side} {side:proposes|propose} to take back the orders of entry {entry}",
                side=side,
                entry=self.entry,
            )
        return tr(
            "{side} {side:proposes|propose} to undo everything after entry {entry}",
            side=side,
            entry=self.entry,
        )


class DrawResult(Struct, frozen=True):
    """The j-th draw of a beat: the rule that requires it, its equally likely outcomes, and the one drawn."""

    j: int
    rule: str
    outcomes: tuple[Plain, ...]
    outcome: Plain


class Beat(Struct, frozen=True):
    """A beat: its number, the seats' known secrets, and its draws once both are known."""

    number: int
    secrets: dict[str, bytes]
    draws: tuple[DrawResult, ...] = ()


def is_computed(rules: Rules, asked: Question) -> bool:
    """Whether pbem gives the orders for the player, who then decides nothing (`Rules.computed`)."""
    return rules.computed is not None and rules.computed(asked, bytes(32)) is not None


class GameState:
    """The state of a game between two seats after some entries.

    `run` is the game under its rules; `beats` are all beats opened so far, the last of which can still be
    open; `known` is what each seat's shares have revealed of its chain. `rest` is the state, with the
    question, when the rules last asked one or the game ended (FORMAT 7). `openings` are the entries that
    opened a seal, `computed` those with orders computed by pbem; `commanders` are those of each seat;
    `barred` is the seat that may not propose again before it has moved.
    """

    def __init__(self, rules: Rules, game: str, start: Any, beats: int, needs: Sequence[str] = ()) -> None:
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
        self.computed: list[int] = []
        self._seals: list[str] = []
        self.commanders: dict[str, Sequence[Commander]] = {}
        self._marks: list[Position | None] = []
        self._questions: dict[int, Position] = {}  # before the orders of each entry
        self._is_bound = BOUND in needs
        self._offering_seat = ""
        self.rest: tuple[Any, Question | None] | None = None
        self._position: str | None = None  # the digest of `rest`, which entries often share
        self._note_rest()

    def fork(self) -> GameState:
        """An independent copy of the state, for trials."""
        twin = copy(self)
        twin.run = self.run.fork()
        twin.beats = list(self.beats)
        twin.known = dict(self.known)
        twin.openings = list(self.openings)
        twin.computed = list(self.computed)
        twin._seals = list(self._seals)
        twin.commanders = dict(self.commanders)
        twin._marks = list(self._marks)
        twin._questions = dict(self._questions)
        return twin

    # Queries

    @property
    def open_beat(self) -> Beat | None:
        """The beat that is missing one seat's share, or None."""
        return self.beats[-1] if self.beats and len(self.beats[-1].secrets) == 1 else None

    @property
    def next_beat(self) -> int:
        """The number of the next beat; a take-back does not reduce it (FORMAT 6.6)."""
        return len(self.beats) + 1

    @property
    def pending_question(self) -> Question | None:
        """The pending question; None if the rules are waiting for chance, or the game is over."""
        return self.run.pending if isinstance(self.run.pending, Ask) else None

    @property
    def waits_for_chance(self) -> bool:
        """Whether the rules are waiting for a card or a die."""
        return isinstance(self.run.pending, Chance)

    @property
    def is_beat_due(self) -> bool:
        """Whether the rules are waiting for the offering seat to open beat 1 (FORMAT 12, `bound`)."""
        return self.waits_for_chance and self.open_beat is None and len(self.known) == 2

    def opens_beat(self, seat: str) -> bool:
        """Whether this seat's entry opens the next beat, which the rules are waiting for (FORMAT 6.1).

        In a `bound` game the accepting seat leaves beat 1 to the other (FORMAT 12).
        """
        left_to_other = self._is_bound and not self.beats and seat != self._offering_seat
        return self.waits_for_chance and not left_to_other

    @property
    def writer(self) -> str | None:
        """The seat that writes next (FORMAT 6); None when the game is over."""
        if self.ending:
            return None
        if len(self.known) == 1:
            return self.opponent(*self.known)
        if self.proposal:
            return self.opponent(self.proposal.by)
        if self.open_beat:
            return self.opponent(*self.open_beat.secrets)
        if self.is_beat_due:
            return self._offering_seat
        return self.pending_question.seat if self.pending_question else None

    @property
    def has_closed_seals(self) -> bool:
        """Whether seals are still closed that a result under the rules would have opened (FORMAT 13)."""
        if not self.rules.settles_results:
            return False
        position = canonical_form(public(self.rules, self.run.state, self.pending_question)).decode()
        return any(seal in position for seal in self._seals)

    def opponent(self, seat: str) -> str:
        """The opponent's seat."""
        first, second = self.rules.seats
        return second if seat == first else first

    def may_take_back_to(self, entry: int) -> bool:
        """Whether a take-back may name an entry: from 1 on, with the game at rest after it (FORMAT 6.6)."""
        return 0 < entry < len(self._marks) and self._marks[entry] is not None

    def may_retract(self, entry: int) -> bool:
        """Whether a retraction may name an entry: it must have orders (FORMAT 12)."""
        return entry in self._questions

    def position_after(self, entry: int) -> Position | None:
        """The position of the rules after an entry; None if the game was not at rest then."""
        return self._marks[entry]

    def position_digest(self) -> str | None:
        """The digest of the position at the last question or the end of the game (FORMAT 7), if any."""
        if self.rest is None:
            return None
        if self._position is None:
            position, ours = public(self.rules, *self.rest), games.is_built_in(self.rules.name)
            self._position = digest(position, b"pbem/1 position\n", is_plain=ours)
        return self._position

    # Changes by entries

    def take_seat(self, seat: str, anchor: bytes, commanders: Sequence[Commander] = ()) -> None:
        """Let a player take a seat, with the anchor of their chain and their commanders (FORMAT 11)."""
        self._offering_seat = self._offering_seat or seat
        self.commanders[seat] = commanders
        self.known[seat] = Commitment(self.game, seat, 0, anchor)

    def apply_orders(self, seat: str, orders: Orders) -> None:
        """Answer the pending question with a seat's orders. Raises `OrderError`, `EntryRefused`."""
        if self.pending_question is None or self.pending_question.seat != seat:
            side = self.rules.side(seat)
            problem = tr(
                "this entry has orders of {side}, but {side:it is|they are} not due to give any", side=side
            )
            raise EntryRefused(6, expected="", found=problem)
        if isinstance(self.pending_question, Open):
            self._check_seal(self.pending_question, orders)
            self.openings.append(len(self._marks))
        elif is_computed(self.rules, self.pending_question):
            self.computed.append(len(self._marks))
        if isinstance(self.pending_question, Seal):
            self._seals.append(self.pending_question.take(orders))
        self._questions[len(self._marks)] = self.run.position
        self.run.answer(orders)
        self._note_rest()

    def open_next_beat(self, seat: str, beat: int, secret: bytes) -> None:
        """Open the next beat with one seat's share (FORMAT 6.1)."""
        if beat != self.next_beat:
            raise _beat_refusal(self.next_beat, beat)
        self.known[seat] = self._check_share(seat, beat, secret)
        self.beats.append(Beat(beat, {seat: secret}))

    def complete_beat(self, seat: str, beat: int, secret: bytes) -> None:
        """Complete the open beat: decide every chance up to the next question (FORMAT 5 and 6.2).

        `secret` can be the share of the next beat, from which the share of the open one follows.
        """
        opened = self.open_beat
        assert opened is not None
        if beat not in (opened.number, opened.number + 1):
            raise _beat_refusal(opened.number, beat)
        own = self._check_share(seat, beat, secret).secret_of(opened.number)
        self.known[seat] = self._check_share(seat, opened.number, own)
        secrets = {**opened.secrets, seat: own}
        self.beats[-1] = Beat(opened.number, secrets, tuple(self._settle_draws(opened.number, secrets)))
        self._note_rest()

    def propose(self, seat: str, what: ProposalKind, entry: int = 0) -> None:
        """Make a proposal (FORMAT 6.6, 6.7 and 12). Raises `EntryRefused`."""
        if self.barred == seat:
            problem = tr(
                "{side} may not propose again before {side:it has moved: its|they have moved: their} last "
                "proposal was refused",
                side=self.rules.side(seat),
            )
            raise EntryRefused(6, expected="", found=problem)
        if what != "draw":
            self.check_may_undo(what, entry)
        self.proposal = Proposal(seat, what, entry)

    def check_may_undo(self, what: ProposalKind, entry: int) -> None:
        """Raise `EntryRefused` if the entry may not be named, or too few beats are left (FORMAT 6.7)."""
        if what == "retract" and not self.may_retract(entry):
            problem = tr(
                "only orders may be taken back, such as those of {entries}: entry {entry} has none",
                entries=", ".join(map(str, sorted(self._questions)[-MAX_NAMED_ENTRIES:])),
                entry=entry,
            )
            raise EntryRefused(6, expected="", found=problem)
        if what == "takeback" and not self.may_take_back_to(entry):
            newest = [n for n in range(len(self._marks)) if self.may_take_back_to(n)][-MAX_NAMED_ENTRIES:]
            problem = tr(
                "a take-back may go to an entry that left no draw open and no proposal pending, such as"
                " {entries}, not to entry {entry}",
                entries=", ".join(map(str, newest)),
                entry=entry,
            )
            raise EntryRefused(6, expected="", found=problem)
        if 2 * (self.limit - len(self.beats)) < self.limit:
            problem = tr(
                "no take-back is allowed any more: {left} of {number} draws are left, fewer than half",
                left=self.limit - len(self.beats),
                number=self.limit,
            )
            raise EntryRefused(6, expected="", found=problem)

    def settle_proposal(self, granted: bool) -> None:
        """Carry out the answer to the pending proposal."""
        assert self.proposal is not None
        proposal, self.proposal = self.proposal, None
        if not granted:
            self.barred = proposal.by
        elif proposal.what == "draw":
            self.ending = Ending("agreement", None, tr("a draw was agreed"))
        else:
            position = self.position_undone_to(proposal)
            assert position is not None
            self.run = Run(self.rules, position)
            self.run.told.clear()
            self._note_rest()

    def position_undone_to(self, proposal: Proposal) -> Position | None:
        """The position of the rules after a take-back: the one after its entry, or before its orders."""
        return self._questions[proposal.entry] if proposal.what == "retract" else self._marks[proposal.entry]

    def resign(self, seat: str) -> None:
        """Resign for a seat; the other wins."""
        self.proposal = None
        reason: Said = tr("{side} {side:has|have} resigned", side=self.rules.side(seat))
        if self.has_closed_seals:
            reason = row((reason, tr("what was sealed stays sealed, so nothing about it is proven")), "; ")
        self.ending = Ending("resignation", self.opponent(seat), reason)

    def record_entry_end(self) -> None:
        """Record, at the end of an entry, the position to which a take-back can return (FORMAT 6.6)."""
        at_rest = not (self.waits_for_chance or self.proposal or self.ending)
        self._marks.append(self.run.position if at_rest else None)

    def _check_share(self, seat: str, beat: int, share: bytes) -> Commitment:
        """The commitment after a share, which must hash down to its seat's last known one (FORMAT 6.5)."""
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
        """Check that the opened orders are the sealed ones (FORMAT 8). Raises `EntryRefused`."""
        salt, hidden = asked.opening(orders)
        found = seal_digest(self.game, asked.seat, bytes.fromhex(salt), canonical_form(hidden))
        if found != asked.seal:
            problem = tr("the opened orders have the seal {found}, not {seal}", found=found, seal=asked.seal)
            raise EntryRefused(9, expected="", found=problem)

    def _settle_draws(self, beat: int, secrets: dict[str, bytes]) -> list[DrawResult]:
        seed = beat_seed(self.game, beat, secrets)
        draws: list[DrawResult] = []
        while isinstance(pending := self.run.pending, Chance):
            j = len(draws)
            outcome = self.run.decide(draw_number(seed, j))
            draws.append(DrawResult(j, pending.rule, pending.outcomes, outcome))
        return draws

    def _note_rest(self) -> None:
        """Record `rest` if a question is pending or the game is over, and the ending if it is over."""
        if self.waits_for_chance:
            return
        self.rest = (self.run.state, self.pending_question)
        self._position = None
        outcome: Outcome | None = self.run.state.outcome
        if self.run.pending is None and outcome is not None:
            self.ending = Ending("rules", outcome.winner, row((outcome.rule, outcome.reason), ": "))


def _beat_refusal(expected: int, found: int) -> EntryRefused:
    """The refusal of a share for the wrong beat."""
    return EntryRefused(
        6,
        expected=tr("a share of beat {beat}", beat=expected),
        found=tr("one of beat {beat}", beat=found),
    )


class ReplayedEntry(Struct, frozen=True):
    """One entry and its effect.

    `events` in order, the beat it completed, if any, and the state of the rules after it, with the question
    then pending, if any. `rest` is the position of FORMAT 7: the state, with the question, when the rules
    last asked one or the game ended, up to the end of this entry; None if that never happened.
    """

    entry: Entry
    events: tuple[Tell, ...]
    beat: Beat | None
    state: Any
    question: Question | None
    rest: tuple[Any, Question | None] | None


class Game(Struct, frozen=True):
    """A log that has passed the checks of FORMAT 9, replayed. `state` must not be changed."""

    replayed_entries: tuple[ReplayedEntry, ...]
    rules: Rules
    state: GameState

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The log."""
        return tuple(replayed.entry for replayed in self.replayed_entries)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the entries (FORMAT 2); the first is the game's id."""
        return tuple(replayed.entry.id for replayed in self.replayed_entries)

    @property
    def offer(self) -> Offer:
        """Entry 0: the game's rules, options and scenario."""
        body = self.replayed_entries[0].entry.body
        assert isinstance(body, Offer)
        return body

    @property
    def seats(self) -> dict[str, Seat]:
        """The seats taken so far, by name, the offerer's first."""
        bodies = (replayed.entry.body for replayed in self.replayed_entries[:2])
        return {body.by: body.seat for body in bodies if isinstance(body, (Offer, Accept))}
