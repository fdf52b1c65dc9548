"""The page to play at: the map, what may be ordered there, and the orders so far. `orders.js` fills it."""

from __future__ import annotations

from pbem.desk.plan_ready import ready
from pbem.render.colours import style_sheet
from pbem.render.words import named
from pbem.report import commanding
from pbem.umpire.facts import SHORT
from pbem.web.board import ZOOM
from pbem.web.document import document, text
from pbem.web.scene import drawing, lasting
from pbem.web.table import Sitting

SCRIPTS = ("camera.js", "board.js", "parts.js", "desk.js", "signing.js", "planning.js", "orders.js")
STYLES = ("page.css", "board.css", "orders.css")

_BODY = """\
<header>
<h1>{title}</h1>
<p class="quiet">{players}</p>
<p id="alarm" class="verdict fails" role="alert" hidden></p>
</header>
<main>
<section id="board" aria-label="Map">
<div id="stage">
{drawing}
</div>
<div id="controls">{zoom}</div>
<ul id="figures"></ul>
<div id="off"></div>
</section>
<section id="told" aria-label="Orders">
<p id="prompt"></p>
<div id="staff"></div>
<p id="refused" role="alert" hidden></p>
<details id="ruling" hidden><summary></summary><p></p></details>
<div id="choices" role="group" aria-label="What may be ordered"></div>
<div id="opened" aria-live="polite"></div>
<div id="hand"></div>
<p id="several"><label><input type="checkbox" id="together"> choose several units</label></p>
<form id="typed"><label>Or type an order: <input id="line" autocomplete="off" list="phrases"></label>
<datalist id="phrases"></datalist> <button>Add</button></form>
<h2>Your orders</h2>
<ol id="list"></ol>
<p id="missing"></p>
<ul id="effects"></ul>
<p id="buttons">
<button type="button" id="undo">Undo</button>
<button type="button" id="clear">Clear</button>
<button type="button" id="finish">Sign and save …</button>
</p>
<div id="answers"></div>
<details id="more"><summary>Propose something, or give up</summary><div id="others"></div></details>
<details id="plan"><summary>Your plan</summary>
<div id="plan-says" role="status"></div>
<form id="plan-add"><label>Add: <input id="plan-word" autocomplete="off" list="plan-ready" required></label>
<datalist id="plan-ready">{ready}</datalist> <button>Add</button></form>
<p><label>Its steps:<br><textarea id="plan-text" rows="6"></textarea></label></p>
<p><button type="button" id="plan-keep">Keep</button>
<button type="button" id="plan-arm">Arm</button>
<button type="button" id="plan-take">Take its orders</button></p>
</details>
<form id="post" hidden>
<p id="post-words"></p>
<p><a href="file" download>The game file</a></p>
<p><label>Your opponent's address: <input id="to" type="email" autocomplete="off"></label></p>
<p><button id="by-server">Send it</button>
<button type="button" id="by-program">Open my mail program</button></p>
<p id="sent" role="status"></p>
</form>
<h2>What happened</h2>
<ul id="news" aria-live="polite"></ul>
</section>
</main>
<dialog id="confirm" aria-labelledby="confirm-head">
<h2 id="confirm-head">You sign:</h2>
<ol id="words"></ol>
<ul id="outcome"></ul>
<p><label>Words to your opponent:<br><textarea id="say" rows="2"></textarea></label></p>
<blockquote id="said"></blockquote>
<p id="cannot" role="alert" hidden></p>
<p><button type="button" id="sign">Sign and save</button>
<button type="button" id="not-yet">Not yet</button></p>
</dialog>
"""


def ordering(sitting: Sitting) -> bytes:
    """The HTML of the page, as the game stands."""
    first = sitting.fresh()
    game, legend = sitting.at.game, sitting.at.legend
    players = " against ".join(f"{named(seat.name)} ({name})" for name, seat in game.seats.items())
    shared = f"; commanders: {told}" if (told := commanding(game)) else ""
    body = _BODY.format(
        title=text(game.rules.title),
        players=text(f"{players}{shared}; game {game.ids[0][:SHORT]}"),
        drawing=drawing(legend, sitting.cast),
        zoom=ZOOM,
        ready="".join(
            f'<option value="{text(words)}">{text(said)}</option>' for words, said in ready().items()
        ),
    )
    held = {"scene": {**lasting(legend), "faces": [], "frames": []}, "first": first}
    return document(
        game.rules.title,
        body,
        scripts=SCRIPTS,
        styles=STYLES,
        data=held,
        drawing=style_sheet(),
        allowed=("connect-src 'self'",),
    )
