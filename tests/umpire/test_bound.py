"""FORMAT 12, `bound`: the accepting seat never opens beat 1, so nobody can choose an accept by its cards."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from pbem.errors import NotYourMove, VerificationError
from pbem.format.draws import beat_seed, draw_number
from pbem.format.entries import BOUND, RETRACT
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.next_duty import next_duty
from pbem.umpire.verify import open_game
from support.game_stages import FIRST_POSITION, PLACE, digest_of
from support.simulator import (
    KEYS,
    accept_game,
    append_forged,
    first_offer,
    is_over,
    mailed_file,
    offer_game,
    play_until,
    true_share,
    write_play,
    write_reply,
)

BOTH = (BOUND, RETRACT)


@cache
def placed() -> Game:
    """The German has offered a bound game, the US player has placed his units: beat 1 is due (entry 2)."""
    return write_play(accept_game(offer_game(extensions=BOTH)), PLACE)


@cache
def opened() -> Game:
    """The German has opened beat 1 (entry 3)."""
    return write_play(placed())


def share_of(seat: str, beat: int) -> dict[str, Any]:
    return {"beat": beat, "share": true_share(placed(), seat, beat)}


def test_the_offering_seat_opens_and_the_other_completes() -> None:
    """Case 1: set-up without share; the German opens; the US completes; both halves make the first card."""
    setup, due = placed().entries[2].body, next_duty(placed().state)
    assert (setup.beat, setup.share) == (None, None)  # type: ignore[union-attr]
    assert (due.what, due.seat, str(due.text)) == ("share", "german", "the Germans start draw 1, a formality")
    opening = opened().entries[3].raw
    assert {"beat", "share", "position"} <= set(opening)
    assert "orders" not in opening
    assert opened().state.writer == "us"
    game = write_reply(opened(), first_offer)
    secrets = {seat: bytes.fromhex(true_share(game, seat, 1)) for seat in ("german", "us")}
    card = draw_number(beat_seed(game.offer.game, 1, secrets), 0) % 53
    assert game.state.beats[0].draws[0].outcome == FIRST_POSITION["deck"][card]
    assert open_game(mailed_file(game)).ids == game.ids


def test_the_position_is_that_of_the_question_before() -> None:
    """FORMAT 7: the set-up was asked before; the opening has the position of that question."""
    setup, opening = (opened().entries[n].raw["position"] for n in (2, 3))
    assert setup == opening == digest_of(FIRST_POSITION)


def test_where_the_offering_seat_leads_to_chance_itself() -> None:
    """Rule 1 of FORMAT 6: the US player offers, and his set-up opens beat 1 as ever."""
    game = write_play(accept_game(offer_game("us", extensions=BOTH)), PLACE)
    assert game.entries[2].raw["beat"] == 1
    assert game.state.writer == "german"


@pytest.mark.parametrize("seat", ["german", "us"])
def test_a_whole_game_verifies(seat: str) -> None:
    game = play_until(accept_game(offer_game(seat, extensions=BOTH)), first_offer, is_over)
    assert open_game(mailed_file(game)).state.ending == game.state.ending


def test_refused(refusal: tuple[Game, dict[str, Any], str]) -> None:
    game, raw, word = refusal
    with pytest.raises(VerificationError, match=word) as refused:
        open_game(append_forged(game, raw))
    assert (refused.value.step, refused.value.entry) == (6, len(game.entries))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """The entries that may not stand in a bound game, made when the games are."""
    if "refusal" not in metafunc.fixturenames:
        return
    joined = accept_game(offer_game(extensions=BOTH))
    position = digest_of(FIRST_POSITION)
    play = {"kind": "play", "position": position}
    rows = {
        "a share with the set-up": (
            joined,
            {"by": "us", "orders": PLACE, **share_of("us", 1), **play},
            "the other side opens the first beat",
        ),
        "orders with the opening": (
            placed(),
            {"by": "german", "orders": [{"pass": True}], **share_of("german", 1), **play},
            "only the share of beat 1",
        ),
        "orders in place of the opening": (
            placed(),
            {"by": "german", "orders": [{"pass": True}], **play},
            "the share of beat 1",
        ),
        "the secret of beat 2": (placed(), {"by": "german", **share_of("german", 2), **play}, "beat 2"),
        "a proposal while it is due": (
            placed(),
            {"by": "german", "kind": "propose", "what": {"draw": True}},
            "the share of beat 1 first",
        ),
        "the accepting seat opens": (placed(), {"by": "us", **share_of("us", 1), **play}, "an entry of the"),
        "it is opened twice": (
            opened(),
            {"by": "german", **share_of("german", 1), **play},
            "an entry of the",
        ),
    }
    metafunc.parametrize("refusal", rows.values(), ids=rows)


def test_it_may_be_resigned_instead() -> None:
    game = write.resign(placed(), KEYS["german"])
    assert game.state.ending is not None
    assert game.state.ending.winner == "us"


def test_twelve_accepts_show_no_card() -> None:
    """What the offerer holds before he answers one has no secret of theirs: nothing to choose by."""
    for number in range(12):
        game = write_play(accept_game(offer_game(extensions=BOTH), label=f"accept {number}"), PLACE)
        assert all("share" not in entry.raw for entry in game.entries)
        assert permissions.unlock_state(game, KEYS["german"]).pending_question is None


def test_a_take_back_never_makes_it_due_again() -> None:
    """Once a share has opened beat 1, the same orders open beat 2 by rule 1."""
    game = play_until(opened(), first_offer, lambda game: game.state.may_take_back_to(len(game.entries) - 1))
    writer = game.state.writer
    assert writer is not None
    game = write.propose(game, KEYS[writer], {"retract": 2})
    game = write.answer(game, KEYS[game.state.opponent(writer)], True)
    assert (game.state.writer, game.state.next_beat) == ("us", len(game.state.beats) + 1)
    again = write_play(game, PLACE).entries[-1].raw
    assert again["beat"] == game.state.next_beat


def test_orders_wait_for_the_opening() -> None:
    with pytest.raises(NotYourMove, match="not due to give orders"):
        write.play(placed(), KEYS["german"], [{"pass": True}])


def test_games_without_it_go_on_by_the_old_rule() -> None:
    """Case 5: an offer without `needs` is played as release 0.1.0 did."""
    game = write_play(accept_game(offer_game()), PLACE)
    assert game.offer.needs is None
    assert game.entries[2].raw["beat"] == 1
