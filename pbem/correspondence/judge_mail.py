"""What a stranger sent is examined in a worker process, and comes back as data.

An `Examiner` has the process; the functions below it run there. They read the shelf, to see how a game stands
to it, and nothing else of the player's: neither his key nor his settings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.limits import MAIL_SECONDS, MBOX_CLOCK_SECONDS, MBOX_WORKER_SECONDS, limited
from pbem.base.workers import Worker
from pbem.correspondence.commander_drafts import drafts_of, without
from pbem.correspondence.inbox import judge, the_game
from pbem.correspondence.thread import named_games
from pbem.correspondence.verdict import Verdict
from pbem.errors import OverBudget
from pbem.format.draft import Draft, is_draft
from pbem.mail.answer import Answer, answers_a_letter, read_answer
from pbem.mail.headers import header
from pbem.mail.message import speaks_of_a_game
from pbem.mail.outgoing import game_wanted
from pbem.mail.reports import Report, is_automatic, report
from pbem.mail.sources import Received, all_received, received
from pbem.mail.texts import Finding
from pbem.player.local_player import LocalPlayer
from pbem.player.store.relation import Relation
from pbem.umpire.drafts import check
from pbem.umpire.game import Game
from pbem.umpire.game_state import GameState

_SUBJECT = re.compile(r"\[pbem\].*\b([0-9a-f]{8})\b")
"""The subject of our letters, which an answer keeps: last the beginning of the game's id."""
_THREADING = ("References", "In-Reply-To", "Message-ID")
_THEIR_ID = re.compile(r"<[A-Za-z0-9.]{1,60}@[A-Za-z0-9.]{1,60}>")


class Facts(Struct, frozen=True):
    """What one mail says beside its games; or another file or text, of which hardly anything is known.

    `label` names it for people. `sender` is its From; `wants` the game that its writer wants whole; `named`
    the beginnings of games' ids that its headers name; `message_id` its own id, if that is a plain one.
    `speaks`: it is about this program at all. `automatic`: a program sent it by itself. `report` says what
    became of another mail. `drafts` are a commander's (FORMAT 11).
    """

    label: str
    sender: str = ""
    wants: str = ""
    named: tuple[str, ...] = ()
    message_id: str = ""
    speaks: bool = False
    automatic: bool = False
    report: Report | None = None
    drafts: tuple[Draft, ...] = ()


class Examined(Struct, frozen=True):
    """Some mails, and the verdicts on all games in them as `inbox.judge` gives them."""

    mails: tuple[Facts, ...]
    verdicts: tuple[Verdict, ...]


class Examiner:
    """A worker process that examines what came to a player; a context manager that ends it.

    No process is started before something is to be examined. Each method raises `WorkerEnded` where the
    process took too much or crashed, and `JudgingFailed` for whatever nobody has foreseen.
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

    def mail(self, data: bytes, label: str) -> Examined:
        """One mail. Raises `ShelfError`."""
        return self._worker.run(examine_mail, self._home, data, label)

    def file(self, path: Path | None, stdin: bytes = b"") -> Examined:
        """All mails in a file or folder, or without a path in `stdin`. Raises `FileError`, `ShelfError`."""
        return self._worker.run(
            examine_file,
            self._home,
            path,
            stdin,
            seconds=MBOX_WORKER_SECONDS,
            clock_seconds=MBOX_CLOCK_SECONDS,
        )

    def game(self, path: Path | None, stdin: bytes, wanted: str) -> Verdict | None:
        """The one game in a file, folder or text, as `inbox.the_game` finds it. Raises as that does."""
        return self._worker.run(
            _find_game,
            self._home,
            path,
            stdin,
            wanted,
            seconds=MBOX_WORKER_SECONDS,
            clock_seconds=MBOX_CLOCK_SECONDS,
        )

    def check_draft(self, game: Game, table: GameState, draft: Draft) -> None:
        """Check a commander's draft against a game, as its lead may see it. Raises `DraftRefused`."""
        self._worker.run(check, game, table, draft)

    def answer(self, data: bytes, own: str) -> Answer | None:
        """A mail as an answer to a letter to oneself; None if it is none. Raises `MailError`, `OverBudget`.

        `own` is the player's address.
        """
        return self._worker.run(_read_reply, data, own)


def examine_mail(home: Path, data: bytes, label: str) -> Examined:
    """One mail, in this process. Raises `ShelfError`."""
    if (sent_back := _report_in(data)) is not None:
        return Examined((Facts(label, report=sent_back),), ())
    return _examine(home, [received(data, label)])


def examine_file(home: Path, path: Path | None, stdin: bytes) -> Examined:
    """All mails in a file or folder, in this process. Raises `FileError`, `ShelfError`."""
    mails = list(all_received(path, stdin))
    examined = _examine(home, mails)
    facts = zip(examined.mails, mails, strict=True)
    return replace(examined, mails=tuple(replace(one, report=_report_in(mail.data)) for one, mail in facts))


def _report_in(data: bytes) -> Report | None:
    with limited(MAIL_SECONDS):
        return report(data)


def _find_game(home: Path, path: Path | None, stdin: bytes, wanted: str) -> Verdict | None:
    return the_game(LocalPlayer(home), path, stdin, wanted)


def _read_reply(data: bytes, own: str) -> Answer | None:
    return read_answer(data) if answers_a_letter(data, own) else None


def _examine(home: Path, mails: list[Received]) -> Examined:
    facts, games = [], []
    for mail in mails:
        drafts, rest = _split_drafts(mail)
        facts.append(_facts_of(rest, drafts))
        games.append(rest)
    desk = LocalPlayer(home)
    return Examined(tuple(facts), tuple(_rewrite(desk, one) for one in judge(desk, *games)))


def _rewrite(desk: LocalPlayer, verdict: Verdict) -> Verdict:
    """The verdict with our own writing of its game, where that may be kept: its map is drawn here too."""
    if verdict.game is None or verdict.behind or verdict.relation is Relation.EQUAL:
        return verdict
    return replace(verdict, ours=desk.rewritten(verdict.game))


def _split_drafts(mail: Received) -> tuple[tuple[Draft, ...], Received]:
    """The drafts of commanders in a mail (FORMAT 11), and the mail without them.

    Where the time is up before all are found, the mail keeps them, and says that it was not read to its end.
    """
    try:
        with limited(MAIL_SECONDS):
            if not any(is_draft(one.data) for one in mail.finding.candidates):
                return (), mail
            return tuple(drafts_of(mail)), without(mail)
    except OverBudget as over:
        return (), replace(mail, finding=mail.finding + Finding(ended=over.message))


def _facts_of(mail: Received, drafts: tuple[Draft, ...]) -> Facts:
    speaks, message = speaks_of_a_game(mail.data, mail.message), mail.message
    if message is None:
        return Facts(mail.label, speaks=speaks, drafts=drafts)
    own = header(message, "Message-ID")
    return Facts(
        mail.label,
        sender=header(message, "From"),
        wants=game_wanted(message),
        named=tuple(_games_named(mail)),
        message_id=own if _THEIR_ID.fullmatch(own) else "",
        speaks=speaks,
        automatic=is_automatic(message),
        drafts=drafts,
    )


def _games_named(mail: Received) -> Iterator[str]:
    """The beginnings of games' ids that the headers of a mail name."""
    if mail.message:
        yield from named_games(" ".join(str(mail.message.get(name, "")) for name in _THREADING))
        yield from _SUBJECT.findall(header(mail.message, "Subject"))
