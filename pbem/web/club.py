"""A club's results as one HTML page: it loads nothing, sorts by clicks, and follows a dark screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from urllib.parse import quote

from msgspec import Struct

from pbem.club.provenance import Made
from pbem.club.results import Game
from pbem.club.season import BEGUN, PLAYED, Played
from pbem.club.sheets import overdue
from pbem.club.standings import Row, Seat, Tally
from pbem.club.summary import counts, way
from pbem.render.words import MOST_OF_A_NAME, cut
from pbem.texts import Texts, speaking
from pbem.umpire.game_facts import BRIEF
from pbem.umpire.side_names import side
from pbem.web.document import document, text

tr = Texts("pbem")


class Cell(Struct, frozen=True):
    """A cell of a table: HTML, and the number by which it is sorted, if it is one."""

    html: str
    key: str = ""


class Section(Struct, frozen=True):
    """A section of the page, with the id to which links lead."""

    id: str
    title: str
    html: str


def page(made: Made, links: Mapping[str, str]) -> bytes:
    """The file, in the club's language; `links` has the page of each game by the id of its newest entry."""
    with speaking(made.language):
        title = made.title or tr("The club's games")
        body = "\n".join(_body(made, title, links))
        return document(title, body, scripts=("club.js",), styles=("page.css", "club.css"), data={})


def _body(made: Made, title: str, links: Mapping[str, str]) -> Iterator[str]:
    sections = list(_sections(made, links))
    to_each = " · ".join(f'<a href="#{section.id}">{text(section.title)}</a>' for section in sections)
    yield f"<header><h1>{text(title)}</h1>\n<p>{text(counts(made))}</p>"
    yield f"<nav>{to_each}</nav></header>\n<main>"
    for section in sections:
        yield f'<section id="{section.id}">\n<h2>{text(section.title)}</h2>\n{section.html}\n</section>'
    yield f'<p class="quiet">{text(_about(made))}</p>\n</main>'


def _sections(made: Made, links: Mapping[str, str]) -> Iterator[Section]:
    """The sections of the page that are not empty."""
    table = made.table
    rows = [_standing(*one) for one in enumerate(table.rows, 1)]
    yield Section("standings", tr("Standings"), _table(_standing_heads(), rows))
    if table.open:
        heads = [tr("game"), tr("players"), tr("asked"), tr("since"), tr("by the clock of"), tr("until"), ""]
        rows = [_open(one, made, links) for one in table.open]
        yield Section("open", tr("Still going on"), _table(heads, rows))
    if table.pairings:
        heads = [tr("period"), tr("players"), tr("how it stands")]
        rows = [_pairing(one, links) for one in table.pairings]
        yield Section("season", tr("The season"), _table(heads, rows))
    if table.seats:
        heads = [tr("scenario"), tr("side"), *_tally_heads(), tr("worth, points")]
        about = f'<p class="quiet">{text(_about_seats())}</p>'
        yield Section("sides", tr("What each side gives"), _table(heads, map(_seat, table.seats)) + about)
    if table.rows:
        yield Section(
            "players", tr("Players"), "\n".join(map(_player, range(1, len(table.rows) + 1), table.rows))
        )
    if rows := [row for game in table.games for row in _forks(game, links)]:
        heads = [tr("game"), tr("player"), tr("entry"), tr("signed as"), tr("what counts")]
        yield Section("forks", tr("Signed twice"), _table(heads, rows))
    if table.games:
        heads = [
            tr("game"),
            tr("players"),
            tr("edition"),
            tr("winner"),
            tr("how"),
            tr("last entry"),
            tr("apart"),
        ]
        rows = [_game(one, links) for one in table.games]
        yield Section("games", tr("All games"), _table(heads, rows))
    if made.problems:
        rows = [[Cell(text(one.file)), Cell(text(one.problem))] for one in made.problems]
        yield Section("problems", tr("Problems"), _table([tr("file"), tr("what is wrong")], rows))


def _about_seats() -> str:
    return tr(
        "How many rating points a side is worth, by who won it, as if each side had won five games more. "
        "Ratings allow for it."
    )


def _about(made: Made) -> str:
    return tr(
        "Made by pbem {version} from {number} logs, digest {digest}. The same files give this same page to "
        "everybody: pbem club. To compare: pbem club check standings.json FOLDER.",
        version=made.source["program"],
        number=len(made.source["logs"]),
        digest=made.digest,
    )


