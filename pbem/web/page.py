"""The page of a game: its story, as the program tells it, and its proof, which the page computes itself."""

from __future__ import annotations

from pbem import __version__
from pbem.keys import PublicKey
from pbem.render.colours import style_sheet
from pbem.render.words import named
from pbem.report import awaited, called, deed, edition
from pbem.umpire import Chapter, Game
from pbem.umpire.facts import SHORT, counted
from pbem.umpire.scenario import own_scenario
from pbem.umpire.table import Beat
from pbem.web import data
from pbem.web.board import board, luck_told
from pbem.web.document import document, text
from pbem.web.scene import scene

PROOF = ("formulas.js", "entries.js", "commanders.js", "proof.js", "recipes.js")
"""The scripts that prove a log and show it."""

SCRIPTS = (*PROOF, "proved.js", "camera.js", "board.js", "replay.js")
STYLES = ("page.css", "board.css")

_BODY = """\
<header>
<h1>{title}</h1>
<ul class="game">
{facts}
</ul>
<p class="verdict" role="status"><a href="#proof" id="verdict">The proof is being computed.</a></p>
<noscript><p class="verdict">Without JavaScript this page tells the game and proves nothing.</p></noscript>
</header>
<main>
<section id="board" aria-label="Map">
{board}</section>
<section id="told">
<h2>The game</h2>
<ol id="story" start="0">
{story}
</ol>
<p>{next}</p>
</section>
{chances}<section id="luck">
{luck}</section>
<section id="proof">
<h2>Proof</h2>
<div id="proof-found"></div>
<p class="quiet">{about}</p>
</section>
</main>
"""

_ABOUT = (
    "This page was written by pbem {version} out of a game file with {entries}, the last of them {head}. "
    "The program checked all ten steps, the rules among them, and told the story. The proof your browser "
    "has computed from the signed log, which this page holds as it stands in the file; the list that each "
    "draw was drawn among is the program's word, which outcome came is not. Whoever has the file gets "
    "this same page from it, byte for byte, with the same version of the program. A page cannot vouch for "
    "its own code: if you distrust this one, open it with a checker (pbem page --checker), or have the "
    "file checked by pbem verify."
)


def page(game: Game, chances: str = "") -> bytes:
    """The HTML file of a game: the same bytes from the same log, on every computer.

    `chances` is the section that `chances.py` makes of a report, where one is wanted.
    """
    title = f"{game.rules.title}: {' against '.join(named(seat.name) for seat in game.seats.values())}"
    about = _ABOUT.format(version=__version__, entries=counted(len(game.entries)), head=game.ids[-1][:SHORT])
    scenes = scene(game)
    body = _BODY.format(
        title=text(game.rules.title),
        facts="\n".join(f"<li>{text(fact)}</li>" for fact in _facts(game)),
        story="\n".join(_item(game, chapter) for chapter in game.chapters),
        next=text(f"Next: {awaited(game.table)}"),
        about=text(about),
        board=board(game, scenes.drawing),
        chances=chances,
        luck=luck_told(game, game.rules.view.legend(game.table.run.state)),
    )
    held = {"log": data.log(game), "draws": data.draws(game), "scene": scenes.data}
    styles = (*STYLES, "chances.css") if chances else STYLES
    return document(title, body, scripts=SCRIPTS, styles=styles, data=held, drawing=style_sheet())


def _facts(game: Game) -> list[str]:
    """What the game is: its rules, who plays, by which key, and an own scenario."""
    lines = [f"{game.offer.rules}, {edition(game)}; game {game.ids[0][:SHORT]}"]
    for name, seat in game.seats.items():
        lines.append(f"{name}: {named(seat.name)}  {PublicKey.parse(seat.key).fingerprint}")
        for one in seat.commanders or ():
            lines.append(f"{name}: {called(one)}  {PublicKey.parse(one.key).fingerprint}")
    own = own_scenario(game)
    return [*lines, f"scenario: {own.text}"] if own else lines


def _item(game: Game, chapter: Chapter) -> str:
    """An entry of the story: who did what and when, his words, what was drawn, and what came of it."""
    body = chapter.entry.body
    when = "" if body.at is None else f" <time>{text(body.at)}</time>"
    parts = [f'<p><a href="#{body.n}">{text(body.by)}</a>: {text(deed(game, chapter))}{when}</p>']
    if body.say is not None:
        parts.append(f"<blockquote>{'<br>'.join(map(text, body.say.splitlines()))}</blockquote>")
    if chapter.beat is not None and chapter.beat.draws:
        parts.append(_drawn(chapter.beat))
    parts += [f'<p class="told">{text(game.rules.view.story(tell))}</p>' for tell in chapter.told]
    return f'<li id="entry-{body.n}" value="{body.n}">{"".join(parts)}</li>'


def _drawn(beat: Beat) -> str:
    """What a beat has drawn, as a link to how that came about."""
    outcomes = " ".join(str(draw.outcome) for draw in beat.draws)
    return f'<p class="drawn"><a href="#beat-{beat.number}">drawn: {text(outcomes)}</a></p>'
