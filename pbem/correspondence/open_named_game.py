"""Opening the game a word names: a file or mail, a stored game, or an offer."""

from __future__ import annotations

from pathlib import Path

from pbem.correspondence.open_file import OpenedGame, open_file
from pbem.correspondence.outbox import Outbox
from pbem.correspondence.verdict import Verdict
from pbem.errors import FileError, PbemError, StorageError
from pbem.player.game_list import ListedGame, list_games
from pbem.player.local_player import LocalPlayer
from pbem.player.locate import GameArgument, default_game, relative_path
from pbem.player.store.log_relation import Relation, StoredGame
from pbem.render.safe_text import safe_text
from pbem.texts import Texts
from pbem.umpire.game_facts import SHORT_ID_DIGITS, file_name

tr = Texts("pbem")


def open_named_game(player: LocalPlayer, argument: GameArgument) -> OpenedGame:
    """Open the game an argument names, in its newest state.

    A stored game's file is the one the player last used; if that is gone, a file in the current folder with
    the name that mails use. Raises `FileError` if no game or more than one is possible, and as `open_file`.
    """
    if argument.file:
        return open_file(player, argument.file)
    if not argument.word:
        return _open_stored(player, player.store.find(default_game(player).game))
    if not argument.game:
        raise FileError(
            tr(
                "there is no file or game called '{word}': name a file, or type four or more "
                "digits of a game's id",
                word=argument.word,
            ),
            hint=tr("your games: pbem games"),
        )
    if player.store.ids(argument.game.lower()):
        return _open_stored(player, player.store.find(argument.game))
    return _open_offer(player, argument.game)


def unmailed_game(player: LocalPlayer) -> str:
    """The id of the only game in which the player wrote last and has not mailed it; else empty."""
    games = [listed.game for listed in list_games(player) if is_unmailed(player, listed)]
    return games[0] if len(games) == 1 else ""


def is_unmailed(player: LocalPlayer, game: ListedGame) -> bool:
    """Whether the player wrote the last entry of a game, and the outbox has no mail with it."""
    if game.problem or game.last != str(player.public_key):
        return False
    return not Outbox(player.home).count_copies(game.game, game.facts["head"])


def _open_stored(player: LocalPlayer, stored: StoredGame) -> OpenedGame:
    """The newest state of a stored game; from the player's file, if they have saved a newer one there."""
    place = player.store.file_of(stored.game)
    path = relative_path(place) if place else None
    held = _open_players_file(player, stored, path) if path else None
    if held and (held.data == stored.data or not player.relation(held.game, held.data).is_behind):
        return held
    game = player.open(stored.data)
    if path and (held or player.file_holds_game(game, path)):
        return OpenedGame(game, stored.data, path, str(path))
    brief = stored.game[:SHORT_ID_DIGITS]
    if path:
        source = tr(
            "the newest state of game {game} among your saved games; {file} no longer has it",
            game=brief,
            file=safe_text(str(path)),
        )
    else:
        source = tr("the newest state of game {game} among your saved games", game=brief)
    return OpenedGame(game, stored.data, Path(file_name(game)), brief, source)


def _open_offer(player: LocalPlayer, word: str) -> OpenedGame:
    """The offer whose id begins with `word`, with facts from its mail. Raises `StorageError` for several."""
    stored = player.offers.find(word)
    game, details = player.open(stored.data), player.offers.mail_facts(stored.game)
    verdict = Verdict(
        "",
        "",
        game,
        stored.data,
        Relation.NEW,
        reads_parts=details.reads_parts,
        language=details.language,
    )
    source = tr("a mail that you have not taken up yet")
    return OpenedGame(
        game, stored.data, Path(file_name(game)), stored.game[:SHORT_ID_DIGITS], source, verdict
    )


def _open_players_file(player: LocalPlayer, stored: StoredGame, path: Path) -> OpenedGame | None:
    """The state of a stored game in the player's own file; None if the file is missing or fails."""
    try:
        opened = open_file(player, path)
    except StorageError:
        raise
    except PbemError:
        return None
    return opened if opened.game.ids[0] == stored.game else None
