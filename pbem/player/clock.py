"""The player's clock, and the claims that he makes by it."""

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
"""The end of the year 9999, the last that an entry can state (FORMAT 4), in seconds since 1970."""


def now() -> datetime:
    """The time; SOURCE_DATE_EPOCH stops the clock. Raises `PbemError` if that is not a time."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return datetime.now(UTC)
    if not re.fullmatch("[0-9]{1,12}", epoch) or int(epoch) > LAST_SECOND:
        problem = tr(
            "SOURCE_DATE_EPOCH must be seconds since 1970, at most {most}, not '{found}'",
            found=cut(epoch, 40),
            most=LAST_SECOND,
        )
        raise PbemError(problem)
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(epoch))  # Windows counts to 3000 only


def claim(say: str = "", mail: str = "") -> Claim:
    """What the writer claims: the time, his words, and his present mail address."""
    return Claim(at=now().strftime("%Y-%m-%dT%H:%M:%SZ"), say=say, mail=mail)


def _show_nothing(playouts: int, left: float) -> None:
    """For a program that nobody watches."""


search_display: ContextVar[Callable[[int, float], None]] = ContextVar("search", default=_show_nothing)
"""Shows a search as it goes on: how many playouts it has made, and the seconds left; 0 where it ends."""


def count_within(seconds: float) -> Generator[int]:
    """Numbers from 0 for a search, until so many seconds have passed since the first was taken."""
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
