"""The game that a player means: by the beginning of its id, or by nothing where only one is possible."""

from __future__ import annotations

import os
from pathlib import Path

from pbem.correspondence.open_file import Opened, by_id, open_file
from pbem.correspondence.outbox import Outbox
from pbem.correspondence.verdict import Verdict
from pbem.errors import FileError, PbemError, ShelfError
from pbem.player.local_player import LocalPlayer
from pbem.player.status.game_list import ListedGame, list_games
from pbem.player.store.relation import Relation
from pbem.player.store.stored_log import StoredGame
from pbem.render.words import quoted, safe
from pbem.texts import Texts
from pbem.umpire.game_facts import BRIEF, file_name

tr = Texts("pbem")

_TOLD = 5
"""The most games that are named where more than one can be meant."""


def find(desk: LocalPlayer, word: str) -> Opened:
    """The game whose id begins with `word`; without a word the one that waits for the player, or the only.

    Its newest state, in the file where the player last had it; where that is gone, in one that is named as in
    all mails, in the current folder. Raises `FileError` where no game or more than one is meant, and as
    `opening.open_file`.
    """
    if not word:
        return _opened(desk, desk.shelf.find(meant(desk).game))
    if by_id(desk, word):
        return _opened(desk, desk.shelf.find(word)) if desk.shelf.ids(word.lower()) else _offer(desk, word)
    raise FileError(
        tr(
            "there is no file and no game '{word}': name a file, or four or more digits of a game's id",
            word=word,
        ),
        hint=tr("your games: pbem games"),
    )


def offer_to_join(desk: LocalPlayer) -> str:
    """The id of the one offer that there is; empty where there is none. Raises `FileError` where more wait.

    It may lie on the shelf, if the player has given its seat back.
    """
    public = str(desk.public)
    ids = [*desk.offers.ids(), *(one.game for one in list_games(desk) if one.may_be_joined(public))]
    if len(ids) > 1:
        raise FileError(
            tr("{number} offers wait; name one by its file or the start of its id", number=len(ids)),
            hint=tr("to list them: {command}", command="pbem games --offers"),
        )
    return ids[0] if ids else ""


def unsent(desk: LocalPlayer) -> str:
    """The id of the game in which the player wrote last and made no mail of it, if it is the only one."""
    found = [one.game for one in list_games(desk) if is_unsent(desk, one)]
    return found[0] if len(found) == 1 else ""


def is_unsent(desk: LocalPlayer, game: ListedGame) -> bool:
    """Whether the player wrote last in a game, and the outbox has no mail that tells of it."""
    if game.problem or game.last != str(desk.public):
        return False
    return not Outbox(desk.home).copies(game.game, game.facts["head"])


def shown(path: Path) -> Path:
    """A path as one types it here: from the current folder, if it lies below."""
    try:
        return Path(os.path.abspath(path)).relative_to(Path.cwd())
    except ValueError:
        return path


def meant(desk: LocalPlayer) -> ListedGame:
    """The game that waits for the player, if it is the only one, or the only one there is.

    Raises `FileError` where there is none such.
    """
    public = desk.public
    games = [one for one in list_games(desk) if not one.problem]
    waiting = [one for one in games if public and one.waits_for(str(public))]
    if len(waiting) == 1:
        return waiting[0]
    if len(games) == 1:
        return games[0]
    if not games:
        lying = min((path.name for path in Path().glob("[!.]*.y*ml") if path.is_file()), default="")
        look = tr("to look into the file that lies here: pbem show {file}", file=quoted(lying))
        hint = look if lying else tr("how to begin: pbem")
        raise FileError(tr("you have no game here yet: name the file of one"), hint=hint)
    named = [f"{one.game[:BRIEF]} ({one.title})" for one in waiting or games]
    raise FileError(
        _several(len(waiting), len(games), _some(named)), hint=tr("all with their files: pbem games")
    )


def _several(waiting: int, games: int, named: str) -> str:
    """The statement that more than one game may be meant: those that wait for the player, if any do."""
    if waiting:
        return tr(
            "{number} games wait for you; name one by its file or the start of its id: {games}",
            number=waiting,
            games=named,
        )
    return tr(
        "none of {number} games waits for you; name one by its file or the start of its id: {games}",
        number=games,
        games=named,
    )


def _some(named: list[str]) -> str:
    """The first of some names, and how many more there are."""
    told = ", ".join(named[:_TOLD])
    more = len(named) - _TOLD
    return tr("{names} and {number} more", names=told, number=more) if more > 0 else told


def _opened(desk: LocalPlayer, kept: StoredGame) -> Opened:
    """The newest state of a game on the shelf, which is in the player's file if he got a newer one there."""
    place = desk.shelf.file_of(kept.game)
    if place and (newer := _in_file(desk, kept, shown(place))):
        return newer
    game = desk.open(kept.data)
    if place and desk.holds(game, place):
        return Opened(game, kept.data, shown(place), str(shown(place)))
    brief = kept.game[:BRIEF]
    if place:
        found = tr(
            "the newest state of game {game} among your saved games; {file} no longer has it",
            game=brief,
            file=safe(str(shown(place))),
        )
    else:
        found = tr("the newest state of game {game} among your saved games", game=brief)
    return Opened(game, kept.data, Path(file_name(game)), brief, found)


def _offer(desk: LocalPlayer, word: str) -> Opened:
    """The offer whose id begins so, with what its mail has shown. Raises `ShelfError` where several do."""
    kept = desk.offers.find(word)
    game, shown = desk.open(kept.data), desk.offers.shown(kept.game)
    verdict = Verdict(
        "",
        "",
        game,
        kept.data,
        Relation.NEW,
        reads_parts=shown.reads_parts,
        language=shown.language,
    )
    found = tr("what came by mail, and you have not taken up yet")
    return Opened(game, kept.data, Path(file_name(game)), kept.game[:BRIEF], found, verdict)


def _in_file(desk: LocalPlayer, kept: StoredGame, path: Path) -> Opened | None:
    """The game in the player's file; None where that holds no more than the shelf, or another game."""
    try:
        if desk.read(path) == kept.data:
            return None
        opened = open_file(desk, path)
        if opened.game.ids[0] != kept.game or desk.relation(opened.game, opened.data).behind:
            return None
    except ShelfError:
        raise
    except PbemError:
        return None
    return opened
