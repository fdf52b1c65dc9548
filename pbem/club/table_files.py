"""The tables of a club as files, and the check of such a file against its games.

The same games give the same bytes, on every computer and in every language. Strangers' names are in cells of
a spreadsheet, so no cell can be a formula.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.club.collect import Problem
from pbem.club.people import fingerprint
from pbem.club.provenance import ClubTable
from pbem.club.results import DIRECTOR, SILENCE, ClubGame
from pbem.club.season import ScheduledGame
from pbem.club.standings import SeatResults, StandingsRow, WinLossDraw
from pbem.errors import FileError
from pbem.render.safe_text import spreadsheet_cell
from pbem.texts import Texts
from pbem.umpire.game_facts import SHORT_ID_DIGITS, SHOWN_ID_DIGITS

tr = Texts("pbem")


_TENTH, _FINE = Decimal("0.1"), Decimal("0.000001")


def games_csv(table: ClubTable) -> bytes:
    """`games.csv`: a line for each game, even excluded ones."""
    heads = (
        "game,head,entries,rules,scenario,edition,seat,player,name,other seat,other player,other name,"
        "winner,way,apart,period,asked,what,since,until,clock of,overdue,signed twice,draw,director"
    )
    periods = {each.game.head: each.pairing.period for each in table.standings.pairings if each.game}
    return _csv_bytes(
        heads.split(","), (_game_cells(game, table, periods.get(game.head)) for game in table.standings.games)
    )


def _game_cells(game: ClubGame, table: ClubTable, period: int | None) -> list[object]:
    log = game.log
    players: list[object] = []
    names = {player.seat: player.name for player in log.players}
    for seat, person in game.seats.items():
        players += [seat, person.display_name, names[seat]]
    players += [""] * (6 - len(players))
    ended = [
        game.winner if game.winner or not game.is_over else "draw",
        game.way,
        game.exclusion,
        period or "",
    ]
    left = game.is_over and not game.is_adjudged
    asked = [""] * 5 if left else [log.asked, log.what, log.since, log.until, log.clock]
    twice = "; ".join(f"{fork.seat} entry {fork.n}: {' '.join(fork.ids)}" for fork in game.forks)
    facts = [game.game, game.head, log.entries, log.rules, log.scenario, log.edition]
    late = "yes" if is_overdue(game, table) else ""
    return [*facts, *players, *ended, *asked, late, twice, log.draw or "", game.reason]


def is_overdue(game: ClubGame, table: ClubTable) -> bool:
    """Whether a move was overdue at the table's `as_of`."""
    return bool(table.as_of and not game.is_over and game.log.until and game.log.until < table.as_of)


def standings_csv(table: ClubTable) -> bytes:
    """`standings.csv`: a line for each player, the highest rating first."""
    seats = sorted({key for row in table.standings.rows for key in row.seats})
    heads = ["rank", "player", "names", "keys", "games", "won", "lost", "drawn", "forfeits", "adjudged"]
    heads += ["rating", "deviation", "volatility"]
    heads += [f"{game} {seat} {what}" for game, seat in seats for what in ("won", "lost", "drawn")]
    rows = []
    for rank, row in enumerate(table.standings.rows, 1):
        keys = " ".join(map(fingerprint, row.person.keys))
        cells: list[object] = [
            rank,
            row.person.display_name,
            "; ".join(row.person.names),
            keys,
            row.all.games,
        ]
        cells += [*_won_lost_drawn(row.all), row.forfeits, row.adjudged, *_rounded_rating(row)]
        for seat in seats:
            cells += _won_lost_drawn(row.seats.get(seat, WinLossDraw()))
        rows.append(cells)
    return _csv_bytes(heads, rows)


def problems_csv(problems: Iterable[Problem]) -> bytes:
    """`problems.csv`: a line for each problem."""
    return _csv_bytes(["file", "problem"], ([problem.file, problem.problem] for problem in problems))


