"""The stages that a mail goes through, and what each hands to the next.

    fetch   incoming_mail.py     mailbox        → `IncomingMail`   its bytes
    parse   parse_incoming.py    `IncomingMail` → `ReadMails`      what it says, the logs in it; in a worker
    judge   judge_mail.py        `ReadMails`    → `Examination`    verdicts; in a worker
    file    file_mail.py         `Examination`  → `Arrival`s       stored games, files, drafts, bounces
    report  report_arrivals.py   `Arrival`s     → `Arrival`s       those that the player is shown
    reply   problem_reply.py     `Examination`  → a letter         to whoever sent what cannot be played on

No stage imports another (a contract in `pyproject.toml`). `examiner.py` runs the two in the worker,
`fetch.py` all of them. An `OrdersByReply` carries out a mail that is a reply, in place of `file_mail`.
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
    """A mail as it came: its key in the folder, and its bytes."""

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
    """What one mail says besides its games; for another file or text hardly any of it is known.

    `label` is its name for people. `sender` is its From; `wants` the game that its writer wants whole;
    `named` the beginnings of games' ids in its headers; `message_id` its own id, if that is a plain one.
    `speaks`: it is about this program at all. `automatic`: a program sent it by itself. `report` says what
    happened to another mail. `drafts` are a commander's (FORMAT 11). `reply` is the mail as a reply to a
    letter to oneself, if it is one.
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

    `candidate` is what was found at that place of the mail `label`; its version number `version` is the first
    that can be read, and `data` are the bytes of that. `joined` are the entries of the whole log, once a part
    is joined to the log that it continues. `damage` was done to the mail on its way. `reads_parts`: the mail
    is from a program that can read a part; `language` is the one that its sender wants to read.
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
        """Its entries; of a part that is not joined, those that came."""
        return self.joined or self.document.entries

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its entries."""
        return tuple(entry.id for entry in self.entries)

    @property
    def game(self) -> str:
        """The game that its offer names; empty without one."""
        first = self.entries[0].body
        return first.game if isinstance(first, Offer) else ""


class ReadMails(Struct, frozen=True):
    """Some mails as they were read: what they say, and the logs in them.

    The verdicts are on what cannot be read (`unread`), on what is left of games (`damaged`), and on budgets
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

    `early` are the mails as they were read, where a part of a log in them continues entries that are not here
    yet: they are judged again once those have come.
    """

    mails: tuple[MailContext, ...]
    verdicts: tuple[Verdict, ...] = ()
    early: ReadMails | None = None

    @property
    def reply(self) -> MailReply | UnreadableReply | None:
        """The only mail as a reply to a letter to oneself; None where it is none."""
        return self.mails[0].reply if len(self.mails) == 1 else None


class Arrival(Struct, frozen=True):
    """A game that came by mail, or what is left of one: from which mail, its verdict, and what was done.

    `file` holds the newest stored state; `refusal` says why the game was not stored. A game that the player
    has not accepted is an `offer`. An `alarm` is raised by what a key in one of his games has signed, two
    histories or an entry against the rules, or by another key under a name that he knows there. A mail that
    could not be judged is `quarantined`, and no alarm. `reply_result` is the outcome of a reply to a letter
    to oneself. `sender` is the mail's From. An arrival without a `label` sums up mails that are not reported
    one by one. `lacks` is the id of a stored game of which the mail shows that entries are missing here;
    `wants` is the id of a game that the mail's writer asks to be resent.
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
    """A mail that could not be judged; it is quarantined, so that the fault can be reported."""
    return Arrival(label, Verdict(label, "", damage=problem), quarantined=True)
