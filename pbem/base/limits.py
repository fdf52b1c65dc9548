"""The limits on the work that a stranger can cause: every budget, per mail and per file, in one place.

Anything beyond a limit is refused in one line that names it (`OverBudget`, or a `FileError` or `MailError`
with a place in the text). FORMAT 1 and 3 set the limits of the file; the others are ours. Numbers are
maximums unless their description says otherwise.
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
"""Keys and values of a game file, including the log. The finished games in `examples/` have up to 6,600."""

FILE_DEPTH = 16
"""Levels of lists and mappings in a game file (FORMAT 1)."""

FILE_ENTRIES = 20_000
"""Entries of a log (FORMAT 1)."""

HEAD_BYTES = 64 * 2**10
"""Bytes of UTF-8 in `status` and `board` together (FORMAT 3)."""

HEAD_NODES = 1_000
"""Keys and values of `status` and `board` together (FORMAT 3)."""

DRAFT_BYTES = 64 * 2**10
"""Bytes of a commander's draft; one with a whole set-up has 2,000."""

DRAFTS = 9
"""Different stored drafts of one commander for one question."""

MAIL_BYTES = 48 * 2**20
"""Bytes of a mail: enough for a game of 16 MiB in base64, twice."""

MAIL_LINES = 1_000_000
"""Lines of a mail. They cost the parser more time than characters; 48 MiB of base64 have 650,000."""

MAIL_DELIMITERS = 10_000
"""Lines of a mail that begin with `--`, like the delimiters of parts, and thus parts to build."""

MAIL_PARTS = 100
"""Parts of a mail to search."""

MAIL_DEPTH = 20
"""Levels of nested parts in a mail to search."""

MAIL_GAMES = 100
"""Games found in a mail, whole or damaged. A long thread quotes several, in plain text and in HTML."""

MAIL_GAME_BYTES = 32 * 2**20
"""Bytes of all games found in a mail, in the form in which they are verified."""

MAIL_UNPACKED_BYTES = 64 * 2**20
"""Bytes unpacked from all the armoured blocks and archives in a mail."""

MAIL_FAULTS = 5
"""Failing games in a mail, or faults of one game, to report; of the rest only the number."""

MBOX_MAILS = 2_000
"""Mails in an mbox. A long game has about 400."""

MBOX_BYTES = 64 * 2**20
"""Bytes of all mails in an mbox."""

MBOX_SECONDS = 60.0
"""Seconds of processor time for each step with an mbox, like `MAIL_SECONDS` for a mail."""

TYPE_BYTES = 8 * 2**10
"""Bytes of a header that describes a part: parsing its parameters takes quadratic time."""

HEADER_CHARACTERS = 1_000
"""Characters of a header to decode and show."""

TEXT_BYTES = 8 * 2**20
"""Bytes of a text to search for games; an attached file can be larger."""

REPAIR_BYTES = 2 * 2**20
"""Bytes of a text to repair: nobody pastes more into a mail."""

REPAIR_LINES = 50_000
"""Lines of a text to repair."""

ARCHIVE_FILES = 10
"""Files of an archive to search."""

QUARANTINE_MAILS = 20
"""Mails in quarantine, which were refused or could not be judged; the oldest is dropped for a new one."""

QUARANTINE_BYTES = 64 * 2**20
"""Bytes of all mails in quarantine, more than the largest mail."""

UNJUDGED_MAILS = 1_000
"""Mails remembered, each as a digest, because the process judging them was killed or crashed."""

OFFERS = 20
"""Strangers' unanswered offers; the oldest is dropped for a new one."""

OFFER_BYTES = 128 * 2**10
"""Bytes of an offer as pbem writes it. One with the whole map of Rommel y Montgomery has 30 kB."""

GAME_EVIDENCE_BYTES = 2 * 2**20
"""Bytes of a game's older and forked logs to store. A finished game has about 100 kB."""

RESEND_SECONDS = 24 * 60 * 60
"""Seconds, at least, between two mails that resend entries of a game, or two that request its whole file."""

RESEND_TIMES = 3
"""How many times each of these is sent for the same last entry."""

BACKUP_BYTES = 256 * 2**20
"""Bytes of a home folder to back up. A hundred finished games with their mails have about 100 MB."""

BACKUP_FILES = 200_000
"""Files of a home folder to restore. A hundred finished games with their mails have about 80,000."""

EVIDENCE_BYTES = 16 * 2**20
"""Bytes of the older and forked logs of all games."""

REPORTED_MAILS = 20
"""Mails without news for a fetch to report one by one; the rest are counted."""

