"""Judging mail: whether each game in it verifies, and its relation to the stored game.

An `Examiner` has a worker process for what a stranger sent; `examine_mail` and `examine_file` run there and
return data. They read the game store, to see how a game relates to it, and nothing else of the player's:
neither his key nor his settings.

All copies of a game are read, the longest are verified first, and no bytes twice: a thread holds each older
state of a game in its quotes, and a mailbox in its earlier mails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.limits import (
    MAIL_FAULTS,
    MAIL_SECONDS,
    MBOX_CLOCK_SECONDS,
    MBOX_SECONDS,
    MBOX_WORKER_SECONDS,
    check,
    time_limit,
)
from pbem.base.workers import Worker
from pbem.correspondence.commander_drafts import drafts_of, without_drafts
from pbem.correspondence.outbox import games_in_headers
from pbem.correspondence.verdict import Verdict, describe_game
from pbem.errors import FileError, OverBudget, PbemError, SegmentRefused, VerificationError
from pbem.format.document import Document, Draft, is_draft, whole_log_bytes
from pbem.format.entries import Entry, Offer
from pbem.mail.delivery_reports import DeliveryReport, is_automatic, parse_delivery_report
from pbem.mail.extract_reply import MailReply, extract_reply, is_reply
from pbem.mail.games_in_text import Candidate, Finding, repaired_versions
from pbem.mail.mime_decoding import header
from pbem.mail.outgoing import game_wanted, language_wanted, reads_parts
from pbem.mail.parse_mail import (
    ParsedMail,
    describe_parts,
    parse_all,
    parse_mail,
    speaks_of_a_game,
    text_place,
)
from pbem.messages import Messages, Said, row
from pbem.player.local_player import LocalPlayer
from pbem.player.store.log_relation import Relation, first_difference
from pbem.umpire.drafts import verify_draft
from pbem.umpire.game_state import Game, GameState
from pbem.umpire.log_segment import join_segment
from pbem.umpire.verify import open_game, parse_file, parse_log

tr = Messages("pbem")


_Error = TypeVar("_Error", bound=PbemError)


_SIGNATURE_STEP = 5
"""The step of FORMAT 9 that checks signatures: what fails later, somebody has signed."""


class _Reading(Struct, frozen=True):
    """A candidate that can be read: the version that can be, its ids, and the game that it claims to be.

    Of a `part` of a log, `joined` are its entries after those that it continues.
    """

    mail: ParsedMail
    candidate: Candidate
    data: bytes
    ids: tuple[str, ...]
    game: str
    part: Document | None
    joined: tuple[Entry, ...] = ()

    def possible_files(self) -> Iterator[bytes]:
        """The files that this may be: the candidate itself and its repairs, or the part joined to its log."""
        return iter([whole_log_bytes(self.joined)]) if self.joined else _versions(self.candidate)


def judge(desk: LocalPlayer, *found: ParsedMail) -> list[Verdict]:
    """The verdict on each game in some mails, those that verify first. Raises `ShelfError`.

    If none verifies, the verdicts say why: on the longest log of each game, and on what was damaged or is a
    part of a log that is not here. Last come those that say which budget ended the work.
    """
    ended = [
        Verdict(mail.label, "", damage=mail.finding.ended, ended=True) for mail in found if mail.finding.ended
    ]
    seconds = min(MAIL_SECONDS * len(found), MBOX_SECONDS)
    with time_limit(seconds):
        readings, unread = _read_candidates(found, ended)
        readings, refused = _join_segments(desk, readings, ended)
    with time_limit(seconds):
        judged = _judge_readings(desk, readings, ended)
    return (judged or unread + refused + _verdicts_on_damage(found)) + ended


def find_one_game(desk: LocalPlayer, source: Path | None, stdin: bytes, wanted: str = "") -> Verdict | None:
    """The longest log that verifies of the one game in a file, folder or text; None where nothing is found.

    `wanted` is the beginning of a game's id. Raises `FileError` where several games are found, or none
    in what is a mail; `VerificationError` where the game fails.
    """
    parsed = list(parse_all(source, stdin))
    verdicts = judge(desk, *parsed)
    holding = [verdict for verdict in verdicts if verdict.game and verdict.game.ids[0].startswith(wanted)]
    games = {verdict.game.ids[0]: verdict.game for verdict in reversed(holding) if verdict.game}
    where = tr("standard input") if source is None else str(source)
    if len(games) > 1:
        listed = "; ".join(describe_game(game) for game in games.values())
        hint = tr("name one by its id: {file}", file=f"{where}#{next(iter(games))[:8]}")
        problem = tr("{number} games are here; name one of them: {games}", number=len(games), games=listed)
        raise FileError(problem, where=where, hint=hint)
    if len(holding) > 1:
        ids, others = (verdict.game.ids for verdict in holding[:2] if verdict.game)
        hint = tr("save each attachment, and verify each by itself")
        problem = tr(
            "here are two histories of one game, which part at entry {number}",
            number=first_difference(ids, others),
        )
        raise FileError(problem, where=where, hint=hint)
    if holding:
        return holding[0]
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


def _judge_readings(desk: LocalPlayer, readings: list[_Reading], ended: list[Verdict]) -> list[Verdict]:
    """Verdicts on the games that verify, and on the longest log of each other; adds to `ended` on timeout."""
    holding: list[Verdict] = []
    failing: dict[str, Verdict] = {}
    for reading in sorted(readings, key=lambda one: -len(one.ids)):
        if any(_is_beginning_of(reading.ids, held) for held in holding):
            continue
        try:
            verdict = _verify_reading(desk, reading)
        except OverBudget as over:
            ended.append(Verdict(reading.mail.label, "", damage=over.message, ended=True))
            break
        if verdict.game is None:
            failing.setdefault(reading.game, verdict)
        elif not any(
            _is_beginning_of(verdict.game.ids, held) for held in holding
        ):  # a repair may change what is read
            holding = [held for held in holding if held.game and not _is_beginning_of(held.game.ids, verdict)]
            holding.append(verdict)
    known = {held.game.offer.game for held in holding if held.game}
    return holding + [verdict for game, verdict in failing.items() if game not in known]


def _read_candidates(
    found: tuple[ParsedMail, ...], ended: list[Verdict]
) -> tuple[list[_Reading], list[Verdict]]:
    """The candidates that can be read, and verdicts on those that cannot; adds to `ended` on timeout."""
    readings: list[_Reading] = []
    unread: list[Verdict] = []
    known: set[bytes] = set()
    for mail in found:
        for candidate in mail.finding.candidates:
            if candidate.data in known:
                continue
            known.add(candidate.data)
            try:
                read = _read_first_version(mail, candidate)
            except OverBudget as over:
                ended.append(Verdict(mail.label, "", damage=over.message, ended=True))
                return readings, unread
            if isinstance(read, Verdict):
                unread.append(read)
            else:
                readings.append(read)
    return readings, unread


def _read_first_version(mail: ParsedMail, candidate: Candidate) -> _Reading | Verdict:
    """The first version of a candidate that can be read, or what is wrong with it."""
    failures = []
    for data in _versions(candidate):
        check()
        try:
            document = parse_file(data)
        except VerificationError as error:
            failures.append(_without_traceback(error))
            continue
        part = document if document.after else None
        return _Reading(mail, candidate, data, *_identify_log(document.entries), part)
    failure = max(failures, key=lambda failure: failure.step)
    return Verdict(mail.label, candidate.place, failure=failure, damage=_describe_damage(mail))


def _identify_log(entries: tuple[Entry, ...]) -> tuple[tuple[str, ...], str]:
    """The ids of a log's entries, and the game that its offer names."""
    first = entries[0].body
    return tuple(entry.id for entry in entries), first.game if isinstance(first, Offer) else ""


