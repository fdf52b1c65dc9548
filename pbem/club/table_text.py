"""A club's table for a terminal, in the player's language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from pbem.club.provenance import ClubTable
from pbem.club.results import DIRECTOR, DRAWN, FORFEIT, GOES_ON, SILENCE, VOID, ClubGame
from pbem.club.season import PLAYED, ScheduledGame
from pbem.club.standings import SeatResults, StandingsRow
from pbem.render.safe_text import MAX_NAME_COLUMNS, columns, cut, quote_name, safe_text, wrap
from pbem.texts import Texts, date_in_words, number, percent
from pbem.umpire.game_facts import SHORT_ID_DIGITS, SHOWN_ID_DIGITS, load_side

tr = Texts("pbem")

_NAME = 28
"""The maximum width of a player's name in the table."""

MAX_OPEN = 20
"""The most open games, and the most pairings still to play, that are listed; the files have all."""

_MAX_REASON_COLUMNS = 1000
"""The most columns of a director's reason."""


def describe_table(table: ClubTable, now: str) -> Iterator[str]:
    """The whole table in lines; moves are overdue by the time `now`, in the format of files."""
    yield _heading(table)
    yield from _standings_lines(table.standings.rows)
    yield from _with_title(
        tr("What each side is worth"), [_describe_seat(one) for one in table.standings.seats[::2]]
    )
    forked = [line for game in table.standings.games for line in _describe_forks(game)]
    yield from _with_title(tr("Signed twice"), forked)
    yield from _with_title(tr("Adjudged"), list(map(_describe_adjudged_game, table.standings.adjudged)))
    yield from _with_title(
        tr("Still in progress"), _first_few([_describe_open_game(game, now) for game in table.standings.open])
    )
    left = [_describe_pairing(one) for one in table.standings.pairings if one.stage != PLAYED]
    yield from _with_title(tr("Still to be played"), _first_few(left))
    if table.problems:
        yield ""
        yield tr.plural(
            "{number} problem is listed in {file}",
            "{number} problems are listed in {file}",
            len(table.problems),
            file="problems.csv",
        )


def _heading(table: ClubTable) -> str:
    title = quote_name(table.title) if table.title else tr("All games")
    digest = table.digest[:SHOWN_ID_DIGITS]
    return tr(
        "{title}: {counts}; made from {digest}", title=title, counts=describe_counts(table), digest=digest
    )


def describe_counts(table: ClubTable) -> str:
    """The numbers of games that count, are open, and are excluded."""
    counted = sum(row.all.games for row in table.standings.rows) // 2
    games = tr.plural("{number} game counts", "{number} games count", counted)
    apart = sum(bool(game.exclusion) for game in table.standings.games)
    return tr(
        "{games}; in progress: {open}; listed separately: {apart}",
        games=games,
        open=number(len(table.standings.open)),
        apart=number(apart),
    )


def _standings_lines(rows: list[StandingsRow]) -> Iterator[str]:
    """A line for each player."""
    if not rows:
        yield tr("No game counts yet.")
        return
    width = min(_NAME, max(columns(row.person.display_name) for row in rows))
    heads = (tr("games"), tr("won"), tr("lost"), tr("drawn"), tr("rating"), percent(0.95))
    sizes = [max(columns(head), 6) for head in heads]
    put = " ".join(f"{head:>{size}}" for head, size in zip(heads, sizes, strict=True))
    yield f"{'':>4}  {'':<{width}} {put}"
    for rank, row in enumerate(rows, 1):
        name = cut(safe_text(row.person.display_name), width)
        rating, spread = f"{row.rating.rating:.0f}", f"±{2 * row.rating.deviation:.0f}"
        tally = row.all
        cells = (tally.games, tally.won, tally.lost, tally.drawn, rating, spread)
        figures = " ".join(f"{cell:>{size}}" for cell, size in zip(cells, sizes, strict=True))
        yield f"{rank:>4}  {name}{' ' * (width - columns(name))} {figures}"


def _with_title(title: str, lines: list[str]) -> Iterator[str]:
    """Lines under a title; nothing if there are no lines."""
    if lines:
        yield ""
        yield title
        yield from (wrap(f"  {line}", indent=4) for line in lines)


def _first_few(lines: list[str]) -> list[str]:
    """The first lines, and how many more there are."""
    more = len(lines) - MAX_OPEN
    if more <= 0:
        return lines
    return [*lines[:MAX_OPEN], tr.plural("and {number} more", "and {number} more", more)]


def _describe_seat(seat: SeatResults) -> str:
    return tr(
        "{game}, {scenario}, {edition}: {side:name}: won {won}, lost {lost}, drew {drawn}; worth {points} "
        "points",
        game=seat.game,
        scenario=seat.scenario,
        edition=seat.edition,
        side=load_side(seat.game, seat.seat),
        won=number(seat.tally.won),
        lost=number(seat.tally.lost),
        drawn=number(seat.tally.drawn),
        points=f"{seat.edge:+.0f}",
    )


def _describe_players(game: ClubGame) -> str:
    return describe_seats(game.log.rules, {seat: person.display_name for seat, person in game.seats.items()})


