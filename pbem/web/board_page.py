"""The page of the board: the map, the orders possible there, and the orders so far.

`board-page.js` fills the page; `board_session.py` answers its requests.
"""

from __future__ import annotations

from pbem.player.plans.ready_made import ready_made_plans
from pbem.render.story import list_commanders, quote_player
from pbem.render.svg_style import style_sheet
from pbem.texts import Texts
from pbem.umpire.game_facts import SHOWN_ID_DIGITS
from pbem.umpire.game_state import Game
from pbem.web.board_session import BoardSession
from pbem.web.game_page import CARDS_PANEL, MAP_SCRIPTS, describe_opponents
from pbem.web.html_file import html_file, to_html
from pbem.web.page_panels import Drawer, controls, page_layout, stage_content
from pbem.web.scene import draw_map, fixed_data

tr = Texts("pbem")


SCRIPTS = (
    "texts.js",
    "map-check.js",
    *MAP_SCRIPTS,
    "dom.js",
    "transport.js",
    "server.js",
    "turn-animation.js",
    "news.js",
    "table-state.js",
    "dragging.js",
    "setup.js",
    "signing.js",
    "planning.js",
    "this-game.js",
    "review.js",
    "guide.js",
    "your-move.js",
    "order-list.js",
    "choices.js",
    "clicking.js",
    "table-orders.js",
    "board-page.js",
)
STYLES = (
    "page.css",
    "board.css",
    "layout.css",
    "open-hex.css",
    "narrow.css",
    "orders.css",
    "card-table.css",
    "chart.css",
)


def board_page(sitting: BoardSession) -> bytes:
    """The HTML file of the page for the game's current state."""
    scene = {**fixed_data(sitting.state.legend), "faces": [], "frames": [], "base": sitting.faces.ground}
    data = {"scene": scene, "first": sitting.current_data()}
    return html_file(
        sitting.state.game.rules.title,
        _page_body(sitting),
        scripts=SCRIPTS,
        styles=STYLES,
        data=data,
        drawing=style_sheet(),
        allowed=("connect-src 'self'",),
    )


def _players_line(game: Game) -> str:
    """The players, commanders and id of the game, on one line."""
    sides = ((quote_player(taken.name), game.rules.side(seat)) for seat, taken in game.seats.items())
    players = describe_opponents([f"{name} ({side:name})" for name, side in sides])
    known = tr("game {id}", id=game.ids[0][:SHOWN_ID_DIGITS])
    if commanders := list_commanders(game):
        return f"{players}; {tr('commanders: {commanders}', commanders=commanders)}; {known}"
    return f"{players}; {known}"


def _ready_steps(game: Game) -> str:
    """The ready-made steps of a plan, as `<option>` elements."""
    steps = ready_made_plans(game.rules).items()
    return "".join(
        f'<option value="{to_html(words)}">{to_html(description)}</option>' for words, description in steps
    )


def _page_body(sitting: BoardSession) -> str:
    """The content of the page."""
    game = sitting.state.game
    news, title = to_html(tr("News")), to_html(tr("What happened"))
    more = (
        f'\n<button type="button" id="watch" title="{title}" hidden>{news} ▶</button>'
        f'\n<button type="button" id="next" hidden>{to_html(tr("Next"))}</button>'
    )
    drawing = draw_map(sitting.state.legend, sitting.faces)
    stage = (
        f"{stage_content(game, drawing)}\n"
        f'<button type="button" id="return">{to_html(tr("Return to your orders"))}</button>'
    )
    drawers = [
        Drawer("orders", tr("Orders"), _orders_panel(game)),
        Drawer("told", tr("Story"), '<ol id="story" start="0"></ol>'),
        Drawer("chances", tr("Chances"), REVIEW_PANEL, shut=True),
        Drawer("cards", tr("Cards and dice"), CARDS_PANEL, shut=True),
    ]
    off = '<div id="off"></div>'
    if game.rules.view.card_table is None:
        drawers.append(Drawer("boxes", tr("Beside the map"), off, shut=True))
        dialogs = _signing_dialog()
    else:
        dialogs = _signing_dialog() + _order_dialog() + off
    return page_layout(game, _top_bar(game), stage, controls(game, more), drawers, TASK) + dialogs


def _order_dialog() -> str:
    """The form for an order given by a click on the table."""
    return f"""\
<dialog id="order-form" aria-labelledby="order-head">
<form method="dialog">
<h2 id="order-head"></h2>
<div id="order-blanks"></div>
<div id="order-notes" class="quiet"></div>
<p id="order-refused" role="alert" hidden></p>
<p><span id="order-buttons"></span>
<button type="button" id="order-cancel">{to_html(tr("Cancel"))}</button></p>
</form>
</dialog>
"""


def _top_bar(game: Game) -> str:
    """The top bar: the question or the result, and the players."""
    return f"""\
<a id="home" href="../" title="{to_html(tr("All your games"))}">pbem</a>
<h1>{to_html(game.rules.title)}</h1>
<p class="quiet">{to_html(_players_line(game))}</p>
<label id="tones"><input type="checkbox" id="sound"> {to_html(tr("Sound"))}</label>
<p id="alarm" class="verdict fails" role="alert" hidden></p>"""


REVIEW_PANEL = """\
<div id="look-chart"></div>
<p id="looking" class="quiet"></p>
<progress id="look-share" max="1" hidden></progress>
<div id="looked" role="status"></div>
<div id="look-others"></div>
<p id="look-note" class="quiet"></p>
<div id="look-moves"></div>"""
"""The place for the review of the game by the computer; `review.js` fills it."""

