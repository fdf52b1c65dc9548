"""Every kind of alteration of a page's data, at many places: the change, and what must be noticed.

Each is by somebody who leaves the scripts and the signatures alone and recomputes everything else they can.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, NamedTuple, TypeAlias

from pbem.core.run import public
from pbem.format.draws import beat_seed, draw_number
from support.game_pages import alter_data, data_in, game_of, page_of

CARDS, DICE = "mortain-de-takebacks", "rommel-axis-wins"
ASIDE = "mortain-en-deck-runs-out"
"""An example in which entry 94 draws the joker, which is set aside; the deck runs out at its end."""

JOKER = "Joker"

TITLE, STORY, BESIDE = "title, edition and scenario", "arrows of the story", "text beside the map"
LOOKS = "hexes and counters look"
LUCK, WHAT_FOR, DICE_THROWN, BEFORE = (
    "chances and luck",
    "what each card or die",
    "how many dice",
    "the map before",
)
"""Words at the top of a page about what is unproven."""


Changes: TypeAlias = list[tuple[str, list[Any], Any]]
"""New values by element, the id of data or a CSS selector, and the path in it."""


class Row(NamedTuple):
    """An alteration: whose page, the change, and the entry that must be red.

    Or the words at the page's top that call it unproven.
    """

    name: str
    page: str
    changes: Changes
    seen: int | str


def rows() -> list[Row]:
    """All alterations."""
    return [*_lists(), *_dice(), *_positions(), *_units(), *_boards(), *_told()]


# Lists of cards and dice

Lists = list[list[Any]]


def _drawn(name: str, n: int, lists: Lists) -> list[dict[str, Any]]:
    """The draws of the beat that entry n completes, from other lists, with the outcomes recomputed."""
    game = game_of(name)
    beat = game.replayed_entries[n].beat
    assert beat is not None
    seed = beat_seed(game.offer.game, beat.number, beat.secrets)
    rule = beat.draws[0].rule
    return [
        {"rule": rule, "outcomes": among, "outcome": among[draw_number(seed, j) % len(among)]}
        for j, among in enumerate(lists)
    ]


def _beats(name: str) -> dict[int, int]:
    """The index in `draws` of the beat that an entry completes."""
    return {beat["entry"]: at for at, beat in enumerate(data_in(page_of(name), "draws")["beats"])}


def _listed(name: str, n: int) -> Lists:
    """The unchanged lists of that beat."""
    beat = game_of(name).replayed_entries[n].beat
    assert beat is not None
    return [list(draw.outcomes) for draw in beat.draws]


def _came(name: str, n: int) -> list[Any]:
    beat = game_of(name).replayed_entries[n].beat
    assert beat is not None
    return [draw.outcome for draw in beat.draws]


def swapped(name: str, n: int, lists: Lists) -> Lists:
    """The card drawn last changes places with its neighbour."""
    last = lists[-1]
    at = last.index(_came(name, n)[-1])
    other = at - 1 if at else 1
    last[at], last[other] = last[other], last[at]
    return lists


def swapped_elsewhere(name: str, n: int, lists: Lists) -> Lists:
    """Two cards that were not drawn change places."""
    last = lists[-1]
    one, two = [at for at, card in enumerate(last) if card not in _came(name, n)][:2]
    last[one], last[two] = last[two], last[one]
    return lists


def dropped(name: str, n: int, lists: Lists) -> Lists:
    """A card is missing."""
    lists[-1].pop(0)
    return lists


def added(name: str, n: int, lists: Lists) -> Lists:
    """A card is there twice."""
    lists[-1].append(lists[-1][0])
    return lists


def reversed_(name: str, n: int, lists: Lists) -> Lists:
    """The list is reversed."""
    lists[0].reverse()
    return lists


def not_taken_out(name: str, n: int, lists: Lists) -> Lists:
    """The first card drawn is in the second list again."""
    lists[1] = list(lists[0])
    return lists


def one_more(name: str, n: int, lists: Lists) -> Lists:
    """One more draw, correctly from the cards left."""
    left = [card for card in lists[-1] if card != _came(name, n)[-1]]
    return [*lists, left]


def one_less(name: str, n: int, lists: Lists) -> Lists:
    """The last draw is left out."""
    return lists[:-1]


def all_there(name: str, n: int, lists: Lists) -> Lists:
    """The deck is shuffled where it was not."""
    lists[0] = list(
        next(draw for one in game_of(name).replayed_entries if one.beat for draw in one.beat.draws).outcomes
    )
    return lists


def no_shuffle(name: str, n: int, lists: Lists) -> Lists:
    """The deck is not shuffled where it was."""
    lists[-1] = [card for card in lists[-2] if card != JOKER]
    return lists


Forge = Callable[[str, int, Lists], Lists]
ALWAYS: tuple[Forge, ...] = (swapped, swapped_elsewhere, dropped, added, reversed_, one_more, one_less)
PLACES: dict[str, tuple[tuple[int, tuple[Forge, ...]], ...]] = {
    CARDS: (
        (11, (not_taken_out, all_there)),
        (24, (no_shuffle,)),  # the joker ends a turn
        (32, (not_taken_out, all_there)),
        (48, (not_taken_out, all_there)),  # the first with two draws after a take-back
        (83, (no_shuffle,)),  # the joker is drawn first
        (138, (not_taken_out, all_there)),  # the last
    ),
    ASIDE: ((61, (not_taken_out,)), (94, (all_there,)), (127, (not_taken_out, all_there))),
}


def _forged(name: str, n: int, lists: Lists) -> Changes:
    return [("draws", ["beats", _beats(name)[n], "draws"], _drawn(name, n, lists))]


def _lists() -> Iterator[Row]:
    """Cards: each list must lead from the deck before to the deck after."""
    for name, places in PLACES.items():
        for n, more in places:
            for forge in (*ALWAYS, *more):
                lists = forge(name, n, _listed(name, n))
                yield Row(f"{forge.__name__} in {n}", name, _forged(name, n, lists), n)
    with_joker = [_listed(ASIDE, 95)[0], [*_listed(ASIDE, 95)[1], JOKER]]
    yield Row("the joker set aside comes back", ASIDE, _forged(ASIDE, 95, with_joker), 95)
    undone = data_in(page_of(CARDS), "draws")["beats"][_beats(CARDS)[39]]["draws"]  # taken back with entry 45
    number = _beats(CARDS)[48]
    lists = [draw["outcomes"] for draw in undone]
    yield Row("the list of a line that was taken back", CARDS, _forged(CARDS, 48, lists), 48)
    for key, value in (("entry", 12), ("beat", 7)):
        yield Row(f"{key} of a beat", CARDS, [("draws", ["beats", number, key], value)], 48)
    for n in (11, 48):
        path = ["beats", _beats(CARDS)[n], "draws", 0, "rule"]
        yield Row(f"what the card of {n} was for", CARDS, [("draws", path, "M9.9")], WHAT_FOR)


def _dice() -> Iterator[Row]:
    """Dice: each list must be the faces of one die."""
    forges: dict[str, Callable[[list[Any]], list[Any]]] = {
        "two faces swapped": lambda die: [die[1], die[0], *die[2:]],
        "a face more": lambda die: [*die, 6],
        "a face less": lambda die: die[:-1],
        "an ordinary die": lambda die: [1, 2, 3, 4, 5, 6],
        "a loaded die": lambda die: [5] * 6,
    }
    for n in (7, 15, 71):
        for what, forge in forges.items():
            lists = _listed(DICE, n)
            lists[-1] = forge(lists[-1])
            yield Row(f"{what} in {n}", DICE, _forged(DICE, n, lists), n)
        more = [*_listed(DICE, n), _listed(DICE, n)[0]]
        yield Row(f"a throw more in {n}", DICE, _forged(DICE, n, more), DICE_THROWN)
    path = ["beats", _beats(DICE)[15], "draws", 0, "rule"]
    yield Row("what a die was for", DICE, [("draws", path, "R9.9")], WHAT_FOR)


# Positions

OTHER: dict[type, Callable[[Any], Any]] = {
    int: lambda value: value + 1,
    bool: lambda value: not value,
    str: lambda value: f"{value}x",
    type(None): lambda value: "x",
    list: lambda value: [*value, "x"],
    dict: lambda value: {**value, "x": True},
}


def _positions() -> Iterator[Row]:
    """Each part of a position, at some entries, which changes the digest."""
    for name, entries in ((CARDS, (24, 104)), (DICE, (16, 90))):
        game, written = game_of(name), data_in(page_of(name), "positions")
        for wanted in entries:
            n = next(m for m in range(wanted, len(written)) if written[m])
            chapter = game.replayed_entries[n]
            assert chapter.rest
            for key, value in public(game.rules, *chapter.rest).items():
                yield Row(
                    f"{key} of position {n}", name, [("positions", [n, key], [OTHER[type(value)](value)])], n
                )
            yield Row(f"position {n} as before", name, [("positions", [n], {})], n)
            yield Row(f"no position {n}", name, [("positions", [n], None)], n)
            gone: dict[str, Any] = {"units": []}
            yield Row(f"position {n} without units", name, [("positions", [n], written[n] | gone)], n)
            inherited = json.loads('{"__proto__": [{"x": 1}]}')
            yield Row(f"position {n} with a prototype", name, [("positions", [n], written[n] | inherited)], n)
    written = data_in(page_of(CARDS), "positions")
    silent = next(n for n, one in enumerate(written) if n > 2 and one is None)
    yield Row("a position that nobody signs", CARDS, [("positions", [silent], {"turn": [6]})], silent)
    yield Row("none", CARDS, [("positions", [], [])], 0)
    begun = min(_beats(CARDS))
    yield Row("no list", CARDS, [("positions", [], None)], begun)
    yield Row("one too many", CARDS, [("positions", [], [*written, None])], len(written))


# The map


class Scenes:
    """The scenes of a page, each in full, so that a single entry can be altered."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.scene = data_in(page_of(name), "scene")
        self.whole: list[dict[str, Any]] = []
        for frame in self.scene["frames"]:
            before = self.whole[-1] if self.whole else {"cells": {}, "marks": {}, "ground": {}}
            merged = {part: {**before[part], **frame.get(part, {})} for part in ("cells", "marks", "ground")}
            self.whole.append({**before, **{k: v for k, v in frame.items() if k != "done"}, **merged})

    def row(self, what: str, n: int, seen: int | str, **parts: Any) -> Row:
        """An alteration of entry n only: the entries after it stay the same."""
        frames: Changes = [("scene", ["frames", n, part], value) for part, value in parts.items()]
        if n + 1 < len(self.whole):
            following = self.scene["frames"][n + 1]
            for part, value in parts.items():
                kept = self.whole[n + 1][part]
                undone = {key: kept.get(key, []) for key in value} if isinstance(value, dict) else kept
                frames.append(
                    (
                        "scene",
                        ["frames", n + 1, part],
                        {**following.get(part, {}), **undone} if isinstance(value, dict) else undone,
                    )
                )
        return Row(f"{what} in {n}", self.name, frames, seen)


