"""Step through a game in the terminal: `replay`."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.arguments import File, NoColor
from pbem.cli.lazy import commands
from pbem.cli.session import desk, open_file, refused
from pbem.cli.terminal import colour, interactive
from pbem.errors import FileError
from pbem.render.screen import mentioned, screen
from pbem.render.story import chapter, events
from pbem.render.window import changes, reaching, what_signs_mean
from pbem.render.words import fitted, quoted, safe
from pbem.texts import Texts
from pbem.umpire.game import Game, ReplayedEntry
from pbem.umpire.scenario import own_scenario

if TYPE_CHECKING:
    from prompt_toolkit import Application
    from prompt_toolkit.key_binding import KeyBindings

app = commands()
tr = Texts("pbem")

KEYS = {
    "next": ("n", " ", "enter", "right", "down", "pagedown"),
    "back": ("b", "backspace", "left", "up", "pageup"),
    "turn": ("t",),
    "combat": ("c",),
    "end": ("e", "end"),
    "begin": ("home",),
    "more": ("m",),
    "help": ("?", "h"),
}
"""The keys of each way to go; the first letter of its name is one of them. Digits choose an entry."""

MOST_FIGURES = 5
"""The most digits of an entry's number in any log."""

DEED = 1
"""The lines of orders that are kept after an entry's first line, where events follow."""

WIDE, STORY = 120, 44
"""From this width on, the story stands beside the map, in so many columns; else below."""


@app.command()
def replay(
    file: File = "",
    at: Annotated[int, typer.Option("--at", metavar="N", min=0, help="The entry to begin with.")] = 0,
    no_color: NoColor = False,
) -> None:
    """Step through a game, entry by entry: the map with what moved marked, and the story.

    Keys: n next, b back, t the next turn, c the next combat, e the end, q quit, ? the others; the arrows
    go as well. A number, then g, goes to that entry.

    Example: pbem replay mortain.yaml
    """
    mine = desk()
    opened = open_file(mine, file)
    game, typed = opened.game, quoted(opened.typed)
    if not interactive():
        hint = tr("the whole story at once: {command}", command=f"pbem log {typed}")
        raise FileError(tr("replay needs a terminal"), hint=hint)
    remark = str(refused(mine, opened) or "")
    _application(Replay(game, min(at, len(game.chapters) - 1), remark), colour(no_color)).run()


