"""The page of a game, which tells its story and computes its own proof; and the checker of such pages.

The page has the game's data for its scripts: the log, the positions, and the possible outcomes of each draw.
The checker is the same proof without a game: it opens pages and game files, and runs nothing in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem import __version__
from pbem.core.requests import Tell
from pbem.core.run import public
from pbem.format.entries import Answer, Propose
from pbem.render.story import describe_deed, describe_edition, describe_next_duty, quote_player
from pbem.render.svg_style import style_sheet
from pbem.texts import Texts
from pbem.umpire.game_facts import SHOWN_ID_DIGITS, count_entries
from pbem.umpire.game_state import Beat, Game, ReplayedEntry
from pbem.umpire.offered_scenario import own_scenario
from pbem.web.html_file import html_file, to_html
from pbem.web.luck import luck_panel
from pbem.web.page_panels import Drawer, controls, page_layout, stage_content
from pbem.web.scene import game_scene

tr = Texts("pbem")


def log_data(game: Game) -> list[Any]:
    """The entries as they are in the game file."""
    return [entry.raw for entry in game.entries]


def draws_data(game: Game) -> dict[str, Any]:
    """What the log lacks: its last id, and the draws of each completed beat, by the rules."""
    return {
        "head": game.ids[-1],
        "beats": [_beat_data(replayed) for replayed in game.replayed_entries if replayed.beat is not None],
    }


def _beat_data(replayed: ReplayedEntry) -> dict[str, Any]:
    """The draws of one beat, in the rules' order."""
    beat, entry = replayed.beat, replayed.entry
    assert beat is not None
    draws = [
        {"rule": draw.rule, "outcomes": list(draw.outcomes), "outcome": draw.outcome} for draw in beat.draws
    ]
    return {"entry": entry.body.n, "beat": beat.number, "draws": draws}


def positions_data(game: Game) -> list[Any]:
    """For each entry that signs a position (FORMAT 7) its difference from the one before, for others None.

    The others follow from these, since a take-back returns to an earlier one. No entry signs the first
    position, nor one where the rules asked for orders that came with a beat's share and opened no other
    (FORMAT 12).
    """
    changes: list[Any] = []
    before: Any = {}
    told: set[int | None] = {None}
    for replayed in game.replayed_entries:
        now = public(game.rules, *replayed.rest) if replayed.rest else {}
        question = _unsigned_question(game, replayed)
        signs = replayed.entry.raw.get("position") is not None or (
            replayed.entry.body.n == 0 and replayed.rest
        )
        changes.append(difference(before, now) if signs or question not in told else None)
        before = now
        told.add(question)
    return changes


def _unsigned_question(game: Game, replayed: ReplayedEntry) -> int | None:
    """The entry whose orders an answer takes back (FORMAT 12), if no entry signs the position before.

    That is so if its share completed a beat and opened none: it then signs the position after its orders.
    """
    body = replayed.entry.body
    proposed = game.entries[body.n - 1].body if isinstance(body, Answer) and body.accept else None
    if not isinstance(proposed, Propose) or proposed.what.retract is None:
        return None
    named = game.replayed_entries[proposed.what.retract]
    is_unsigned = named.beat is not None and named.beat.number == named.entry.raw["beat"]
    return proposed.what.retract if is_unsigned else None