NUMBERS = {
    CARDS: ("Turn", "Card", "Deck", "Exits", "Cards left"),
    DICE: ("Turn", "Date", "Allied points", "Allied villages"),
}
"""The figures beside the map whose numbers are in a signed position; the rest of them is words."""


def _last_numbers(scenes: Scenes, n: int, figures: list[list[str]]) -> Iterator[Row]:
    """The last number of each figure: how many there could be, or which hex is held."""
    for index, (figure, value) in enumerate(figures):
        if figure in NUMBERS[scenes.name] and re.search(r"\d", value) and len(value) < 60:
            forged = deepcopy(figures)
            forged[index][1] = re.sub(r"\d(?=\D*$)", lambda one: str((int(one[0]) + 1) % 10), value)
            yield scenes.row(f"{figure}, the last number", n, n, figures=forged)


def _full(cells: dict[str, list[int]]) -> list[str]:
    return [hex_ for hex_, faces in cells.items() if faces]


def _units() -> Iterator[Row]:
    """Counters on the map and in the boxes, marks, grounds, numbers: at some entries."""
    for name, entries in ((CARDS, (8, 36, 45, 100)), (DICE, (8, 40, 117))):
        scenes = Scenes(name)
        for n in entries:
            now = deepcopy(scenes.whole[n])
            cells, off = now["cells"], now["off"]
            here, there, *_ = _full(cells)
            (face, *others), strange = cells[here], cells[there][0]
            free = next(str(at) for at in range(len(scenes.scene["hexes"])) if not cells.get(str(at)))
            yield scenes.row("a unit elsewhere", n, n, cells={here: others, free: [face]})
            yield scenes.row("a unit gone", n, n, cells={here: others})
            yield scenes.row("a unit twice", n, n, cells={free: [face]})
            yield scenes.row(
                "two units changed", n, n, cells={here: [strange, *others], there: [face, *cells[there][1:]]}
            )
            yield scenes.row(
                "a unit in a box", n, n, cells={here: others}, off=[*off, ["US waiting", [face]]]
            )
            yield scenes.row("a face that there is not", n, n, cells={here: [10_000, *others]})
            yield scenes.row("a mark more", n, n, marks={free: [[0 if name == CARDS else 3, 0, 0]]})
            marked = next((at for at, marks in now["marks"].items() if marks), None)
            if marked:
                moved = [[sign, x + 75, y + 43] for sign, x, y in now["marks"][marked]]
                yield scenes.row("a mark in the next hex", n, n, marks={marked: moved})
                yield scenes.row("a mark less", n, n, marks={marked: []})
            if off:
                title, faces = off[0]
                split = [[title, faces[1:]], ["US waiting", faces[:1]], *off[1:]]
                if faces[1:]:
                    yield scenes.row("a unit in a box that says otherwise", n, BESIDE, off=split)
                yield scenes.row(
                    "a unit out of a box", n, n, cells={free: [faces[0]]}, off=[[title, faces[1:]], *off[1:]]
                )
                yield scenes.row("a unit in a box twice", n, n, off=[[title, [*faces, faces[0]]], *off[1:]])
                yield scenes.row("a box gone", n, n, off=off[1:])
                yield scenes.row(
                    "a box called otherwise", n, BESIDE, off=[["US eliminated yesterday", faces], *off[1:]]
                )
            numbers = NUMBERS[name]
            for index, (figure, _) in enumerate(now["figures"]):
                figures = deepcopy(now["figures"])
                figures[index][1] = "9 of 9"
                yield scenes.row(figure, n, n if figure in numbers else BESIDE, figures=figures)
            yield from _last_numbers(scenes, n, now["figures"])
            yield scenes.row("who is asked", n, BESIDE, owed="nobody")
            yield Row(
                f"the arrows of {n}", name, [("scene", ["frames", n, "done"], [[["way", [0, 1]]]])], STORY
            )
        ground = {
            here: (now["ground"][here] + 1) % 2
            for now in scenes.whole[:1]
            for here in list(now["ground"])[:1]
        }
        yield scenes.row("the ground", 40, 40, ground=ground)
        faces = [_weaker(scenes, n) for n in entries]
        for n, found in zip(entries, faces, strict=True):
            if found:
                yield scenes.row("another face of a unit", n, n, cells=found)


