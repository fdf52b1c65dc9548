"""The limits on the work that a stranger may cause: every budget, per mail and per file, in one place.

Anything beyond is refused in one line that names the budget (`OverBudget`, or a `FileError` or `MailError`
with a place in the text). FORMAT sections 1 and 3 set the limits of the file; the others are ours.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf

from pbem.base.system import IN_BROWSER
from pbem.errors import OverBudget
from pbem.messages import Messages, Said

tr = Messages("pbem")

FILE_BYTES = 16 * 2**20
"""Bytes of a game file (FORMAT 1)."""

FILE_NODES = 1_000_000
"""Keys and values of a game file, the log included. The finished games in `examples/` have up to 6,600."""

FILE_DEPTH = 16
"""Levels of lists and mappings in a game file (FORMAT 1)."""

FILE_ENTRIES = 20_000
"""Entries of a log (FORMAT 1)."""

HEAD_BYTES = 64 * 2**10
"""UTF-8 of `status` and `board` together (FORMAT 3)."""

HEAD_NODES = 1_000
"""Keys and values of `status` and `board` together (FORMAT 3)."""

DRAFT_BYTES = 64 * 2**10
"""Bytes of a commander's draft; one with a whole set-up has 2,000."""

DRAFTS = 9
"""Different drafts of one commander for one question that are stored."""

MAIL_BYTES = 48 * 2**20
"""Bytes of a mail: a game of 16 MiB, as base64, twice."""

MAIL_LINES = 1_000_000
"""Lines of a mail. A line costs the parser much more than its characters; 48 MiB of base64 have 650,000."""

MAIL_DELIMITERS = 10_000
"""Lines of a mail that begin with `--`, as delimiters of parts do: at most so many parts are built."""

MAIL_PARTS = 100
"""Parts of a mail that are searched."""

MAIL_DEPTH = 20
"""Levels of nested parts of a mail that are searched."""

MAIL_GAMES = 100
"""Games found in a mail, whole or damaged. A long thread quotes some, in plain text and in HTML."""

MAIL_GAME_BYTES = 32 * 2**20
"""Bytes of all games found in a mail, as they are verified."""

MAIL_UNPACKED_BYTES = 64 * 2**20
"""Bytes of all that comes out of armoured blocks and archives in a mail."""

MAIL_FAULTS = 5
"""Games of a mail that fail, or faults of one game, that are reported; of the rest only the number."""

MBOX_MAILS = 2_000
"""Mails of an mbox. A long game has some 400."""

MBOX_BYTES = 64 * 2**20
"""Bytes of all mails of an mbox."""

MBOX_SECONDS = 60.0
"""Processor time for each step with an mbox, as `MAIL_SECONDS` for a mail."""

TYPE_BYTES = 8 * 2**10
"""Bytes of a header that describes a part: the parser takes quadratic time for its parameters."""

HEADER_CHARACTERS = 1_000
"""Characters of a header that are decoded and shown."""

TEXT_BYTES = 8 * 2**20
"""Bytes of a text that is searched for games; an attached file may be larger."""

REPAIR_BYTES = 2 * 2**20
"""Bytes of a text that is repaired: nobody pastes more into a mail."""

REPAIR_LINES = 50_000
"""Lines of a text that is repaired."""

ARCHIVE_FILES = 10
"""Files of an archive that are searched."""

QUARANTINE_MAILS = 20
"""Mails in quarantine, which could not be judged or were refused; the oldest gives way."""

QUARANTINE_BYTES = 64 * 2**20
"""Bytes of all mails in quarantine: more than one mail can have."""

UNJUDGED_MAILS = 1_000
"""Mails remembered, each as a digest, because the process that judged them has ended."""

OFFERS = 20
"""Offers of strangers that wait for an answer; the oldest gives way."""

OFFER_BYTES = 128 * 2**10
"""Bytes of an offer as we write it. One with the whole map of Rommel y Montgomery has 30 kB."""

GAME_EVIDENCE_BYTES = 2 * 2**20
"""Bytes of a game's older and forked logs that are stored. A finished game has some 100 kB."""

RESEND_SECONDS = 24 * 60 * 60
"""Seconds between two mails of a game that resend what may be lost, or two that ask for the whole file."""

RESEND_TIMES = 3
"""The number of times that each of these is sent for the same last entry."""

BACKUP_BYTES = 256 * 2**20
"""Bytes of a home folder that is backed up. A hundred finished games with their mails have some 100 MB."""

BACKUP_FILES = 200_000
"""Files of a home folder that is restored. A hundred finished games with their mails have some 80,000."""

EVIDENCE_BYTES = 16 * 2**20
"""Bytes of the older and forked logs of all games."""

REPORTED_MAILS = 20
"""Mails without news that a fetch reports one by one; the rest are counted."""

REMEMBERED_REFUSALS = 500
"""Refusals remembered, each as a digest, so that they are not reported twice."""