TASK = """\
<div id="task" role="status">
<p id="prompt"></p>
<ul id="due"></ul>
</div>
"""
"""What to do now, beside the place to do it."""


def _orders_panel(game: Game) -> str:
    """The drawer of orders: possible orders, the list, and other actions."""
    rematch = f"../#rematch-{game.ids[0]}"
    return f"""\
<section id="ending" hidden>
<h3></h3>
<p id="ending-why"></p>
<div id="ending-deeds"></div>
</section>
<ul id="notes"></ul>
<div id="undone" role="status"></div>
<div id="staff"></div>
<p id="refused" role="alert" hidden></p>
<div id="ruling" hidden><p></p></div>
<p id="forbids" class="quiet" aria-live="polite"></p>
<div id="ready"></div>
<div id="choices" role="group" aria-label="{to_html(tr("Legal orders"))}"></div>
<div id="hand"></div>
<p id="several"><label><input type="checkbox" id="together">
{to_html(tr("choose several units, or a path"))}</label></p>
<h3>{to_html(tr("Your orders"))}</h3>
<ol id="list"></ol>
<details id="in-full"><summary>{to_html(tr("As they will be signed"))}</summary>
<ol id="whole-words"></ol></details>
<ul id="effects"></ul>
<div id="speak-here"><p id="speak"><label>{to_html(tr("Message to your opponent:"))}<br>
<textarea id="say" rows="1"></textarea></label></p></div>
<p id="buttons">
<button type="button" id="undo">{to_html(tr("Undo"))}</button>
<button type="button" id="clear">{to_html(tr("Clear"))}</button>
<button type="button" id="finish">{to_html(tr("Sign and save"))}</button>
</p>
<form id="typed"><label>{to_html(tr("Or type an order:"))}
<input id="line" autocomplete="off" list="phrases"></label>
<datalist id="phrases"></datalist> <button>{to_html(tr("Add"))}</button></form>
<div id="answers"></div>
<details id="more"><summary>{to_html(tr("Propose or resign"))}</summary>
<div id="others"></div>
<ul id="closed"></ul></details>
<details id="plan"><summary>{to_html(tr("Your plan"))}</summary>
<div id="plan-says" role="status"></div>
<form id="plan-step">
<p class="quiet">{to_html(tr("Give orders, and choose when. The hex you click has conditions too."))}</p>
<ul id="plan-chosen"></ul>
<p><label>{to_html(tr("When:"))} <select id="plan-when"></select></label></p>
<p><button>{to_html(tr("Add a step: give my orders"))}</button></p></form>
<details id="plan-expert"><summary>{to_html(tr("As text"))}</summary>
<form id="plan-add"><label>{to_html(tr("Add:"))}
<input id="plan-word" autocomplete="off" list="plan-ready" required></label>
<datalist id="plan-ready">{_ready_steps(game)}</datalist> <button>{to_html(tr("Add"))}</button></form>
<p><label>{to_html(tr("Its steps:"))}<br><textarea id="plan-text" rows="6"></textarea></label></p>
<p><button type="button" id="plan-keep">{to_html(tr("Save the steps"))}</button></p></details>
<ol id="plan-steps"></ol>
<p class="deeds"><button type="button" id="plan-arm">{to_html(tr("Arm"))}</button>
<button type="button" id="plan-take">{to_html(tr("Use its orders"))}</button></p>
</details>
<form id="post" hidden>
<p id="post-words"></p>
<p><button type="button" id="save-file">{to_html(tr("Save the file"))}</button>
<button type="button" id="copy-letter">{to_html(tr("Copy the letter"))}</button></p>
<p class="quiet" id="file-place"></p>
<textarea id="letter" rows="6" readonly hidden aria-label="{to_html(tr("The letter"))}"></textarea>
<p><label>{to_html(tr("Your opponent's address:"))}
<input id="to" type="email" autocomplete="off"></label></p>
<p><button id="by-server">{to_html(tr("Send it"))}</button>
<button type="button" id="by-program">{to_html(tr("Open my mail program"))}</button></p>
<p id="sent" role="status"></p>
</form>
<details id="signed" hidden><summary>{to_html(tr("Undo your last entry"))}</summary>
<div id="at-stake"></div>
<p><button type="button" id="unsign">{to_html(tr("Yes: undo it"))}</button></p>
</details>
<details id="this-game"><summary>{to_html(tr("This game"))}</summary>
<div id="game-deeds">
<p class="deeds"><a class="button" id="rematch" href="{rematch}" hidden>{to_html(tr("Rematch"))}</a>
<button type="button" id="look-over" hidden>{to_html(tr("Review"))}</button>
<a class="button" id="report" href="report" target="_blank" hidden>{to_html(tr("Report"))}</a>
<a class="button" href="page" target="_blank">{to_html(tr("Page"))}</a>
<button type="button" id="save-game" hidden>{to_html(tr("Save the file"))}</button>
<button type="button" id="verify">{to_html(tr("Verify"))}</button></p>
<ol id="checks" role="status"></ol>
</div></details>
<div id="happened"><h3>{to_html(tr("What happened"))}</h3>
<ul id="news" aria-live="polite"></ul></div>"""


def _signing_dialog() -> str:
    """The dialog that asks for a signature."""
    return f"""\
<dialog id="confirm" aria-labelledby="confirm-head">
<h2 id="confirm-head">{to_html(tr("You are about to sign:"))}</h2>
<ol id="words"></ol>
<ul id="outcome"></ul>
<p id="cannot" role="alert" hidden></p>
<p><button type="button" id="sign">{to_html(tr("Sign and save"))}</button>
<button type="button" id="not-yet">{to_html(tr("Not yet"))}</button></p>
</dialog>
"""