def _weaker(scenes: Scenes, n: int) -> dict[str, list[int]] | None:
    """A counter that shows its other face, if a unit there has shown both in the game."""
    words = scenes.scene["faces"]
    for hex_, faces in scenes.whole[n]["cells"].items():
        for at, face in enumerate(faces):
            name = words[face].split(",")[0]
            for other, said in enumerate(words):
                if said.split(",")[0] == name and (", struck" in said or ", reduced" in said) != (
                    ", struck" in words[face] or ", reduced" in words[face]
                ):
                    return {hex_: [*faces[:at], other, *faces[at + 1 :]]}
    return None


def _boards() -> Iterator[Row]:
    """The background of the whole game."""
    for name in (CARDS, DICE):
        scene = data_in(page_of(name), "scene")
        hexes, frames = scene["hexes"], scene["frames"]
        changed: dict[str, tuple[list[Any], Any, int | str]] = {
            "two hexes exchange their numbers": (
                ["hexes"],
                [[hexes[1][0], *hexes[0][1:]], [hexes[0][0], *hexes[1][1:]], *hexes[2:]],
                0,
            ),
            "a hex elsewhere": (["hexes", 3, 1], hexes[3][1] + 75, 0),
            "a hex left out": (["hexes"], hexes[:-1], 0),
            "a hex twice": (["hexes"], [*hexes, hexes[0]], 0),
            "counters beside their hexes": (["places", 1], [[75, 43]], 0),
            "counters too small to be seen": (["shrunk", 1], 0.01, 0),
            "a part of the map": (["size"], [300, 300], 0),
            "a scene left out": (["frames"], [*frames[:50], *frames[51:]], 0),
            "no scenes": (["frames"], [], 0),
            "no data": ([], None, 0),
            "a unit called otherwise": (["faces", 0], "Ghost, German infantry, 9-9", 0),
            "a unit that is more in words": (["faces", 0], scene["faces"][0] + " of iron", LOOKS),
            "what a ground is": (["terrain", 0], "lava", LOOKS),
            "what a mark is": (["marks", 0], "treasure", LOOKS),
            "a place called otherwise": (["hexes", 0, 5], "Paris", LOOKS),
            "the ground of the whole game": (["frames", 0, "ground", "0"], 1, LOOKS),
        }
        for what, (path, value, seen) in changed.items():
            yield Row(what, name, [("scene", path, value)], seen)
        yield Row("a counter with another name", name, [("#f0 text", ["textContent"], "Ghost")], 0)
        yield Row("a counter with other factors", name, [("#f0 .factors", ["textContent"], "9-9")], LOOKS)
        yield Row("a number printed elsewhere", name, [("#map .number", ["textContent"], "9999")], 0)
        yield Row("a place printed otherwise", name, [("#map .label", ["textContent"], "Paris")], LOOKS)


