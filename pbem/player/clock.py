"""The player's clock, and the claims in an entry that depend on it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from itertools import count
from time import monotonic

from pbem.errors import PbemError
from pbem.render.safe_text import cut
from pbem.texts import Texts
from pbem.umpire.write import Claim

tr = Texts("pbem")

LAST_SECOND = 253_402_300_799
"""The last second of the year 9999, the latest time an entry can state (FORMAT 4), in seconds since 1970."""


def now() -> datetime:
    """The time in UTC, or SOURCE_DATE_EPOCH if set. Raises `PbemError` if that is not a time."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return datetime.now(UTC)
    if not re.fullmatch("[0-9]{1,12}", epoch) or int(epoch) > LAST_SECOND:
        problem = tr(
            "SOURCE_DATE_EPOCH must be seconds since 1970, at most {most}, not '{found}'",
            found=cut(epoch, 40),
            most=str(LAST_SECOND),
        )
        raise PbemError(problem)
    # `fromtimestamp` fails after the year 3000 on Windows
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(epoch))


def claim(say: str = "", mail: str = "") -> Claim:
    """The claims of the writer of an entry: the time, a message, and their present mail address."""
    return Claim(at=now().strftime("%Y-%m-%dT%H:%M:%SZ"), say=say, mail=mail)


def _show_nothing(playouts: int, left: float) -> None:
    """Ignore the progress of a search."""


search_display: ContextVar[Callable[[int, float], None]] = ContextVar("search", default=_show_nothing)
"""Shows the progress of a search: the playouts made, and the seconds left, which are 0 at the end."""


def count_within(seconds: float) -> Generator[int]:
    """Count from 0 until this many `seconds` have passed since the first number, showing the progress."""
    end, show = monotonic() + seconds, search_display.get()
    try:
        for playout in count():
            left = end - monotonic()
            if left <= 0:
                return
            show(playout, left)
            yield playout
    finally:
        show(0, 0)
