"""Clubs for tests: games of a few entries that end as requested, and their files."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbem.base.worker_pool import InProcessPool, WorkerPool
from pbem.club.collect import Cache
from pbem.club.provenance import ClubTable, TableRequest, make_table
from pbem.format.document import document_bytes
from pbem.format.keys import PrivateKey
from pbem.games.mortain import RULES
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.write import Claim, Person, Terms
from support.simulator import SHORT, entropy

SEATS = ("german", "us")

OUT = Path("nowhere")


def club_key(label: str) -> PrivateKey:
    """The key with this label."""
    return PrivateKey(sha256(f"club {label}".encode()).digest())


def public_key(label: str) -> str:
    """The public half of that key."""
    return str(club_key(label).public)


def day_of_2027(number: int) -> Claim:
    """Noon of a day of 2027, counted from 1."""
    month, rest = divmod(number - 1, 28)
    return Claim(at=f"2027-{month + 1:02}-{rest + 1:02}T12:00:00Z")


def begin_game(
    german: str,
    us: str,
    label: str = "",
    on: int = 1,
    options: dict[str, Any] = SHORT,
    names: dict[str, str] | None = None,
    own: Any = None,
    deadline: str = "",
) -> Game:
    """A game that both have joined; each player has the name of their key, unless `names` says otherwise."""
    called = names or {}
    one, other = (Person(called.get(who, who), club_key(who)) for who in (german, us))
    terms = Terms(RULES, dict(options), own["name"] if own else "mortain", own)
    offer = write.offer(
        one,
        "german",
        terms,
        entropy(f"{german} {us} {label} one"),
        claim=day_of_2027(on),
        x={"deadline": deadline} if deadline else None,
    )
    return write.accept(offer, other, entropy(f"{german} {us} {label} other"), claim=day_of_2027(on + 1))


def keys_of(game: Game, *labels: str) -> dict[str, PrivateKey]:
    """The key of each seat, from those with these labels."""
    known = {public_key(label): club_key(label) for label in labels}
    return {seat: known[one.key] for seat, one in game.seats.items()}


def end_game(game: Game, winner: str, *labels: str, on: int = 3) -> Game:
    """The game with this end: the winner's seat, or empty for an agreed draw."""
    keys = keys_of(game, *labels)
    place = next(RULES.offers(game.state.pending_question))  # type: ignore[arg-type]
    if winner == "german":
        return write.resign(game, keys["us"], claim=day_of_2027(on))
    if winner:
        game = write.play(game, keys["us"], place, claim=day_of_2027(on))
        return write.resign(game, keys["german"], claim=day_of_2027(on + 1))
    game = write.propose(game, keys["us"], {"draw": True}, claim=day_of_2027(on))
    return write.answer(game, keys["german"], True, claim=day_of_2027(on + 1))


def play_game(german: str, us: str, winner: str, label: str = "", **how: Any) -> Game:
    """A whole game."""
    return end_game(begin_game(german, us, label, **how), winner, german, us)


def file_of(game: Game) -> bytes:
    """The file of a game, without a map."""
    return document_bytes(None, "", game.entries)


def write_games(folder: Path, *games: Game) -> Path:
    """A folder with a file for each of these games."""
    folder.mkdir(parents=True, exist_ok=True)
    for game in games:
        (folder / f"{game.ids[-1][:16]}.yaml").write_bytes(file_of(game))
    return folder


def make_club_table(
    *places: Path, crew: WorkerPool | None = None, program: str = "", **how: Any
) -> ClubTable:
    """The club's table from these places, without an earlier cache."""
    with Cache(how.pop("home", None)) as cache:
        request = TableRequest(places=places, out=how.pop("out", OUT), **how)
        return make_table(request, cache, crew or InProcessPool(), lambda done, number: None, program)


Maker = Callable[[], list[Game]]
