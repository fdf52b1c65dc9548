"""A club's table for a terminal, in the player's language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.club.provenance import Made
from pbem.club.results import FORFEIT, Game
from pbem.club.season import PLAYED, Played
from pbem.club.standings import Row, Seat
from pbem.render.words import MOST_OF_A_NAME, columns, cut, named, safe, wrap
from pbem.texts import Texts, number
from pbem.umpire.game_facts import BRIEF, SHORT
from pbem.umpire.side_names import side

tr = Texts("pbem")

_NAME = 28
"""The maximum width of a player's name in the table."""

MOST_OPEN = 20
"""The maximum number of open games, and of pairings to be played, that are listed; the files have all."""


def told(table: Made, now: str) -> Iterator[str]:
    """The whole table in lines; moves are overdue by the time `now`, in the format of files."""
    yield _heading(table)
    yield from _standings(table.table.rows)
    yield from _titled(tr("What each side gives"), [_seat(one) for one in table.table.seats[::2]])
    forked = [line for game in table.table.games for line in _forks(game)]
    yield from _titled(tr("Signed twice"), forked)
    yield from _titled(tr("Still going on"), _some([_open(game, now) for game in table.table.open]))
    left = [_pairing(one) for one in table.table.pairings if one.how != PLAYED]
    yield from _titled(tr("Still to be played"), _some(left))
    if table.problems:
        yield ""
        yield tr.plural(
            "{number} problem is in {file}",
            "{number} problems are in {file}",
            len(table.problems),
            file="problems.csv",
        )


def _heading(table: Made) -> str:
    title = named(table.title) if table.title else tr("All games")
    digest = table.digest[:SHORT]
    return tr("{title}: {counts}; made from {digest}", title=title, counts=counts(table), digest=digest)


def counts(table: Made) -> str:
    """The numbers of games that count, are open, and are excluded."""
    counted = sum(row.all.games for row in table.table.rows) // 2
    games = tr.plural("{number} game counts", "{number} games count", counted)
    apart = sum(bool(game.apart) for game in table.table.games)
    return tr(
        "{games}; going on: {open}; apart: {apart}",
        games=games,
        open=number(len(table.table.open)),
        apart=number(apart),
    )


def _standings(rows: list[Row]) -> Iterator[str]:
    """A line for each player."""
    if not rows:
        yield tr("No game counts yet.")
        return
    width = min(_NAME, max(columns(row.person.called) for row in rows))
    heads = (tr("games"), tr("won"), tr("lost"), tr("drawn"), tr("rating"), tr("95 %"))
    sizes = [max(columns(head), 6) for head in heads]
    put = " ".join(f"{head:>{size}}" for head, size in zip(heads, sizes, strict=True))
    yield f"{'':>4}  {'':<{width}} {put}"
    for rank, row in enumerate(rows, 1):
        name = cut(safe(row.person.called), width)
        rating, spread = f"{row.rating.rating:.0f}", f"±{2 * row.rating.deviation:.0f}"
        tally = row.all
        cells = (tally.games, tally.won, tally.lost, tally.drawn, rating, spread)
        figures = " ".join(f"{cell:>{size}}" for cell, size in zip(cells, sizes, strict=True))
        yield f"{rank:>4}  {name}{' ' * (width - columns(name))} {figures}"


def _titled(title: str, lines: list[str]) -> Iterator[str]:
    """Lines under a title; nothing without lines."""
    if lines:
        yield ""
        yield title
        yield from (wrap(f"  {line}", indent=4) for line in lines)


def _some(lines: list[str]) -> list[str]:
    """The first lines, and how many more there are."""
    more = len(lines) - MOST_OPEN
    if more <= 0:
        return lines
    return [*lines[:MOST_OPEN], tr.plural("and {number} more", "and {number} more", more)]


def _seat(seat: Seat) -> str:
    return tr(
        "{game}, {scenario}, {edition}: {side:name}: won {won}, lost {lost}, drew {drawn}; worth {points} "
        "points",
        game=seat.game,
        scenario=seat.scenario,
        edition=seat.edition,
        side=side(seat.game, seat.seat),
        won=number(seat.tally.won),
        lost=number(seat.tally.lost),
        drawn=number(seat.tally.drawn),
        points=f"{seat.edge:+.0f}",
    )


def _against(game: Game) -> str:
    return seated(game.log.rules, {seat: person.called for seat, person in game.seats.items()})


def seated(rules: str, seats: Mapping[str, str]) -> str:
    """The players of a game, each after the name of his side."""
    sides = ((side(rules, seat), player) for seat, player in seats.items())
    return ", ".join(f"{of:name}: {named(player, MOST_OF_A_NAME)}" for of, player in sides)


def _forks(game: Game) -> Iterator[str]:
    """Who has signed different entries of one number, which of them counts, and the ids that prove it."""
    for fork in game.forks:
        who = named(game.seats[fork.seat].called)
        ids = ", ".join(entry_id[:SHORT] for entry_id in fork.ids)
        if fork.forfeits:
            yield tr(
                "{game}: {who} signed {number} different entries {n} ({ids}), and forfeits the game",
                game=game.game[:BRIEF],
                who=who,
                number=len(fork.ids),
                n=fork.n,
                ids=ids,
            )
        else:
            yield tr(
                "{game}: {who} signed {number} different entries {n} ({ids}); {counts} counts, for the other "
                "seat has signed on it",
                game=game.game[:BRIEF],
                who=who,
                number=len(fork.ids),
                n=fork.n,
                ids=ids,
                counts=fork.counts[:SHORT],
            )


def _open(game: Game, now: str) -> str:
    """An open game: whose turn it is, and since when by whose clock."""
    log = game.log
    asked = named(game.seats[log.asked].called)
    game_is = f"{game.game[:BRIEF]} {log.name} ({_against(game)})"
    if not log.since:
        return tr("{game}: it is {player}'s turn; nobody's clock says since when", game=game_is, player=asked)
    clock = named(game.seats[log.clock].called)
    since = tr(
        "{game}: it has been {player}'s turn since {day}, by the clock of {clock}",
        game=game_is,
        player=asked,
        day=log.since[:10],
        clock=clock,
    )
    if log.until and log.until < now:
        return tr("OVERDUE since {day}: {told}", day=log.until[:10], told=since)
    return since


def _pairing(scheduled: Played) -> str:
    seats = seated(scheduled.rules, scheduled.seats)
    if scheduled.game:
        brief = scheduled.game.game[:BRIEF]
        return tr(
            "period {period}: {players}; game {game} goes on",
            period=scheduled.pairing.period,
            players=seats,
            game=brief,
        )
    return tr("period {period}: {players}", period=scheduled.pairing.period, players=seats)


def way(game: Game) -> str:
    """The ending of a game, in a few words; empty while it goes on."""
    match game.way:
        case "rules":
            return tr("by the rules")
        case "resignation":
            return tr("by resignation")
        case "agreement":
            return tr("by agreement")
        case str(way) if way == FORFEIT:
            return tr("forfeited: signed twice")
        case _:
            return ""
