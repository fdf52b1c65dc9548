"""Nobody draws again in secret: take-backs of both kinds, in every order, and accepts (FORMAT 6, 12)."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from itertools import product
from pathlib import Path

import pytest

from pbem.core.sealing import Open
from pbem.errors import CompetingAccept, ForkedFile
from pbem.format.entries import BOUND, RETRACT
from pbem.format.keys import PrivateKey
from pbem.games.rommel import RULES as ROMMEL
from pbem.player.local_player import LocalPlayer
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.umpire.write import Person, Terms
from support.attack_tables import Fails, Make, make_entry, make_play, parametrize_attacks
from support.game_stages import PLACE
from support.games_with_retractions import AXIS_KEYS
from support.simulator import (
    KEYS,
    accept_game,
    append_forged,
    entropy,
    file_of,
    first_offer,
    link_log,
    log_of,
    mailed_file,
    message,
    offer_game,
    play_until,
    true_share,
    write_play,
)

BOTH = (BOUND, RETRACT)


def at_rest(game: Game) -> bool:
    return game.state.open_beat is None and game.state.pending_question is not None


@cache
def decided() -> Game:
    """The German is asked, after some beats; his newest orders stand in an entry that completed a beat."""
    game = accept_game(offer_game(extensions=BOTH))
    return play_until(
        game,
        first_offer,
        lambda one: len(one.state.beats) > 5 and at_rest(one) and one.state.writer == "german",
    )


def take_back(game: Game, kind: str) -> Game:
    """Granted to whoever writes next: the newest entry of the game as it was that may be named."""
    writer = game.state.writer or ""
    may = game.state.may_retract if kind == "retract" else game.state.may_take_back_to
    entry = max(n for n in range(len(decided().entries)) if may(n))
    proposed = write.propose(game, KEYS[writer], {kind: entry})
    return write.answer(proposed, KEYS[game.state.opponent(writer)], True)


CHAINS = [chain for length in (1, 2, 3) for chain in product(("retract", "takeback"), repeat=length)]


@pytest.mark.parametrize("chain", CHAINS, ids=" ".join)
class TestChains:
    """Take-backs of both kinds, in every order."""

    @staticmethod
    def after(chain: tuple[str, ...]) -> Game:
        game = decided()
        for kind in chain:
            game = take_back(game, kind)
        return game

    def test_what_was_drawn_stays_what_was_signed(self, chain: tuple[str, ...]) -> None:
        """Every completed beat has the secrets and the outcomes that it had; none is missing."""
        before, after = decided().state.beats, open_game(mailed_file(self.after(chain))).state.beats
        assert [(one.number, one.secrets, one.draws) for one in after] == [
            (one.number, one.secrets, one.draws) for one in before
        ]

    def test_other_orders_draw_from_a_new_beat(self, chain: tuple[str, ...]) -> None:
        game = play_until(self.after(chain), first_offer, lambda one: bool(one.state.open_beat))
        assert game.state.open_beat
        assert game.state.open_beat.number == len(decided().state.beats) + 1

    def test_a_beat_that_was_seen_draws_no_more(self, chain: tuple[str, ...]) -> None:
        """Whoever is asked signs his true share of any beat seen before: the file fails at that entry."""
        game = self.after(chain)
        writer = game.state.writer or ""
        asked = permissions.unlock_state(game, KEYS[writer]).pending_question
        assert asked
        position = game.state.position_digest()
        for beat in range(1, len(game.state.beats) + 1):
            make = make_play(writer, first_offer(asked), beat, position=position)
            word = f"a share of beat {len(game.state.beats) + 1}, not one of beat {beat}"
            Fails(6, len(game.entries), word).check(append_forged(game, make(game)))


def asked_after_orders(game: Game) -> bool:
    """Whether orders stand behind the newest answer to a proposal, and a seat is asked, with no beat open."""
    answered = max(n for n, entry in enumerate(game.entries) if entry.kind == "answer")
    return at_rest(game) and any("orders" in entry.raw for entry in game.entries[answered:])


@cache
def spent() -> Game:
    """Fewer than half of the beats are left, by retracting again and again; no beat is open."""
    game = decided()
    while 2 * (game.offer.beats - len(game.state.beats)) >= game.offer.beats:
        game = play_until(take_back(game, "retract"), first_offer, asked_after_orders)
    return game


@cache
def accepted() -> Game:
    """An offer that names `bound`, accepted by the US player, who has placed his units: beat 1 is due."""
    return write_play(accept_game(offer_game(extensions=BOTH)), PLACE)


def propose(kind: str, entry: int) -> Make:
    return lambda game: make_entry(game.state.writer or "", "propose", what={kind: entry})(game)


ROWS = (
    ("retracting on the last beats", spent, propose("retract", 2), 6, "of 106 draws are left"),
    ("taking back on the last beats", spent, propose("takeback", 1), 6, "of 106 draws are left"),
    (
        "retracting both at once",
        decided,
        make_entry("german", "propose", what={"retract": 2, "takeback": 1}),
        2,
        "exactly one",
    ),
    (
        "an accept that brings a share all the same",
        lambda: offer_game(extensions=BOTH),
        lambda game: {**log_of(accepted())[1], "beat": 1, "share": true_share(accepted(), "us", 1)},
        6,
        "an entry without a share",
    ),
    (
        "whoever accepts opens the first beat himself",
        accepted,
        make_play("us", beat=1),
        6,
        "an entry of the Germans",
    ),
    (
        "another first share for this accept",
        accepted,
        make_play("german", beat=1, share="00" * 32),
        6,
        "the anchor of the Germans",
    ),
)


@parametrize_attacks(ROWS)
def test_the_entry_is_refused(attack: tuple[Callable[[], Game], Make, int, str]) -> None:
    situation, make, step, word = attack
    game = situation()
    Fails(step, len(game.entries), word).check(append_forged(game, make(game)))


def accept_under(name: str) -> Game:
    """The offer that names `bound`, accepted by a player of this name and key; beat 1 is due."""
    key = PrivateKey(sha256(name.encode()).digest())
    return write_play(accept_game(offer_game(extensions=BOTH), key=key, label=name), PLACE, key=key)


class TestAccepts:
    """One offer that names `bound`, and more than one accept of it."""

    def test_the_offering_seat_takes_the_first_of_twelve(self, tmp_path: Path) -> None:
        """Its program refuses all the others, so it opens the first beat of none of them."""
        player = LocalPlayer(tmp_path)
        first, *others = (accept_under(f"accept {n}") for n in range(12))
        player.record(first, mailed_file(first), new=True)
        for other in others:
            with pytest.raises(CompetingAccept, match="the one that the Germans received first counts"):
                player.record(other, mailed_file(other))

    def test_opening_two_is_found_out(self, tmp_path: Path) -> None:
        """Both entries 3 are the offering seat's own, and prove that it has played with both."""
        first, second = (write_play(accept_under(name)) for name in ("one", "two"))
        player = LocalPlayer(tmp_path)
        player.record(first, mailed_file(first), new=True)
        with pytest.raises(ForkedFile, match="both versions of entry 3 are signed by the Germans") as caught:
            player.record(second, mailed_file(second))
        assert not isinstance(caught.value, CompetingAccept)

    def test_one_key_that_accepts_twice_has_forked(self, tmp_path: Path) -> None:
        """It chooses nothing: neither accept shows a share, and its two signatures prove what it did."""
        first, second = (
            write_play(accept_game(offer_game(extensions=BOTH), label=label), PLACE)
            for label in ("one", "two")
        )
        for game in (first, second):
            assert game.state.is_beat_due
            assert permissions.unlock_state(game, KEYS["us"]).pending_question is None
        player = LocalPlayer(tmp_path)
        player.record(first, mailed_file(first), new=True)
        with pytest.raises(ForkedFile, match="the Americans have signed both versions of entry 1"):
            player.record(second, mailed_file(second))


