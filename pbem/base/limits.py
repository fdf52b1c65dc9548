"""The limits on the work that a stranger may cause: every budget, per mail and per file, in one place.

Anything that would cost more is refused in one line that names the budget (`OverBudget`, or a `FileError` or
`MailError` with a place in the text). FORMAT sections 1 and 3 set those of the file; the others are ours.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf

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
"""Bytes of a commander's draft; that of a whole set-up has 2,000."""

DRAFTS = 9
"""Different drafts of one commander for one moment that are kept."""

MAIL_BYTES = 48 * 2**20
"""Bytes of a mail: a game of 16 MiB, as base64, twice."""

MAIL_LINES = 1_000_000
"""Lines of a mail. Each costs the parser much more than its letters; 48 MiB of base64 have 650,000."""

MAIL_DELIMITERS = 10_000
"""Lines of a mail that begin with `--`, as those between its parts do: so many parts are built at most."""

MAIL_PARTS = 100
"""Parts of a mail that are looked into."""

MAIL_DEPTH = 20
"""Parts of a mail within each other that are looked into."""

MAIL_GAMES = 100
"""Games found in a mail, whole or damaged. A long thread quotes some, in plain text and in HTML."""

MAIL_GAME_BYTES = 32 * 2**20
"""Bytes of all games found in a mail, as they are judged."""

MAIL_UNPACKED_BYTES = 64 * 2**20
"""Bytes of all that comes out of armoured blocks and archives in a mail."""

MAIL_FAULTS = 5
"""Failing games of a mail, or faults of one, that are reported; of the rest only the number."""

MBOX_MAILS = 2_000
"""Mails of an mbox. A long game has some 400."""

MBOX_BYTES = 64 * 2**20
"""Bytes of all mails of an mbox."""

MBOX_SECONDS = 60.0
"""Processor time for each step with several mails, as `MAIL_SECONDS` is for one."""

TYPE_BYTES = 8 * 2**10
"""Bytes of a header that describes a part: the parser takes its parameters apart in quadratic time."""

HEADER_CHARACTERS = 1_000
"""Characters of a header that are shown; the rest is not even decoded."""

TEXT_BYTES = 8 * 2**20
"""Bytes of a text that is searched for games; an attached file may be larger."""

REPAIR_BYTES = 2 * 2**20
"""Bytes of a text that is repaired: nobody pastes more into a mail."""

REPAIR_LINES = 50_000
"""Lines of a text that is repaired."""

ARCHIVE_FILES = 10
"""Files of an archive that are looked into."""

ASIDE_MAILS = 20
"""Mails that could not be judged, or are refused, of which a copy is kept: the oldest makes room."""

ASIDE_BYTES = 64 * 2**20
"""Bytes of all these copies: more than one mail can have."""

UNJUDGED_MAILS = 1_000
"""Mails that ended the process that judged them and are remembered, each as a digest."""

OFFERS = 20
"""Offers that wait, of all strangers together: the oldest makes room."""

OFFER_BYTES = 128 * 2**10
"""Bytes of an offer in our own writing. One with the whole map of Rommel y Montgomery has 30 kB."""

GAME_EVIDENCE_BYTES = 2 * 2**20
"""Bytes of a game's older and forked logs that are kept. A finished game has some 100 kB."""

AGAIN_SECONDS = 24 * 60 * 60
"""Seconds between two mails of a game that repeat what may be lost, or two that ask for the whole."""

AGAIN_TIMES = 3
"""The number of times that each of these is sent for one last entry."""

BACKUP_BYTES = 256 * 2**20
"""Bytes of a home that is backed up. A hundred finished games with their mails have some 100 MB."""

BACKUP_FILES = 200_000
"""Files of a home that is restored. A hundred finished games with their mails have some 80,000."""

EVIDENCE_BYTES = 16 * 2**20
"""Bytes of these logs of all games."""

TOLD = 20
"""Mails without news that one look into the mail reports singly; the rest are counted."""

REFUSED = 500
"""Refusals that are remembered, each as a digest, not to be told a second time."""

EARLY_MAILS = 20
"""Mails with a part of a log that lacks what goes before it, tried again when that has come."""

EARLY_BYTES = 4 * 2**20
"""Bytes of all these mails."""

LETTERS_AN_HOUR = 30
"""Letters in which `watch` asks the player something for the first time."""