class Replay:
    """A game at entry `at`, and the ways to another; `read` lines of the entry's story have scrolled by.

    The `remark` stands first on every screen, such as that the file is older than the player's own copy.
    """

    def __init__(self, game: Game, at: int = 0, remark: str = "") -> None:
        self.game = game
        self.at = at
        self.remark = remark
        self.note = ""
        self.read = 0
        self.typed = ""
        self._fitted = 0

    def figure(self, figure: str) -> None:
        """Add a digit to the number of the entry to go to."""
        self.typed = (self.typed + figure)[-MOST_FIGURES:]
        self.note = tr("go to {number}: g", number=self.typed)

    def go_to(self) -> None:
        """Go to the entry whose number has been typed; stay, with a note, if there is none."""
        wanted, self.typed = self.typed, ""
        there = wanted and int(wanted) < len(self.game.chapters)
        last = len(self.game.chapters) - 1
        self.note = "" if there else tr("type an entry, 0 to {last}, then g", last=last)
        self.at = int(wanted) if there else self.at
        self.read = 0

    def go(self, way: str) -> None:
        """Go one of the ways of `KEYS`; stay, with a note, if there is no such entry."""
        self.typed = ""
        if way in ("more", "help"):
            self.note = tr("home begin; m more; 12 g: entry 12") if way == "help" else ""
            self.read += self._fitted if way == "more" else 0
            return
        last = len(self.game.chapters) - 1
        ahead = range(self.at + 1, last + 1)
        goals = {
            "next": ahead[:1],
            "back": range(max(self.at - 1, 0), self.at),
            "turn": [n for n in ahead if self._turn(n) != self._turn(self.at)],
            "combat": [n for n in ahead if self._fights(self.game.chapters[n])],
            "end": ahead[-1:],
            "begin": range(min(self.at, 1)),
        }[way]
        self.note = "" if goals else _none(way)
        self.at = next(iter(goals), self.at)
        self.read = 0

    def lines(self, width: int, height: int, *, coloured: bool) -> list[str]:
        """The lines of the screen: which entry it is, the map with the story, and the keys."""
        turn = self._turn(self.at)
        last = len(self.game.chapters) - 1
        head = fitted(safe(self.remark), width) if self.remark else []
        head.append(
            tr("Entry {entry} of {last}, turn {turn}", entry=self.at, last=last, turn=turn)
            if turn
            else tr("Entry {entry} of {last}", entry=self.at, last=last)
        )
        if own := own_scenario(self.game):
            head += fitted(tr("scenario: {name}", name=own.text), width)
        room = height - len(head) - 1
        draw = self._beside if width >= WIDE else self._below
        body = draw(width, room, coloured)
        body += [""] * (room - len(body))
        keys = tr("n)ext b)ack t)urn c)ombat e)nd q)uit ?")
        return [*head, *body, f"{keys}  {self.note}"[:width]]

    def _beside(self, width: int, height: int, coloured: bool) -> list[str]:
        """The map, and the story on its right."""
        left = width - STORY - 2
        bare, drawn = self._map(left, height, False), self._map(left, height, coloured)
        story = self._story(STORY, height)
        blanks = [" " * (left + 2 - len(line)) for line in bare]
        lines = zip_longest(drawn, blanks, story, fillvalue=None)
        return [
            f"{line or ''}{blank or ' ' * (left + 2)}{text or ''}".rstrip() for line, blank, text in lines
        ]

    def _below(self, width: int, height: int, coloured: bool) -> list[str]:
        """The map above the story, which has a third of the screen at most."""
        story = self._story(width, max(height // 3, 1))
        drawn = self._map(width, height - len(story), coloured)
        return [*drawn, *[""] * (height - len(story) - len(drawn)), *story]

    def _story(self, width: int, height: int) -> list[str]:
        """The part of the entry's story to read now, and a line on how much is left."""
        entry = self.game.chapters[self.at]
        first, *rest = chapter(self.game, entry, width).split("\n")
        told = events(self.game, entry.told, width)
        deed = len(rest) - sum(line.count("\n") + 1 for line in told)
        if told and deed > DEED:
            rest[DEED:deed] = ["      ..."]
        lines = [first, *rest][self.read :] or [first, *rest][-1:]
        self._fitted = 0 if len(lines) <= height else height - 1
        if not self._fitted:
            return lines
        left = len(lines) - self._fitted
        return [
            *lines[: self._fitted],
            f"    {tr.plural('({number} line more: m)', '({number} lines more: m)', left)}",
        ]

    def _map(self, width: int, height: int, coloured: bool) -> list[str]:
        """The map after the entry, with what it has changed marked."""
        view, chapters = self.game.rules.view, self.game.chapters
        now = view.legend(chapters[self.at].state)
        signs = changes(view.legend(chapters[max(self.at - 1, 0)].state), now)
        focus = [*signs, *mentioned(now, [tell.facts for tell in chapters[self.at].told])]
        return screen(
            reaching(now, signs, what_signs_mean()) if signs else now, width, height, focus, colour=coloured
        ).lines

    def _turn(self, n: int) -> int | None:
        turn_of = self.game.rules.view.turn
        return turn_of(self.game.chapters[n].state) if turn_of else None

    def _fights(self, entry: ReplayedEntry) -> bool:
        settles = self.game.rules.view.combat
        return settles is not None and any(map(settles, entry.told))


def _none(way: str) -> str:
    """The note that there is no entry that way."""
    match way:
        case "next":
            return tr("no next from here")
        case "back":
            return tr("no back from here")
        case "turn":
            return tr("no turn from here")
        case "combat":
            return tr("no combat from here")
        case "end":
            return tr("no end from here")
        case _:
            return tr("no begin from here")


def _application(replay: Replay, coloured: bool) -> Application[None]:
    """The full-screen application, redrawn after each key and whenever the size changes."""
    # here, because no other command takes the whole screen
    from prompt_toolkit import Application
    from prompt_toolkit.application import get_app
    from prompt_toolkit.formatted_text import ANSI
    from prompt_toolkit.layout import FormattedTextControl, Layout, Window

    def text() -> ANSI:
        size = get_app().output.get_size()
        return ANSI("\n".join(replay.lines(size.columns - 1, size.rows, coloured=coloured)))

    control = FormattedTextControl(text, show_cursor=False)
    return Application(Layout(Window(control)), key_bindings=_bindings(replay), full_screen=True)


def _bindings(replay: Replay) -> KeyBindings:
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    bindings = KeyBindings()
    for way, keys in KEYS.items():
        for key in keys:
            bindings.add(key)(lambda event, way=way: replay.go(way))

    for figure in "0123456789":
        bindings.add(figure)(lambda event, figure=figure: replay.figure(figure))
    bindings.add("g")(lambda event: replay.go_to())

    def leave(event: KeyPressEvent) -> None:
        event.app.exit()

    for key in ("q", "c-c", "c-d"):
        bindings.add(key)(leave)
    return bindings