def difference(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The changes to a mapping, by key: `[value]` sets it, `[]` removes it, a mapping changes its members."""
    gone: dict[str, Any] = {key: [] for key in before if key not in now}
    changed = {
        key: _changed_value(before.get(key), value)
        for key, value in now.items()
        if key not in before or before[key] != value
    }
    return gone | changed


def _changed_value(before: Any, now: Any) -> Any:
    both = isinstance(before, Mapping) and isinstance(now, Mapping)
    return difference(before, now) if both else [now]


PROOF_SCRIPTS = (
    "texts.js",
    "formulas.js",
    "entries.js",
    "commanders.js",
    "game-facts.js",
    "positions.js",
    "hands.js",
    "proof.js",
    "proof-view.js",
)
"""The scripts that check a log and show the result."""

MAP_SCRIPTS = (
    "camera.js",
    "cards.js",
    "card-table.js",
    "board.js",
    "pointing.js",
    "labels.js",
    "traces.js",
    "preferences.js",
    "drawers.js",
    "story.js",
    "replay.js",
)
"""The scripts of the map and the replay."""

PAGE_SCRIPTS = (*PROOF_SCRIPTS, "map-check.js", "page-proof.js", *MAP_SCRIPTS, "game-page.js")
PAGE_STYLES = (
    "page.css",
    "board.css",
    "layout.css",
    "open-hex.css",
    "narrow.css",
    "card-table.css",
    "chart.css",
)


def game_page(game: Game, chances: str = "") -> bytes:
    """The HTML file of a game: the same bytes from the same log, on every computer.

    `chances` is the content of the drawer about chances, if there is a report.
    """
    title = (
        f"{game.rules.title}: {describe_opponents([quote_player(seat.name) for seat in game.seats.values()])}"
    )
    scenes = game_scene(game)
    body = _page_body(game, scenes.drawing, chances)
    held = {
        "log": log_data(game),
        "draws": draws_data(game),
        "positions": positions_data(game),
        "scene": scenes.data,
        "sides": {seat: game.rules.side(seat).spoken() for seat in game.rules.seats},
    }
    return html_file(title, body, scripts=PAGE_SCRIPTS, styles=PAGE_STYLES, data=held, drawing=style_sheet())


def describe_opponents(players: Sequence[str]) -> str:
    """Who plays against whom; as long as there is only one player, who needs an opponent."""
    match players:
        case [one, other]:
            return tr("{one} against {other}", one=one, other=other)
    return "".join(players)


def _page_body(game: Game, drawing: str, chances: str) -> str:
    """The content of the page."""
    luck = luck_panel(game, game.rules.view.legend(game.state.run.state))
    has_map = game.rules.view.card_table is None
    drawers = [
        Drawer("told", tr("Story"), story_list(game)),
        Drawer("cards", tr("Cards and dice"), CARDS_PANEL),
        Drawer("boxes", tr("Beside the map") if has_map else tr("As signed"), BOXES_PANEL, shut=not has_map),
        *([Drawer("luck", tr("Luck"), luck, shut=True)] if luck else []),
        *([Drawer("chances", tr("Chances"), chances, shut=True)] if chances else []),
        Drawer("proof", tr("Proof"), _proof_panel(game), shut=True),
    ]
    return page_layout(game, _top_bar(game), stage_content(game, drawing), controls(game), drawers)


CARDS_PANEL = '<div id="drawn"></div>'
BOXES_PANEL = '<div id="off"></div>\n<details id="position" hidden><summary></summary></details>'


def _top_bar(game: Game) -> str:
    """The top bar: the result or the pending question, the verdict, and what is not proven."""
    again = f'<button type="button" id="again">{to_html(tr("Play from the start"))}</button>'
    return f"""\
<h1>{to_html(game.rules.title)}</h1>
<p id="state"><strong>{to_html(describe_next_duty(game.state))}</strong> {again}</p>
<p id="verdict-line" class="verdict" role="status"><a href="#proof" id="verdict">\
{to_html(tr("Nothing computed."))}</a></p>
<details id="claims"><summary>{to_html(tr("What is proven"))}</summary><div>
<ul class="game" id="players"></ul>
<div id="not-proven"></div></div></details>
<noscript><p class="verdict">{to_html(_note_without_scripts())}</p></noscript>"""


def story_list(game: Game, first: int = 0) -> str:
    """The story of a game, as a list of its entries from `first` on."""
    items = "\n".join(story_item(game, replayed) for replayed in game.replayed_entries[first:])
    return f'<ol id="story" start="{first}">\n{items}\n</ol>'


def _proof_panel(game: Game) -> str:
    """The place that the scripts fill with the proof, and a note about what only the page vouches for."""
    facts = "\n".join(f"<li>{to_html(fact)}</li>" for fact in _facts(game))
    return f"""\
<div id="proof-found"></div>
<ul class="game">
{facts}
</ul>
<p class="quiet">{to_html(_note_on_page(game))}</p>"""


def _note_without_scripts() -> str:
    return tr("Without JavaScript this page shows the game but proves nothing.")


def _note_on_page(game: Game) -> str:
    """The note on what pbem checked and what the browser computes."""
    return tr(
        "pbem {version} wrote this page from a game file with {entries}, the last of them {head}. "
        "The program checked all ten steps, including the rules, and wrote the story. Your browser "
        "has computed the proof from the signed log, which this page contains exactly as it is in "
        "the file, and from the positions the players have signed. Anyone who has the file can "
        "make this same page, byte for byte, with the same version of the program in the same "
        "language. A page cannot vouch for its own code: if you do not trust this one, open it "
        "with a checker (pbem page --checker), or check the file with pbem verify.",
        version=__version__,
        entries=count_entries(len(game.entries)),
        head=game.ids[-1][:SHOWN_ID_DIGITS],
    )


def _facts(game: Game) -> list[str]:
    """The edition, and the offerer's own scenario, if any; the page takes the players from the log."""
    lines = [describe_edition(game)]
    own = own_scenario(game)
    return [*lines, tr("scenario: {text}", text=own.text)] if own else lines


def story_item(game: Game, replayed: ReplayedEntry) -> str:
    """An entry of the story: who did what and when, the message, the draws, and the events."""
    body = replayed.entry.body
    when = "" if body.at is None else f" <time>{to_html(body.at)}</time>"
    side = f"{game.rules.side(body.by):name}"
    parts = [
        f'<p><a href="#{body.n}">{to_html(side)}</a>: {to_html(describe_deed(game, replayed))}{when}</p>'
    ]
    if body.say is not None:
        parts.append(f"<blockquote>{'<br>'.join(map(to_html, body.say.splitlines()))}</blockquote>")
    if replayed.beat is not None and replayed.beat.draws:
        parts.append(_draws_link(replayed.beat))
    parts += [f'<p class="told">{to_html(game.rules.view.story(tell))}</p>' for tell in replayed.events]
    return f'<li id="entry-{body.n}" value="{body.n}">{"".join(parts)}</li>'


def unlocked_item(game: Game, since: Sequence[Tell]) -> str:
    """The events of a draw the player has completed, before their next entry writes it; else empty."""
    if not since:
        return ""
    head = tr("Just drawn, to be recorded with your next move:")
    paragraphs = [f'<p class="told">{to_html(game.rules.view.story(tell))}</p>' for tell in since]
    return f'<li value="{len(game.entries)}"><p>{to_html(head)}</p>{"".join(paragraphs)}</li>'


def _draws_link(beat: Beat) -> str:
    """The draws of a beat, with a link to their computation."""
    label = tr("drawn: {outcomes}", outcomes=" ".join(str(draw.outcome) for draw in beat.draws))
    return f'<p class="drawn"><a href="#beat-{beat.number}">{to_html(label)}</a></p>'


CHECKER_SCRIPTS = (*PROOF_SCRIPTS, "map-check.js", "yaml.js", "checker.js")


def checker_page() -> bytes:
    """The HTML file: in each language the same bytes from every copy of this version."""
    body = f"""\
<header>
<h1>{to_html(tr("Check a game"))}</h1>
<p>{to_html(_note_on_checker())}</p>
<p><label>{to_html(tr("Pages and game files:"))} <input type="file" id="files" multiple></label>
{to_html(tr("or drop them here."))}</p>
</header>
<main id="checked" aria-live="polite"></main>
"""
    return html_file(tr("Check a game"), body, scripts=CHECKER_SCRIPTS, styles=("page.css",), data={})


def _note_on_checker() -> str:
    return tr(
        "This is the checker of pbem {version}, with no game in it. Give it a game file, or a page "
        "written by pbem page. It reads the signed log as data, runs none of the page's code, "
        "sends nothing anywhere, and shows what it can prove. The SHA-256 of this file shows which "
        "checker it is: pbem page --checker prints the one it should have, and each release states "
        "it.",
        version=__version__,
    )
