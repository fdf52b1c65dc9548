"""A club's results as one HTML page: it loads nothing, sorts on click, and adapts to a dark screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from urllib.parse import quote

from msgspec import Struct

from pbem.club.provenance import ClubTable
from pbem.club.results import VOID, ClubGame
from pbem.club.season import BEGUN, PLAYED, ScheduledGame
from pbem.club.standings import SeatResults, StandingsRow, WinLossDraw
from pbem.club.table_files import is_overdue
from pbem.club.table_text import (
    describe_adjudged_result,
    describe_counts,
    describe_ending,
    describe_silence,
)
from pbem.render.safe_text import MAX_NAME_COLUMNS, cut
from pbem.texts import Texts, date_in_words, percent, speaking
from pbem.umpire.game_facts import SHORT_ID_DIGITS, load_side
from pbem.web.html_file import html_file, to_html

tr = Texts("pbem")


class TableCell(Struct, frozen=True):
    """A cell of a table: HTML, and the number by which it is sorted, if it has one."""

    html: str
    key: str = ""


class PageSection(Struct, frozen=True):
    """A section of the page, with the id for links to it."""

    id: str
    title: str
    html: str


def club_page(made: ClubTable, links: Mapping[str, str]) -> bytes:
    """The file, in the club's language; `links` has the page of each game by the id of its newest entry."""
    with speaking(made.language):
        title = made.title or tr("The club's games")
        body = "\n".join(_page_body(made, title, links))
        return html_file(title, body, scripts=("club.js",), styles=("page.css", "club.css"), data={})


def _page_body(made: ClubTable, title: str, links: Mapping[str, str]) -> Iterator[str]:
    sections = list(_sections(made, links))
    to_each = " · ".join(f'<a href="#{section.id}">{to_html(section.title)}</a>' for section in sections)
    yield f"<header><h1>{to_html(title)}</h1>\n<p>{to_html(describe_counts(made))}</p>"
    yield f"<nav>{to_each}</nav></header>\n<main>"
    for section in sections:
        yield f'<section id="{section.id}">\n<h2>{to_html(section.title)}</h2>\n{section.html}\n</section>'
    yield f'<p class="quiet">{to_html(_about(made))}</p>\n</main>'


def _sections(made: ClubTable, links: Mapping[str, str]) -> Iterator[PageSection]:
    """The sections of the page that are not empty."""
    table = made.standings
    rows = [_standing_row(*one) for one in enumerate(table.rows, 1)]
    about = "" if made.people.has_members else f'<p class="quiet">{to_html(_about_keys())}</p>'
    yield PageSection("standings", tr("Standings"), _table(_standing_heads(), rows) + about)
    if table.open:
        heads = [
            tr("game"),
            tr("players"),
            tr("to move"),
            tr("since"),
            tr("by the clock of"),
            tr("deadline"),
            "",
        ]
        rows = [_open_game_row(one, made, links) for one in table.open]
        yield PageSection("open", tr("Still in progress"), _table(heads, rows))
    if table.pairings:
        heads = [tr("period"), tr("players"), tr("status")]
        rows = [_pairing_row(one, links) for one in table.pairings]
        yield PageSection("season", tr("The season"), _table(heads, rows))
    if table.adjudged:
        heads = [tr("game"), tr("players"), tr("winner"), tr("who was to move"), tr("how")]
        rows = [_adjudged_row(game, links) for game in table.adjudged]
        yield PageSection("adjudged", tr("Adjudged"), _table(heads, rows))
    if table.seats:
        heads = [tr("scenario"), tr("side"), *_tally_heads(), tr("worth, points")]
        about = f'<p class="quiet">{to_html(_about_seats())}</p>'
        yield PageSection(
            "sides", tr("What each side is worth"), _table(heads, map(_seat_row, table.seats)) + about
        )
    if table.rows:
        yield PageSection(
            "players",
            tr("Players"),
            "\n".join(map(_player_details, range(1, len(table.rows) + 1), table.rows)),
        )
    if rows := [row for game in table.games for row in _fork_rows(game, links)]:
        heads = [tr("game"), tr("player"), tr("entry"), tr("signed as"), tr("what counts")]
        yield PageSection("forks", tr("Signed twice"), _table(heads, rows))
    if table.games:
        heads = [
            tr("game"),
            tr("players"),
            tr("edition"),
            tr("winner"),
            tr("how"),
            tr("last entry"),
            tr("why it does not count"),
        ]
        rows = [_game_row(one, links) for one in table.games]
        yield PageSection("games", tr("All games"), _table(heads, rows))
    if made.problems:
        rows = [[TableCell(to_html(one.file)), TableCell(to_html(one.problem))] for one in made.problems]
        yield PageSection("problems", tr("Problems"), _table([tr("file"), tr("what is wrong")], rows))