EARLY_MAILS = 20
"""Mails with a part of a log that arrived before the entries it continues, tried again after those."""

EARLY_BYTES = 4 * 2**20
"""Bytes of all these mails."""

LETTERS_AN_HOUR = 30
"""Letters an hour in which `watch` asks the player something for the first time."""

ANSWERS_AN_HOUR = 20
"""Letters an hour in which `watch` reports the results of answers. A person does not answer more often; a
program may do so endlessly. The next question counts for itself."""

WARNINGS_AN_HOUR = 3
"""Letters an hour about answers with a wrong code, or none: a stranger may send any number of them."""

PLAN_BYTES = 20_000
"""Bytes of a plan."""

PLAN_LINES = 200
"""Lines of a plan: each condition is evaluated for each outcome of the next draw."""

PLAN_STEPS = 50
"""Steps of a plan."""

TRY_SECONDS = 4.0
"""Seconds for a trial run of a plan while a player waits; the whole command takes five."""

AUTOCONFIG_BYTES = 64 * 2**10
"""Bytes of a domain's description of its mail servers. Large providers need some 5 kB."""

FILE_SECONDS = 60.0 if IN_BROWSER else 10.0
"""Processor time for one file. A browser is slower, and its processor time is that of the clock."""

MAIL_SECONDS = 30.0 if IN_BROWSER else 5.0
"""Processor time for each step with a mail: parsing it and finding what may be games, reading drafts, reading
logs, joining parts, verifying.

Each step has its own, so that what was found before the time ran out is still judged.
"""

WORKER_SECONDS = 30.0
"""Processor time after which the process that judges a mail is killed: the sum of all steps above."""

WORKER_CLOCK_SECONDS = 120.0
"""Wall-clock seconds after which that process is killed, whatever it waits for."""

MBOX_WORKER_SECONDS, MBOX_CLOCK_SECONDS = 4 * MBOX_SECONDS, 8 * MBOX_SECONDS
"""The same two for the process that judges an mbox."""

CLUB_SECONDS, CLUB_CLOCK_SECONDS = MBOX_SECONDS + 10, 5 * MBOX_SECONDS
"""The same two for the process that judges a club's files; it gives up a file after `MBOX_SECONDS`."""

WORKER_BYTES = 2 * 2**30
"""Bytes of memory of a worker process. The most that any known mail needs is 400 MiB."""

_MAIL_BUDGET = {
    "games": MAIL_GAMES,
    "bytes of games": MAIL_GAME_BYTES,
    "unpacked bytes": MAIL_UNPACKED_BYTES,
}
_end: ContextVar[tuple[float, float]] = ContextVar("_end", default=(inf, inf))
"""The processor time at which work must end, and the seconds that it was given."""
_deadline: ContextVar[float] = ContextVar("_deadline", default=inf)
"""The end of a wall-clock limit, by `time.monotonic`."""
_spent: ContextVar[Counter[str]] = ContextVar("_spent")


@contextmanager
def time_limit(seconds: float = FILE_SECONDS) -> Iterator[None]:
    """Within, `check` allows so many seconds of processor time, or what an outer limit leaves of them."""
    token = _end.set(min(_end.get(), (time.process_time() + seconds, seconds)))
    try:
        yield
    finally:
        _end.reset(token)


@contextmanager
def clock_limit(seconds: float) -> Iterator[None]:
    """Within, `check` allows so many wall-clock seconds: somebody is waiting."""
    token = _deadline.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _deadline.reset(token)


@contextmanager
def mail_budget() -> Iterator[None]:
    """Within, the `time_limit` of a mail holds, and `spend` counts from zero."""
    token = _spent.set(Counter())
    try:
        with time_limit(MAIL_SECONDS):
            yield
    finally:
        _spent.reset(token)


def spend(what: str, amount: int = 1) -> None:
    """Count what was found in the mail: a key of `_MAIL_BUDGET`. Raises `OverBudget` beyond the limit.

    Outside `mail_budget` the counts are not added up.
    """
    spent, most = _spent.get(Counter()), _MAIL_BUDGET[what]
    spent[what] += amount
    if spent[what] > most:
        raise OverBudget(_describe_excess(what, most))


def check() -> None:
    """Check the time, in every loop whose length a stranger chooses. Raises `OverBudget` when it is up."""
    end, seconds = _end.get()
    if time.process_time() >= end:  # Windows: steps of 16 ms
        problem = tr(
            "needs more than {seconds} s of processor time, the limit for one mail or file",
            seconds=f"{seconds:g}",
        )
        raise OverBudget(problem)
    if time.monotonic() >= _deadline.get():
        raise OverBudget(tr("takes too long"))


def _describe_excess(what: str, most: int) -> Said:
    match what:
        case "games":
            return tr("contains more than {most} games, the limit for one mail", most=most)
        case "bytes of games":
            return tr("contains more than {most} bytes of games, the limit for one mail", most=most)
        case _:
            return tr("unpacks to more than {most} bytes, the limit for one mail", most=most)
