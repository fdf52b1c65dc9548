"""Write and sign a player's own entries: offer, accept, play, propose, answer, resign (FORMAT 4 to 6).

Each function takes a verified game and returns it with one more entry. Nothing is saved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import urandom

from msgspec import Struct, to_builtins

from pbem.core.requests import Orders, Plain
from pbem.core.rules import Rules
from pbem.core.run import judged
from pbem.core.sealing import Open, Seal
from pbem.errors import NotYourMove
from pbem.format.canonical import digest
from pbem.format.document import document_bytes
from pbem.format.entries import COMMANDERS, RESULTS, Commander, Seat, sign_entry
from pbem.format.keys import PrivateKey, PublicKey
from pbem.messages import Messages
from pbem.umpire import sealed_orders
from pbem.umpire.commander_signatures import check_new_commanders
from pbem.umpire.game_facts import ADDRESS_KEY as MAIL
from pbem.umpire.game_state import EntryRefused, Game, GameState, is_computed
from pbem.umpire.permissions import (
    chain_of,
    computed_entropy,
    computed_orders,
    held_seats,
    own_chain,
    unlock_state,
    writing_seat,
)
from pbem.umpire.verify import replay_entry

tr = Messages("pbem")


class Claim(Struct, frozen=True):
    """What a writer adds to a move: their clock (`YYYY-MM-DDThh:mm:ssZ`), message, and new address.

    Empty fields are left out.
    """

    at: str = ""
    say: str = ""
    mail: str = ""


class Person(Struct, frozen=True):
    """A player who takes a seat: name, key, mail address (optional) and commanders (FORMAT 11)."""

    name: str
    key: PrivateKey
    mail: str = ""
    commanders: tuple[Commander, ...] = ()


class Terms(Struct, frozen=True):
    """The terms of an offer: rules, every option, the scenario's name, and the data of an own scenario."""

    rules: Rules
    options: dict[str, Plain]
    scenario: str
    own_data: Plain = None

    @property
    def data(self) -> Plain:
        """The scenario's data, shipped or own."""
        return self.rules.scenarios.data(self.scenario) if self.own_data is None else self.own_data


Entropy = Callable[[int], bytes]
"""A function that returns a number of fresh random bytes, such as `os.urandom`."""


def offer(
    person: Person,
    seat: str,
    terms: Terms,
    entropy: Entropy,
    *,
    to: str = "",
    x: dict[str, Plain] | None = None,
    shared: bool = False,
    extensions: Sequence[str] = (),
    claim: Claim = Claim(),
) -> Game:
    """Open a game; `x` is signed, but the rules never read it (FORMAT 4).

    `shared`: both sides may have commanders, as they also may if `person` has any (FORMAT 11). Raises
    `FileError` for options or a scenario that the rules refuse, `PbemError` for commanders.
    """
    rules = terms.rules.with_sides_of(terms.data)
    start = rules.begin(terms.options, terms.data)
    beats = rules.beats(terms.options, terms.data)
    game = entropy(16).hex()
    shared = shared or bool(person.commanders)
    own = [name for name, is_needed in ((COMMANDERS, shared), (RESULTS, rules.settles_results)) if is_needed]
    needs = sorted({*extensions, *own})
    scenario = {"name": terms.scenario, "sha256": digest(terms.data)}
    if terms.own_data is not None:
        scenario["data"] = terms.own_data
    fields: dict[str, Plain] = {
        "game": game,
        "rules": rules.pin,
        "options": terms.options,
        "scenario": scenario,
        "beats": beats,
        "seat": _seat_fields(person, game, seat, beats, entropy),
        **({"to": to} if to else {}),
        **({"x": x} if x else {}),
        **({"needs": needs} if needs else {}),
    }
    _check_commanders(rules, seat, person, {}, shared=shared)
    empty = Game((), rules, GameState(rules, game, start, beats, needs))
    return _sign_and_append(empty, person.key, seat, "offer", fields, claim)


