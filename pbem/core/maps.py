"""What the scenarios of games on hex maps share: the frame of the map, roads, and unit names.

The structs describe parts of a scenario file; the functions check what structs cannot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Annotated, Literal, TypeAlias

import msgspec

from pbem.base.validation import key_path, quote_value
from pbem.core.hexes import Grid
from pbem.core.shape import Line, Problem, Sourced
from pbem.messages import Messages, Said

tr = Messages("pbem")

Number = Annotated[int, msgspec.Meta(ge=0, le=99)]
"""A column or a row, two digits of a hex number."""
Factor = Annotated[int, msgspec.Meta(ge=0, le=20)]
"""A factor printed on a counter."""
Span: TypeAlias = tuple[int, int]
"""The smallest and largest number allowed."""


class Frame(Sourced, frozen=True, kw_only=True):
    """The hex grid of a map: its first and last columns and rows, and which columns are half a hex lower."""

    columns: tuple[Number, Number]
    rows: tuple[Number, Number]
    lower: Literal["even", "odd"]

    def grid(self) -> Grid:
        """The grid alone."""
        return _grid(*self.columns, *self.rows, self.lower)


class Road(Sourced, frozen=True, kw_only=True):
    """A road, hex by hex."""

    name: Line
    hexes: list[str]


def frame(map_: Frame, columns: Span, rows: Span) -> Iterator[Problem]:
    """The faults of a map's frame: columns or rows out of bounds, or ones that cannot be drawn."""
    for name, (first, last), (fewest, most) in (
        ("columns", map_.columns, columns),
        ("rows", map_.rows, rows),
    ):
        if not fewest <= last - first + 1 <= most:
            yield f"scenario.map.{name}", _span_fault(name, f"[{first}, {last}]", fewest, most)
    first, _ = map_.columns
    if (first % 2 == 0) == (map_.lower == "even"):
        problem = tr(
            "must not be {found}: the westernmost column, {column}, must not be a lower one",
            found=map_.lower,
            column=first,
        )
        yield "scenario.map.lower", problem


def _span_fault(name: str, found: str, fewest: int, most: int) -> Said:
    if name == "columns":
        return tr(
            "must name the first and last of {fewest} to {most} columns, not {found}",
            found=found,
            fewest=fewest,
            most=most,
        )
    return tr(
        "must name the first and last of {fewest} to {most} rows, not {found}",
        found=found,
        fewest=fewest,
        most=most,
    )


def off_the_map(number: str, grid: Grid) -> Said | None:
    """The fault of a hex number that is not on the map, or None."""
    if number in grid:
        return None
    numbers = grid.numbers
    if not numbers:
        return tr("{found} is not on the map, which has no hexes", found=quote_value(number))
    return tr(
        "{found} is not a hex from {first} to {last}",
        found=quote_value(number),
        first=numbers[0],
        last=numbers[-1],
    )


def roads(lines: Iterable[Road], grid: Grid, wrong: Callable[[str], Said | None]) -> Iterator[Problem]:
    """The faults of roads, which run from one hex to the next; `wrong` gives the fault of a hex number."""
    for index, road in enumerate(lines):
        path = f"scenario.map.roads[{index}].hexes"
        strangers = {place: problem for place, at in enumerate(road.hexes) if (problem := wrong(at))}
        yield from ((f"{path}[{place}]", problem) for place, problem in strangers.items())
        if not strangers:
            for place, (a, b) in enumerate(pairwise(road.hexes), start=1):
                if grid.distance(a, b) != 1:
                    problem = tr("{found} is not next to {hex}", found=b, hex=a)
                    yield f"{path}[{place}]", problem


def names(units: Iterable[str], longest: int, reserved: tuple[str, ...]) -> Iterator[Problem]:
    """The faults of unit names: they must be typable, differ from numbers, and be unique in any case."""
    seen: dict[str, str] = {}
    for name in units:
        path = key_path("scenario.units", name)
        letters = name.isascii() and name.replace("-", "").isalnum() and any(c.isalpha() for c in name)
        if not letters or len(name) > longest or name.startswith("-"):
            problem = tr(
                "{found} is not a name of at most {number} letters, digits and hyphens, with at "
                "least one letter and no hyphen at the start",
                found=quote_value(name),
                number=longest,
            )
            yield path, problem
        if name.lower() in reserved:
            problem = tr(
                "{found} cannot be a name, because it is a word used in orders ({words})",
                found=name,
                words=", ".join(reserved),
            )
            yield path, problem
        if name.lower() in seen:
            other = seen[name.lower()]
            yield path, tr("{found} differs from {name} only in case", found=name, name=other)
        seen.setdefault(name.lower(), name)


@cache
def _grid(
    first_column: int, last_column: int, first_row: int, last_row: int, lower: Literal["even", "odd"]
) -> Grid:
    """One grid for all games on the same map, since a grid caches its neighbours."""
    return Grid(first_column, last_column, first_row, last_row, lower)
