"""The size budget of a letter, so that a mail stays small: what is left out first, and what last."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

Window: TypeAlias = tuple[range, range]
"""The columns and rows of a map that are drawn, from 0."""

MANY, SOME, FEW, LEAST = 30, 12, 8, 3
"""Lines that describe an entry where there is no room for all.

`SOME` are left before the map is cut, `FEW` once no smaller part of it will do, and `LEAST` where nothing
else can be left out.
"""


class SizeBudget(Struct, frozen=True):
    """The extent of a letter: `terse` leaves out what every mail, the attachment or pbem says as well.

    `lines` are the most that describe an entry (None: all). A letter in two languages says everything `again`
    in the second, or else only what is to be decided. `window` is the part of the map that is drawn (None:
    all of it). HTML has a `picture` of that, or else the text.
    """

    terse: bool = False
    lines: int | None = None
    again: bool = True
    window: Window | None = None
    picture: bool = True


UNLIMITED = SizeBudget()
"""The budget without any limit."""


def shrinking_budgets(windows: Iterable[Window], *, picture: bool) -> list[SizeBudget]:
    """Smaller and smaller budgets: first without what every mail says, then with fewer lines for each entry.

    Then without the second language, then with smaller parts of the map, at last with fewer lines still.
    """
    parts = list(windows)
    least = FEW if picture and parts else LEAST
    budgets = [SizeBudget(terse=True, picture=picture)]
    budgets += [replace(budgets[0], lines=lines) for lines in range(MANY, SOME - 1, -1)]
    budgets += [replace(budgets[-1], again=False)]
    budgets += [replace(budgets[-1], window=window) for window in parts]
    return budgets + [replace(budgets[-1], lines=lines) for lines in range(SOME - 1, least - 1, -1)]
