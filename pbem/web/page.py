"""The page of a game: its story, which the program writes, and its proof, which the page computes itself."""

from __future__ import annotations

from collections.abc import Sequence

from pbem import __version__
from pbem.core.requests import Tell
from pbem.render.colours import style_sheet
from pbem.render.story import awaited, deed, edition
from pbem.render.words import named
from pbem.texts import Texts
from pbem.umpire.game import Game, ReplayedEntry
from pbem.umpire.game_facts import SHORT, count_entries
from pbem.umpire.game_state import Beat
from pbem.umpire.scenario import own_scenario
from pbem.web import data
from pbem.web.document import document, text
from pbem.web.luck_panel import luck_told
from pbem.web.page_panels import Drawer, controls, table
from pbem.web.scene import scene

tr = Texts("pbem")

PROOF = (
    "texts.js",
    "formulas.js",
    "entries.js",
    "commanders.js",
    "game-facts.js",
    "positions.js",
    "proof.js",
    "proof-view.js",
)
"""The scripts that check a log and show the result."""

TABLE = (
    "camera.js",
    "cards.js",
    "board.js",
    "pointing.js",
    "traces.js",
    "drawers.js",
    "story.js",
    "replay.js",
)
"""The scripts of the map and the replay."""

SCRIPTS = (*PROOF, "map-check.js", "page-proof.js", *TABLE, "game-page.js")
STYLES = ("page.css", "board.css", "layout.css", "open-hex.css", "narrow.css", "chart.css")


def page(game: Game, chances: str = "") -> bytes:
    """The HTML file of a game: the same bytes from the same log, on every computer.

    `chances` is the content of the drawer on chances, if a report is wanted.
    """
    title = f"{game.rules.title}: {against([named(seat.name) for seat in game.seats.values()])}"
    scenes = scene(game)
    body = _body(game, scenes.drawing, chances)
    held = {
        "log": data.log(game),
        "draws": data.draws(game),
        "positions": data.positions(game),
        "scene": scenes.data,
        "sides": {seat: game.rules.side(seat).spoken() for seat in game.rules.seats},
    }
    return document(title, body, scripts=SCRIPTS, styles=STYLES, data=held, drawing=style_sheet())


def against(players: Sequence[str]) -> str:
    """Who plays against whom; before there are two players, who waits."""
    match players:
        case [one, other]:
            return tr("{one} against {other}", one=one, other=other)
    return "".join(players)


def _body(game: Game, drawing: str, chances: str) -> str:
    """The content of the page."""
    luck = luck_told(game, game.rules.view.legend(game.table.run.state))
    drawers = [
        Drawer("told", tr("Story"), story(game)),
        Drawer("cards", tr("Cards and dice"), CARDS),
        Drawer("boxes", tr("Beside the map"), BOXES),
        *([Drawer("luck", tr("Luck"), luck, shut=True)] if luck else []),
        *([Drawer("chances", tr("Chances"), chances, shut=True)] if chances else []),
        Drawer("proof", tr("Proof"), _proof(game), shut=True),
    ]
    return table(_bar(game), drawing, controls(game), drawers)


CARDS = '<div id="drawn"></div>'
BOXES = '<div id="off"></div>\n<details id="position" hidden><summary></summary></details>'


def _bar(game: Game) -> str:
    """The top bar: the result or what the game waits for, the verdict, and what is not proven."""
    again = f'<button type="button" id="again">{text(tr("Play from the start"))}</button>'
    return f"""\
<h1>{text(game.rules.title)}</h1>
<p id="state"><strong>{text(awaited(game.table))}</strong> {again}</p>
<p id="verdict-line" class="verdict" role="status"><a href="#proof" id="verdict">\
{text(tr("Nothing computed."))}</a></p>
<details id="claims"><summary>{text(tr("Proven, and told"))}</summary><div>
<ul class="game" id="players"></ul>
<div id="not-proven"></div></div></details>
<noscript><p class="verdict">{text(_unproved())}</p></noscript>"""


def story(game: Game, first: int = 0) -> str:
    """The story of a game, as a list of its entries from `first` on."""
    items = "\n".join(item(game, replayed) for replayed in game.chapters[first:])
    return f'<ol id="story" start="{first}">\n{items}\n</ol>'


def _proof(game: Game) -> str:
    """The place that the scripts fill with the proof, and a note on what the page itself vouches for."""
    facts = "\n".join(f"<li>{text(fact)}</li>" for fact in _facts(game))
    return f"""\
<div id="proof-found"></div>
<ul class="game">
{facts}
</ul>
<p class="quiet">{text(_about(game))}</p>"""


def _unproved() -> str:
    return tr("Without JavaScript this page tells the game and proves nothing.")


def _about(game: Game) -> str:
    """The note on what the program checked and what the browser computes."""
    return tr(
        "This page was written by pbem {version} out of a game file with {entries}, the last of them {head}. "
        "The program checked all ten steps, the rules among them, and told the story. The proof your browser "
        "has computed from the signed log, which this page holds as it stands in the file, and from the "
        "positions that the players have signed. Whoever has the file "
        "gets this same page from it, byte for byte, with the same version of the program in the same "
        "language. A page cannot vouch for its own code: if you distrust this one, open it with a checker "
        "(pbem page --checker), or have the file checked by pbem verify.",
        version=__version__,
        entries=count_entries(len(game.entries)),
        head=game.ids[-1][:SHORT],
    )


def _facts(game: Game) -> list[str]:
    """The edition, and the offerer's own scenario, if any; the page takes the players from the log."""
    lines = [edition(game)]
    own = own_scenario(game)
    return [*lines, tr("scenario: {text}", text=own.text)] if own else lines


def item(game: Game, replayed: ReplayedEntry) -> str:
    """An entry of the story: who did what and when, the message, the draws, and the events."""
    body = replayed.entry.body
    when = "" if body.at is None else f" <time>{text(body.at)}</time>"
    side = f"{game.rules.side(body.by):name}"
    parts = [f'<p><a href="#{body.n}">{text(side)}</a>: {text(deed(game, replayed))}{when}</p>']
    if body.say is not None:
        parts.append(f"<blockquote>{'<br>'.join(map(text, body.say.splitlines()))}</blockquote>")
    if replayed.beat is not None and replayed.beat.draws:
        parts.append(_drawn(replayed.beat))
    parts += [f'<p class="told">{text(game.rules.view.story(tell))}</p>' for tell in replayed.told]
    return f'<li id="entry-{body.n}" value="{body.n}">{"".join(parts)}</li>'


def to_come(game: Game, since: Sequence[Tell]) -> str:
    """What a draw brings that the player has completed, before his next entry writes it; else empty."""
    if not since:
        return ""
    head = tr("Just drawn; it goes with your next entry:")
    paragraphs = [f'<p class="told">{text(game.rules.view.story(tell))}</p>' for tell in since]
    return f'<li value="{len(game.entries)}"><p>{text(head)}</p>{"".join(paragraphs)}</li>'


def _drawn(beat: Beat) -> str:
    """The draws of a beat, with a link to how they were computed."""
    label = tr("drawn: {outcomes}", outcomes=" ".join(str(draw.outcome) for draw in beat.draws))
    return f'<p class="drawn"><a href="#beat-{beat.number}">{text(label)}</a></p>'