def accept(game: Game, person: Person, entropy: Entropy, *, claim: Claim = Claim()) -> Game:
    """Take the other seat. Raises `NotYourMove` if it is taken, or offered to another key.

    Raises `PbemError` for commanders this game cannot have.
    """
    offered = game.offer
    seat = game.state.writer
    if len(game.entries) > 1 or seat is None:
        raise NotYourMove(tr("both seats of this game are taken"))
    if isinstance(offered.to, str) and PublicKey.parse(offered.to) != person.key.public:
        fingerprint = PublicKey.parse(offered.to).fingerprint
        raise NotYourMove(tr("this game is offered to another key: {fingerprint}", fingerprint=fingerprint))
    _check_commanders(game.rules, seat, person, game.seats, shared=COMMANDERS in (offered.needs or ()))
    fields: dict[str, Plain] = {"seat": _seat_fields(person, offered.game, seat, offered.beats, entropy)}
    trial = game.state.fork()
    trial.take_seat(seat, bytes.fromhex(fields["seat"]["anchor"]))
    if trial.opens_beat(seat):
        chain = chain_of(person.key, fields["seat"]["nonce"], offered.game, seat, offered.beats)
        fields |= {"beat": trial.next_beat, "share": chain.share(trial.next_beat).hex()}
    return _sign_and_append(game, person.key, seat, "accept", fields, claim)


def play(
    game: Game,
    key: PrivateKey,
    orders: Orders | None = None,
    *,
    claim: Claim = Claim(),
    entropy: Entropy = urandom,
    parts: Sequence[dict[str, Plain]] = (),
) -> Game:
    """Write the share that is due, or orders, or both. Raises `OrderError` if the rules refuse the orders.

    Without `orders`, orders that pbem computes for the player are written. Hidden orders are sealed here, and
    a seal is opened when it is time (FORMAT 8). An entry that decides nothing has no clock, so that each
    computer of the player writes the same one (FORMAT 6). `parts` are the orders that commanders have signed
    (FORMAT 11); parts of sealed orders are revealed with them. Raises `NotYourMove` if this key does not
    write next, if there is no question for the orders to answer, or if a message is added to an entry that
    decides nothing.
    """
    seat = writing_seat(game, key)
    if game.state.proposal:
        proposal = game.state.proposal.describe(game.rules)
        raise NotYourMove(tr("{proposal}: answer this proposal first", proposal=proposal))
    if orders is None:
        claim = _require_silence(claim)
    fields: dict[str, Plain] = {}
    trial = unlock_state(game, key)
    chain = own_chain(game, key, seat)
    if beat := _share_due(game.state):
        fields |= {"beat": beat, "share": chain.share(beat).hex()}
    asked = trial.pending_question if trial.pending_question and trial.pending_question.seat == seat else None
    if isinstance(asked, Open):
        if orders is not None:
            raise NotYourMove(
                tr(
                    "{side} {side:has|have} already sealed orders: they are opened without any new ones",
                    side=game.rules.side(seat),
                )
            )
        orders, parts = (
            sealed_orders.open_seal(game, key, asked),
            sealed_orders.sealed_parts(game, key, asked),
        )
    elif asked is not None and orders is None:
        orders = computed_orders(game, key, asked)
        entropy = computed_entropy(game, key, seat)
    if isinstance(asked, Seal) and orders is not None:
        judged(game.rules, asked.read, orders)
        orders, parts = sealed_orders.seal_orders(game, key, seat, orders, entropy, parts), ()
    if orders is not None:
        if asked is None:
            side = game.rules.side(seat)
            raise NotYourMove(tr("{side} {side:is|are} not due to give orders now", side=side))
        trial.apply_orders(seat, orders)
        fields |= {"orders": orders, **({"parts": list(parts)} if parts else {})}
        if trial.opens_beat(seat):
            fields |= {"beat": trial.next_beat, "share": chain.share(trial.next_beat).hex()}
    if position := trial.position_digest():  # none before the first question, with `bound`
        fields["position"] = position
    return _sign_and_append(game, key, seat, "play", fields, claim)


def play_computed(game: Game, key: PrivateKey) -> Game:
    """The game with everything pbem computes for this player now, such as an order of cards to be sealed."""
    while (asked := game.state.pending_question) and asked.seat in held_seats(game, key):
        if game.state.writer != asked.seat or game.state.proposal or not is_computed(game.rules, asked):
            break
        game = play(game, key)
    return game


