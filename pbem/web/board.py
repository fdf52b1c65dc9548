"""The sections of the page that replay a game and weigh its luck, as HTML."""

from __future__ import annotations

from pbem.core.legend import Legend
from pbem.report import called
from pbem.umpire import Game
from pbem.web.document import text
from pbem.web.luck import Attack, attacks, luck, together

LEAST_LIKELY = 5
"""So many of the least likely draws are told."""

ZOOM = """\
<div id="zoom" role="group" aria-label="Size of the map">
<button type="button" id="closer" aria-label="Closer">+</button>
<button type="button" id="farther" aria-label="Farther">&minus;</button>
<button type="button" id="whole">Whole map</button>
</div>"""
"""The buttons that bring the map nearer."""

_BOARD = """\
<div id="stage">
{drawing}
</div>
<div id="controls" role="group" aria-label="Replay">
<button type="button" id="to-first" aria-label="To the beginning">|&lt;</button>
<button type="button" id="back" aria-label="Back">&lt;</button>
<button type="button" id="play">Play</button>
<button type="button" id="on" aria-label="On">&gt;</button>
<button type="button" id="to-last" aria-label="To the end">&gt;|</button>
<label>by <select id="pace">
<option value="entry">entry</option><option value="turn">turn</option><option value="combat">combat</option>
</select></label>
{staff}{zoom}
<input type="range" id="when" min="0" max="{last}" value="{last}" aria-label="Entry">
</div>
<div id="opened" aria-live="polite"></div>
<p id="now" aria-live="polite"></p>
<p id="owed"></p>
<ul id="figures"></ul>
<div id="off"></div>
"""


def board(game: Game, drawing: str) -> str:
    """What stands in the section `board`; the scripts fill it."""
    return _BOARD.format(drawing=drawing, staff=_staff(game), zoom=ZOOM, last=len(game.entries) - 1)


def _staff(game: Game) -> str:
    """Whose counters come first in a hex: where sides are shared, one of the commanders' (FORMAT 11)."""
    names = [called(one) for seat in game.seats.values() for one in seat.commanders or ()]
    options = "".join(f'<option value="{number}">{text(name)}</option>' for number, name in enumerate(names))
    every = '<option value="">anybody</option>'
    return f'<label>first <select id="first">{every}{options}</select></label>\n' if names else ""


def luck_told(game: Game, legend: Legend) -> str:
    """What stands in the section `luck`; nothing where nobody has attacked."""
    found = attacks(game)
    if not found:
        return ""
    sides = {side: [attack for attack in found if attack.side == side] for side in legend.sides}
    rows = "".join(_row(legend.sides[side], own) for side, own in sides.items())
    least = sorted(found, key=lambda attack: attack.likely)[:LEAST_LIKELY]
    one, two, *_ = sides.values()
    return (
        "<h2>Luck</h2>\n<table><tr><th>Side</th><th>Attacks</th><th>Hits expected</th><th>Hits</th>"
        f"<th>How likely</th></tr>{rows}</table>\n"
        f"<p>So much luck for one side or the other, or more: {_percent(together(one, two))} of games with "
        "these attacks.</p>\n<h3>The least likely draws</h3>\n"
        f"<ul>{''.join(map(_draw, least))}</ul>\n"
        '<p class="quiet">From the exact chance of each attack before its first card or die. How likely: so '
        "many hits or more where there were more than expected, else so many or fewer. Attacks of moves that "
        "were taken back count.</p>"
    )


def _row(side: str, own: list[Attack]) -> str:
    found = luck(own)
    cells = [side, str(found.attacks), f"{found.expected:.1f}", str(found.hits), _percent(found.chance)]
    return f"<tr>{''.join(f'<td>{text(cell)}</td>' for cell in cells)}</tr>"


def _draw(attack: Attack) -> str:
    went = "a hit" if attack.hit else "a miss"
    words = f"{attack.words}: {went}, {_percent(float(attack.likely))}"
    return f'<li><a href="#{attack.entry}">entry {attack.entry}</a>: {text(words)}</li>'


def _percent(chance: float) -> str:
    """A chance in per cent, with one figure after the point where it is small."""
    return f"{100 * chance:.0f}%" if chance >= 0.1 else f"{100 * chance:.1f}%"
