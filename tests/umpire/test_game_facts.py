"""The address that a player has signed last: it is where his mails go, so it is his own claim or nothing."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pbem.core.requests import Plain
from pbem.umpire import write
from pbem.umpire.game_facts import address_of, changed_address
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.umpire.write import Claim
from support.game_stages import PLACE, game_with_open_beat, started_game
from support.simulator import KEYS, first_offer, forge_file, log_of, offer_game, write_reply


def claimed(mails: Mapping[int, Plain]) -> Game:
    """The game with these under `mail` in the `x` of some entries, well signed."""
    log = log_of(game_with_open_beat())
    for n, mail in mails.items():
        log[n]["x"] = {"mail": mail}
    return open_game(forge_file(log))


class TestChangedAddress:
    def test_none(self) -> None:
        game = game_with_open_beat()
        assert (changed_address(game, "us"), address_of(game, "us")) == ("", "us@example.org")

    def test_the_newest_counts(self) -> None:
        game = write.play(started_game(), KEYS["us"], PLACE, claim=Claim(mail="ulysses@ithaca.example"))
        assert changed_address(game, "us") == address_of(game, "us") == "ulysses@ithaca.example"
        game = write_reply(game, first_offer)
        while game.state.writer != "us":
            game = write_reply(game, first_offer)
        later = write.resign(game, KEYS["us"], claim=Claim(mail="u@sea.example"))
        assert changed_address(later, "us") == address_of(later, "us") == "u@sea.example"

    def test_it_is_his_alone(self) -> None:
        game = claimed({2: "ulysses@ithaca.example"})
        assert (changed_address(game, "german"), address_of(game, "german")) == ("", "german@example.org")

    @pytest.mark.parametrize("mail", ["", 7, None, True, ["u@sea.example"], "u" * 255])
    def test_what_is_no_address_is_passed_over(self, mail: Plain) -> None:
        assert address_of(claimed({2: mail}), "us") == "us@example.org"
        assert address_of(claimed({1: "u@sea.example", 2: mail}), "us") == "u@sea.example"

    def test_254_characters(self) -> None:
        assert changed_address(claimed({2: "u" * 254}), "us") == "u" * 254

    def test_with_an_accept_but_not_with_an_offer(self) -> None:
        """An offer's `x` is never read into the game (FORMAT 4)."""
        assert changed_address(claimed({1: "u@sea.example"}), "us") == "u@sea.example"
        assert changed_address(claimed({0: "g@sea.example"}), "german") == ""


def test_a_seat_without_address() -> None:
    log = log_of(offer_game())
    del log[0]["seat"]["mail"]
    assert address_of(open_game(forge_file(log)), "german") == ""