def propose(game: Game, key: PrivateKey, what: dict[str, Plain], *, claim: Claim = Claim()) -> Game:
    """Propose `{"retract": n}`, `{"takeback": n}` or `{"draw": True}`, after any share that is due.

    Raises `NotYourMove` if FORMAT 6.6 forbids it.
    """
    if _share_due(game.state) and not game.state.ending:
        game = play(game, key)
    seat = writing_seat(game, key)
    try:
        return _sign_and_append(game, key, seat, "propose", {"what": what}, claim)
    except EntryRefused as refused:
        raise NotYourMove(tr("you cannot propose that now: {reason}", reason=refused)) from None


def _share_due(state: GameState) -> int | None:
    """The number of the beat whose share the next entry must contain, if any (FORMAT 6.2 and 12)."""
    if state.is_beat_due:
        return state.next_beat
    return state.open_beat.number if state.open_beat else None


def answer(game: Game, key: PrivateKey, granted: bool, *, claim: Claim = Claim()) -> Game:
    """Grant or refuse the opponent's proposal. Raises `NotYourMove` if there is none."""
    seat = writing_seat(game, key)
    if game.state.proposal is None:
        raise NotYourMove(tr("nothing has been proposed"))
    return _sign_and_append(game, key, seat, "answer", {"accept": granted}, claim)


def resign(game: Game, key: PrivateKey, *, claim: Claim = Claim()) -> Game:
    """Resign. Raises `NotYourMove` if this key does not write next."""
    return _sign_and_append(game, key, writing_seat(game, key), "resign", {}, claim)


def to_bytes(game: Game, status: Plain, board: str) -> bytes:
    """The game as a file (FORMAT 3), with the status and board for people to read."""
    return document_bytes(status, board, game.entries)


def _sign_and_append(
    game: Game, key: PrivateKey, seat: str, kind: str, fields: dict[str, Plain], claim: Claim
) -> Game:
    """The game with one more entry, signed, and applied to the state like any entry that arrives."""
    entries = game.entries
    head: dict[str, Plain] = {"n": len(entries), "by": seat, "kind": kind}
    if entries:
        head["prev"] = entries[-1].id
    claims = {name: value for name, value in (("at", claim.at), ("say", claim.say)) if value}
    moved: dict[str, Plain] = {"x": {MAIL: claim.mail}} if claim.mail else {}
    entry = sign_entry({**head, **claims, **moved, **fields}, key.sign)
    state = game.state.fork()
    replayed = replay_entry(state, entry)
    return Game((*game.replayed_entries, replayed), game.rules, state)


def _require_silence(claim: Claim) -> Claim:
    """The empty claim of an entry that follows from the log alone. Raises `NotYourMove` for a message."""
    if claim.say:
        raise NotYourMove(
            tr(
                "your message cannot go now: you have no decision to make, and only add your half "
                "of the draw (FORMAT 6)"
            ),
            hint=tr("leave out --say, and send your message with your next decision or in the mail"),
        )
    return Claim()


def _seat_fields(person: Person, game: str, seat: str, beats: int, entropy: Entropy) -> dict[str, Plain]:
    """The seat as in the file, with a fresh nonce (FORMAT 5)."""
    nonce = entropy(32).hex()
    chain = chain_of(person.key, nonce, game, seat, beats)
    return {
        "name": person.name,
        **({"mail": person.mail} if person.mail else {}),
        "key": str(person.key.public),
        "nonce": nonce,
        "anchor": chain.anchor.hex(),
        **({"commanders": [to_builtins(each) for each in person.commanders]} if person.commanders else {}),
    }


def _check_commanders(
    rules: Rules, seat: str, person: Person, seats: dict[str, Seat], *, shared: bool
) -> None:
    """Raise `PbemError` for commanders a verifier would refuse."""
    if not shared and not person.commanders:
        return

    check_new_commanders(rules, seat, person.key.public, person.commanders, seats, shared=shared)
