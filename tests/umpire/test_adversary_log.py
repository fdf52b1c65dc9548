"""A cheat edits, cuts or splices a log: who signs what he can is found out all the same (FORMAT 2, 4, 9)."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.requests import Orders
from pbem.errors import CompetingAccept, ForkedFile, OlderFile
from pbem.player.local_player import LocalPlayer
from pbem.umpire.verify import open_game
from support.attack_tables import Change, Fails, parametrize_attacks
from support.game_stages import PLACE, game_with_every_kind, game_with_open_beat, started_game
from support.simulator import (
    STRANGER,
    Log,
    accept_game,
    file_of,
    forge_file,
    link_log,
    log_of,
    mailed_file,
    offer_game,
    sign_log,
    write_play,
)

OTHER = log_of(write_play(accept_game(offer_game(label="another game"), label="another game"), PLACE))
"""The first three entries of another game between the same players."""

NAIVE = (
    ("an entry dropped", lambda log: log.pop(6), 3, 6, "n: 6"),
    ("the accept dropped", lambda log: log.pop(1), 3, 1, "n: 1"),
    ("the offer dropped", lambda log: log.pop(0), 3, 0, "n: 0"),
    ("two entries swapped", lambda log: log.insert(6, log.pop(7)), 3, 6, "n: 6"),
    ("an entry repeated", lambda log: log.insert(7, log[6]), 3, 7, "n: 7"),
    ("an entry of another game", lambda log: log.__setitem__(2, OTHER[2]), 3, 2, "prev"),
    ("an accept of another offer", lambda log: log.__setitem__(1, OTHER[1]), 3, 1, "prev"),
    ("another offer", lambda log: log.__setitem__(0, OTHER[0]), 3, 1, "prev"),
    ("a changed word", lambda log: log[0].update(say="Coward!"), 3, 1, "prev"),
    ("a changed last entry", lambda log: log[16].update(say="Coward!"), 5, 16, "of the Americans"),
    (
        "a signature from elsewhere",
        lambda log: log[16].update(sig=log[14]["sig"]),
        5,
        16,
        "of the Americans",
    ),
    ("another writer", lambda log: log[16].update(by="german"), 5, 16, "of the Germans"),
)
"""By somebody who can sign nothing: attack, change, step, entry, a word of the message."""

CHEATS = (
    ("an entry dropped", lambda log: log.pop(6), 5, 6, "of the Germans"),
    ("two entries swapped", lambda log: log.insert(6, log.pop(8)), 5, 8, "of the Germans"),
    ("an entry repeated", lambda log: log.insert(7, dict(log[6])), 5, 8, "of the Germans"),
    (
        "an entry of another game",
        lambda log: log.__setitem__(2, dict(OTHER[2])),
        5,
        3,
        "of the Germans",
    ),
    ("a play taken back in secret", lambda log: log.__delitem__(slice(4, 8)), 5, 5, "of the Germans"),
    ("an answer turned round", lambda log: log[5].update(accept=False), 5, 5, "of the Germans"),
    (
        "an entry in the other's name",
        lambda log: log[16].update(by="german"),
        5,
        16,
        "of the Germans",
    ),
)
"""By the US player, who links the log anew and signs his own entries again: columns as above."""


@parametrize_attacks(NAIVE)
def test_a_stranger_is_found_out(attack: tuple[Change, int, int, str]) -> None:
    change, step, n, word = attack
    log = log_of(game_with_every_kind())
    change(log)
    Fails(step, n, word).check(file_of(log))


@parametrize_attacks(CHEATS)
def test_a_cheating_player_is_found_out(attack: tuple[Change, int, int, str]) -> None:
    change, step, n, word = attack
    log = log_of(game_with_every_kind())
    change(log)
    Fails(step, n, word).check(file_of(sign_log(link_log(log), "us")))


def test_another_key_takes_over_a_seat() -> None:
    """A stranger who puts his key into the accept and signs all of that seat's entries lacks the other's."""
    log = log_of(accept_game(offer_game()))
    log = log_of(write_play(open_game(forge_file(log)), PLACE))
    log[1]["seat"]["key"] = str(STRANGER.public)
    link_log(log)
    Fails(5, 1, "of the Americans").check(file_of(sign_log(log)))


class TestFirstFailure:
    """FORMAT 9: each step is taken over all entries before the next, and the first failure is named."""

    def log(self) -> Log:
        """A game that ends at entry 16, with an entry after the end and a wrong position at entry 2."""
        log = log_of(game_with_every_kind())
        log[2]["position"] = "00" * 32
        return [*log, {"by": "german", "kind": "resign"}]

    def test_a_position_before_the_end(self) -> None:
        Fails(8, 2, "position").check(forge_file(self.log()))

    def test_an_order_before_every_position(self) -> None:
        log = self.log()
        log[15]["orders"] = PLACE
        Fails(7, 15, "M9.1").check(forge_file(log))

    def test_a_share_before_every_position(self) -> None:
        log = self.log()
        log[12]["share"] = "00" * 32
        Fails(6, 12, "the share of the Americans").check(forge_file(log))

    def test_every_signature_before_any_share(self) -> None:
        log = sign_log(link_log(self.log()))
        log[12]["share"] = "00" * 32
        link_log(log)
        Fails(5, 12, "of the Americans").check(file_of(log))

    def test_every_seat_before_any_signature(self) -> None:
        log = self.log()
        log[17] |= {"by": "french", "sig": log[16]["sig"]}
        Fails(4, 17, "french").check(file_of(link_log(log)))

    def test_every_link_before_any_seat(self) -> None:
        log = sign_log(link_log(self.log()))
        log[1]["by"] = "french"
        Fails(3, 2, "prev").check(file_of(log))

    def test_every_shape_before_any_link(self) -> None:
        log = self.log()
        log[17]["sig"] = "none"
        Fails(2, 17, "sig").check(file_of(log))


class TestForks:
    """FORMAT 6: what the file alone cannot show, another line or a shorter one, the shelf does."""

    def test_the_last_entries_cut_off(self, tmp_path: Path) -> None:
        player = LocalPlayer(tmp_path)
        player.record(game_with_open_beat(), mailed_file(game_with_open_beat()), new=True)
        cut = file_of(log_of(game_with_open_beat())[:-1])
        with pytest.raises(OlderFile):
            player.record(open_game(cut), cut)

    def test_a_second_accept_of_one_offer(self, tmp_path: Path) -> None:
        """Each of the two files is good; the offerer has answered the first and refuses the second."""
        first = accept_game(offer_game())
        second = accept_game(offer_game(), key=STRANGER, label="a second name")
        assert open_game(mailed_file(second)).ids[0] == first.ids[0]
        player = LocalPlayer(tmp_path)
        player.record(first, mailed_file(first), new=True)
        with pytest.raises(CompetingAccept, match="the one that the Germans received first counts"):
            player.record(second, mailed_file(second))

    def test_an_offerer_plays_with_both_who_accepted(self, tmp_path: Path) -> None:
        """His key has signed two entries of one number; that of the seat taken twice has not."""
        first, second = (
            write_play(write_play(accept_game(offer_game(), key=key, label=label), PLACE, key=key))
            for key, label in ((None, "game"), (STRANGER, "a second name"))
        )
        player = LocalPlayer(tmp_path)
        player.record(first, mailed_file(first), new=True)
        with pytest.raises(ForkedFile, match="both versions of entry 3 are signed by the Germans") as caught:
            player.record(second, mailed_file(second))
        assert not isinstance(caught.value, CompetingAccept)

    def test_a_player_signs_two_plays(self, tmp_path: Path) -> None:
        played, other = game_with_open_beat(), write_play(started_game(), placed_elsewhere())
        assert open_game(mailed_file(other)).ids[:2] == played.ids[:2]
        player = LocalPlayer(tmp_path)
        player.record(played, mailed_file(played), new=True)
        with pytest.raises(ForkedFile, match="the Americans have signed both versions of entry 2"):
            player.record(other, mailed_file(other))


def placed_elsewhere() -> Orders:
    return [{"place": {**PLACE[0]["place"], "SPTD": "1202"}}]