# What is unproven


def _told() -> Iterator[Row]:
    """The story, the luck, and the first position together with its map.

    In Mortain the first orders lead to a card, so their entry signs the first position; in Rommel none does.
    """
    for name in (CARDS, DICE):
        for n in (3, 30, 60, 90):
            place = f"#entry-{n}"
            yield Row(f"what {n} did", name, [(f"{place} p", ["textContent"], "US: gives up")], STORY)
            yield Row(f"what is told of {n}", name, [(place, ["textContent"], "US: gives up")], STORY)
        yield Row("the edition", name, [("header .game li", ["textContent"], "edition of 1899")], TITLE)
        yield Row("the title", name, [("h1", ["textContent"], "Waterloo")], TITLE)
        for cell in ("#luck td:nth-child(2)", "#luck td:nth-child(5)", "#luck p", "#luck li"):
            yield Row(f"luck: {cell}", name, [(cell, ["textContent"], "99%")], LUCK)
    written, frames = (data_in(page_of(CARDS), "positions"), data_in(page_of(CARDS), "scene")["frames"])
    first = next(n for n, one in enumerate(written) if n and one is not None)
    both: Changes = [("positions", [0, "turn"], [3]), ("positions", [first, "turn"], [1])]
    yield Row("the first position", CARDS, both, 0)
    figures = [["Turn", "3 of 6"], *frames[0]["figures"][1:]]
    shown: Changes = [("scene", ["frames", 0, "figures"], figures)]
    shown.append(("scene", ["frames", first, "figures"], frames[first].get("figures", frames[0]["figures"])))
    yield Row("the first position and what is shown of it", CARDS, [*both, *shown], first)
    weather: Changes = [("positions", [0, "weather"], ["storm"]), ("positions", [2, "weather"], [None])]
    yield Row("the first position, which nobody signs", DICE, weather, BEFORE)