def _join_segments(
    desk: LocalPlayer, readings: list[_Reading], ended: list[Verdict]
) -> tuple[list[_Reading], list[Verdict]]:
    """The readings with each part joined to its log, and verdicts on parts that fit none (FORMAT 10).

    The log is the stored one, or one that came with it: a mailbox may hold a whole game in parts.
    """
    joined = [reading for reading in readings if reading.part is None]
    parts = [(part.after.n, one) for one in readings if (part := one.part) and part.after]
    refused: list[Verdict] = []
    for _, reading in sorted(parts, key=lambda one: one[0]):
        assert reading.part is not None
        label, place = reading.mail.label, reading.candidate.place
        try:
            check()
            entries = _join_to_reading(reading.part, joined) or desk.complete_log(reading.part)
        except OverBudget as over:
            ended.append(Verdict(label, "", damage=over.message, ended=True))
            break
        except SegmentRefused as refusal:
            assert reading.part.after is not None
            first = reading.part.after.game
            refused.append(Verdict(label, place, part=True, refusal=_without_traceback(refusal), first=first))
            continue
        ids, game = _identify_log(entries)
        joined.append(replace(reading, ids=ids, game=game, joined=entries))
    return joined, refused


def _join_to_reading(part: Document, readings: list[_Reading]) -> tuple[Entry, ...]:
    """A part joined to the newest reading that it continues; empty if there is none."""
    after = part.after
    assert after is not None
    for reading in reversed(readings):
        if reading.ids[0] == after.game and reading.ids[after.n : after.n + 1] == (after.id,):
            return join_segment(part, reading.joined or parse_file(reading.data).entries)
    return ()