ANSWERS_AN_HOUR = 20
"""Letters in which `watch` tells him the result of his answers. No person gives more; programs do,
without end. The next question has letters of its own."""

WARNINGS_AN_HOUR = 3
"""Letters that tell of answers with a wrong code, or none: a stranger may send as many as he likes."""

PLAN_BYTES = 20_000
"""Bytes of a plan."""

PLAN_LINES = 200
"""Lines of a plan: each condition is looked at for each outcome of the next draw."""

PLAN_STEPS = 50
"""Steps of a plan."""

TRY_SECONDS = 4.0
"""Seconds for which a player waits to see what a plan would do: with all around it the command takes five."""

AUTOCONFIG_BYTES = 64 * 2**10
"""Bytes of a domain's account of its mail servers. Large providers need some 5 kB."""

SECONDS = 10.0
"""Processor time for one file."""

MAIL_SECONDS = 5.0
"""Processor time for each step with a mail: to find what may be games, to read them, to verify them; or, of a
delivery report, for the only one.

Each has its own, so that what is found before the time is up is still judged.
"""

WORKER_SECONDS = 30.0
"""Processor time after which the process that judges a mail is killed: the sum of all steps above."""

WORKER_CLOCK_SECONDS = 120.0
"""Seconds by the clock after which it is killed, whatever it waits for."""

MBOX_WORKER_SECONDS, MBOX_CLOCK_SECONDS = 4 * MBOX_SECONDS, 8 * MBOX_SECONDS
"""The same for the process that judges a file with several mails."""

CLUB_SECONDS, CLUB_CLOCK_SECONDS = MBOX_SECONDS + 10, 5 * MBOX_SECONDS
"""The same for the process that judges a club's files; with one it gives up itself after `MBOX_SECONDS`."""

WORKER_BYTES = 2 * 2**30
"""Bytes of memory of that process. The most that any mail is known to need is 400 MiB."""

_MOST_OF_A_MAIL = {
    "games": MAIL_GAMES,
    "bytes of games": MAIL_GAME_BYTES,
    "unpacked bytes": MAIL_UNPACKED_BYTES,
}
_end: ContextVar[tuple[float, float]] = ContextVar("_end", default=(inf, inf))
"""The time at which work must end, and the seconds that it was given."""
_deadline: ContextVar[float] = ContextVar("_deadline", default=inf)
"""The time at which a person has waited long enough, by `time.monotonic`."""
_spent: ContextVar[Counter[str]] = ContextVar("_spent")


@contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """Within, `check` lets work go on for so much processor time; an outer limit that ends sooner holds."""
    token = _end.set(min(_end.get(), (time.process_time() + seconds, seconds)))
    try:
        yield
    finally:
        _end.reset(token)


@contextmanager
def waiting(seconds: float) -> Iterator[None]:
    """Within, `check` lets work go on for so many seconds by the clock: somebody is waiting for it."""
    token = _deadline.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _deadline.reset(token)


@contextmanager
def one_mail() -> Iterator[None]:
    """Within, `limited` time to find games, and `spend` counts from nothing."""
    token = _spent.set(Counter())
    try:
        with limited(MAIL_SECONDS):
            yield
    finally:
        _spent.reset(token)


def spend(what: str, amount: int = 1) -> None:
    """Count what was found in the mail: a key of `_MOST_OF_A_MAIL`. Raises `OverBudget` beyond the most.

    Outside of `one_mail` nothing is counted.
    """
    spent, most = _spent.get(Counter()), _MOST_OF_A_MAIL[what]
    spent[what] += amount
    if spent[what] > most:
        raise OverBudget(_too_many(what, most))


def check() -> None:
    """Check the time, in every loop whose length a stranger chooses. Raises `OverBudget` when it is up."""
    end, seconds = _end.get()
    if time.process_time() >= end:  # the clock of Windows takes steps of 16 ms
        problem = tr(
            "takes more than {seconds} s of processor time, the most allowed for one mail or file",
            seconds=f"{seconds:g}",
        )
        raise OverBudget(problem)
    if time.monotonic() >= _deadline.get():
        raise OverBudget(tr("takes too long"))


def _too_many(what: str, most: int) -> Said:
    match what:
        case "games":
            return tr("has more than {most} games, the most that one mail may hold", most=most)
        case "bytes of games":
            return tr("has more than {most} bytes of games, the most that one mail may hold", most=most)
        case _:
            return tr("unpacks to more than {most} bytes, the most that one mail may hold", most=most)
