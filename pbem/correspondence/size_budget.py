"""The room in a letter, so that a mail stays small: what is left out first, and what last."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

Window: TypeAlias = tuple[range, range]
"""The columns and rows of a map that are drawn, from 0."""

MANY, SOME, FEW, LEAST = 30, 12, 8, 3
"""Lines that tell of an entry where there is no room for all.

There are `SOME` of them before the map is cut, and fewer once no smaller part of it will do; fewest of all
where nothing else is left to leave out.
"""


class Room(Struct, frozen=True):
    """The extent of a letter: `terse` leaves out what every mail, the attachment or pbem says as well.

    `lines` are the most that tell of an entry (None: as many as there are). A letter in two languages
    tells it `again` in the second, or says there what is asked alone. `window` is the part of the map that is
    drawn (None: all of it). HTML has a `picture` of that, or else the text.
    """

    terse: bool = False
    lines: int | None = None
    again: bool = True
    window: Window | None = None
    picture: bool = True


PLENTY = Room()
"""For all of it."""


def rooms(windows: Iterable[Window], *, picture: bool) -> list[Room]:
    """Less and less room: what every mail says goes first, then long stories, then the second language's.

    Then goes what is around a part of the map.
    """
    parts = list(windows)
    least = FEW if picture and parts else LEAST
    found = [Room(terse=True, picture=picture)]
    found += [replace(found[0], lines=lines) for lines in range(MANY, SOME - 1, -1)]
    found += [replace(found[-1], again=False)]
    found += [replace(found[-1], window=window) for window in parts]
    return found + [replace(found[-1], lines=lines) for lines in range(SOME - 1, least - 1, -1)]