def _about_seats() -> str:
    return tr(
        "How many rating points a side is worth, estimated from who won, as if each side had won "
        "five more games. Ratings allow for this."
    )


def _about_keys() -> str:
    return tr(
        "A key is not a person: anyone can make a second one and win against it. This club has no "
        "members.yaml to say whose key is whose, so every key counts here."
    )


def _about(made: ClubTable) -> str:
    return tr(
        "Made by pbem {version} from {number} logs, digest {digest}. Anyone with the same files "
        "can make this same page: pbem club. To compare: pbem club check standings.json FOLDER.",
        version=made.source["program"],
        number=len(made.source["logs"]),
        digest=made.digest,
    )


def _table(heads: Sequence[str], rows: Iterable[Sequence[TableCell]]) -> str:
    """A table that `club.js` can sort by its columns."""
    head = "".join(f'<th scope="col">{to_html(heading)}</th>' for heading in heads)
    lines = "\n".join(f"<tr>{''.join(map(_td, row))}</tr>" for row in rows)
    return (
        f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody></table></div>'
    )


def _td(cell: TableCell) -> str:
    return f'<td class="n" data-key="{cell.key}">{cell.html}</td>' if cell.key else f"<td>{cell.html}</td>"


def _number_cell(shown: str, key: str = "") -> TableCell:
    return TableCell(to_html(shown), key or shown.removeprefix("+"))


def _tally_cells(tally: WinLossDraw) -> list[TableCell]:
    return [_number_cell(str(value)) for value in (tally.games, tally.won, tally.lost, tally.drawn)]


def _standing_heads() -> list[str]:
    return ["", tr("player"), tr("rating"), percent(0.95), *_tally_heads(), tr("forfeits"), tr("adjudged")]


def _tally_heads() -> list[str]:
    return [tr("games"), tr("won"), tr("lost"), tr("drawn")]


def _standing_row(rank: int, row: StandingsRow) -> list[TableCell]:
    rating = row.rating
    spread = f"±{2 * rating.deviation:.0f}"
    name = TableCell(f'<a href="#player-{rank}">{_name(row.person.display_name)}</a>')
    figures = [
        _number_cell(f"{rating.rating:.0f}", f"{rating.rating:.1f}"),
        _number_cell(spread, f"{rating.deviation:.1f}"),
    ]
    other = [_number_cell(str(row.forfeits)), _number_cell(str(row.adjudged))]
    return [_number_cell(str(rank)), name, *figures, *_tally_cells(row.all), *other]


def _seat_row(seat: SeatResults) -> list[TableCell]:
    scenario = TableCell(to_html(f"{seat.game}, {seat.scenario}, {seat.edition}"))
    name = f"{load_side(seat.game, seat.seat):name}"
    return [scenario, TableCell(to_html(name)), *_tally_cells(seat.tally), _number_cell(f"{seat.edge:+.0f}")]


def _player_details(rank: int, row: StandingsRow) -> str:
    """A player's names and keys, and their games by side, edition and opponent, folded."""
    lines = [
        (f"{game}: {load_side(game, seat):name}", tally) for (game, seat), tally in sorted(row.seats.items())
    ]
    lines += [(f"{game} {name}", tally) for (game, name), tally in sorted(row.editions.items())]
    lines += [(tr("against {name}", name=name), tally) for name, tally in sorted(row.opponents.items())]
    cells = [[TableCell(_name(label)), *_tally_cells(tally)] for label, tally in lines]
    names = tr("names: {names}", names=", ".join(row.person.names))
    keys = "".join(f"<li><code>{to_html(key)}</code></li>" for key in row.person.keys)
    return (
        f'<details id="player-{rank}"><summary>{_name(row.person.display_name)}</summary>'
        f"\n<p>{to_html(names)}</p>"
        f"<ul>{keys}</ul>\n{_table(['', *_tally_heads()], cells)}\n</details>"
    )


def _name(name: str) -> str:
    return to_html(cut(name, MAX_NAME_COLUMNS))


