"""The stages of an incoming mail, and the value each passes to the next.

    fetch   incoming_mail.py     mailbox        → `IncomingMail`   its bytes
    parse   parse_incoming.py    `IncomingMail` → `ReadMails`      its contents and logs; in a worker
    judge   judge_mail.py        `ReadMails`    → `Examination`    verdicts; in a worker
    file    file_mail.py         `Examination`  → `Arrival`s       stored games, files, drafts, bounces
    report  report_arrivals.py   `Arrival`s     → `Arrival`s       those the player is shown
    reply   problem_reply.py     `Examination`  → a letter         to the sender of an unusable mail

No stage imports another (a contract in `pyproject.toml`). `examiner.py` runs the two in the worker,
`fetch.py` all of them. For a mail that is a reply, `OrdersByReply` takes the place of `file_mail`.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pbem.base.limits import MAIL_SECONDS
from pbem.correspondence.verdict import Verdict
from pbem.errors import PbemError
from pbem.format.document import Document, Draft
from pbem.format.entries import Entry, Offer
from pbem.mail.delivery_reports import DeliveryReport
from pbem.mail.extract_reply import MailReply
from pbem.mail.games_in_text import Candidate
from pbem.messages import Said
from pbem.texts import Texts

tr = Texts("pbem")


class IncomingMail(Struct, frozen=True):
    """A mail as it arrived: its key in the folder, and its bytes."""

    key: str
    data: bytes

    @property
    def label(self) -> str:
        """The mail's name for people."""
        return tr("mail {key}", key=self.key)


class UnreadableReply(Struct, frozen=True):
    """A reply to a letter to oneself that cannot be read, and why."""

    why: Said


class MailContext(Struct, frozen=True):
    """What one mail says besides its games; for another file or text, most of it is unknown.

    `label` is its name for people. `sender` is its From; `wants` the game its writer wants whole; `named` the
    beginnings of games' ids in its headers; `message_id` its own id, if that is a plain one. `speaks`: it is
    about pbem at all. `automatic`: it was sent automatically. `report` says what happened to another mail.
    `drafts` are commanders' (FORMAT 11). `reply` is the mail as a reply to a letter to oneself, if it is one.
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
    reply: MailReply | UnreadableReply | None = None


class ReadLog(Struct, frozen=True):
    """A log in a mail, as far as it can be read: its entries, and where they come from.

    `candidate` is what was found there in the mail `label`; its version number `version` is the first that
    can be read, and `data` are the bytes of that. `joined` are the entries of the whole log, once a part is
    joined to the log it continues. `damage` happened to the mail on its way. `reads_parts`: the mail is from
    a program that can read a part; `language` is the one its sender wants to read.
    """

    label: str
    candidate: Candidate
    version: int
    data: bytes
    document: Document
    joined: tuple[Entry, ...] = ()
    damage: Said = ""
    reads_parts: bool = False
    language: str = ""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of the log; of a part that is not joined, those that arrived."""
        return self.joined or self.document.entries

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the entries."""
        return tuple(entry.id for entry in self.entries)

    @property
    def game(self) -> str:
        """The game its offer names; empty without an offer."""
        first = self.entries[0].body
        return first.game if isinstance(first, Offer) else ""


class ReadMails(Struct, frozen=True):
    """Some mails as they were parsed: their contents, and the logs in them.

    The verdicts are on what cannot be read (`unread`), on the remains of games (`damaged`), and on budgets
    that ended the work (`ended`). `seconds` is the processor time for each further step with them.
    """

    mails: tuple[MailContext, ...] = ()
    logs: tuple[ReadLog, ...] = ()
    unread: tuple[Verdict, ...] = ()
    damaged: tuple[Verdict, ...] = ()
    ended: tuple[Verdict, ...] = ()
    seconds: float = MAIL_SECONDS


class Examination(Struct, frozen=True):
    """Some mails, and the verdicts on all games in them.

    `early` are those mails, as parsed, in which a part of a log continues entries that are not here yet: they
    are judged again once those have arrived.
    """

    mails: tuple[MailContext, ...]
    verdicts: tuple[Verdict, ...] = ()
    early: ReadMails | None = None

    @property
    def reply(self) -> MailReply | UnreadableReply | None:
        """The only mail as a reply to a letter to oneself; None if it is not one."""
        return self.mails[0].reply if len(self.mails) == 1 else None


class Arrival(Struct, frozen=True):
    """A game that arrived by mail, or what is left of one: its mail, its verdict, and the result.

    `file` holds the newest stored state; `refusal` says why the game was not stored. An `offer` is a game the
    player has not accepted. An `alarm` is for two histories, or an entry against the rules, signed by a key
    in one of the player's games, and for another key under a name known there. A mail that could not be
    judged is `quarantined`, without an alarm. `reply_result` is the outcome of a reply to a letter to
    oneself. `sender` is the mail's From. An arrival without a `label` sums up mails that are not reported one
    by one. `lacks` is the id of a stored game whose entries the mail shows to be missing here; `wants` is the
    id of a game the mail's writer asks to be resent.
    """

    label: str
    verdict: Verdict
    file: Path | None = None
    refusal: PbemError | None = None
    offer: bool = False
    alarm: bool = False
    quarantined: bool = False
    reply_result: str = ""
    sender: str = ""
    lacks: str = ""
    wants: str = ""


def quarantined_arrival(label: str, problem: str) -> Arrival:
    """The arrival of a quarantined mail, which could not be judged; the fault can be reported."""
    return Arrival(label, Verdict(label, "", damage=problem), quarantined=True)
