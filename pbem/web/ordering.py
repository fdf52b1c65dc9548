"""The page to play at: the map, possible orders, and the orders so far; `board-page.js` fills it."""

from __future__ import annotations

from pbem.player.plans.ready_made import ready
from pbem.render.colours import style_sheet
from pbem.render.story import commanding
from pbem.render.words import named
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.game_facts import SHORT
from pbem.web.board_session import Sitting
from pbem.web.document import document, text
from pbem.web.page import CARDS, TABLE, against
from pbem.web.page_panels import Drawer, controls, table
from pbem.web.scene import drawing, lasting

tr = Texts("pbem")

SCRIPTS = (
    "texts.js",
    "map-check.js",
    *TABLE,
    "dom.js",
    "server.js",
    "news.js",
    "table-state.js",
    "dragging.js",
    "setup.js",
    "signing.js",
    "planning.js",
    "order-list.js",
    "choices.js",
    "clicking.js",
    "board-page.js",
)
STYLES = ("page.css", "board.css", "layout.css", "open-hex.css", "narrow.css", "orders.css")


def ordering(sitting: Sitting) -> bytes:
    """The HTML file of the page for the game's current state."""
    scene = {**lasting(sitting.at.legend), "faces": [], "frames": [], "base": sitting.cast.ground}
    data = {"scene": scene, "first": sitting.fresh()}
    return document(
        sitting.at.game.rules.title,
        _body(sitting),
        scripts=SCRIPTS,
        styles=STYLES,
        data=data,
        drawing=style_sheet(),
        allowed=("connect-src 'self'",),
    )


def _players(game: Game) -> str:
    """The players, commanders and id of the game, on one line."""
    sides = ((named(taken.name), game.rules.side(seat)) for seat, taken in game.seats.items())
    players = against([f"{name} ({side:name})" for name, side in sides])
    known = tr("game {id}", id=game.ids[0][:SHORT])
    if commanders := commanding(game):
        return f"{players}; {tr('commanders: {commanders}', commanders=commanders)}; {known}"
    return f"{players}; {known}"


def _ready(game: Game) -> str:
    """The ready-made steps of a plan, as `<option>` elements."""
    steps = ready(game.rules).items()
    return "".join(
        f'<option value="{text(words)}">{text(description)}</option>' for words, description in steps
    )


def _body(sitting: Sitting) -> str:
    """The content of the page."""
    game = sitting.at.game
    news, title = text(tr("News")), text(tr("What happened"))
    more = (
        f'\n<button type="button" id="watch" title="{title}" hidden>{news} ▶</button>'
        f'\n<button type="button" id="next" hidden>{text(tr("Next"))}</button>'
    )
    stage = (
        f"{drawing(sitting.at.legend, sitting.cast)}\n"
        f'<button type="button" id="return">{text(tr("Return to your orders"))}</button>'
    )
    drawers = [
        Drawer("orders", tr("Orders"), _orders(game)),
        Drawer("told", tr("Story"), '<ol id="story" start="0"></ol>'),
        Drawer("cards", tr("Cards and dice"), CARDS, shut=True),
        Drawer("boxes", tr("Beside the map"), '<div id="off"></div>', shut=True),
    ]
    return table(_bar(game), stage, controls(game, more), drawers) + _signing()


def _bar(game: Game) -> str:
    """The top bar: the question or the result, and the players."""
    return f"""\
<h1>{text(game.rules.title)}</h1>
<p id="state"><strong id="prompt"></strong></p>
<p class="quiet">{text(_players(game))}</p>
<p id="alarm" class="verdict fails" role="alert" hidden></p>"""


def _orders(game: Game) -> str:
    """The drawer of orders: possible orders, the list, and other actions."""
    return f"""\
<ul id="notes"></ul>
<div id="undone" role="status"></div>
<div id="staff"></div>
<p id="refused" role="alert" hidden></p>
<div id="ruling" hidden><p></p></div>
<p id="forbids" class="quiet"></p>
<div id="ready"></div>
<div id="choices" role="group" aria-label="{text(tr("What may be ordered"))}"></div>
<div id="hand"></div>
<p id="several"><label><input type="checkbox" id="together">
{text(tr("choose several units, or a path"))}</label></p>
<h3>{text(tr("Your orders"))}</h3>
<ol id="list"></ol>
<p id="missing"></p>
<ol id="whole-words"></ol>
<ul id="effects"></ul>
<div id="speak-here"><p id="speak"><label>{text(tr("Words to your opponent:"))}<br>
<textarea id="say" rows="1"></textarea></label></p></div>
<p id="buttons">
<button type="button" id="undo">{text(tr("Undo"))}</button>
<button type="button" id="clear">{text(tr("Clear"))}</button>
<button type="button" id="finish">{text(tr("Sign and save"))}</button>
</p>
<form id="typed"><label>{text(tr("Or type an order:"))}
<input id="line" autocomplete="off" list="phrases"></label>
<datalist id="phrases"></datalist> <button>{text(tr("Add"))}</button></form>
<div id="answers"></div>
<details id="more"><summary>{text(tr("Propose something, or give up"))}</summary>
<div id="others"></div>
<ul id="closed"></ul></details>
<details id="plan"><summary>{text(tr("Your plan"))}</summary>
<div id="plan-says" role="status"></div>
<form id="plan-add"><label>{text(tr("Add:"))}
<input id="plan-word" autocomplete="off" list="plan-ready" required></label>
<datalist id="plan-ready">{_ready(game)}</datalist> <button>{text(tr("Add"))}</button></form>
<p><label>{text(tr("Its steps:"))}<br><textarea id="plan-text" rows="6"></textarea></label></p>
<p><button type="button" id="plan-keep">{text(tr("Keep"))}</button>
<button type="button" id="plan-arm">{text(tr("Arm"))}</button>
<button type="button" id="plan-take">{text(tr("Take its orders"))}</button></p>
</details>
<form id="post" hidden>
<p id="post-words"></p>
<p><a href="file" download>{text(tr("The game file"))}</a></p>
<p><label>{text(tr("Your opponent's address:"))}
<input id="to" type="email" autocomplete="off"></label></p>
<p><button id="by-server">{text(tr("Send it"))}</button>
<button type="button" id="by-program">{text(tr("Open my mail program"))}</button></p>
<p id="sent" role="status"></p>
</form>
<details id="signed" hidden><summary>{text(tr("Undo your last entry"))}</summary>
<div id="at-stake"></div>
<p><button type="button" id="unsign">{text(tr("Yes: undo it"))}</button></p>
</details>
<div id="happened"><h3>{text(tr("What happened"))}</h3>
<ul id="news" aria-live="polite"></ul></div>"""


def _signing() -> str:
    """The dialog that asks for a signature."""
    return f"""\
<dialog id="confirm" aria-labelledby="confirm-head">
<h2 id="confirm-head">{text(tr("You sign:"))}</h2>
<ol id="words"></ol>
<ul id="outcome"></ul>
<p id="cannot" role="alert" hidden></p>
<p><button type="button" id="sign">{text(tr("Sign and save"))}</button>
<button type="button" id="not-yet">{text(tr("Not yet"))}</button></p>
</dialog>
"""
