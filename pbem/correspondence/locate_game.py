"""Locating a game: by the beginning of its id, or without a word where only one is possible."""

from __future__ import annotations

import os
from pathlib import Path

from pbem.correspondence.open_file import OpenedGame, is_beginning_of_id, open_file
from pbem.correspondence.outbox import Outbox
from pbem.correspondence.verdict import Verdict
from pbem.errors import FileError, PbemError, StorageError
from pbem.player.game_list import ListedGame, list_games
from pbem.player.local_player import LocalPlayer
from pbem.player.store.log_relation import Relation, StoredGame
from pbem.render.safe_text import quote_path, safe_text
from pbem.texts import Texts
from pbem.umpire.game_facts import SHORT_ID_DIGITS, file_name

tr = Texts("pbem")

_MAX_NAMED = 5
"""The most games that are named where more than one is possible."""


def locate_game(desk: LocalPlayer, word: str) -> OpenedGame:
    """The game whose id begins with `word`; without a word the one that waits for the player, or the only.

    Its newest state, in the file where the player last had it; where that is gone, in one in the current
    folder, named as in all mails. Raises `FileError` where no game or more than one is possible, and as
    `open_file`.
    """
    if not word:
        return _open_stored(desk, desk.store.find(default_game(desk).game))
    if is_beginning_of_id(desk, word):
        return (
            _open_stored(desk, desk.store.find(word))
            if desk.store.ids(word.lower())
            else _open_offer(desk, word)
        )
    raise FileError(
        tr(
            "there is no file and no game '{word}': name a file, or four or more digits of a game's id",
            word=word,
        ),
        hint=tr("your games: pbem games"),
    )


def offer_to_join(desk: LocalPlayer) -> str:
    """The id of the only waiting offer; empty where there is none. Raises `FileError` where more wait.

    It may be in the game store, if the player has given its seat back.
    """
    public = str(desk.public_key)
    ids = [*desk.offers.ids(), *(listed.game for listed in list_games(desk) if listed.may_be_joined(public))]
    if len(ids) > 1:
        raise FileError(
            tr("{number} offers wait; name one by its file or the start of its id", number=len(ids)),
            hint=tr("to list them: {command}", command="pbem games --offers"),
        )
    return ids[0] if ids else ""


def unmailed_game(desk: LocalPlayer) -> str:
    """The id of the only game in which the player wrote last and has not mailed it; else empty."""
    games = [listed.game for listed in list_games(desk) if is_unmailed(desk, listed)]
    return games[0] if len(games) == 1 else ""


def is_unmailed(desk: LocalPlayer, game: ListedGame) -> bool:
    """Whether the player wrote the last entry of a game, and the outbox has no mail with it."""
    if game.problem or game.last != str(desk.public_key):
        return False
    return not Outbox(desk.home).count_copies(game.game, game.facts["head"])


def relative_path(path: Path) -> Path:
    """A path as one types it here: relative to the current folder, if it is below that."""
    try:
        return Path(os.path.abspath(path)).relative_to(Path.cwd())
    except ValueError:
        return path


def default_game(desk: LocalPlayer) -> ListedGame:
    """The game of a command without a word: the only one that waits for the player, or the only one at all.

    Raises `FileError` where there is no such game.
    """
    public = desk.public_key
    games = [game for game in list_games(desk) if not game.problem]
    waiting = [game for game in games if public and game.waits_for(str(public))]
    if len(waiting) == 1:
        return waiting[0]
    if len(games) == 1:
        return games[0]
    if not games:
        nearby = min((path.name for path in Path().glob("[!.]*.y*ml") if path.is_file()), default="")
        advice = tr("to look into the file that lies here: pbem show {file}", file=quote_path(nearby))
        hint = advice if nearby else tr("how to begin: pbem")
        raise FileError(tr("you have no game here yet: name the file of one"), hint=hint)
    named = [f"{game.game[:SHORT_ID_DIGITS]} ({game.title})" for game in waiting or games]
    raise FileError(
        _describe_choice(len(waiting), len(games), _first_names(named)),
        hint=tr("all with their files: pbem games"),
    )


def _describe_choice(waiting: int, games: int, named: str) -> str:
    """The statement that more than one game is possible: those that wait for the player, if any do."""
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


def _first_names(names: list[str]) -> str:
    """The first of some names, and how many more there are."""
    shown_names = ", ".join(names[:_MAX_NAMED])
    more = len(names) - _MAX_NAMED
    return tr("{names} and {number} more", names=shown_names, number=more) if more > 0 else shown_names


def _open_stored(desk: LocalPlayer, stored: StoredGame) -> OpenedGame:
    """The newest state of a stored game; from the player's file, if he has saved a newer one there."""
    place = desk.store.file_of(stored.game)
    if place and (newer := _open_newer_file(desk, stored, relative_path(place))):
        return newer
    game = desk.open(stored.data)
    if place and desk.file_holds_game(game, place):
        return OpenedGame(game, stored.data, relative_path(place), str(relative_path(place)))
    brief = stored.game[:SHORT_ID_DIGITS]
    if place:
        source = tr(
            "the newest state of game {game} among your saved games; {file} no longer has it",
            game=brief,
            file=safe_text(str(relative_path(place))),
        )
    else:
        source = tr("the newest state of game {game} among your saved games", game=brief)
    return OpenedGame(game, stored.data, Path(file_name(game)), brief, source)


def _open_offer(desk: LocalPlayer, word: str) -> OpenedGame:
    """The offer whose id begins with `word`, with what its mail showed. Raises `ShelfError` for several."""
    stored = desk.offers.find(word)
    game, details = desk.open(stored.data), desk.offers.mail_facts(stored.game)
    verdict = Verdict(
        "",
        "",
        game,
        stored.data,
        Relation.NEW,
        reads_parts=details.reads_parts,
        language=details.language,
    )
    source = tr("what came by mail, and you have not taken up yet")
    return OpenedGame(
        game, stored.data, Path(file_name(game)), stored.game[:SHORT_ID_DIGITS], source, verdict
    )


def _open_newer_file(desk: LocalPlayer, stored: StoredGame, path: Path) -> OpenedGame | None:
    """The game in the player's file; None where that is no newer than the stored one, or another game."""
    try:
        if desk.read(path) == stored.data:
            return None
        opened = open_file(desk, path)
        if opened.game.ids[0] != stored.game or desk.relation(opened.game, opened.data).is_behind:
            return None
    except StorageError:
        raise
    except PbemError:
        return None
    return opened