def _table(heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A table that `club.js` can sort by its columns."""
    head = "".join(f'<th scope="col">{text(heading)}</th>' for heading in heads)
    lines = "\n".join(f"<tr>{''.join(map(_td, row))}</tr>" for row in rows)
    return (
        f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody></table></div>'
    )


def _td(cell: Cell) -> str:
    return f'<td class="n" data-key="{cell.key}">{cell.html}</td>' if cell.key else f"<td>{cell.html}</td>"


def _number(shown: str, key: str = "") -> Cell:
    return Cell(text(shown), key or shown.removeprefix("+"))


def _tally(tally: Tally) -> list[Cell]:
    return [_number(str(value)) for value in (tally.games, tally.won, tally.lost, tally.drawn)]


def _standing_heads() -> list[str]:
    return ["", tr("player"), tr("rating"), tr("95 %"), *_tally_heads(), tr("forfeits")]


def _tally_heads() -> list[str]:
    return [tr("games"), tr("won"), tr("lost"), tr("drawn")]


def _standing(rank: int, row: Row) -> list[Cell]:
    rating = row.rating
    spread = f"±{2 * rating.deviation:.0f}"
    name = Cell(f'<a href="#player-{rank}">{_name(row.person.called)}</a>')
    figures = [
        _number(f"{rating.rating:.0f}", f"{rating.rating:.1f}"),
        _number(spread, f"{rating.deviation:.1f}"),
    ]
    return [_number(str(rank)), name, *figures, *_tally(row.all), _number(str(row.forfeits))]


def _seat(seat: Seat) -> list[Cell]:
    scenario = Cell(text(f"{seat.game}, {seat.scenario}, {seat.edition}"))
    name = f"{side(seat.game, seat.seat):name}"
    return [scenario, Cell(text(name)), *_tally(seat.tally), _number(f"{seat.edge:+.0f}")]


def _player(rank: int, row: Row) -> str:
    """A player's names and keys, and his games by side, edition and opponent, folded."""
    lines = [(f"{game}: {side(game, seat):name}", tally) for (game, seat), tally in sorted(row.seats.items())]
    lines += [(f"{game} {name}", tally) for (game, name), tally in sorted(row.editions.items())]
    lines += [(tr("against {name}", name=name), tally) for name, tally in sorted(row.opponents.items())]
    cells = [[Cell(_name(label)), *_tally(tally)] for label, tally in lines]
    names = tr("names: {names}", names=", ".join(row.person.names))
    keys = "".join(f"<li><code>{text(key)}</code></li>" for key in row.person.keys)
    return (
        f'<details id="player-{rank}"><summary>{_name(row.person.called)}</summary>\n<p>{text(names)}</p>'
        f"<ul>{keys}</ul>\n{_table(['', *_tally_heads()], cells)}\n</details>"
    )


def _name(name: str) -> str:
    return text(cut(name, MOST_OF_A_NAME))


def _linked(game: Game, links: Mapping[str, str]) -> Cell:
    brief = f"{text(game.log.name)} <code>{game.game[:BRIEF]}</code>"
    link = links.get(game.head)
    return Cell(f'<a href="{text(quote(link))}">{brief}</a>' if link else brief)


def _against(game: Game) -> Cell:
    return _seated(game.log.rules, {seat: person.called for seat, person in game.seats.items()})


def _seated(rules: str, seats: Mapping[str, str]) -> Cell:
    sides = ((f"{side(rules, seat):name}", name) for seat, name in seats.items())
    shown = "<br>".join(f"{text(of)}: <b>{_name(name)}</b>" for of, name in sides)
    return Cell(f'<div class="seats">{shown}</div>')


def _open(game: Game, made: Made, links: Mapping[str, str]) -> list[Cell]:
    log = game.log
    late = f'<strong class="late">{text(tr("overdue"))}</strong>' if overdue(game, made) else ""
    awaited = Cell(_name(game.seats[log.asked].called))
    return [
        _linked(game, links),
        _against(game),
        awaited,
        _day(log.since),
        Cell(_name(game.seats[log.clock].called) if log.clock else ""),
        _day(log.until),
        Cell(late),
    ]


def _day(moment: str) -> Cell:
    """The day of a moment as written in files; the tooltip has the whole moment."""
    return Cell(f'<time title="{text(moment)}">{text(moment[:10])}</time>' if moment else "")


def _pairing(played: Played, links: Mapping[str, str]) -> list[Cell]:
    match played.how:
        case how if how == PLAYED and played.game:
            stands = f"{_linked(played.game, links).html}: {_winner(played.game).html}"
        case how if how == BEGUN and played.game:
            stands = f"{_linked(played.game, links).html}: {text(tr('goes on'))}"
        case _:
            stands = text(tr("to be played"))
    return [_number(str(played.pairing.period)), _seated(played.rules, played.seats), Cell(stands)]


def _winner(game: Game) -> Cell:
    if not game.over:
        return Cell("")
    return Cell(_name(game.seats[game.winner].called) if game.winner in game.seats else text(tr("drawn")))


def _forks(game: Game, links: Mapping[str, str]) -> Iterator[list[Cell]]:
    for fork in game.forks:
        ids = "<br>".join(f"<code>{one}</code>" for one in fork.ids)
        counts = f"<code>{fork.counts}</code>" if fork.counts else text(tr("nothing: the game is forfeited"))
        who = Cell(_name(game.seats[fork.seat].called))
        yield [_linked(game, links), who, _number(str(fork.n)), Cell(ids), Cell(counts)]


def _game(game: Game, links: Mapping[str, str]) -> list[Cell]:
    apart = Cell(text(_apart(game)))
    edition = Cell(text(game.log.edition))
    ended = [_winner(game), Cell(text(way(game))), _day(game.log.last)]
    return [_linked(game, links), _against(game), edition, *ended, apart]


def _apart(game: Game) -> str:
    """Why a game does not count."""
    match game.apart:
        case "an offer":
            return tr("an offer")
        case "solitaire":
            return tr("solitaire")
        case "practice":
            return tr("practice")
        case "own scenario":
            return tr("an own scenario")
        case "":
            return ""
        case _:
            return tr("not asked for")
