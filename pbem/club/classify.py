"""One file, from its bytes to the logs in it that verify, and what is wrong with the rest.

A file can be a game, a mail, a mailbox, an archive, or anything else. Of a verified log a club stores who
plays what, how it ended, and its ids. All text here is English, whatever the language: it goes into tables
that are the same for everybody.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from itertools import chain

import msgspec
from msgspec import Struct

from pbem.analysis.code_bundle import check_program
from pbem.base.limits import FILE_BYTES, MBOX_SECONDS, check, time_limit
from pbem.errors import FileError, OverBudget, PbemError, VerificationError, describe_unforeseen_error
from pbem.format.document import Document
from pbem.mail.games_in_text import Candidate, possible_files
from pbem.mail.parse_mail import parse_mail, split_mbox
from pbem.render.story import nearest_edition
from pbem.texts import ENGLISH, Texts, speaking
from pbem.umpire.deadline import due_time
from pbem.umpire.game_state import Game
from pbem.umpire.next_duty import next_duty
from pbem.umpire.verify import open_game, parse_file

tr = Texts("pbem")


ID_BYTES = 32
"""The number of bytes of an entry's id."""


class SeatHolder(Struct, frozen=True):
    """The holder of a seat: the name is a claim, the key (OpenSSH form) is proven."""

    seat: str
    name: str
    key: str


class VerifiedLog(Struct, frozen=True, kw_only=True):
    """A log that passed verification (FORMAT 9), without its entries.

    `ids` are the concatenated ids of its entries; `signers` has a digit for each: `0` the offerer, `1` the
    accepter. `own`: the scenario is not a shipped one. `way` is how the game ended (`rules`, `resignation`,
    `agreement`), empty if it has not; an ended game without `winner` is a draw. The seat `asked` has the duty
    `what`, `since` and `until` by the clock of seat `clock`; the duty `share` is its half of draw number
    `draw`, which is 0 for any other duty. All times are claims, in the format of files. The log is `clocked`
    if its newest entry states a time. An entry that decides nothing states none (FORMAT 6); `since` is then
    the time in an earlier entry.
    """

    ids: bytes
    signers: str
    rules: str
    edition: str
    scenario: str
    own: bool
    players: tuple[SeatHolder, ...]
    winner: str = ""
    way: str = ""
    asked: str = ""
    what: str = ""
    draw: int = 0
    since: str = ""
    until: str = ""
    clock: str = ""
    clocked: bool = False
    begun: str = ""
    last: str = ""

    @property
    def game(self) -> str:
        """The id of the game, that of entry 0."""
        return self.ids[:ID_BYTES].hex()

    @property
    def head(self) -> str:
        """The id of the newest entry."""
        return self.ids[-ID_BYTES:].hex()

    @property
    def entries(self) -> int:
        """The number of entries."""
        return len(self.signers)

    @property
    def name(self) -> str:
        """The game's name, without its version."""
        return self.rules.partition("/")[0]

    def id(self, n: int) -> str:
        """The id of an entry."""
        return self.ids[n * ID_BYTES : (n + 1) * ID_BYTES].hex()


def verified_log(game: Game) -> VerifiedLog:
    """The log of a verified game, as a club stores it."""
    offer, ending = game.offer, game.state.ending
    nearest, differing = nearest_edition(game)
    waits = due_time(game)
    what = next_duty(game.state).what if waits else ""
    opened = game.state.open_beat
    clocks = [entry.body.at for entry in game.entries if entry.body.at is not None]
    return VerifiedLog(
        ids=bytes.fromhex("".join(game.ids)),
        signers="".join("0" if entry.body.by == offer.by else "1" for entry in game.entries),
        rules=offer.rules,
        edition=f"{nearest} with {differing}" if differing else nearest,
        scenario=offer.scenario.name,
        own=offer.scenario.data is not None,
        players=tuple(SeatHolder(name, seat.name, seat.key) for name, seat in game.seats.items()),
        winner=(ending.winner or "") if ending else "",
        way=ending.way if ending else "",
        asked=waits.seat if waits else "",
        what=what,
        draw=0 if what != "share" else opened.number if opened else game.state.next_beat,
        since=format_timestamp(waits.since) if waits else "",
        until=format_timestamp(waits.until) if waits else "",
        clock=waits.clock_of if waits else "",
        clocked=game.entries[-1].body.at is not None,
        begun=offer.at or "",
        last=clocks[-1] if clocks else "",
    )


def format_timestamp(moment: datetime | None) -> str:
    """A time in the format of files; empty for none."""
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z") if moment else ""


class FileFindings(Struct, frozen=True):
    """The findings in a file: verified logs, problems, and games of which it has parts (FORMAT 10).

    `parts` are the ids of these games. `unsure`: another computer or another run might judge differently,
    since a game needs rules that are not installed, or time ran out.
    """

    logs: tuple[VerifiedLog, ...] = ()
    problems: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    unsure: bool = False


JUDGING_CODE = (
    *("base", "club", "core", "format", "games", "mail", "render", "umpire"),
    *("errors.py", "lookalikes.py", "messages.py", "texts.py", "version.py"),
)
"""The packages and modules that decide what is found in a file, and how it is described."""


