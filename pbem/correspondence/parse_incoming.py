"""The stage "parse": from the bytes of a mail to its contents and the logs in it, each parsed once.

It runs in a worker process, and reads neither the game store nor the player's key or settings.

All copies of a game are parsed, but no bytes twice: a thread quotes each older state of a game, which a
mailbox has in its earlier mails too. An entry that several logs share is stored once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from pbem.base.limits import MAIL_FAULTS, MAIL_SECONDS, MBOX_SECONDS, check, mail_budget, time_limit
from pbem.correspondence.commander_drafts import drafts_of, without_drafts
from pbem.correspondence.mail_stages import IncomingMail, MailContext, ReadLog, ReadMails, UnreadableReply
from pbem.correspondence.outbox import games_in_headers
from pbem.correspondence.question_record import codes_in
from pbem.correspondence.verdict import Verdict
from pbem.errors import OverBudget, VerificationError, without_traceback
from pbem.format.document import Draft, is_draft
from pbem.format.entries import Entry
from pbem.mail.delivery_reports import is_automatic, parse_delivery_report
from pbem.mail.extract_reply import MailReply, extract_reply, is_reply, may_be_reply
from pbem.mail.games_in_text import Candidate, Finding, possible_files
from pbem.mail.mime_decoding import header
from pbem.mail.outgoing import game_wanted, language_wanted, reads_parts
from pbem.mail.parse_mail import (
    ParsedMail,
    UnsearchedMail,
    may_hold_a_game,
    parse_all,
    search_mail,
    speaks_of_a_game,
    unsearched_mail,
)
from pbem.messages import Messages, Said, row
from pbem.umpire.verify import parse_file

tr = Messages("pbem")


def is_worth_parsing(mail: IncomingMail, own: str = "") -> bool:
    """Whether a mail might contain a game or a reply to the player's `own` address, judging by its bytes."""
    return may_hold_a_game(mail.data) or (own != "" and may_be_reply(mail.data, own))


def parse_incoming(mail: IncomingMail, own: str = "") -> ReadMails:
    """Parse one mail: as a reply, as a delivery report, or else for the games and drafts in it.

    Without the player's `own` address it is not taken for a reply.
    """
    with mail_budget():
        unsearched = unsearched_mail(mail.data, mail.label)
        if own and (reply := _parse_reply(unsearched, own)):
            return ReadMails((MailContext(mail.label, reply=reply),))
        if own and not may_hold_a_game(mail.data):
            return ReadMails()
        if report := parse_delivery_report(mail.data, unsearched.message):
            return ReadMails((MailContext(mail.label, report=report),))
        parsed = search_mail(unsearched)
    return read_games(parsed)


def parse_file_of_mails(path: Path | None, stdin: bytes) -> ReadMails:
    """Parse all mails in a file or folder, or without a path in `stdin`. Raises `FileError`."""
    mails = list(parse_all(path, stdin))
    read = read_games(*mails)
    contexts = []
    for context, mail in zip(read.mails, mails, strict=True):
        with time_limit(MAIL_SECONDS):
            contexts.append(replace(context, report=parse_delivery_report(mail.data, mail.message)))
    return replace(read, mails=tuple(contexts))


def read_games(*mails: ParsedMail) -> ReadMails:
    """Parse the drafts and logs in some mails. What takes too long is left out, and the result says so."""
    contexts, rests = [], []
    for mail in mails:
        drafts, rest = _split_drafts(mail)
        contexts.append(_context_of(rest, drafts))
        rests.append(rest)
    reading = _LogReader()
    seconds = min(MAIL_SECONDS * len(mails), MBOX_SECONDS)
    with time_limit(seconds):
        reading.read_all(rests)
    return ReadMails(
        mails=tuple(contexts),
        logs=tuple(reading.logs),
        unread=tuple(reading.unread),
        damaged=tuple(
            Verdict(mail.label, "", damage=_describe_damage(mail)) for mail in rests if mail.finding.faults
        ),
        ended=tuple(reading.ended),
        seconds=seconds,
    )