def _verify_reading(desk: LocalPlayer, reading: _Reading) -> Verdict:
    """The verdict on the first version of a candidate that verifies, else on the one that gets furthest."""
    label, place = reading.mail.label, reading.candidate.place
    failures: list[tuple[VerificationError, bytes]] = []
    for data in reading.possible_files():
        check()
        try:
            game = open_game(data)
        except VerificationError as error:
            failures.append((_without_traceback(error), data))
            continue
        part = bool(reading.joined)
        mended = not part and data != reading.candidate.data
        return Verdict(
            label,
            place,
            game,
            data,
            desk.relation(game, data),
            repaired=mended,
            part=part,
            reads_parts=part or _says_it_reads_parts(reading.mail),
            language=language_wanted(reading.mail.message) if reading.mail.message else "",
        )
    failure, data = max(failures, key=lambda failed: failed[0].step)
    return Verdict(
        label,
        place,
        failure=failure,
        damage=_describe_damage(reading.mail),
        first=reading.ids[0],
        signed=failure.step > _SIGNATURE_STEP
        and desk.begins_as_stored_game(_identify_log(parse_log(data))[0]),
    )


def _versions(candidate: Candidate) -> Iterator[bytes]:
    return chain([candidate.data], repaired_versions(candidate.data))


def _says_it_reads_parts(mail: ParsedMail) -> bool:
    return mail.message is not None and reads_parts(mail.message)


def _without_traceback(error: _Error) -> _Error:
    """The error without its traceback, whose frames hold on to all that was read of a file."""
    error.__context__ = None
    return error.with_traceback(None)


def _is_beginning_of(ids: tuple[str, ...], verdict: Verdict) -> bool:
    """Whether a log is the one that verified, or a beginning of it."""
    return verdict.game is not None and verdict.game.ids[: len(ids)] == ids


def _describe_damage(mail: ParsedMail) -> Said:
    faults = mail.finding.faults
    more = (tr("and {number} more", number=len(faults) - MAIL_FAULTS),) if len(faults) > MAIL_FAULTS else ()
    return row(faults[:MAIL_FAULTS] + more, "; ")


def _verdicts_on_damage(found: tuple[ParsedMail, ...]) -> list[Verdict]:
    """Verdicts on mails in which there is nothing to verify, only what is left of a game."""
    return [Verdict(mail.label, "", damage=_describe_damage(mail)) for mail in found if mail.finding.faults]


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
