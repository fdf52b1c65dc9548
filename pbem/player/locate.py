"""Which game a command means: the one that a typed word names, or, without a word, the only one possible.

A word typed for a game names, in this order: an existing file, folder or mailbox (`FILE#ID` says which game
in it), or `-`; a stored game, or else an offer, whose id begins with it, in four or more digits; an offer by
the name its file has in the letter; a file in the current folder, without its `.yaml`. Any other word belongs
to the orders, unless it looks like a file name. Without a word, the game is that of `default_game`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.errors import FileError
from pbem.player.local_player import LocalPlayer
from pbem.render.safe_text import quote_path
from pbem.texts import Texts
from pbem.umpire.game_facts import SHORT_ID_DIGITS

if TYPE_CHECKING:
    from pbem.player.game_list import ListedGame

tr = Texts("pbem")

_ID = re.compile(r"[0-9a-f]{4,64}", re.IGNORECASE)
_LETTER_FILE = re.compile(r"[a-z0-9-]+-([0-9a-f]{8})\.yaml")
"""The name of a game's file in every letter (`umpire.game_facts.file_name`), which contains its id."""
_FILE_NAME = re.compile(r".*[/\\].*|\S*\.[A-Za-z][A-Za-z0-9]*(#\S*)?|.*\.(?:ya?ml|eml)", re.IGNORECASE)
"""A text that looks like the name of a file, even if there is none; no order looks like that."""

_WORD = re.compile(r"[\w-]+")
"""A word that could be the name of a game's file without `.yaml`."""

_MAX_NAMED = 5
"""The most games listed if more than one is possible."""


class GameArgument(Struct, frozen=True):
    """What a word typed for a game names: a `file`, or the beginning of a `game`'s id.

    With neither and no `word`, it is the default game; with neither but a word, no game.
    """

    word: str = ""
    file: Path | None = None
    game: str = ""

    @property
    def names_game(self) -> bool:
        """Whether the word names a game, rather than beginning the orders."""
        return self.file is not None or self.game != ""


def parse_game_argument(player: LocalPlayer, word: str) -> GameArgument:
    """Find what a word names. Raises `StorageError`."""
    if _exists(word):
        return GameArgument(word, file=Path(word))
    letter = _LETTER_FILE.fullmatch(word)
    if letter and player.offers.ids(letter[1]):
        return GameArgument(word, game=letter[1])
    if _FILE_NAME.fullmatch(word):
        return GameArgument(word, file=Path(word))
    if is_beginning_of_id(player, word):
        return GameArgument(word, game=word)
    whole = Path(f"{word}.yaml")
    return (
        GameArgument(str(whole), file=whole)
        if _WORD.fullmatch(word) and whole.is_file()
        else GameArgument(word)
    )


def is_beginning_of_id(player: LocalPlayer, word: str) -> bool:
    """Whether a word begins the id of a stored game or an offer. Raises `StorageError`."""
    digits = word.lower()
    return _ID.fullmatch(word) is not None and bool(player.store.ids(digits) or player.offers.ids(digits))


def _exists(word: str) -> bool:
    """Whether a word is `-`, or names an existing file or folder."""
    return word == "-" or os.path.exists(word) or os.path.exists(word.partition("#")[0])


def relative_path(path: Path) -> Path:
    """A path as one would type it here: relative to the current folder if it is inside it."""
    try:
        return Path(os.path.abspath(path)).relative_to(Path.cwd())
    except ValueError:
        return path


def offer_to_join(player: LocalPlayer) -> str:
    """The id of the only open offer; empty if there is none. Raises `FileError` if there are several.

    The offer can be in the game store, if the player has left its seat.
    """
    from pbem.player.game_list import list_games  # 8 ms, and a file needs no list of games

    public = str(player.public_key)
    ids = [
        *player.offers.ids(),
        *(listed.game for listed in list_games(player) if listed.may_be_joined(public)),
    ]
    if len(ids) > 1:
        raise FileError(
            tr("{number} offers are waiting; name one by its file or the start of its id", number=len(ids)),
            hint=tr("to list them: {command}", command="pbem games --offers"),
        )
    return ids[0] if ids else ""


def default_game(player: LocalPlayer) -> ListedGame:
    """The game of a command without a word: the only one needing a move, or the only one at all.

    Raises `FileError` if there is no such game.
    """
    from pbem.player.game_list import list_games  # 8 ms, and a file needs no list of games

    public = player.public_key
    games = [game for game in list_games(player) if not game.problem]
    waiting = [game for game in games if public and game.waits_for(str(public))]
    if len(waiting) == 1:
        return waiting[0]
    if len(games) == 1:
        return games[0]
    if not games:
        nearby = game_file_here()
        advice = tr("to look at the file in this folder: pbem show {file}", file=quote_path(nearby))
        hint = advice if nearby else tr("to see how to begin: pbem")
        raise FileError(tr("you have no games here yet: name a game's file"), hint=hint)
    named = [f"{game.game[:SHORT_ID_DIGITS]} ({game.title})" for game in waiting or games]
    raise FileError(
        _describe_choice(len(waiting), len(games), _first_names(named)),
        hint=tr("to list all of them with their files: pbem games"),
    )


def game_file_here() -> str:
    """The first file name in this folder that could be a game's; empty if there is none."""
    return min((path.name for path in Path().glob("[!.]*.y*ml") if path.is_file()), default="")


def _describe_choice(waiting: int, games: int, named: str) -> str:
    """The statement that several games are possible: those where it is the player's turn, if any."""
    if waiting:
        return tr(
            "{number} games are waiting for you; name one by its file or the start of its id: {games}",
            number=waiting,
            games=named,
        )
    return tr(
        "none of your {number} games is waiting for you; name one by its file or the start of its "
        "id: {games}",
        number=games,
        games=named,
    )


def _first_names(names: list[str]) -> str:
    """The first few names, and how many more there are."""
    shown_names = ", ".join(names[:_MAX_NAMED])
    more = len(names) - _MAX_NAMED
    return tr("{names} and {number} more", names=shown_names, number=more) if more > 0 else shown_names