def standings_json(table: ClubTable) -> bytes:
    """`standings.json`: the whole table with its sources, for other programs."""
    return msgspec.json.format(msgspec.json.encode(table_data(table)), indent=1) + b"\n"


def table_data(made: ClubTable) -> dict[str, Any]:
    """A table as JSON data, with its sources."""
    table = made.standings
    adjudged = {"adjudged": [_adjudged_data(game) for game in table.adjudged]} if table.adjudged else {}
    return {
        "made_from": {"digest": made.digest, **made.source},
        "standings": [_row_data(rank, row) for rank, row in enumerate(table.rows, 1)],
        "seats": [_seat_data(one) for one in table.seats],
        "open": [_open_game_data(one, made) for one in table.open],
        "season": [_pairing_data(one) for one in table.pairings],
        "signed_twice": [fork for game in table.games for fork in _forks_data(game)],
        **adjudged,  # only if there are any: tables of 0.1.0 have no such part
    }


def _row_data(rank: int, row: StandingsRow) -> dict[str, Any]:
    rating, deviation, volatility = _rounded_rating(row)
    return {
        "rank": rank,
        "player": row.person.display_name,
        "names": list(row.person.names),
        "keys": list(row.person.keys),
        "member": row.person.member,
        **_tally_data(row.all),
        "forfeits": row.forfeits,
        **({"adjudged": row.adjudged} if row.adjudged else {}),
        "rating": rating,
        "deviation": deviation,
        "volatility": volatility,
        "seats": _tallies_data("seat", row.seats),
        "editions": _tallies_data("edition", row.editions),
        "opponents": [
            {"player": name, **_tally_data(tally)} for name, tally in sorted(row.opponents.items())
        ],
    }


def _tallies_data(what: str, tallies: Mapping[tuple[str, str], WinLossDraw]) -> list[dict[str, Any]]:
    return [
        {"game": game, what: name, **_tally_data(tally)} for (game, name), tally in sorted(tallies.items())
    ]


def _tally_data(tally: WinLossDraw) -> dict[str, int]:
    return {"games": tally.games, "won": tally.won, "lost": tally.lost, "drawn": tally.drawn}


def _won_lost_drawn(tally: WinLossDraw) -> list[int]:
    return [tally.won, tally.lost, tally.drawn]


def _rounded_rating(row: StandingsRow) -> tuple[str, str, str]:
    """Rating and deviation, rounded to a tenth of a point, and volatility, rounded to a millionth."""
    rating = row.rating
    return (
        str(rating.rating.quantize(_TENTH)),
        str(rating.deviation.quantize(_TENTH)),
        str(rating.volatility.quantize(_FINE)),
    )


def _seat_data(seat: SeatResults) -> dict[str, Any]:
    edge = str(seat.edge.quantize(_TENTH) + 0)
    kind = {"game": seat.game, "scenario": seat.scenario, "edition": seat.edition, "seat": seat.seat}
    return {**kind, **_tally_data(seat.tally), "advantage": edge}


def _open_game_data(game: ClubGame, table: ClubTable) -> dict[str, Any]:
    log = game.log
    return {
        "game": game.game,
        "head": game.head,
        "rules": log.rules,
        "edition": log.edition,
        "seats": {seat: person.display_name for seat, person in game.seats.items()},
        "asked": log.asked,
        "player": game.seats[log.asked].display_name,
        "what": log.what,
        "since": log.since,
        "until": log.until,
        "clock_of": log.clock,
        "overdue": is_overdue(game, table),
    }


def _pairing_data(scheduled: ScheduledGame) -> dict[str, Any]:
    game = scheduled.game
    ended = {"winner": game.winner, "way": game.way} if game and game.is_over else {}
    facts = {"period": scheduled.pairing.period, "seats": dict(scheduled.seats), "how": scheduled.stage}
    return {**facts, "game": game.game if game else "", **ended}