# The file of a page, with elements, attributes and styles that pbem did not write


class Edit(NamedTuple):
    """An edit of the file of the page `DICE`, and the entry that must be red.

    `page` is the page's own result, None if it holds and shows its own map all the same; `checker` is the
    result of the checker, which reads no style sheet.
    """

    name: str
    edit: Callable[[str], str]
    page: int | None
    checker: int | None


NUMBER = '<text x="50" y="12" class="number">0101</text>'
GROUND = '<use href="#t1" x="50" y="43"/>'
SIGNED = 7
"""An entry whose words are altered, so that its signature fails."""

HOLDS = "Passes: every signature, and all else that there is to check."


def edits() -> list[Edit]:
    """All edits."""
    return [
        Edit("the verdict in other words and colours", _forged_verdict, SIGNED, SIGNED),
        Edit("the verdict behind a shadow", _shadowed_verdict, SIGNED, SIGNED),
        Edit("the verdict under a dialog", _covered_verdict, SIGNED, SIGNED),
        *_figures_edited(),
        Edit("a number moved by a style", _number_styled, None, None),
        *(Edit(f"{name} by a style sheet", _styled(css), None, None) for name, css in STYLES.items()),
        Edit("a counter among the grounds", _replacing(GROUND, GROUND.replace("#t1", "#f0")), None, 0),
        *(Edit(name, _replacing(old, new), 0, 0) for name, (old, new) in DRAWING.items()),
    ]


