"""The layout of a page at which a game is read or played: top bar, controls, and drawers.

`drawers.js` opens and shuts the drawers; without it everything stands one below the other.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.render.story import describe_commander
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.web.document import to_html

tr = Texts("pbem")


class Drawer(Struct, frozen=True):
    """A drawer: its id, its title, and its content as HTML. With `shut` it is closed at first."""

    id: str
    title: str
    content: str
    shut: bool = False


def page_layout(bar: str, stage: str, controls: str, drawers: list[Drawer]) -> str:
    """The body of a page; its parts are HTML."""
    return f"""\
<header id="bar">
{bar}
</header>
<main>
<section id="board" aria-label="{to_html(tr("Map"))}">
<ul id="figures"></ul>
<div id="stage">
{stage}
<div id="large" aria-hidden="true"></div>
<div id="opened" aria-live="polite"></div>
</div>
<p id="now" aria-live="polite"></p>
{controls}
</section>
<div id="drawers">
{"".join(map(_drawer_html, drawers))}</div>
</main>
<nav id="tabs" aria-label="{to_html(tr("Drawers"))}"></nav>
"""


def _drawer_html(drawer: Drawer) -> str:
    shut = " data-shut" if drawer.shut else ""
    return f"""\
<section class="drawer" id="{drawer.id}" aria-label="{to_html(drawer.title)}"{shut}>
<h2>{to_html(drawer.title)}</h2>
{drawer.content}
</section>
"""


def controls(game: Game, more: str = "") -> str:
    """The controls of the replay and of the map; `more` is HTML."""
    last = len(game.entries) - 1
    return f"""\
<div id="controls">
<div id="steps" role="group" aria-label="{to_html(tr("Replay"))}">
{_button("to-first", "|<", tr("To the beginning"))}
{_button("back", "<", tr.sense("one step", "Back"))}
{_button("play", "▶", tr("Play"))}
{_button("on", ">", tr.sense("one step", "On"))}
{_button("to-last", ">|", tr("To the end"))}
</div>
<input type="range" id="when" min="0" max="{last}" value="{last}" aria-label="{to_html(tr("Entry"))}">
<div id="manner">
<label>{to_html(tr.sense("steps of a replay", "by"))} <select id="pace">
<option value="entry">{to_html(tr("entry"))}</option>
<option value="event">{to_html(tr("event"))}</option>
<option value="combat">{to_html(tr("combat"))}</option>
<option value="turn">{to_html(tr("turn"))}</option>
</select></label>
<select id="speed" aria-label="{to_html(tr("Speed"))}">
<option value="3000">{to_html(tr.sense("speed", "slow"))}</option>
<option value="1500" selected>{to_html(tr.sense("speed", "steady"))}</option>
<option value="500">{to_html(tr.sense("speed", "fast"))}</option>
</select>
<button type="button" id="play-turn">{to_html(tr("One turn"))} ▶</button>
{_commander_select(game)}</div>
{_zoom_buttons()}{more}
</div>
"""


def _button(name: str, sign: str, words: str) -> str:
    """A button with a sign on it, and a label for those who cannot see it."""
    label = to_html(words)
    return f'<button type="button" id="{name}" aria-label="{label}" title="{label}">{to_html(sign)}</button>'


def _zoom_buttons() -> str:
    """The buttons that zoom the map."""
    return f"""\
<div id="zoom" role="group" aria-label="{to_html(tr("Size of the map"))}">
{_button("closer", "+", tr("Closer"))}
{_button("farther", "−", tr("Farther"))}
{_button("whole", "⤢", tr("Whole map"))}
</div>"""


def _commander_select(game: Game) -> str:
    """The choice whose counters lie on top in a hex, where sides are shared by commanders (FORMAT 11)."""
    names = [
        describe_commander(commander) for seat in game.seats.values() for commander in seat.commanders or ()
    ]
    options = "".join(
        f'<option value="{number}">{to_html(name)}</option>' for number, name in enumerate(names)
    )
    if not names:
        return ""
    every = f'<option value="">{to_html(tr("anybody"))}</option>'
    label = to_html(tr.sense("whose counters come", "first"))
    return f'<label>{label} <select id="first">{every}{options}</select></label>\n'