class _LogReader:
    """Parses the candidates in mails into logs, and verdicts on what cannot be read or took too long."""

    def __init__(self) -> None:
        self.logs: list[ReadLog] = []
        self.unread: list[Verdict] = []
        self.ended: list[Verdict] = []
        self._entries: dict[tuple[str, str], Entry] = {}

    def read_all(self, mails: list[ParsedMail]) -> None:
        """Parse all candidates, but no bytes twice, until the time is up."""
        for mail in mails:
            if mail.finding.ended:
                self.ended.append(Verdict(mail.label, "", damage=mail.finding.ended, ended=True))
        known: set[bytes] = set()
        for mail in mails:
            for candidate in mail.finding.candidates:
                if candidate.data in known:
                    continue
                known.add(candidate.data)
                try:
                    self._read(mail, candidate)
                except OverBudget as over:
                    self.ended.append(Verdict(mail.label, "", damage=over.message, ended=True))
                    return

    def _read(self, mail: ParsedMail, candidate: Candidate) -> None:
        """Parse the first readable version of a candidate, or say what is wrong with it."""
        failures = []
        for version, data in enumerate(possible_files(candidate)):
            check()
            try:
                document = parse_file(data)
            except VerificationError as error:
                failures.append(without_traceback(error))
                continue
            self.logs.append(
                ReadLog(
                    label=mail.label,
                    candidate=candidate,
                    version=version,
                    data=data,
                    document=replace(document, entries=tuple(map(self._known_entry, document.entries))),
                    damage=_describe_damage(mail),
                    reads_parts=mail.message is not None and reads_parts(mail.message),
                    language=language_wanted(mail.message) if mail.message else "",
                )
            )
            return
        failure = max(failures, key=lambda failure: failure.step)
        self.unread.append(
            Verdict(mail.label, candidate.place, failure=failure, damage=_describe_damage(mail))
        )

    def _known_entry(self, entry: Entry) -> Entry:
        """The equal entry of an earlier log, if any, so that a hundred copies take the space of one."""
        return self._entries.setdefault((entry.id, entry.body.sig), entry)


def _describe_damage(mail: ParsedMail) -> Said:
    faults = mail.finding.faults
    more = (tr("and {number} more", number=len(faults) - MAIL_FAULTS),) if len(faults) > MAIL_FAULTS else ()
    return row(faults[:MAIL_FAULTS] + more, "; ")


def _parse_reply(mail: UnsearchedMail, own: str) -> MailReply | UnreadableReply | None:
    """The mail as a reply to a letter of the player's own computer; None if it is not one.

    It contains one of our codes, or its headers refer to our letter and it is from the player to the player
    only.
    """
    if not is_reply(mail.data, own):
        return None
    if mail.message is None:
        why = mail.problem or mail.ended
        return UnreadableReply(why) if why else None
    try:
        reply = extract_reply(mail.message)
    except OverBudget as over:
        return UnreadableReply(over.message)
    is_ours = codes_in(f"{reply.threading}\n{reply.text}") or (reply.is_tied and _is_to_oneself(reply, own))
    return reply if is_ours else None


def _is_to_oneself(reply: MailReply, own: str) -> bool:
    """Whether the sender and all recipients are the player's own address, as in a reply with orders."""
    return bool(reply.recipients) and all(
        address.casefold() == own.casefold() for address in (reply.sender, *reply.recipients)
    )


def _split_drafts(mail: ParsedMail) -> tuple[tuple[Draft, ...], ParsedMail]:
    """The commanders' drafts in a mail (FORMAT 11), and the mail without them.

    If the time runs out before all are found, the mail keeps them, and its finding says so.
    """
    try:
        with time_limit(MAIL_SECONDS):
            if not any(is_draft(candidate.data) for candidate in mail.finding.candidates):
                return (), mail
            return tuple(drafts_of(mail)), without_drafts(mail)
    except OverBudget as over:
        return (), replace(mail, finding=mail.finding + Finding(ended=over.message))


_SUBJECT = re.compile(r"\[pbem\].*\b([0-9a-f]{8})\b")
"""The subject of our letters, which a reply keeps; it ends with the beginning of the game's id."""
_THREADING = ("References", "In-Reply-To", "Message-ID")
_THEIR_ID = re.compile(r"<[A-Za-z0-9.]{1,60}@[A-Za-z0-9.]{1,60}>")


def _context_of(mail: ParsedMail, drafts: tuple[Draft, ...]) -> MailContext:
    """What a mail says besides its games, with these drafts."""
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