class Batch(Struct, frozen=True):
    """Files to judge, as sent to a worker; the result is a `FileFindings` for each, in order.

    `program` is the fingerprint of the sender's code, empty on the same computer.
    """

    files: tuple[bytes, ...]
    program: str = ""

    def carry_out(self) -> bytes:
        """Judge the files. Raises `FileError` if the worker has another version of the code."""
        if self.program:
            check_program(self.program, JUDGING_CODE)
        return msgspec.msgpack.encode([classify_file(data) for data in self.files])


def classify_file(data: bytes) -> FileFindings:
    """The findings in a file. Never raises: whatever a stranger's file causes is a problem of that file."""
    with speaking(ENGLISH):
        try:
            with time_limit(MBOX_SECONDS):
                return _classify_bytes(data)
        except PbemError as error:
            return FileFindings(problems=(str(error),), unsure=isinstance(error, OverBudget))
        except Exception as error:  # an unforeseen error must not stop the other files
            return FileFindings(problems=(str(describe_unforeseen_error(error)),))


def _classify_bytes(data: bytes) -> FileFindings:
    """Judge a file as a game file, which most are; else as one that contains games."""
    first: PbemError | None = None
    if b"pbem" in data[:64] and len(data) <= FILE_BYTES:
        try:
            return FileFindings((verified_log(open_game(data)),))
        except VerificationError as error:
            if error.step > 2:
                return FileFindings(problems=(str(error),), unsure=error.newer)
            error.__traceback__ = None  # a traceback would keep everything read in memory
            first = error
    readings, parts, problems = parse_logs(data)
    logs, failed = _verify_logs(readings)
    problems += [str(error) for error in failed]
    if not (logs or parts or problems):
        problems = [str(first) if first else "no game is in this file"]
    games = tuple(dict.fromkeys(part.after.game for part in parts if part.after))
    unsure = any(error.newer for error in failed)
    return FileFindings(tuple(logs), tuple(dict.fromkeys(problems)), games, unsure)


class ReadableLog(Struct, frozen=True):
    """A whole log that can be parsed: its concatenated ids, the version parsed, and its candidate."""

    ids: bytes
    data: bytes
    candidate: Candidate

    def versions(self) -> Iterator[bytes]:
        """All versions of it, the most likely first."""
        others = (version for version in possible_files(self.candidate) if version != self.data)
        return chain([self.data], others)


def parse_logs(data: bytes) -> tuple[list[ReadableLog], list[Document], list[str]]:
    """All logs and parts of logs in a file that can be parsed, and the problems of the rest."""
    whole: dict[bytes, ReadableLog] = {}
    parts: list[Document] = []
    problems: list[str] = []
    for label, candidate in _candidates(data, problems):
        check()
        try:
            version, document = _read_candidate(candidate)
        except VerificationError as error:
            problems.append(f"{label}{error}")
            continue
        if document.after:
            parts.append(document)
        else:
            ids = bytes.fromhex("".join(entry.id for entry in document.entries))
            whole.setdefault(version, ReadableLog(ids, version, candidate))
    return list(whole.values()), parts, problems


def _read_candidate(candidate: Candidate) -> tuple[bytes, Document]:
    """The first version that can be parsed. Raises the `VerificationError` of the unrepaired candidate."""
    failure: VerificationError | None = None
    for version in possible_files(candidate):
        try:
            return version, parse_file(version)
        except VerificationError as error:
            # a traceback would keep everything read in memory
            failure = failure or error.with_traceback(None)
    assert failure is not None
    raise failure


def _candidates(data: bytes, problems: list[str]) -> Iterator[tuple[str, Candidate]]:
    """The possible games in a file, each with a label for its mail; problems are added to `problems`."""
    mails = split_mbox(data)
    for number, mail in enumerate(mails, 1):
        finding = parse_mail(mail, "the file").finding
        label = f"mail {number}: " if len(mails) > 1 else ""
        problems += [f"{label}{fault}" for fault in (*finding.faults, finding.ended) if fault]
        for candidate in finding.candidates:
            yield label, candidate


def _verify_logs(readings: list[ReadableLog]) -> tuple[list[VerifiedLog], list[VerificationError]]:
    """The logs that verify, longest first, without beginnings of others; and the errors of the rest."""
    logs: list[VerifiedLog] = []
    failed: list[VerificationError] = []
    for reading in sorted(readings, key=lambda one: -len(one.ids)):
        if any(log.ids.startswith(reading.ids) for log in logs):
            continue
        failure: VerificationError | None = None
        for version in reading.versions():
            check()
            try:
                logs.append(verified_log(open_game(version)))
                break
            except VerificationError as error:
                failure = failure or error.with_traceback(None)
        else:
            assert failure is not None
            failed.append(failure)
    return logs, failed


def reopen_game(data: bytes, head: str) -> Game:
    """Verify the game in a file that ends with this entry. Raises `FileError` if it is no longer there."""
    versions = chain([data], (other for reading in parse_logs(data)[0] for other in reading.versions()))
    for version in versions:
        with suppress(VerificationError):
            game = open_game(version)
            if game.ids[-1] == head:
                return game
    raise FileError(tr("the file has changed in the meantime"))