def _adjudged_data(game: ClubGame) -> dict[str, Any]:
    """The decision by silence or the director; and, if the game had not ended, whose turn it was."""
    log = game.log
    return {
        "game": game.game,
        "head": game.head,
        "seats": {seat: person.display_name for seat, person in game.seats.items()},
        "by": DIRECTOR if game.reason else SILENCE,
        "result": game.adjudged_result,
        "reason": game.reason,
        "asked": log.asked,
        "player": game.seats[log.asked].display_name if log.asked else "",
        "what": log.what,
        "draw": log.draw,
        "since": log.since,
        "clock_of": log.clock,
    }


def _forks_data(game: ClubGame) -> list[dict[str, Any]]:
    """The proofs that a key has signed different entries with the same number."""
    return [
        {
            "game": game.game,
            "seat": fork.seat,
            "player": game.seats[fork.seat].display_name,
            "key": fork.key,
            "entry": fork.n,
            "ids": list(fork.ids),
            "counts": fork.counts,
            "forfeits": fork.forfeits,
        }
        for fork in game.forks
    ]


def _csv_bytes(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for row in (heads, *rows):
        writer.writerow([spreadsheet_cell(value) if isinstance(value, str) else value for value in row])
    return buffer.getvalue().encode()


MAX_DIFFERENCES = 10
"""The most differences of one kind that are listed."""


class _Source(Struct):
    """The part of `made_from` in a `standings.json` that is used here."""

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
    """Parse a `standings.json`. Raises `FileError` if it is not one."""
    try:
        msgspec.json.decode(data, type=_PublishedTable)
        table: dict[str, Any] = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise FileError(tr("is not a standings.json of pbem club")) from None
    return table


def differences(published: dict[str, Any], table: ClubTable) -> Iterator[str]:
    """The differences between a published table and the one made here, one per line; none if equal.

    A table that says the same is equal, whichever version of pbem made it.
    """
    program = published["made_from"]["program"]
    if published == table_data(replace(table, source={**table.source, "program": program})):
        return
    here = table_data(table)
    causes = [*_causes(published["made_from"], here["made_from"])]
    yield from causes
    if not causes:
        yield tr(
            "it was made from the same files as here, but says something else: somebody changed "
            "the table by hand"
        )
    yield from _row_differences(published["standings"], here["standings"])
    for name in ("seats", "open", "season", "signed_twice", "adjudged"):
        if published.get(name) != here.get(name):
            yield tr("its part '{name}' differs", name=name)


def _causes(published: Mapping[str, Any], here: Mapping[str, Any]) -> Iterator[str]:
    """The differences between the sources of the two tables."""
    if published["program"] != here["program"]:
        yield tr(
            "it was made by pbem {there}, this is {here}", there=published["program"], here=here["program"]
        )
    if published["rules"] != here["rules"]:
        ours, theirs = ", ".join(here["rules"]), ", ".join(published["rules"])
        yield tr("its games use the rules {there}; here they use {here}", there=theirs, here=ours)
    if published["members"] != here["members"]:
        yield tr("the members file is a different one")
    if published["season"] != here["season"]:
        yield tr("the season file is a different one")
    missing, added = _logs_only_in(published, here), _logs_only_in(here, published)
    yield from _first_few(
        [
            tr("game {game}, with entry {head} as its newest, is missing here", game=game, head=head)
            for game, head in missing
        ]
    )
    yield from _first_few(
        [
            tr("game {game}, with entry {head} as its newest, is missing there", game=game, head=head)
            for game, head in added
        ]
    )
    if published.get("digest") != here["digest"] and {**published, "digest": ""} == {**here, "digest": ""}:
        yield tr("its digest does not match what it lists")


def _logs_only_in(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The logs in the sources of the first table but not of the second, with abbreviated ids."""
    mine, theirs = ({(game, head) for game, head in each["logs"]} for each in (first, second))
    return [(game[:SHORT_ID_DIGITS], head[:SHOWN_ID_DIGITS]) for game, head in sorted(mine - theirs)]


def _row_differences(published: list[dict[str, Any]], here: list[dict[str, Any]]) -> Iterator[str]:
    """The players whose rows differ, and how."""
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
    """The difference in one value of a row; empty if there is none."""
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