REMEMBERED_REFUSALS = 500
"""Refusals remembered, each as a digest, so as not to report them twice."""

EARLY_MAILS = 20
"""Mails with a part of a log that arrived before the entries it continues, to be tried again later."""

EARLY_BYTES = 4 * 2**20
"""Bytes of all mails that arrived before the entries they continue."""

LETTERS_AN_HOUR = 30
"""Letters per hour with a new question from `watch`."""

ANSWERS_AN_HOUR = 20
"""Letters per hour with reports from `watch` on replies.

People do not reply more often; a program might do so without end. The next question counts separately.
"""

WARNINGS_AN_HOUR = 3
"""Letters per hour about replies with a wrong code or none, which strangers can send in any number."""

PLAN_BYTES = 20_000
"""Bytes of a plan."""

PLAN_LINES = 200
"""Lines of a plan. Each condition is evaluated for each outcome of the next draw."""

PLAN_STEPS = 50
"""Steps of a plan."""

TRY_SECONDS = 4.0
"""Seconds for a trial run of a plan while the player waits; the whole command takes five."""

AUTOCONFIG_BYTES = 64 * 2**10
"""Bytes of a domain's description of its mail servers. Large providers need about 5 kB."""

FILE_SECONDS = 60.0 if IN_BROWSER else 10.0
"""Seconds of processor time for one file. A browser is slower, and can only measure wall-clock time."""

MAIL_SECONDS = 30.0 if IN_BROWSER else 5.0
"""Seconds of processor time for each step with a mail.

The steps: parse it and find what might be games, read drafts, read logs, join parts, verify. Each has its own
limit, so that whatever was found before the time ran out is still judged.
"""

WORKER_SECONDS = 30.0
"""Seconds of processor time after which the process judging a mail is killed: the sum of all steps above."""

WORKER_CLOCK_SECONDS = 120.0
"""Wall-clock seconds after which the process judging a mail is killed, whatever it is waiting for."""

MBOX_WORKER_SECONDS, MBOX_CLOCK_SECONDS = 4 * MBOX_SECONDS, 8 * MBOX_SECONDS
"""The same two limits for the process judging an mbox."""

CLUB_SECONDS, CLUB_CLOCK_SECONDS = MBOX_SECONDS + 10, 5 * MBOX_SECONDS
"""The same two limits for the process judging a club's files; it gives up on a file after `MBOX_SECONDS`."""

WORKER_BYTES = 2 * 2**30
"""Bytes of memory of a worker process. No known mail needs more than 400 MiB."""

_MAIL_BUDGET = {
    "games": MAIL_GAMES,
    "bytes of games": MAIL_GAME_BYTES,
    "unpacked bytes": MAIL_UNPACKED_BYTES,
}
_end: ContextVar[tuple[float, float]] = ContextVar("_end", default=(inf, inf))
"""The processor time at which work must end, and the seconds it was given."""
_deadline: ContextVar[float] = ContextVar("_deadline", default=inf)
"""The end of a wall-clock limit, by `time.monotonic`."""
_spent: ContextVar[Counter[str]] = ContextVar("_spent")


@contextmanager
def time_limit(seconds: float = FILE_SECONDS) -> Iterator[None]:
    """In the block, `check` allows this many seconds of processor time, or what an outer limit leaves."""
    token = _end.set(min(_end.get(), (time.process_time() + seconds, seconds)))
    try:
        yield
    finally:
        _end.reset(token)


@contextmanager
def clock_limit(seconds: float) -> Iterator[None]:
    """In the block, `check` allows this many wall-clock seconds, because somebody is waiting."""
    token = _deadline.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _deadline.reset(token)


@contextmanager
def mail_budget() -> Iterator[None]:
    """In the block, a mail's `time_limit` holds, and `spend` counts from zero."""
    token = _spent.set(Counter())
    try:
        with time_limit(MAIL_SECONDS):
            yield
    finally:
        _spent.reset(token)


def spend(what: str, amount: int = 1) -> None:
    """Count something found in a mail; `what` is a key of `_MAIL_BUDGET`. Raises `OverBudget` over the limit.

    Outside `mail_budget` counts are not added up.
    """
    spent, most = _spent.get(Counter()), _MAIL_BUDGET[what]
    spent[what] += amount
    if spent[what] > most:
        raise OverBudget(_describe_excess(what, most))


def check() -> None:
    """Check the time, in every loop whose length a stranger chooses. Raises `OverBudget` if time is up."""
    end, seconds = _end.get()
    if time.process_time() >= end:  # Windows measures it in steps of 16 ms
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
