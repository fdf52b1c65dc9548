"""What a stranger sent is examined in a worker process, which returns data.

An `Examiner` has the process; the functions below it run there. They read the game store, to see how a game
relates to it, and nothing else of the player's: neither his key nor his settings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.limits import MAIL_SECONDS, MBOX_CLOCK_SECONDS, MBOX_WORKER_SECONDS, time_limit
from pbem.base.workers import Worker
from pbem.correspondence.commander_drafts import drafts_of, without_drafts
from pbem.correspondence.inbox import find_one_game, judge
from pbem.correspondence.thread import games_in_headers
from pbem.correspondence.verdict import Verdict
from pbem.errors import OverBudget
from pbem.format.draft import Draft, is_draft
from pbem.mail.answer import MailReply, extract_reply, is_reply
from pbem.mail.headers import header
from pbem.mail.message import speaks_of_a_game
from pbem.mail.outgoing import game_wanted
from pbem.mail.reports import DeliveryReport, is_automatic, parse_delivery_report
from pbem.mail.sources import ParsedMail, parse_all, parse_mail
from pbem.mail.texts import Finding
from pbem.player.local_player import LocalPlayer
from pbem.player.store.relation import Relation
from pbem.umpire.drafts import verify_draft
from pbem.umpire.game import Game
from pbem.umpire.game_state import GameState

_SUBJECT = re.compile(r"\[pbem\].*\b([0-9a-f]{8})\b")
"""The subject of our letters, which a reply keeps: it ends with the beginning of the game's id."""
_THREADING = ("References", "In-Reply-To", "Message-ID")
_THEIR_ID = re.compile(r"<[A-Za-z0-9.]{1,60}@[A-Za-z0-9.]{1,60}>")


class MailContext(Struct, frozen=True):
    """What one mail says besides its games; for another file or text hardly any of it is known.

    `label` is its name for people. `sender` is its From; `wants` the game that its writer wants whole;
    `named` the beginnings of games' ids in its headers; `message_id` its own id, if that is a plain one.
    `speaks`: it is about this program at all. `automatic`: a program sent it by itself. `report` says what
    happened to another mail. `drafts` are a commander's (FORMAT 11).
    """

    label: str
    sender: str = ""
    wants: str = ""
    named: tuple[str, ...] = ()
    message_id: str = ""
    speaks: bool = False
    automatic: bool = False
    report: DeliveryReport | None = None
    drafts: tuple[Draft, ...] = ()


class Examination(Struct, frozen=True):
    """Some mails, and the verdicts on all games in them, as `judge` gives them."""

    mails: tuple[MailContext, ...]
    verdicts: tuple[Verdict, ...]


class Examiner:
    """A worker process that examines what came to a player; a context manager that ends it.

    The process is started when the first mail is to be examined. Each method raises `WorkerEnded` where it
    exceeded its limits or crashed, and `JudgingFailed` for any unforeseen exception.
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

    def examine_mail(self, data: bytes, label: str) -> Examination:
        """Examine one mail. Raises `ShelfError`."""
        return self._worker.run(examine_mail, self._home, data, label)

    def examine_file(self, path: Path | None, stdin: bytes = b"") -> Examination:
        """Examine all mails in a file or folder, or without a path in `stdin`.

        Raises `FileError`, `ShelfError`.
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
        """Check a commander's draft against a game, as its lead may see it. Raises `DraftRefused`."""
        self._worker.run(verify_draft, game, table, draft)

    def extract_reply(self, data: bytes, own: str) -> MailReply | None:
        """A mail as a reply to a letter to oneself; None if it is none. Raises `MailError`, `OverBudget`.

        `own` is the player's address.
        """
        return self._worker.run(_extract_reply, data, own)


def examine_mail(home: Path, data: bytes, label: str) -> Examination:
    """Examine one mail in this process. Raises `ShelfError`."""
    if (sent_back := _parse_delivery_report(data)) is not None:
        return Examination((MailContext(label, report=sent_back),), ())
    return _examine(home, [parse_mail(data, label)])


def examine_file(home: Path, path: Path | None, stdin: bytes) -> Examination:
    """Examine all mails in a file or folder in this process. Raises `FileError`, `ShelfError`."""
    mails = list(parse_all(path, stdin))
    examined = _examine(home, mails)
    pairs = zip(examined.mails, mails, strict=True)
    return replace(
        examined,
        mails=tuple(replace(facts, report=_parse_delivery_report(mail.data)) for facts, mail in pairs),
    )


def _parse_delivery_report(data: bytes) -> DeliveryReport | None:
    with time_limit(MAIL_SECONDS):
        return parse_delivery_report(data)


def _find_one_game(home: Path, path: Path | None, stdin: bytes, wanted: str) -> Verdict | None:
    return find_one_game(LocalPlayer(home), path, stdin, wanted)


def _extract_reply(data: bytes, own: str) -> MailReply | None:
    return extract_reply(data) if is_reply(data, own) else None


def _examine(home: Path, mails: list[ParsedMail]) -> Examination:
    facts, games = [], []
    for mail in mails:
        drafts, rest = _split_drafts(mail)
        facts.append(_facts_of(rest, drafts))
        games.append(rest)
    desk = LocalPlayer(home)
    return Examination(tuple(facts), tuple(_with_own_writing(desk, one) for one in judge(desk, *games)))


def _with_own_writing(desk: LocalPlayer, verdict: Verdict) -> Verdict:
    """The verdict with its game as our writer writes it, map included, where that is to be stored."""
    if verdict.game is None or verdict.behind or verdict.relation is Relation.EQUAL:
        return verdict
    return replace(verdict, ours=desk.rewrite(verdict.game))


def _split_drafts(mail: ParsedMail) -> tuple[tuple[Draft, ...], ParsedMail]:
    """The drafts of commanders in a mail (FORMAT 11), and the mail without them.

    Where the time runs out before all are found, the mail keeps them, and its finding says so.
    """
    try:
        with time_limit(MAIL_SECONDS):
            if not any(is_draft(candidate.data) for candidate in mail.finding.candidates):
                return (), mail
            return tuple(drafts_of(mail)), without_drafts(mail)
    except OverBudget as over:
        return (), replace(mail, finding=mail.finding + Finding(ended=over.message))


def _facts_of(mail: ParsedMail, drafts: tuple[Draft, ...]) -> MailContext:
    speaks, message = speaks_of_a_game(mail.data, mail.message), mail.message
    if message is None:
        return MailContext(mail.label, speaks=speaks, drafts=drafts)
    message_id = header(message, "Message-ID")
    return MailContext(
        mail.label,
        sender=header(message, "From"),
        wants=game_wanted(message),
        named=tuple(_games_in_headers(mail)),
        message_id=message_id if _THEIR_ID.fullmatch(message_id) else "",
        speaks=speaks,
        automatic=is_automatic(message),
        drafts=drafts,
    )


def _games_in_headers(mail: ParsedMail) -> Iterator[str]:
    """The beginnings of games' ids in the headers of a mail."""
    if mail.message:
        yield from games_in_headers(" ".join(str(mail.message.get(name, "")) for name in _THREADING))
        yield from _SUBJECT.findall(header(mail.message, "Subject"))
