"""T6: hidden hands, honest and not. Every attack on them is a test, by files that a liar signs himself."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256

import pytest

from pbem.core.requests import Orders
from pbem.core.sealing import Open
from pbem.errors import IllegalOrder, NotYourMove, OrderError, VerificationError
from pbem.format.entries import sign_entry
from pbem.format.keys import PrivateKey
from pbem.games.tabletop.rules.hands import hand_of
from pbem.player.status import describe_question, pending_question
from pbem.umpire import permissions, write
from pbem.umpire.verify import open_game
from support.simulator import file_of, log_of
from support.tabletop_games import (
    KEYS,
    begun,
    drawn,
    finished,
    forged,
    hand,
    lie,
    not_held,
    open_as,
    opening,
    outcome,
    play,
    sealing,
    settled,
    verified,
)

END = {"end": True}


class TestHonest:
    def test_the_owner_alone_reads_his_hand(self) -> None:
        game = drawn()
        assert len(hand(game, "red") or []) == 3
        assert hand_of(permissions.unlock_state(game, KEYS["second"]).run.state, "red") is None
        assert hand_of(game.state.run.state, "red") is None

    def test_two_computers_of_one_player_seal_the_same_entry(self) -> None:
        game = begun(sealed=False)
        ids = {write.play_computed(game, KEYS["second"]).ids[-1] for _ in range(2)}
        assert len(ids) == 1

    def test_what_the_program_does_is_told_once(self) -> None:
        said = describe_question(pending_question(begun(sealed=False), KEYS["second"]))
        assert said == "the program of Blues seals an order for it, with nothing to decide"

    def test_each_key_makes_another_order_and_none_as_the_list(self) -> None:
        game = begun(sealed=False)
        asked = game.state.pending_question
        assert asked is not None
        made = [permissions.computed_orders(game, key, asked) for key in KEYS.values()]
        orders = {tuple(order[0]["shuffle"]) for order in made if order}
        assert len(orders) == 2
        assert tuple(range(13)) not in orders

    def test_who_plays_what_he_holds_is_believed(self) -> None:
        game = drawn()
        card = (hand(game, "red") or [""])[0]
        end = finished(play(game, {"play": card, "for": "ops"}))
        assert outcome(end) == ("first", "T8: agreed")

    def test_a_shuffle_keeps_the_hand_and_brings_open_cards_back(self) -> None:
        game = drawn(13)
        [card, *others] = hand(game, "red") or []
        game = play(play(game, {"play": card}), {"shuffle": "red"})
        assert hand(game, "red") == others
        assert game.state.run.state.decks["red"].pile == ("#13",)
        game = play(game, {"draw": 1, "from": "red"}, END)
        game = settled(play(game, END))
        assert sorted(hand(game, "red") or []) == sorted([card, *others])
        assert outcome(finished(play(game, {"discard": card}))) == ("first", "T8: agreed")

    def test_a_card_that_is_not_in_hand_is_refused_while_it_is_typed(self) -> None:
        game = drawn()
        with pytest.raises(OrderError, match="not in your hand; you hold"):
            play(game, {"play": not_held(game)})

    def test_a_lost_box_leaves_the_hand_unknown_and_the_game_whole(self) -> None:
        game = begun(sealed=False)
        order: Orders = [{"shuffle": list(range(13))}]
        game = lie(game, sealing(game, order))
        game = write.play_computed(game, KEYS["first"])
        game = settled(play(game, END))
        game = play(game, {"draw": 2, "from": "blue"}, END)
        game = settled(play(game, END))
        assert hand(game, "blue") is None
        with pytest.raises(Exception, match="no sealed message"):
            finished(game)


class TestLiars:
    """A liar loses, or is refused at once, and every verifier says why."""

    def test_a_card_that_was_not_in_hand(self) -> None:
        game = drawn()
        card = not_held(game)
        end = finished(lie(game, [{"play": card}]))
        winner, reason = outcome(end)
        assert winner == "second"
        assert reason == f'T6: Reds: "{card}" of red was named but not in hand'

    def test_the_same_card_twice(self) -> None:
        game = drawn()
        card = next(
            card for card in hand(game, "red") or [] if card not in ("Reinforcements", "Supplies", "Entrench")
        )
        game = play(game, {"play": card})
        with pytest.raises(VerificationError, match="cannot be in your hand"):
            lie(game, [{"play": card}])

    def test_a_card_out_of_an_empty_hand(self) -> None:
        with pytest.raises(VerificationError, match="cannot be in your hand"):
            lie(begun(), [{"play": "Spy ring"}])

    @pytest.mark.parametrize(
        "sealed",
        [
            [{"shuffle": [0] * 13}],
            [{"shuffle": list(range(12))}],
            [{"shuffle": "red"}],
            [{"end": True}],
            [],
            [{"shuffle": list(range(13)), "for": "luck"}],
            [{"shuffle": [True, *range(1, 13)]}],
        ],
    )
    def test_what_is_no_order_of_the_cards(self, sealed: Orders) -> None:
        game = begun(sealed=False)
        seal = sealing(game, sealed)
        game = lie(game, seal)
        game = write.play_computed(game, KEYS["first"])
        game = play(play(game, {"result": "Blues"}), {"agree": True})
        end = open_as(game, {seal[0]["seal"]: sealed})
        assert outcome(end) == (
            "first",
            "T6: Blues: the seal of blue does not contain an ordering of its cards",
        )

    def test_another_order_than_the_sealed_one(self) -> None:
        game = play(play(drawn(), {"result": "Reds"}), {"agree": True})
        game = play(game)  # the Blues open
        assert isinstance(game.state.pending_question, Open)
        with pytest.raises(VerificationError) as refused:
            lie(game, opening([{"shuffle": list(range(13))}]))
        assert refused.value.step == 9

    def test_a_seal_given_again_for_the_next_shuffle(self) -> None:
        """The Reds would know the new order, and hold the same cards at the same places."""
        game = begun()
        before = game.entries[3].body.orders  # type: ignore[union-attr]
        game = lie(game, [{"shuffle": "red"}])
        with pytest.raises(VerificationError, match="this seal has been used before"):
            lie(game, before or [])

    def test_the_seal_of_the_other_side(self) -> None:
        game = begun(sealed=False)
        game = write.play_computed(game, KEYS["second"])
        theirs = game.entries[2].body.orders or []  # type: ignore[union-attr]
        with pytest.raises(VerificationError, match="this seal has been used before"):
            lie(game, [{"seal": theirs[0]["seal"]}])

    def test_both_lie(self) -> None:
        game = play(begun(), {"draw": 1, "from": "red"}, END)
        game = play(game, {"draw": 1, "from": "blue"}, END)
        game = settled(game)
        game = play(lie(game, [{"play": not_held(game)}]), END)
        held = hand(game, "blue") or []
        other = next(card for card in ("Fortress", "Night march") if card not in held)
        end = finished(lie(game, [{"discard": other}]))
        assert outcome(end) == (None, "T6: both sides broke the rules of their hidden decks")

    def test_who_will_not_open_owes_it_for_all_to_see(self) -> None:
        game = drawn()
        game = play(play(lie(game, [{"play": not_held(game)}]), {"result": "Reds"}), {"agree": True})
        game = play(game)
        waiting = verified(game)
        assert waiting.state.writer == "first"
        assert isinstance(waiting.state.pending_question, Open)
        with pytest.raises(VerificationError):
            lie(game, [{"end": True}])


class TestWaysAroundTheProof:
    """No end but a resignation leaves seals closed."""

    def test_nobody_proposes_a_draw(self) -> None:
        with pytest.raises(NotYourMove, match="the rules settle the result"):
            write.propose(drawn(), KEYS["first"], {"draw": True})

    def test_a_tie_by_the_rules_opens_the_hands(self) -> None:
        game = drawn()
        card = not_held(game)
        end = finished(lie(game, [{"play": card}]), "draw")
        assert outcome(end)[0] == "second"

    def test_who_resigns_loses_with_his_seals_closed(self) -> None:
        game = write.resign(drawn(), KEYS["first"])
        ending = verified(game).state.ending
        assert ending is not None
        assert (ending.way, ending.winner) == ("resignation", "second")

    def test_a_refused_result_opens_nothing(self) -> None:
        game = play(play(drawn(), {"result": "Reds"}), {"decline": True})
        asked = game.state.pending_question
        assert asked is not None
        assert (asked.question, asked.seat) == ("act", "first")


class TestLostKey:
    """The order follows from the key alone: whoever has it has his hand, and nobody else can open it."""

    def test_the_key_out_of_a_backup_has_the_same_hand(self) -> None:
        game = drawn()
        again = PrivateKey(sha256(b"Anna").digest())
        assert hand_of(permissions.unlock_state(game, again).run.state, "red") == hand(game, "red")

    def test_whoever_has_lost_it_cannot_open_by_another(self) -> None:
        """He may have lied: the game waits for him, and nothing is proven in his favour."""
        game = play(play(lie(drawn(), [{"play": not_held(drawn())}]), {"result": "Reds"}), {"agree": True})
        game = play(game)  # the Blues open
        new = PrivateKey(sha256(b"a new key").digest())
        with pytest.raises(NotYourMove):
            write.play(game, new)
        opened = play(game).entries[-1].raw
        stolen = sign_entry({key: value for key, value in opened.items() if key != "sig"}, new.sign)
        with pytest.raises(VerificationError) as refused:
            open_game(file_of([*log_of(game), stolen.raw]))
        assert refused.value.step == 5
        assert verified(game).state.writer == "first"


class TestTakeBacks:
    def test_a_drawn_place_goes_back_and_the_next_draw_is_another_beat(self) -> None:
        game = drawn()
        before = hand(game, "red")
        game = write.propose(game, KEYS["first"], {"takeback": 3})
        game = write.answer(game, KEYS["second"], True)
        assert hand(game, "red") == []
        game = settled(play(play(game, {"draw": 3, "from": "red"}, END), END))
        assert game.state.beats[-1].number == 2
        assert hand(game, "red") != before or len(before or []) == 3

    def test_sealing_again_after_a_take_back_makes_another_order(self) -> None:
        game = drawn()
        first = game.entries[3].body.orders or []  # type: ignore[union-attr]
        game = write.propose(game, KEYS["first"], {"takeback": 2})
        game = write.answer(game, KEYS["second"], True)
        game = write.play_computed(game, KEYS["first"])
        again = game.entries[-1].body.orders or []  # type: ignore[union-attr]
        assert first[0]["seal"] != again[0]["seal"]
        assert outcome(finished(game)) == ("first", "T8: agreed")

    def test_orders_alone_are_taken_back_and_the_seals_bind(self) -> None:
        """FORMAT 12: the hand is empty again, and what is opened at the end is what was sealed at first."""
        game = begun(extensions=("bound", "retract"))
        drawing = len(game.entries)
        game = settled(play(play(game, {"draw": 3, "from": "red"}, END), END))
        assert len(hand(game, "red") or []) == 3
        game = write.propose(game, KEYS["first"], {"retract": drawing})
        game = write.answer(game, KEYS["second"], True)
        assert hand(game, "red") == []
        game = settled(play(play(game, {"draw": 2, "from": "red"}, END), END))
        card = (hand(game, "red") or [""])[0]
        assert outcome(finished(play(game, {"play": card}))) == ("first", "T8: agreed")

    def test_openings_that_were_taken_back_are_the_same_again(self) -> None:
        game = begun(extensions=("bound", "retract"))
        game = play(play(game, {"result": "Reds"}), {"agree": True})
        agreed = len(game.entries) - 1
        game = play(game)  # the Blues open
        first = game.entries[-1].body.orders  # type: ignore[union-attr]
        game = write.propose(game, KEYS["first"], {"retract": agreed})
        game = write.answer(game, KEYS["second"], True)
        game = play(play(game, {"agree": True}))
        assert game.entries[-1].body.orders == first  # type: ignore[union-attr]


CLAIMS: list[tuple[Callable[[], Orders], str]] = [
    (lambda: [{"draw": 1, "from": "blue"}], "other side's deck"),
    (lambda: [{"shuffle": "blue"}], "other side's deck"),
    (lambda: [{"draw": 14, "from": "red"}], "only 13 cards"),
    (lambda: [{"shuffle": "red"}, {"end": True}], "last"),
    (lambda: [{"return": "Spy ring"}], "no open card"),
    (lambda: [{"play": "#3"}], "cannot be in your hand"),
    (lambda: [{"play": "!Spy ring"}], "cannot be in your hand"),
]


@pytest.mark.parametrize(("orders", "why"), CLAIMS)
def test_what_no_program_accepts(orders: Callable[[], Orders], why: str) -> None:
    with pytest.raises((IllegalOrder, VerificationError), match=why):
        lie(begun(), orders())


def test_a_position_that_hides_the_claim_fails() -> None:
    file = forged(drawn(), {"orders": [{"end": True}], "position": "0" * 64})
    with pytest.raises(VerificationError) as refused:
        open_game(file)
    assert refused.value.step == 8


@pytest.mark.parametrize("text", ["n", "\u00fc", "\\"])
def test_a_turn_takes_8_kb(text: str) -> None:
    """T4: as many bytes as an answer may have, and the seal of the largest deck after it."""
    cards = "\n".join(f"Card number {n}" for n in range(500))
    decks = {"red": {"owner": "Reds", "cards": cards}}
    game = begun({"name": "large", "title": "Large", "sides": ["Reds", "Blues"], "decks": decks})
    game = settled(game)
    before = len(file_of(log_of(game)))
    notes: Orders = [{"note": text * 150}]
    while len(json.dumps([*notes, notes[0], {"shuffle": "red"}])) <= 4_000:
        notes.append(notes[0])
    after = play(game, *notes, {"shuffle": "red"})
    assert len(after.entries) == len(game.entries) + 2
    assert len(file_of(log_of(after))) - before <= 8_000
    with pytest.raises(IllegalOrder, match="at most 4,000"):
        play(game, *notes, notes[0], {"shuffle": "red"})
