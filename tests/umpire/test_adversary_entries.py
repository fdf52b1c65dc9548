"""A cheat adds an entry: the adversary table of FORMAT sections 6 to 9.

Each row: the attack, the game as it stands, the entry that is added to it, the step of section 9 that
fails, and a word of the message. All is linked and signed without a flaw, so that nothing but the attack
itself can be refused.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pbem.core.requests import Orders
from pbem.umpire.game_state import Game
from support.attack_tables import Fails, Make, make_entry, make_play, parametrize_attacks
from support.game_stages import (
    PASS,
    PLACE,
    drawn_game,
    game_after_beats,
    game_asking,
    game_before_exit,
    game_before_last_share,
    game_completing_beat,
    game_completing_beat_for_other,
    game_with_draw_proposed,
    game_with_draw_refused,
    game_with_open_beat,
    played_out_game,
    resigned_game,
    started_game,
)
from support.simulator import append_forged, log_of, true_share, write_play

us_asked = partial(game_asking, "us")
next_card_is_mine = partial(game_completing_beat, "german")
next_card_is_not_mine = partial(game_completing_beat_for_other, "german")
about_to_win = partial(game_before_exit, completing=False)
about_to_win_with_a_share = partial(game_before_exit, completing=True)

spent = partial(game_after_beats, 54)

DRAW = {"draw": True}
EXIT: Orders = [{"exit": "Tiger102"}]
ZERO = "00" * 32
X1, X2 = (true_share(started_game(), "us", beat) for beat in (1, 2))
OFFER, ACCEPT = log_of(started_game())


def placing(unit: str, at: str) -> Orders:
    """The placement of the US units, with one unit elsewhere or one too many."""
    return [{"place": {**PLACE[0]["place"], unit: at}}]


def copy(raw: dict[str, object]) -> Make:
    """An entry that stands in the log already."""
    return lambda game: dict(raw)


def after_a_second_play() -> Game:
    """A draw was refused, entries 4 and 5; the US player has played since and is asked again."""
    return write_play(write_play(game_with_draw_refused(), PASS))


SHAPES = (
    ("an unknown kind", started_game, make_entry("us", "cheat"), 2, "one of offer, accept, play"),
    ("an unknown key", started_game, make_entry("us", "resign", why="bored"), 2, "there is no key 'why'"),
    (
        "an unknown extension",
        started_game,
        make_entry("us", "propose", what=DRAW, needs=["blitz"]),
        2,
        "'blitz'",
    ),
    ("null for nothing", started_game, make_entry("us", "resign", say=None), 2, "null is not allowed"),
    (
        "orders that are no list",
        started_game,
        make_entry("us", "play", orders={}, beat=1, share=X1),
        2,
        "orders",
    ),
    ("an order that is no mapping", started_game, make_play("us", beat=1, orders=["pass"]), 2, "orders[0]"),
    (
        "neither orders nor share",
        started_game,
        make_play("us", position=ZERO),
        2,
        "a play needs orders or a share",
    ),
    (
        "a beat without its share",
        started_game,
        make_entry("us", "play", orders=PLACE, beat=1),
        2,
        "give both or neither",
    ),
    (
        "a share without its beat",
        started_game,
        make_play("us", PLACE, share=ZERO),
        2,
        "give both or neither",
    ),
    (
        "beat zero",
        started_game,
        make_entry("us", "play", orders=PLACE, beat=0, share=ZERO),
        2,
        "from 1 to 65536",
    ),
    (
        "a position where none belongs",
        started_game,
        make_entry("us", "resign", position=ZERO),
        2,
        "key 'position'",
    ),
    ("a proposal of nothing", started_game, make_entry("us", "propose", what={}), 2, "exactly one"),
    (
        "a proposal of both",
        started_game,
        make_entry("us", "propose", what={**DRAW, "takeback": 1}),
        2,
        "exactly one",
    ),
    (
        "a proposal of no draw",
        started_game,
        make_entry("us", "propose", what={"draw": False}),
        2,
        "exactly one",
    ),
    (
        "a take-back below zero",
        started_game,
        make_entry("us", "propose", what={"takeback": -1}),
        6,
        "not to entry -1",
    ),
    (
        "a proposal to resign",
        started_game,
        make_entry("us", "propose", what={"resign": True}),
        2,
        "key 'resign'",
    ),
    (
        "an answer that is neither",
        started_game,
        make_entry("us", "answer", accept="maybe"),
        2,
        "true or false",
    ),
)

SEATS = (
    ("a second offer", started_game, copy(OFFER), 3, "kind: offer"),
    ("a second accept", started_game, copy(ACCEPT), 3, "kind: accept"),
    ("a third player", started_game, make_entry("french", "resign"), 4, "one of german, us"),
    ("a play out of turn", started_game, make_play("german", PASS), 6, "an entry of the Americans"),
    (
        "a resignation out of turn",
        started_game,
        make_entry("german", "resign"),
        6,
        "an entry of the Americans",
    ),
    (
        "going on after opening a beat",
        game_with_open_beat,
        make_play("us", PASS),
        6,
        "an entry of the Germans",
    ),
)

SHARES = (
    (
        "no share of the beat to open",
        started_game,
        make_play("us", PLACE),
        6,
        "the share of beat 1, which this entry",
    ),
    (
        "a share of one's own choice",
        started_game,
        make_play("us", PLACE, beat=1, share=ZERO),
        6,
        "to the anchor of the",
    ),
    (
        "a beat too far",
        started_game,
        make_play("us", PLACE, beat=2),
        6,
        "this should be a share of beat 1, not one of beat 2",
    ),
    (
        "the secret above",
        started_game,
        make_play("us", PLACE, beat=1, share=X2),
        6,
        "the anchor of the Americans",
    ),
    ("a share without orders", started_game, make_play("us", beat=1), 6, "a play without orders"),
    ("no share of the open beat", game_with_open_beat, make_play("german", PASS), 6, "the share of beat 1"),
    (
        "the opponent's own share",
        game_with_open_beat,
        make_play("german", beat=1, share=X1),
        6,
        "the anchor of the Germans",
    ),
    (
        "another share of the open beat",
        game_with_open_beat,
        make_play("german", beat=1, share=ZERO),
        6,
        "the anchor of the Germans",
    ),
    (
        "a beat that is not open",
        game_with_open_beat,
        make_play("german", beat=3),
        6,
        "of beat 1, not one of beat 3",
    ),
    (
        "another share of a later beat",
        next_card_is_mine,
        make_play("german", beat=3, share=ZERO),
        6,
        "the share of the Germans of beat 2",
    ),
    (
        "two beats at once",
        next_card_is_mine,
        make_play("german", PASS, beat=5),
        6,
        "of beat 3, not one of beat 5",
    ),
    (
        "the next beat without orders",
        game_with_open_beat,
        make_play("german", beat=2),
        6,
        "a share of beat 1, not one of",
    ),
    ("a second share of a beat", us_asked, make_play("us", PASS, beat=1), 6, "of beat 2, not one of beat 1"),
    (
        "an old secret",
        us_asked,
        make_play("us", PASS, beat=2, share=X1),
        6,
        "the Americans of beat 1",
    ),
    (
        "the completed beat alone",
        next_card_is_mine,
        make_play("german", PASS, beat=3),
        6,
        "a share of beat 4",
    ),
    (
        "a share at the end",
        about_to_win,
        make_play("german", EXIT, beat=5),
        6,
        "an entry without a share, since no beat is open",
    ),
    (
        "a beat after the end",
        about_to_win_with_a_share,
        make_play("german", EXIT, beat=10),
        6,
        "a share of beat 9",
    ),
)

ORDERS = (
    ("an empty list", started_game, make_play("us", [], beat=1), 7, "M9.1"),
    ("the answer to another question", started_game, make_play("us", PASS, beat=1), 7, "M9.1"),
    ("a hex off the map", started_game, make_play("us", placing("SPTD", "2001"), beat=1), 7, "M9.1"),
    ("a unit that does not exist", started_game, make_play("us", placing("6SS", "1503"), beat=1), 7, "M9.2"),
    ("a unit named by escapes", us_asked, make_play("us", [{"exit": "\x1b[2J\u202e\n"}], beat=2), 7, "M9.2"),
    ("the enemy's unit", started_game, make_play("us", placing("DF", "1503"), beat=1), 7, "M9.2"),
    ("what the rules forbid", started_game, make_play("us", placing("SPTD", "1901"), beat=1), 7, "M2.1"),
    ("a unit not on the map", us_asked, make_play("us", [{"move": "CCA", "to": "1101"}], beat=2), 7, "M4.1"),
    ("a pass with a move", us_asked, make_play("us", [*PASS, {"exit": "SPTD"}], beat=2), 7, "M9.1"),
    (
        "the opponent's card",
        next_card_is_not_mine,
        make_play("german", PASS, beat=2),
        6,
        "not due to give any",
    ),
    ("no question left", game_before_last_share, make_play("us", PASS, beat=13), 6, "not due to give any"),
)

POSITIONS = (
    ("another position", started_game, make_play("us", PLACE, beat=1, position=ZERO), 8, f"not {ZERO}"),
    ("no position", started_game, make_play("us", PLACE, beat=1), 8, "not none"),
)

PROPOSALS = (
    (
        "an answer to nothing",
        started_game,
        make_entry("us", "answer", accept=True),
        6,
        "a proposal to answer",
    ),
    (
        "an answer to an open beat",
        game_with_open_beat,
        make_entry("german", "answer", accept=True),
        6,
        "a proposal to answer",
    ),
    (
        "an answer to oneself",
        game_with_draw_proposed,
        make_entry("us", "answer", accept=True),
        6,
        "an entry of the Germans",
    ),
    (
        "playing on without an answer",
        game_with_draw_proposed,
        make_play("us", PASS, beat=2),
        6,
        "an entry of the Germans",
    ),
    (
        "a play for an answer",
        game_with_draw_proposed,
        make_play("german", PASS),
        6,
        "an answer to the proposal",
    ),
    (
        "a proposal for an answer",
        game_with_draw_proposed,
        make_entry("german", "propose", what=DRAW),
        6,
        "an answer to the",
    ),
    (
        "a proposal while a beat is open",
        game_with_open_beat,
        make_entry("german", "propose", what=DRAW),
        6,
        "beat 1 first",
    ),
    (
        "a refused proposal again",
        game_with_draw_refused,
        make_entry("us", "propose", what=DRAW),
        6,
        "they have moved",
    ),
    (
        "another after a refusal",
        game_with_draw_refused,
        make_entry("us", "propose", what={"takeback": 1}),
        6,
        "they have moved",
    ),
    (
        "taking back the offer",
        started_game,
        make_entry("us", "propose", what={"takeback": 0}),
        6,
        "to entry 0",
    ),
    (
        "taking back to itself",
        started_game,
        make_entry("us", "propose", what={"takeback": 2}),
        6,
        "to entry 2",
    ),
    (
        "taking back to the future",
        started_game,
        make_entry("us", "propose", what={"takeback": 3}),
        6,
        "to entry 3",
    ),
    ("to an open beat", us_asked, make_entry("us", "propose", what={"takeback": 2}), 6, "left no draw open"),
    (
        "to a proposal",
        after_a_second_play,
        make_entry("us", "propose", what={"takeback": 4}),
        6,
        "no proposal pending",
    ),
    (
        "too few beats left",
        spent,
        make_entry("german", "propose", what={"takeback": 1}),
        6,
        "of 106 draws are left",
    ),
)

ENDS = (
    (
        "a play after resigning",
        resigned_game,
        make_play("us", PASS, beat=2),
        10,
        "the game is over (the Americans have resigned), and a play of the Americans follows",
    ),
    ("an answer after a draw", drawn_game, make_entry("us", "answer", accept=False), 10, "a draw was agreed"),
    (
        "a proposal after the last turn",
        played_out_game,
        make_entry("us", "propose", what=DRAW),
        10,
        "(M8.2: no",
    ),
)


@parametrize_attacks((*SHAPES, *SEATS, *SHARES, *ORDERS, *POSITIONS, *PROPOSALS, *ENDS))
def test_the_entry_is_refused(attack: tuple[Callable[[], Game], Make, int, str]) -> None:
    situation, make, step, word = attack
    game = situation()
    Fails(step, len(game.entries), word).check(append_forged(game, make(game)))