def _game_link(game: ClubGame, links: Mapping[str, str]) -> TableCell:
    brief = f"{to_html(game.log.name)} <code>{game.game[:SHORT_ID_DIGITS]}</code>"
    link = links.get(game.head)
    return TableCell(f'<a href="{to_html(quote(link))}">{brief}</a>' if link else brief)


def _players_cell(game: ClubGame) -> TableCell:
    return _seats_cell(game.log.rules, {seat: person.display_name for seat, person in game.seats.items()})


def _seats_cell(rules: str, seats: Mapping[str, str]) -> TableCell:
    sides = ((f"{load_side(rules, seat):name}", name) for seat, name in seats.items())
    shown = "<br>".join(f"{to_html(of)}: <b>{_name(name)}</b>" for of, name in sides)
    return TableCell(f'<div class="seats">{shown}</div>')


def _open_game_row(game: ClubGame, made: ClubTable, links: Mapping[str, str]) -> list[TableCell]:
    log = game.log
    late = f'<strong class="late">{to_html(tr("overdue"))}</strong>' if is_overdue(game, made) else ""
    awaited = TableCell(_name(game.seats[log.asked].display_name))
    return [
        _game_link(game, links),
        _players_cell(game),
        awaited,
        _day_cell(log.since),
        TableCell(_name(game.seats[log.clock].display_name) if log.clock else ""),
        _day_cell(log.until),
        TableCell(late),
    ]


def _day_cell(moment: str) -> TableCell:
    """The day of a moment, in words; the tooltip has the moment as in files."""
    if not moment:
        return TableCell("")
    day = date.fromisoformat(moment[:10])
    html = f'<time title="{to_html(moment)}">{to_html(date_in_words(day))}</time>'
    return TableCell(html, str(day.toordinal()))


def _pairing_row(played: ScheduledGame, links: Mapping[str, str]) -> list[TableCell]:
    match played.stage:
        case how if how == PLAYED and played.game:
            stands = f"{_game_link(played.game, links).html}: {_winner_cell(played.game).html}"
            if played.game.is_adjudged:
                stands += f" ({to_html(describe_ending(played.game))})"
        case how if how == BEGUN and played.game:
            stands = f"{_game_link(played.game, links).html}: {to_html(tr('in progress'))}"
        case _:
            stands = to_html(tr("to be played"))
    return [
        _number_cell(str(played.pairing.period)),
        _seats_cell(played.rules, played.seats),
        TableCell(stands),
    ]


def _winner_cell(game: ClubGame) -> TableCell:
    if not game.is_over:
        return TableCell("")
    return TableCell(
        _name(game.seats[game.winner].display_name) if game.winner in game.seats else to_html(tr("drawn"))
    )


def _adjudged_row(game: ClubGame, links: Mapping[str, str]) -> list[TableCell]:
    sentences = (describe_silence(game), describe_adjudged_result(game))
    told = [TableCell(f'<div class="sentence">{to_html(one)}</div>' if one else "") for one in sentences]
    return [_game_link(game, links), _players_cell(game), _winner_cell(game), *told]


def _fork_rows(game: ClubGame, links: Mapping[str, str]) -> Iterator[list[TableCell]]:
    for fork in game.forks:
        ids = "<br>".join(f"<code>{one}</code>" for one in fork.ids)
        counts = (
            f"<code>{fork.counts}</code>" if fork.counts else to_html(tr("nothing: the game is forfeited"))
        )
        who = TableCell(_name(game.seats[fork.seat].display_name))
        yield [_game_link(game, links), who, _number_cell(str(fork.n)), TableCell(ids), TableCell(counts)]


def _game_row(game: ClubGame, links: Mapping[str, str]) -> list[TableCell]:
    apart = TableCell(to_html(_why_excluded(game)))
    edition = TableCell(to_html(game.log.edition))
    ended = [_winner_cell(game), TableCell(to_html(describe_ending(game))), _day_cell(game.log.last)]
    return [_game_link(game, links), _players_cell(game), edition, *ended, apart]


def _why_excluded(game: ClubGame) -> str:
    """Why a game does not count."""
    match game.exclusion:
        case "an offer":
            return tr("an offer")
        case "solitaire":
            return tr("solitaire")
        case "practice":
            return tr("practice")
        case "not a member":
            return tr("with someone who is not a member")
        case str(why) if why == VOID:
            return tr("does not count, by the director's decision")
        case "own scenario":
            return tr("a custom scenario")
        case "":
            return ""
        case _:
            return tr("not asked for")
