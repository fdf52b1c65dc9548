"""The check of a table against its files: the differences, and their causes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from pbem.club.provenance import ClubTable
from pbem.club.sheets import table_data
from pbem.errors import FileError
from pbem.texts import Texts
from pbem.umpire.game_facts import SHORT_ID_DIGITS, SHOWN_ID_DIGITS

tr = Texts("pbem")

MAX_DIFFERENCES = 10
"""The maximum number of differences of one kind that are listed."""


class _Source(Struct):
    """The `made_from` of a `standings.json`, as far as it is used here."""

    program: str
    rules: list[str]
    members: str
    season: str
    game: str
    edition: str
    since: str
    as_of: str
    logs: list[tuple[str, str]]


class _Row(Struct):
    player: str


class _PublishedTable(Struct):
    made_from: _Source
    standings: list[_Row]


def parse_standings(data: bytes) -> dict[str, Any]:
    """Parse a `standings.json`. Raises `FileError` where it is none."""
    try:
        msgspec.json.decode(data, type=_PublishedTable)
        table: dict[str, Any] = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise FileError(tr("is not a standings.json of pbem club")) from None
    return table


def differences(published: dict[str, Any], table: ClubTable) -> Iterator[str]:
    """The differences between a published table and the one made here, a line each; none if equal."""
    here = table_data(table)
    if published == here:
        return
    causes = [*_causes(published["made_from"], here["made_from"])]
    yield from causes
    if not causes:
        yield tr(
            "it is made from the same as here, and says something else: the table has been changed by hand"
        )
    yield from _row_differences(published["standings"], here["standings"])
    for name in ("seats", "open", "season", "signed_twice"):
        if published.get(name) != here[name]:
            yield tr("its part '{name}' differs", name=name)


def _causes(published: Mapping[str, Any], here: Mapping[str, Any]) -> Iterator[str]:
    """The differences between the sources of the two tables."""
    if published["program"] != here["program"]:
        yield tr(
            "it was made by pbem {there}, this is {here}", there=published["program"], here=here["program"]
        )
    if published["rules"] != here["rules"]:
        ours, theirs = ", ".join(here["rules"]), ", ".join(published["rules"])
        yield tr("its games are of the rules {there}; here of {here}", there=theirs, here=ours)
    if published["members"] != here["members"]:
        yield tr("the file of the members is another one")
    if published["season"] != here["season"]:
        yield tr("the season's file is another one")
    missing, added = _logs_only_in(published, here), _logs_only_in(here, published)
    yield from _first_few(
        [
            tr("game {game} with entry {head} as its newest is not here", game=game, head=head)
            for game, head in missing
        ]
    )
    yield from _first_few(
        [
            tr("game {game} with entry {head} as its newest is not there", game=game, head=head)
            for game, head in added
        ]
    )
    if published.get("digest") != here["digest"] and {**published, "digest": ""} == {**here, "digest": ""}:
        yield tr("its digest is not that of what it names")


def _logs_only_in(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The logs that the first table was made from and the second was not, with abbreviated ids."""
    mine, theirs = ({(game, head) for game, head in each["logs"]} for each in (first, second))
    return [(game[:SHORT_ID_DIGITS], head[:SHOWN_ID_DIGITS]) for game, head in sorted(mine - theirs)]


def _row_differences(published: list[dict[str, Any]], here: list[dict[str, Any]]) -> Iterator[str]:
    """The players whose rows differ, and in what."""
    there, ours = ({row["player"]: row for row in rows} for rows in (published, here))
    lines = [
        tr("{player} is not in the table here", player=one) for one in sorted(there.keys() - ours.keys())
    ]
    lines += [tr("{player} is not in its table", player=one) for one in sorted(ours.keys() - there.keys())]
    for name in sorted(there.keys() & ours.keys()):
        lines += [
            _cell_difference(name, key, there[name].get(key), value) for key, value in ours[name].items()
        ]
    yield from _first_few([line for line in lines if line])


def _cell_difference(player: str, what: str, there: object, here: object) -> str:
    """The difference in one value of a row; empty where there is none."""
    if there == here:
        return ""
    if isinstance(here, list):
        return tr("{player}: {what} differ", player=player, what=what)
    return tr(
        "{player}: {what} is {there} there, {here} here", player=player, what=what, there=there, here=here
    )


def _first_few(lines: list[str]) -> list[str]:
    more = len(lines) - MAX_DIFFERENCES
    return (
        [*lines[:MAX_DIFFERENCES], tr.plural("and {number} more", "and {number} more", more)]
        if more > 0
        else lines
    )
