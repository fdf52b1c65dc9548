"""The worker that parses and judges mails: a stranger's mail can end this process, and do nothing else.

An `Examiner` owns such a process; `examine_mail` and `examine_file` run there and return plain data.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from msgspec.structs import replace

from pbem.base.limits import MBOX_CLOCK_SECONDS, MBOX_WORKER_SECONDS
from pbem.base.workers import Worker
from pbem.correspondence.judge_mail import judge, with_own_writing
from pbem.correspondence.mail_stages import Examination, IncomingMail, ReadMails
from pbem.correspondence.parse_incoming import parse_file_of_mails, parse_incoming, read_games
from pbem.correspondence.verdict import Verdict, describe_game
from pbem.errors import FileError
from pbem.format.document import Draft, whole_log_bytes
from pbem.mail.parse_mail import describe_parts, parse_all, text_place
from pbem.messages import Messages, row
from pbem.player.local_player import LocalPlayer
from pbem.player.store.log_relation import first_difference
from pbem.umpire.drafts import verify_draft
from pbem.umpire.game_state import Game, GameState

tr = Messages("pbem")


class Examiner:
    """A worker process that examines incoming mail; a context manager, which ends the process.

    The process is started for the first mail. Each method raises `WorkerEnded` if the process exceeded its
    limits or crashed, and `JudgingFailed` for any unforeseen exception.
    """

    def __init__(self, home: Path) -> None:
        self._home = home
        self._worker = Worker()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._worker.close()

    def examine_mail(self, mail: IncomingMail, own: str = "") -> Examination:
        """Examine one mail; given the player's `own` address, also as a reply. Raises `StorageError`."""
        return self._worker.run(examine_mail, self._home, mail, own)

    def judge_early(self, read: ReadMails) -> Examination:
        """Judge a mail again that arrived before the entries it continues. Raises `StorageError`."""
        return self._worker.run(_judge, self._home, read)

    def examine_file(self, path: Path | None, stdin: bytes = b"") -> Examination:
        """Examine all mails in a file or folder, or without a path in `stdin`.

        Raises `FileError`, `StorageError`.
        """
        return self._worker.run(
            examine_file,
            self._home,
            path,
            stdin,
            seconds=MBOX_WORKER_SECONDS,
            clock_seconds=MBOX_CLOCK_SECONDS,
        )

    def find_one_game(self, path: Path | None, stdin: bytes, wanted: str) -> Verdict | None:
        """The one game in a file, folder or text. Raises as the function `find_one_game`."""
        return self._worker.run(
            _find_one_game,
            self._home,
            path,
            stdin,
            wanted,
            seconds=MBOX_WORKER_SECONDS,
            clock_seconds=MBOX_CLOCK_SECONDS,
        )

    def check_draft(self, game: Game, table: GameState, draft: Draft) -> None:
        """Check a commander's draft against a game as its lead sees it. Raises `DraftRefused`."""
        self._worker.run(verify_draft, game, table, draft)


def examine_mail(home: Path, mail: IncomingMail, own: str = "") -> Examination:
    """Examine one mail in this process. Raises `StorageError`."""
    return _judge(home, parse_incoming(mail, own))


def examine_file(home: Path, path: Path | None, stdin: bytes) -> Examination:
    """Examine all mails in a file or folder in this process. Raises `FileError`, `StorageError`."""
    return _judge(home, parse_file_of_mails(path, stdin))


def _judge(home: Path, read: ReadMails) -> Examination:
    """The verdicts on all games in some mails; those to be stored with their file as pbem writes it."""
    player = LocalPlayer(home)
    verdicts = tuple(with_own_writing(player, verdict) for verdict in judge(player, read))
    early = any(verdict.may_fit_later for verdict in verdicts)
    return Examination(read.mails, verdicts, read if early else None)


def _find_one_game(home: Path, path: Path | None, stdin: bytes, wanted: str) -> Verdict | None:
    return find_one_game(LocalPlayer(home), path, stdin, wanted)


def find_one_game(player: LocalPlayer, source: Path | None, stdin: bytes, wanted: str = "") -> Verdict | None:
    """The longest verified log of the only game in a file, folder or text; None if there is no game.

    `wanted` is the beginning of a game's id. Raises `FileError` if there are several games, or a mail without
    a game; `VerificationError` if the game fails.
    """
    parsed = list(parse_all(source, stdin))
    verdicts = judge(player, read_games(*parsed))
    holding = [verdict for verdict in verdicts if verdict.game and verdict.game.ids[0].startswith(wanted)]
    games = {verdict.game.ids[0]: verdict.game for verdict in reversed(holding) if verdict.game}
    where = tr("standard input") if source is None else str(source)
    if len(games) > 1:
        listed = "; ".join(describe_game(game) for game in games.values())
        hint = tr("name one by its id: {file}", file=f"{where}#{next(iter(games))[:8]}")
        problem = tr(
            "there are {number} games here; name one of them: {games}", number=len(games), games=listed
        )
        raise FileError(problem, where=where, hint=hint)
    if len(holding) > 1:
        ids, others = (verdict.game.ids for verdict in holding[:2] if verdict.game)
        hint = tr("save the attachments, and verify them one at a time")
        problem = tr(
            "these are two histories of one game, which diverge at entry {number}",
            number=first_difference(ids, others),
        )
        raise FileError(problem, where=where, hint=hint)
    if holding:
        return _with_file(holding[0])
    if wanted and any(verdict.game for verdict in verdicts):
        raise FileError(tr("no game here has an id that begins with '{id}'", id=wanted), where=where)
    for verdict in verdicts:
        if verdict.failure:
            if verdict.place != text_place():
                remarks = (
                    tr("this is {place} in {mail}", place=verdict.place, mail=verdict.label),
                    verdict.damage,
                    verdict.failure.remedy,
                )
                verdict.failure.hint = row((remark for remark in remarks if remark), "; ")
            raise verdict.failure
        if verdict.refusal:
            raise verdict.refusal
    if verdicts:
        raise FileError(verdicts[0].damage, where=where)
    if mails := [one.message for one in parsed if one.message]:
        if len(mails) == 1:
            raise FileError(
                tr("there is no game in the mail, only {parts}", parts=describe_parts(mails[0])), where=where
            )
        raise FileError(tr("there is no game in {number} mails", number=len(mails)), where=where)
    return None


def _with_file(verdict: Verdict) -> Verdict:
    """The verdict with its game's file, which a part of a log lacks."""
    if verdict.data or verdict.game is None:
        return verdict
    return replace(verdict, data=whole_log_bytes(verdict.game.entries))
