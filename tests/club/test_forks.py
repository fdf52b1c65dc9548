"""Which log of a game counts: the longest, and where a key has signed twice, what FORMAT 6 says."""

from __future__ import annotations

from pathlib import Path

from pbem.club.results import ClubGame as Counted
from pbem.games.mortain import RULES
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.write import Person, Terms
from support.club_games import (
    begin_game,
    club_key,
    day_of_2027,
    end_game,
    keys_of,
    make_club_table,
    public_key,
    write_games,
)
from support.simulator import entropy

ANA, BO = "ana", "bo"
KEYS = {"german": club_key(ANA), "us": club_key(BO)}


def start(label: str = "") -> Game:
    """Bo is asked for his placement, entry 2."""
    return begin_game(ANA, BO, label)


def placed(game: Game, on: int = 3) -> Game:
    """Bo has placed his units, and opened a beat: entry 2, which another clock makes another one."""
    place = next(RULES.offers(game.state.pending_question))  # type: ignore[arg-type]
    return write.play(game, KEYS["us"], place, claim=day_of_2027(on))


def shared(game: Game) -> Game:
    """Whoever writes next does no more than pass on his share."""
    return write.play(game, KEYS[game.state.writer or ""])


def resigned(game: Game) -> Game:
    return write.resign(game, KEYS[game.state.writer or ""])


def counted(tmp_path: Path, *games: Game) -> Counted:
    """The only game of a club that has these logs."""
    [found] = make_club_table(write_games(tmp_path / "games", *games)).standings.games
    return found


def placements(game: Game) -> tuple[Game, Game]:
    """Two histories that part at Bo's placement."""
    return placed(game), placed(game, on=9)


def test_the_longest_counts_once(tmp_path: Path) -> None:
    game = start()
    later = shared(placed(game))
    found = counted(tmp_path, game, placed(game), later)
    assert found.head == later.ids[-1]
    assert found.forks == ()
    assert len(found.heads) == 3


def test_the_branch_that_the_other_signed_on_counts(tmp_path: Path) -> None:
    """Bo signed two placements; Ana resigned on one of them."""
    one, other = placements(start())
    lost = resigned(one)
    found = counted(tmp_path, lost, other)
    assert (found.way, found.winner) == ("resignation", "us")
    [fork] = found.forks
    assert (fork.seat, fork.n, fork.key) == ("us", 2, public_key(BO))
    assert fork.ids == tuple(sorted([one.ids[2], other.ids[2]]))
    assert fork.counts == one.ids[2]


def test_a_loser_cannot_void_his_defeat(tmp_path: Path) -> None:
    """Ana resigns, and then signs another entry in the same place, on which nobody has signed."""
    before = placed(start())
    found = counted(tmp_path, resigned(before), shared(before))
    assert (found.way, found.winner) == ("forfeit", "us")
    assert found.forks[0].forfeits
    assert found.forks[0].seat == "german"


def test_a_loser_cannot_void_it_further_back(tmp_path: Path) -> None:
    """Bo has signed on what Ana had signed first: so what she signs later counts for nothing."""
    one, other = placements(start())
    game = one
    while game.state.writer == "german":
        game = shared(game) if game.state.open_beat else resigned(game)
    found = counted(tmp_path, game, other)
    assert found.head == game.ids[-1]
    assert found.forks[0].counts == one.ids[2]


def test_who_signed_on_neither_or_both(tmp_path: Path) -> None:
    """Nothing decides between the two: whoever signed twice first forfeits."""
    one, other = placements(start())
    neither = counted(tmp_path / "neither", one, other)
    assert (neither.way, neither.winner) == ("forfeit", "german")
    both = counted(tmp_path / "both", resigned(one), resigned(other))
    assert (both.way, both.winner) == ("forfeit", "german")
    assert both.forks[0].seat == "us"


def test_three_ways(tmp_path: Path) -> None:
    """A fork behind a fork: first the branch that Ana signed on, then on that branch her own two entries."""
    one, other = placements(start())
    found = counted(tmp_path, resigned(one), shared(one), other)
    assert [(fork.seat, fork.n, bool(fork.counts)) for fork in found.forks] == [
        ("us", 2, True),
        ("german", 3, False),
    ]
    assert (found.way, found.winner) == ("forfeit", "us")


def accepted_by(offer: Game, label: str) -> Game:
    return write.accept(offer, Person(label, club_key(label)), entropy(f"accept {label}"))


def offered() -> Game:
    terms = Terms(RULES, dict(start().offer.options), "mortain")
    return write.offer(Person(ANA, club_key(ANA)), "german", terms, entropy("an offer to all"))


def answered(game: Game, label: str) -> Game:
    """The taker has placed his units, and Ana resigned."""
    keys = keys_of(game, ANA, label)
    game = write.play(game, keys["us"], next(RULES.offers(game.state.pending_question)))  # type: ignore[arg-type]
    return write.resign(game, keys["german"])


def test_two_have_taken_a_seat_and_one_is_answered(tmp_path: Path) -> None:
    """Nobody but the offerer says who his opponent is, and the other has done nothing wrong."""
    offer = offered()
    late = end_game(accepted_by(offer, "late"), "german", ANA, "late")
    found = counted(tmp_path, answered(accepted_by(offer, BO), BO), late)
    assert [person.display_name for person in found.players] == [ANA, BO]
    assert (found.winner, found.forks) == ("us", ())


def test_who_answers_two_forfeits_to_both(tmp_path: Path) -> None:
    """Else he could wipe out a defeat by a game against a key of his own."""
    offer = offered()
    games = [answered(accepted_by(offer, label), label) for label in (BO, "puppet")]
    found = make_club_table(write_games(tmp_path, *games)).standings.games
    assert sorted(game.players[1].display_name for game in found) == [BO, "puppet"]
    assert {(game.way, game.winner, game.forks[0].seat, game.forks[0].n) for game in found} == {
        ("forfeit", "us", "german", 3)
    }


def test_nobody_is_answered(tmp_path: Path) -> None:
    offer = offered()
    found = counted(tmp_path, accepted_by(offer, BO), accepted_by(offer, "late"))
    assert not found.is_over
    assert found.forks == ()
