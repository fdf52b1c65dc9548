"""Verify a game file, from its bytes, in the ten steps of FORMAT 9.

Steps 1 to 5 each run over all entries. Steps 6 and 7 depend on each other (the pending question says who
writes next, and follows from the orders), so steps 6 to 10 run entry by entry; a failure names its own step.
"""

from __future__ import annotations

import copyreg
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pbem import games
from pbem.base import limits
from pbem.core.rules import Rules
from pbem.core.sentences import joined
from pbem.errors import FileError, OrderError, VerificationError
from pbem.format.document import Document, check_links, parse_document
from pbem.format.entries import COMMANDERS, RESULTS, Accept, Entry, Offer, Play, Resign
from pbem.format.keys import PublicKey, verify_signature
from pbem.format.unreadable_file import describe_unreadable
from pbem.format.yaml_reader import parse_yaml
from pbem.messages import Message, Messages
from pbem.umpire.apply_entry import apply_entry
from pbem.umpire.commander_signatures import CommanderSignatures
from pbem.umpire.game_state import EntryRefused, Game, GameState, ReplayedEntry
from pbem.umpire.offered_scenario import agreed_data

tr = Messages("pbem")

if TYPE_CHECKING:
    from pbem.umpire.commander_signatures import CommanderSignatures


def steps() -> tuple[Message, ...]:
    """The checks of FORMAT 9 in words; step n is `steps()[n - 1]`."""
    return (
        tr("the YAML subset"),
        tr("the schema, the rules' version, options and scenario"),
        tr("every entry follows the one before, in this game"),
        tr("seats, keys, nonces and anchors"),
        tr("every signature"),
        tr("who writes, and every share"),
        tr("every order against the rules"),
        tr("every position"),
        tr("sealed orders"),
        tr("nothing follows the end"),
    )


@limits.time_limit()
def open_game(data: bytes) -> Game:
    """Verify a file and replay its game. Raises `VerificationError`, which names the first step that fails.

    Raises `OverBudget` if that takes too long.
    """
    return verify_log(parse_log(data))


@limits.time_limit()
def verify_log(entries: tuple[Entry, ...]) -> Game:
    """Steps 2 to 10 for the entries of a file that has been read. Raises as `open_game` does."""
    if not isinstance(entries[0].body, Offer):
        check_links(entries)  # it raises here: without an offer there are no terms to check
    rules, start = _check_terms(entries[0])
    check_links(entries)
    keys = _check_seats(entries, rules)
    shared = _check_commanders(entries, rules, keys)
    for entry in entries:
        limits.check()
        if not verify_signature(keys[entry.body.by], entry.message, entry.body.sig):
            side = rules.side(entry.body.by)
            raise VerificationError(
                5,
                entry.body.n,
                expected="",
                found=tr("the signature was not made with the key of {side}", side=side),
                told=tr(
                    "entry {entry} has been changed since {side} signed it, or was signed by somebody "
                    "else: ask for the file again",
                    entry=entry.body.n,
                    side=side,
                ),
            )
        if shared:
            shared.check_signatures(entry)
    return _replay(entries, rules, start)


def parse_log(data: bytes) -> tuple[Entry, ...]:
    """The entries of a file, after those checks of steps 1 and 2 that need no rules.

    Raises `VerificationError`, also for a part of a log, which cannot be verified alone (FORMAT 10), and
    `OverBudget` if it takes too long.
    """
    document = parse_file(data)
    if after := document.after:
        raise VerificationError(
            2,
            None,
            expected="",
            found=tr(
                "this is not a whole game, only the entries of {game} after entry {entry}",
                entry=after.n,
                game=after.game[:8],
            ),
            hint=tr("you need the whole file; the sender has it"),
        )
    return document.entries


@limits.time_limit()
def parse_file(data: bytes) -> Document:
    """A file or part of a log, after those checks. Raises as `parse_log` does, except for parts."""
    step, plain = 1, None
    try:
        plain = parse_yaml(data)
        step = 2
        return parse_document(plain)
    except FileError as error:
        failure = VerificationError.from_file_error(
            step, None, error, describe_unreadable(data, error, plain)
        )
    raise failure  # outside `except`, where the error would keep all the data in memory


def _reduce(game: Game) -> tuple[Any, ...]:
    """How a game is pickled when a worker process returns it.

    If the questions of an added game are closures, which cannot be pickled, the entries are pickled instead,
    and replayed; they have been verified by then.
    """
    import pickle  # 1 ms: only worker processes need it

    try:
        return _from_parts, (pickle.dumps((game.replayed_entries, game.rules, game.state)),)
    except (pickle.PicklingError, AttributeError, TypeError):
        return _from_entries, (game.entries,)


def _from_parts(pickled: bytes) -> Game:
    import pickle  # 1 ms: only worker processes need it

    return Game(*pickle.loads(pickled))


def _from_entries(entries: tuple[Entry, ...]) -> Game:
    return _replay(entries, *_check_terms(entries[0]))


copyreg.pickle(Game, _reduce)


def _check_terms(entry: Entry) -> tuple[Rules, Any]:
    """Step 2 for the terms of the offer: version of the rules, options, scenario and beats."""
    offer = entry.body
    assert isinstance(offer, Offer)
    try:
        rules = games.pinned_rules(offer.rules)
        _check_results(offer, rules)
        scenario = agreed_data(offer, rules)
        start = rules.begin(offer.options, scenario)
        rules = rules.with_sides_of(scenario)
        beats = rules.beats(offer.options, scenario)
    except FileError as error:
        raise VerificationError.from_file_error(2, 0, error) from None
    if offer.beats != beats:
        problem = tr("beats must be {number}, as the rules say, not {found}", number=beats, found=offer.beats)
        raise VerificationError(2, 0, expected="", found=problem)
    return rules, start


