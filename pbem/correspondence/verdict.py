"""The verdict on a game that came by mail, and its relation to the shelf."""

from __future__ import annotations

from msgspec import Struct

from pbem.errors import PartRefused, VerificationError
from pbem.messages import Said
from pbem.player.local_player import LocalPlayer
from pbem.player.store.relation import Relation
from pbem.render.words import named
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.game_facts import SHORT, count_entries
from pbem.umpire.permissions import held_seats

tr = Texts("pbem")


class Verdict(Struct, frozen=True):
    """The verdict on one game that was found, or on what is left of one.

    `game`, `data` and `relation` are there if it verifies. Else `failure` is the first step of FORMAT
    section 9 that fails, or None where there is nothing left to verify; `first` is the id of its entry 0,
    where the log can be read; `signed` tells that the keys of the game on the shelf have signed all of it,
    and so what fails; `damage` is the damage done by mail, as far as it is known. `repaired` tells that such
    damage was undone before the game verified; `ended` that a budget ended the work on the mail here, and
    `damage` which. `part` tells that only the last entries came (FORMAT 10), and `refusal` why they cannot go
    behind the log on the shelf; `data` is the whole game even so. `reads_parts` tells that it came from a
    program that would read such a part, and `language` which language its sender wants to read. `ours` is our
    own writing of the game, where it was made and read back already.
    """

    label: str
    place: Said
    game: Game | None = None
    data: bytes = b""
    relation: Relation | None = None
    failure: VerificationError | None = None
    damage: Said = ""
    repaired: bool = False
    first: str = ""
    signed: bool = False
    ended: bool = False
    part: bool = False
    refusal: PartRefused | None = None
    reads_parts: bool = False
    language: str = ""
    ours: bytes = b""

    @property
    def behind(self) -> bool:
        """Whether the shelf knows all of the game, and better."""
        return self.relation is not None and self.relation.behind

    @property
    def words(self) -> str:
        """One line for the player, without the mail's label."""
        if self.game and self.relation:
            return _standing(self.relation, named_in_words(self.game), self.place)
        problem = self.failure or self.refusal
        return f"{problem} ({self.place})" if problem else str(self.damage)


def store_game(desk: LocalPlayer, verdict: Verdict, *, new: bool = False, doubted: bool = False) -> bool:
    """Put a game on the shelf; whether that brought anything new there.

    Raises `UnknownGame` unless the game is on the shelf, is `new`, or `doubted` until the player confirms it;
    `OlderFile`, `ForkedFile`, `ShelfError`.
    """
    if verdict.game is None or verdict.relation is Relation.EQUAL:
        return False
    desk.keep(verdict.game, verdict.ours or verdict.data, new=new, doubted=doubted, ours=bool(verdict.ours))
    return True


def plays(desk: LocalPlayer, verdict: Verdict) -> bool:
    """Whether a game that was found, good or bad, is one on the shelf in which the player has a seat."""
    first = verdict.game.ids[0] if verdict.game else verdict.first
    kept = desk.shelf.look_up(first)
    return kept is not None and bool(held_seats(desk.open(kept.data), desk.key))


def named_in_words(game: Game) -> str:
    """A game in a few words: its id, its title, who plays, and how far it is."""
    sides = ((game.rules.side(seat), named(taken.name)) for seat, taken in game.seats.items())
    players = ", ".join(f"{side:name}: {player}" for side, player in sides)
    return f"{game.ids[0][:SHORT]} {game.rules.title} ({players}), {count_entries(len(game.entries))}"


def _standing(relation: Relation, game: str, place: Said) -> str:
    """The relation to the shelf of a game found in some place."""
    match relation:
        case Relation.NEW:
            return tr("{game}: new on this computer ({place})", game=game, place=place)
        case Relation.EQUAL:
            return tr("{game}: the same as your saved game ({place})", game=game, place=place)
        case Relation.EXTENDS:
            return tr("{game}: newer than your saved game ({place})", game=game, place=place)
        case Relation.OLDER:
            return tr("{game}: older than your saved game ({place})", game=game, place=place)
        case Relation.UNDONE:
            return tr("{game}: has an entry that you have undone ({place})", game=game, place=place)
        case Relation.ANSWERED:
            return tr(
                "{game}: answers an entry that you have undone; your opponent had it, so it counts ({place})",
                game=game,
                place=place,
            )
        case Relation.FORKED:
            return tr("{game}: parts from your saved game ({place})", game=game, place=place)