class TestSeals:
    """A seal under a retract binds: what was opened once is opened so again, or the file fails."""

    @staticmethod
    def turn(game: Game) -> Game:
        writer = game.state.writer or ""
        asked = permissions.unlock_state(game, AXIS_KEYS[writer]).pending_question
        orders = None
        if asked and asked.seat == writer and not isinstance(asked, Open):
            orders = ROMMEL.players["random"](asked, random.Random(len(game.entries)))
        return write.play(game, AXIS_KEYS[writer], orders, entropy=entropy("salt"))

    @classmethod
    def opening_retracted(cls) -> tuple[Game, Game]:
        """The game behind the first opening, and the same with that opening taken back."""
        terms = Terms(ROMMEL, {**ROMMEL.editions["nac"], "turns": 1}, "alamein")
        game = write.offer(Person("R", AXIS_KEYS["axis"]), "axis", terms, entropy("axis"), extensions=BOTH)
        game = write.accept(game, Person("M", AXIS_KEYS["allied"]), entropy("allied"))
        while not isinstance(game.state.pending_question, Open):
            game = cls.turn(game)
        opened = len(game.entries)
        game = cls.turn(game)
        while game.state.open_beat or game.state.is_beat_due:
            game = cls.turn(game)
        writer = game.state.writer or ""
        proposed = write.propose(game, AXIS_KEYS[writer], {"retract": opened})
        return game, write.answer(proposed, AXIS_KEYS[game.state.opponent(writer)], True)

    @pytest.mark.parametrize("change", ["salt", "orders"])
    def test_another_opening_fails(self, change: str) -> None:
        before, after = self.opening_retracted()
        log = log_of(self.turn(after))
        assert log[-1]["orders"] == next(
            one.raw["orders"] for one in before.entries if "open" in str(one.raw.get("orders"))
        )
        opening = log[-1]["orders"][0]["open"]
        if change == "salt":
            opening["salt"] = "00" * 32
        else:
            places = opening["orders"][0]["place"]
            one, other = sorted(places)[:2]
            places[one], places[other] = places[other], places[one]
        link_log(log)
        log[-1]["sig"] = AXIS_KEYS[log[-1]["by"]].sign(message(log[-1]))
        Fails(9, len(log) - 1, "").check(file_of(log))