def _check_results(offer: Offer, rules: Rules) -> None:
    """Step 2: an offer names the extension `results` exactly if the rules settle results (FORMAT 13)."""
    if (RESULTS in (offer.needs or ())) == rules.settles_results:
        return
    if rules.settles_results:
        problem = tr("must name results: the rules {rules} settle the result", rules=offer.rules)
    else:
        problem = tr("must not name results: the rules {rules} do not settle the result", rules=offer.rules)
    raise FileError(problem, where="log[0].needs")


def _check_seats(entries: Sequence[Entry], rules: Rules) -> dict[str, PublicKey]:
    """Step 4: each seat is one of the rules', taken once, with a valid key and its own nonce and anchor."""
    offer = entries[0].body
    assert isinstance(offer, Offer)
    invited = None if offer.to is None else _parse_key(offer.to, 0)
    keys: dict[str, PublicKey] = {}
    seats = []
    for entry in entries[:2]:
        body = entry.body
        assert isinstance(body, (Offer, Accept))
        free = [seat for seat in rules.seats if seat not in keys]
        if body.by not in free:
            expected = tr("a free seat: {seats}", seats=joined(free, "or"))
            raise VerificationError(4, body.n, expected=expected, found=body.by)
        keys[body.by] = _parse_key(body.seat.key, body.n)
        seats.append(body.seat)
    if len(seats) == 2:
        if seats[0].nonce == seats[1].nonce:
            raise VerificationError(4, 1, expected="", found=tr("both seats have the same nonce"))
        if seats[0].anchor == seats[1].anchor:
            raise VerificationError(4, 1, expected="", found=tr("both seats have the same anchor"))
        if invited not in (None, keys[entries[1].body.by]):
            expected = tr("the key that the offer is made to, {key}", key=offer.to)
            raise VerificationError(4, 1, expected=expected, found=seats[1].key)
    for entry in entries[2:]:
        if entry.body.by not in keys:
            expected = tr("one of {names}", names=", ".join(keys))
            raise VerificationError(4, entry.body.n, expected=expected, found=entry.body.by)
    return keys


def _check_commanders(
    entries: Sequence[Entry], rules: Rules, keys: dict[str, PublicKey]
) -> CommanderSignatures | None:
    """Step 4 for commanders (FORMAT 11); None if the offer does not name their extension."""
    offer = entries[0].body
    assert isinstance(offer, Offer)
    if COMMANDERS not in (offer.needs or ()):
        return None

    return CommanderSignatures(entries, rules, keys)


def _parse_key(text: str, n: int) -> PublicKey:
    try:
        return PublicKey.parse(text)
    except FileError as error:
        problem = tr("this is not a valid Ed25519 key: {reason}", reason=error.message)
        raise VerificationError(4, n, expected="", found=problem) from None


def _replay(entries: Sequence[Entry], rules: Rules, start: Any) -> Game:
    """Steps 6 to 10: apply entry after entry to the state."""
    offer = entries[0].body
    assert isinstance(offer, Offer)
    state = GameState(rules, offer.game, start, offer.beats, offer.needs or ())
    replayed_entries: list[ReplayedEntry] = []
    disagreed: VerificationError | None = None
    late: VerificationError | None = None
    for entry in entries:
        limits.check()
        try:
            replayed_entries.append(replay_entry(state, entry))
        except EntryRefused as refused:
            failure = VerificationError(
                refused.step, entry.body.n, expected=refused.expected, found=refused.found
            )
            if refused.step < 8:
                raise failure from None
            late = failure
            break
        except OrderError as error:
            told = tr("these orders are not legal: {reason}", reason=error.message)
            raise VerificationError(7, entry.body.n, expected="", found=told) from None
        disagreed = disagreed or _position_failure(state, entry)
    for failed in (disagreed, late):
        if failed:
            raise failed
    return Game(tuple(replayed_entries), rules, state)


def replay_entry(state: GameState, entry: Entry) -> ReplayedEntry:
    """Apply an entry to the state, and collect what it leads to. Raises as `apply_entry` does."""
    opened = state.open_beat
    apply_entry(state, entry.body)
    completed = state.beats[opened.number - 1] if opened and not isinstance(entry.body, Resign) else None
    replayed = ReplayedEntry(
        entry, tuple(state.run.told), completed, state.run.state, state.pending_question, state.rest
    )
    state.run.told.clear()
    return replayed


def _position_failure(state: GameState, entry: Entry) -> VerificationError | None:
    """Step 8: the writer's position is the one computed here (FORMAT 7)."""
    body = entry.body
    match body:
        case Play():
            due = True
        case Accept():
            due = body.orders is not None or body.share is not None
        case _:
            return None
    expected = state.position_digest() if due else None
    if expected == body.position:
        return None
    return VerificationError(
        8,
        body.n,
        expected=tr("position {id}", id=expected) if expected else tr("an entry without one"),
        found=body.position or tr.sense("a position", "none"),
        told=tr(
            "entry {entry} leads to a different position here: the two programs disagree about the "
            "rules, or its writer made a mistake; a third program can decide",
            entry=body.n,
        ),
    )