def _figures_edited() -> Iterator[Edit]:
    """From the first position on: three of five points are Allied, and a village is lost."""
    for figure, value in (("Allied points", "3 of 5"), ("Allied villages", "lost 2107")):

        def change(scene: Any, figure: str = figure, value: str = value) -> None:
            for frame in scene["frames"]:
                for one in frame.get("figures", ()):
                    if one[0] == figure:
                        one[1] = value

        yield Edit(figure, lambda html, change=change: alter_data(html, "scene", change), 0, 0)  # type: ignore[misc]


def _on_number(more: str, inside: str = "") -> tuple[str, str]:
    return NUMBER, NUMBER.replace("<text", f"<text {more}").replace("0101", f"{inside}0101")


_WHITE = '<path d="M0 0h900v900h-900z" fill="white"/>'

DRAWING: dict[str, tuple[str, str]] = {
    "a number moved": _on_number('transform="translate(75 43)"'),
    "a number moved by its letters": _on_number('dx="75"'),
    "a number hidden": _on_number('visibility="hidden"'),
    "a number not displayed": _on_number('display="none"'),
    "a number that nobody can see": _on_number('opacity="0"'),
    "a number of a class that is transparent": (NUMBER, NUMBER.replace("number", "number cell")),
    "a number moved in time": _on_number("", '<animate attributeName="x" to="500" fill="freeze"/>'),
    "the counters moved": ('<g id="counters">', '<g id="counters" transform="translate(75 43)">'),
    "the counters off the canvas": ('<g id="counters">', '<g id="counters" transform="translate(9999 0)">'),
    "the counters hidden": ('<g id="counters">', '<g id="counters" visibility="hidden">'),
    "the counters cut away": ('<g id="counters">', '<g id="counters" clip-path="url(#hex)">'),
    "the counters moved in time": (
        '<div id="large"',
        '<svg><animateTransform href="#counters" type="translate" to="75 43" fill="freeze"/></svg>'
        '<div id="large"',
    ),
    "the numbers moved": ("</g><g>", '</g><g transform="translate(75 43)">'),
    "a face moved": ('<g id="f0">', '<g id="f0" transform="translate(75 43)">'),
    "the name on a face moved": (
        '<text y="-18" class="c-tan-ink name" font-size="12">125Inf',
        '<text x="75" y="-18" class="c-tan-ink name" font-size="12">125Inf',
    ),
    "another face of that name before": ('<header id="bar">', '<svg><g id="f0"/></svg><header id="bar">'),
    "something over the counters": ('<g id="cells">', f'{_WHITE}<g id="cells">'),
    "something among the cells": ('<g id="cells">', f'<g id="cells">{_WHITE}'),
    "something among the numbers": (NUMBER, f"{_WHITE}{NUMBER}"),
    "a group among the roads": (NUMBER, f'<g class="road">{_WHITE}</g>{NUMBER}'),
    "words over the map": (NUMBER, f"<foreignObject><p>0102</p></foreignObject>{NUMBER}"),
    "a ground in the next hex": (GROUND, GROUND.replace("50", "125")),
}