def describe_seats(rules: str, seats: Mapping[str, str]) -> str:
    """The players of a game, each after the name of their side."""
    sides = ((load_side(rules, seat), player) for seat, player in seats.items())
    return ", ".join(f"{of:name}: {quote_name(player, MAX_NAME_COLUMNS)}" for of, player in sides)


def _describe_forks(game: ClubGame) -> Iterator[str]:
    """Who has signed different entries with the same number, which counts, and the ids that prove it."""
    for fork in game.forks:
        who = quote_name(game.seats[fork.seat].display_name)
        ids = ", ".join(entry_id[:SHOWN_ID_DIGITS] for entry_id in fork.ids)
        if fork.forfeits:
            yield tr(
                "{game}: {who} signed {number} different versions of entry {n} ({ids}) and forfeits the game",
                game=game.game[:SHORT_ID_DIGITS],
                who=who,
                number=len(fork.ids),
                n=fork.n,
                ids=ids,
            )
        else:
            yield tr(
                "{game}: {who} signed {number} different versions of entry {n} ({ids}); {counts} "
                "counts, because the other seat continued it",
                game=game.game[:SHORT_ID_DIGITS],
                who=who,
                number=len(fork.ids),
                n=fork.n,
                ids=ids,
                counts=fork.counts[:SHOWN_ID_DIGITS],
            )


def _describe_adjudged_game(game: ClubGame) -> str:
    """An adjudicated game: its players, who stopped writing, and the decision, by whom and why."""
    decided = " ".join(filter(None, (describe_silence(game), describe_adjudged_result(game))))
    return f"{game.game[:SHORT_ID_DIGITS]} {game.log.name} ({_describe_players(game)}): {decided}"


def describe_adjudged_result(game: ClubGame) -> str:
    """The decision by silence or the director, and the director's reason, in a sentence."""
    winner = load_side(game.log.rules, game.winner) if game.winner else None
    reason = quote_name(game.reason, _MAX_REASON_COLUMNS)
    if not game.reason:
        return tr("The game is adjudged {side:to}.", side=winner)
    match game.adjudged_result:
        case result if result == VOID:
            return tr("The director has decided that it does not count: {reason}", reason=reason)
        case result if result == GOES_ON:
            return tr("The director has decided that it continues: {reason}", reason=reason)
        case result if result == DRAWN:
            return tr("The director has decided that it is a draw: {reason}", reason=reason)
        case _:
            return tr(
                "The director has decided that {side} {side:wins|win}: {reason}", side=winner, reason=reason
            )


def describe_silence(game: ClubGame) -> str:
    """Whose turn it was in an unfinished game, and which draw that player left incomplete; else empty."""
    log = game.log
    if not log.asked:
        return ""
    player = quote_name(game.seats[log.asked].display_name)
    draw, day = number(log.draw), _day_in_words(log.since)
    clock = quote_name(game.seats[log.clock].display_name)
    if log.draw and day:
        return tr(
            "{player} has not completed draw {draw} since {day}, by the clock of {clock}.",
            player=player,
            draw=draw,
            day=day,
            clock=clock,
        )
    if log.draw:
        return tr("{player} has not completed draw {draw}.", player=player, draw=draw)
    if day:
        return tr(
            "{player} has not moved since {day}, by the clock of {clock}.",
            player=player,
            day=day,
            clock=clock,
        )
    return tr("{player} has not moved.", player=player)


def _day_in_words(moment: str) -> str:
    """The day of a moment as written in files; empty if there is none."""
    return date_in_words(date.fromisoformat(moment[:10])) if moment else ""


def _describe_open_game(game: ClubGame, now: str) -> str:
    """An open game: whose turn it is, and since when by whose clock."""
    log = game.log
    asked = quote_name(game.seats[log.asked].display_name)
    game_is = f"{game.game[:SHORT_ID_DIGITS]} {log.name} ({_describe_players(game)})"
    if not log.since:
        return tr("{game}: it is {player}'s turn, but no clock says since when", game=game_is, player=asked)
    clock = quote_name(game.seats[log.clock].display_name)
    since = tr(
        "{game}: it has been {player}'s turn since {day}, by the clock of {clock}",
        game=game_is,
        player=asked,
        day=_day_in_words(log.since),
        clock=clock,
    )
    if log.until and log.until < now:
        return tr("OVERDUE since {day}: {told}", day=_day_in_words(log.until), told=since)
    return since


def _describe_pairing(scheduled: ScheduledGame) -> str:
    seats = describe_seats(scheduled.rules, scheduled.seats)
    if scheduled.game:
        brief = scheduled.game.game[:SHORT_ID_DIGITS]
        return tr(
            "period {period}: {players}; game {game} is in progress",
            period=scheduled.pairing.period,
            players=seats,
            game=brief,
        )
    return tr("period {period}: {players}", period=scheduled.pairing.period, players=seats)


def describe_ending(game: ClubGame) -> str:
    """How a game ended, in a few words; empty if it has not."""
    match game.way:
        case "rules":
            return tr("by the rules")
        case "resignation":
            return tr("by resignation")
        case "agreement":
            return tr("by agreement")
        case str(way) if way == FORFEIT:
            return tr("forfeited: signed twice")
        case str(way) if way == SILENCE:
            return tr("adjudged: silence")
        case str(way) if way == DIRECTOR:
            return tr("adjudged by the director")
        case _:
            return ""
