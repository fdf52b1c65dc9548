"""The verdict on a game that arrived by mail, and its relation to the stored game."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pbem.base.files import read_regular, write_atomically
from pbem.errors import SegmentRefused, VerificationError
from pbem.messages import Said
from pbem.player.local_player import LocalPlayer
from pbem.player.store.log_relation import Relation
from pbem.render.story import quote_player
from pbem.texts import Texts
from pbem.umpire.game_facts import SHOWN_ID_DIGITS, count_entries
from pbem.umpire.game_state import Game
from pbem.umpire.permissions import held_seats

tr = Texts("pbem")

DAMAGED_UP_TO = 3
"""The last step of FORMAT 9 that damage in transit can fail: text, form of the entries, their links."""


class Verdict(Struct, frozen=True):
    """The verdict on one game in a mail, or on what is left of one.

    If it verifies, `game`, `data` and `relation` are set. Otherwise `failure` is the first step of FORMAT
    section 9 that fails, or None if nothing is left to verify; `first` is the id of its entry 0, if the log
    can be read; `signed`: the keys of the stored game have signed all of it, including what fails; `damage`
    is the damage done by mail, as far as it is known. `repaired`: such damage was undone before the game
    verified; `ended`: a budget ended the work on the mail here, and `damage` says which. `part`: only the
    last entries arrived (FORMAT 10), so `data` is empty, and `refusal` says why they do not continue the
    stored log. `reads_parts`: it is from a program that can read such a part; `language` is the one its
    sender wants to read. `ours` is the game as pbem writes it, if that was already written and read back.
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
    refusal: SegmentRefused | None = None
    reads_parts: bool = False
    language: str = ""
    ours: bytes = b""

    @property
    def behind(self) -> bool:
        """Whether the stored game has everything in this one."""
        return self.relation is not None and self.relation.is_behind

    @property
    def may_fit_later(self) -> bool:
        """Whether this is a part of a log that might fit once another mail has been read."""
        return self.refusal is not None and not self.refusal.another

    @property
    def description(self) -> str:
        """One line for the player, without the mail's label."""
        if self.game and self.relation:
            return _describe_relation(self.relation, describe_game(self.game), self.place)
        problem = self.failure or self.refusal
        return f"{problem} ({self.place})" if problem else str(self.damage)


def store_game(player: LocalPlayer, verdict: Verdict, *, new: bool = False, doubted: bool = False) -> bool:
    """Save a game in the game store. Returns whether it was new.

    Raises `UnknownGame` unless the game is stored, is `new`, or `doubted` until the player confirms it;
    `OlderFile`, `ForkedFile`, `StorageError`.
    """
    if verdict.game is None or verdict.relation is Relation.EQUAL:
        return False
    player.record(
        verdict.game, verdict.ours or verdict.data, new=new, doubted=doubted, ours=bool(verdict.ours)
    )
    return True


def write_newest_state(player: LocalPlayer, game: Game, folder: Path) -> Path:
    """Write the newest stored state to the player's own file, else to one in `folder`. Returns the path.

    Raises `FileNameTaken` if something else has its name.
    """
    file = player.game_path(game, folder)
    newest = player.store.find(game.ids[0]).data
    player.check_path_is_free(game, file)
    if not file.exists() or read_regular(file) != newest:
        write_atomically(file, newest)
    player.store.note_file(game.ids[0], file)
    return file


def is_own_game(player: LocalPlayer, verdict: Verdict) -> bool:
    """Whether a game, verified or not, is a stored one in which the player has a seat."""
    first = verdict.game.ids[0] if verdict.game else verdict.first
    stored = player.store.look_up(first)
    return stored is not None and bool(held_seats(player.open(stored.data), player.key))


def describe_game(game: Game) -> str:
    """A game in a few words: its id, its title, who plays, and how far it is."""
    sides = ((game.rules.side(seat), quote_player(taken.name)) for seat, taken in game.seats.items())
    players = ", ".join(f"{side:name}: {player}" for side, player in sides)
    return (
        f"{game.ids[0][:SHOWN_ID_DIGITS]} {game.rules.title} ({players}), {count_entries(len(game.entries))}"
    )


def _describe_relation(relation: Relation, game: str, place: Said) -> str:
    """How a game found in `place` relates to the stored game."""
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
            return tr("{game}: has an entry you have undone ({place})", game=game, place=place)
        case Relation.ANSWERED:
            return tr(
                "{game}: answers an entry you have undone; your opponent had it, so it counts ({place})",
                game=game,
                place=place,
            )
        case Relation.FORKED:
            return tr("{game}: diverges from your saved game ({place})", game=game, place=place)