STYLES = {
    "numbers moved": ".number{transform:translate(75px,43px)}",
    "counters moved": "#counters{translate:75px 43px}",
    "counters moved off": "#counters use{transform:translate(9999px,0)!important}",
    "counters hidden": "#counters{visibility:hidden}",
    "counters not displayed": "#counters{display:none}",
    "counters transparent": "#counters use{opacity:0}",
    "the map covered": "#stage::after{content:'';position:absolute;inset:0;background:white}",
}


def _replacing(old: str, new: str) -> Callable[[str], str]:
    def edit(html: str) -> str:
        assert old in html
        return html.replace(old, new, 1)

    return edit


def with_styles(html: str) -> str:
    """The page with any styles allowed."""
    return re.sub(r"style-src [^;]*;", "style-src 'unsafe-inline';", html, count=1)


def _styled(css: str) -> Callable[[str], str]:
    return lambda html: with_styles(html).replace("</head>", f"<style>{css}</style></head>", 1)


def _number_styled(html: str) -> str:
    old, new = _on_number('style="transform:translate(75px,43px)"')
    return with_styles(html).replace(old, new, 1)


def _false(html: str) -> str:
    """The page with a false entry, and any styles."""
    return with_styles(alter_data(html, "log", lambda log: log[SIGNED].update(say="Coward!")))


def _forged_verdict(html: str) -> str:
    """The verdict of a failure, in the words and colours of success."""
    said = json.dumps({"FAILS, step {step}. Entry {entry}: {problem}.": HOLDS})
    table = f'<script type="application/json" id="texts">{said}</script>'
    css = (
        "[data-proof=fails] .verdict{all:unset!important}[popover]{display:none!important}"
        f"#verdict{{font-size:0!important}}#verdict::before{{content:'{HOLDS}';font-size:16px}}"
        "html{opacity:.99;zoom:.01}body{zoom:100}"
    )
    return _styled(css)(_false(html)).replace("<header", f"{table}<header", 1)


def _shadowed_verdict(html: str) -> str:
    """The header's shadow shows other words in its place."""
    shadow = f'<template shadowrootmode="closed"><p>{HOLDS}</p></template>'
    return _false(html).replace('<header id="bar">', f'<header id="bar">{shadow}', 1)


def _covered_verdict(html: str) -> str:
    """Something covers it, which needs no style."""
    return _false(html).replace("<header", f"<dialog open>{HOLDS}</dialog><header", 1)
