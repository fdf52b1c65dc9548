"""Review a game: `log` prints its story, `replay` steps through it, `report` finds its turning points."""

from __future__ import annotations

from itertools import zip_longest
from math import inf
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.base.interrupts import raise_on_interrupt
from pbem.cli.arguments import File, Json, NoColor, Workers, complete_with
from pbem.cli.command_groups import commands
from pbem.cli.paging import paged
from pbem.cli.progress import TimeLeft, describe_playouts_done
from pbem.cli.session import find_refusal, local_player, open_file, open_to_read, require_computer_players
from pbem.cli.terminal import is_interactive, may_use_colour, printable_size, put, put_json, put_lines
from pbem.correspondence.open_file import OpenedGame
from pbem.errors import FileError, PbemError
from pbem.player import story_excerpt
from pbem.player.local_player import LocalPlayer, may_be_reviewed
from pbem.render.ascii_map import changed_hexes, explain_change_signs, mark_reach
from pbem.render.safe_text import fit_lines, quote_path, safe_text, wrap
from pbem.render.screen import draw_screen, mentioned_hexes
from pbem.render.story import (
    describe_entry,
    describe_events,
    entry_as_data,
    entry_remarks,
    game_as_data,
    journal_csv,
    story,
    summary,
)
from pbem.texts import Texts
from pbem.umpire.game_state import Game, ReplayedEntry
from pbem.umpire.offered_scenario import own_scenario

if TYPE_CHECKING:
    from prompt_toolkit import Application
    from prompt_toolkit.key_binding import KeyBindings

    from pbem.analysis.turning_points import GameReport

tr = Texts("pbem")


app = commands()


@app.command()
def log(
    file: File = "",
    turn: Annotated[
        int | None, typer.Option("--turn", metavar="N", min=1, help="Show only the entries of one turn.")
    ] = None,
    unit: Annotated[
        str,
        typer.Option(
            "--unit",
            metavar="NAME",
            help="Show only one unit's orders, and what happened to it.",
            autocompletion=complete_with("units"),
        ),
    ] = "",
    as_json: Json = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print a table for a spreadsheet, with one row per event.")
    ] = False,
) -> None:
    """Print the story of a game, entry by entry.

    Example: pbem log mortain.yaml
    """
    player = local_player()
    game = open_to_read(player, file).game
    if as_csv:
        put_lines(journal_csv(game).splitlines())
        return
    if turn is None and not unit and not as_json:
        with paged():
            put(
                story(
                    game,
                    player.key if player.has_key else None,
                    _plan_remarks(player, game),
                    printable_size()[0],
                )
            )
        return

    found = list(game.replayed_entries) if turn is None else story_excerpt.entries_of_turn(game, turn)
    if unit:
        name = story_excerpt.find_unit(game, unit)
        found = [part for entry in found if (part := story_excerpt.excerpt_for_unit(game, entry, name))]
    if as_json:
        put_json({**game_as_data(game), "log": [entry_as_data(game, entry) for entry in found]})
        return
    remarks = entry_remarks(game, _plan_remarks(player, game))
    lines = "\n".join(
        describe_entry(game, replayed, printable_size()[0], remark=remarks.get(replayed.entry.id, ""))
        for replayed in found
    )
    with paged():
        put(lines or tr("no entry of the game mentions that"))


def _plan_remarks(player: LocalPlayer, game: Game) -> dict[str, str]:
    """Remarks on the entries written by the player's plan, which nobody else can know."""
    if not player.store.records.read(game.ids[0]).plan.written:
        return {}
    from pbem.player.plans.plan_store import entries_by_plan  # 3 ms

    found = entries_by_plan(player.home, game).items()
    return {entry: tr("by your plan, step {step}", step=answer.step) for entry, answer in found}


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
"""The keys of each direction; the first letter of its name is one of them. Digits choose an entry."""

MOST_FIGURES = 5
"""The most digits in the number of an entry."""

DEED = 1
"""How many lines of orders are kept after an entry's first line if events follow."""

WIDE, STORY = 120, 44
"""The screen width from which the story is beside the map, and its columns there; else it is below."""


@app.command()
def replay(
    file: File = "",
    at: Annotated[int, typer.Option("--at", metavar="N", min=0, help="The entry to start at.")] = 0,
    no_color: NoColor = False,
) -> None:
    """Step through a game, entry by entry: the story, and the map with each move marked.

    Keys: n next, b back, t the next turn, c the next combat, e the end, q quit, ? lists the others. The
    arrow keys work too. To go to an entry, type its number, then g.

    Example: pbem replay mortain.yaml
    """
    player = local_player()
    opened = open_file(player, file)
    game, typed = opened.game, quote_path(opened.typed)
    if not is_interactive():
        hint = tr("for the whole story at once: {command}", command=f"pbem log {typed}")
        raise FileError(tr("replay needs a terminal"), hint=hint)
    remark = str(find_refusal(player, opened) or "")
    _make_application(
        Replay(game, min(at, len(game.replayed_entries) - 1), remark), may_use_colour(no_color)
    ).run()


class Replay:
    """A game at entry `at`, and how to move to another. `read`: lines of the story scrolled past.

    The `remark` comes first on every screen, for instance that the file is older than the player's own copy.
    """

    def __init__(self, game: Game, at: int = 0, remark: str = "") -> None:
        self.game = game
        self.at = at
        self.remark = remark
        self.note = ""
        self.read = 0
        self.typed = ""
        self._fitted = 0

    def add_digit(self, figure: str) -> None:
        """Add a digit to the number of the entry to go to."""
        self.typed = (self.typed + figure)[-MOST_FIGURES:]
        self.note = tr("go to {number}: g", number=self.typed)

    def go_to_entry(self) -> None:
        """Go to the entry whose number was typed; if there is none, stay and say so."""
        wanted, self.typed = self.typed, ""
        there = wanted and int(wanted) < len(self.game.replayed_entries)
        last = len(self.game.replayed_entries) - 1
        self.note = "" if there else tr("type an entry, 0 to {last}, then g", last=last)
        self.at = int(wanted) if there else self.at
        self.read = 0

    def go(self, way: str) -> None:
        """Go in one of the directions of `KEYS`; if there is no such entry, stay and say so."""
        self.typed = ""
        if way in ("more", "help"):
            self.note = tr("home begin; m more; 12 g: entry 12") if way == "help" else ""
            self.read += self._fitted if way == "more" else 0
            return
        last = len(self.game.replayed_entries) - 1
        ahead = range(self.at + 1, last + 1)
        goals = {
            "next": ahead[:1],
            "back": range(max(self.at - 1, 0), self.at),
            "turn": [n for n in ahead if self._turn(n) != self._turn(self.at)],
            "combat": [n for n in ahead if self._has_combat(self.game.replayed_entries[n])],
            "end": ahead[-1:],
            "begin": range(min(self.at, 1)),
        }[way]
        self.note = "" if goals else _describe_no_entry(way)
        self.at = next(iter(goals), self.at)
        self.read = 0

    def lines(self, width: int, height: int, *, coloured: bool) -> list[str]:
        """The lines of the screen: the entry, the map with the story, and the keys."""
        turn = self._turn(self.at)
        last = len(self.game.replayed_entries) - 1
        head = fit_lines(safe_text(self.remark), width) if self.remark else []
        head.append(
            tr("Entry {entry} of {last}, turn {turn}", entry=self.at, last=last, turn=turn)
            if turn
            else tr("Entry {entry} of {last}", entry=self.at, last=last)
        )
        if own := own_scenario(self.game):
            head += fit_lines(tr("scenario: {name}", name=own.text), width)
        room = height - len(head) - 1
        draw = self._draw_side_by_side if width >= WIDE else self._draw_stacked
        body = draw(width, room, coloured)
        body += [""] * (room - len(body))
        keys = tr("n)ext b)ack t)urn c)ombat e)nd q)uit ?")
        return [*head, *body, f"{keys}  {self.note}"[:width]]

    def _draw_side_by_side(self, width: int, height: int, coloured: bool) -> list[str]:
        """The map, with the story to its right."""
        left = width - STORY - 2
        bare, drawn = self._map(left, height, False), self._map(left, height, coloured)
        story = self._story(STORY, height)
        blanks = [" " * (left + 2 - len(line)) for line in bare]
        lines = zip_longest(drawn, blanks, story, fillvalue=None)
        return [
            f"{line or ''}{blank or ' ' * (left + 2)}{text or ''}".rstrip() for line, blank, text in lines
        ]

    def _draw_stacked(self, width: int, height: int, coloured: bool) -> list[str]:
        """The map above the story, which takes at most a third of the screen."""
        story = self._story(width, max(height // 3, 1))
        drawn = self._map(width, height - len(story), coloured)
        return [*drawn, *[""] * (height - len(story) - len(drawn)), *story]

    def _story(self, width: int, height: int) -> list[str]:
        """The visible part of the entry's story, and a line that says how much is left."""
        entry = self.game.replayed_entries[self.at]
        first, *rest = describe_entry(self.game, entry, width).split("\n")
        told = describe_events(self.game, entry.events, width)
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
        """The map after the entry, with its changes marked."""
        view, chapters = self.game.rules.view, self.game.replayed_entries
        now = view.legend(chapters[self.at].state)
        signs = changed_hexes(view.legend(chapters[max(self.at - 1, 0)].state), now)
        focus = [*signs, *mentioned_hexes(now, [tell.facts for tell in chapters[self.at].events])]
        return draw_screen(
            mark_reach(now, signs, explain_change_signs()) if signs else now,
            width,
            height,
            focus,
            colour=coloured,
        ).lines

    def _turn(self, n: int) -> int | None:
        turn_of = self.game.rules.view.turn
        return turn_of(self.game.replayed_entries[n].state) if turn_of else None

    def _has_combat(self, entry: ReplayedEntry) -> bool:
        settles = self.game.rules.view.combat
        return settles is not None and any(map(settles, entry.events))


def _describe_no_entry(way: str) -> str:
    """The note that there is no entry in that direction."""
    match way:
        case "next":
            return tr("there is nothing after this")
        case "back":
            return tr("there is nothing before this")
        case "turn":
            return tr("there are no turns after this")
        case "combat":
            return tr("there is no combat after this")
        case "end":
            return tr("you are already at the end")
        case _:
            return tr("you are already at the beginning")


def _make_application(replay: Replay, coloured: bool) -> Application[None]:
    """The full-screen application, redrawn after each key and when the size changes."""
    # imported here: no other command takes the whole screen
    from prompt_toolkit import Application  # 61 ms
    from prompt_toolkit.application import get_app
    from prompt_toolkit.formatted_text import ANSI
    from prompt_toolkit.layout import FormattedTextControl, Layout, Window

    def text() -> ANSI:
        size = get_app().output.get_size()
        return ANSI("\n".join(replay.lines(size.columns - 1, size.rows, coloured=coloured)))

    control = FormattedTextControl(text, show_cursor=False)
    return Application(Layout(Window(control)), key_bindings=_key_bindings(replay), full_screen=True)


def _key_bindings(replay: Replay) -> KeyBindings:
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent  # 64 ms

    bindings = KeyBindings()
    for way, keys in KEYS.items():
        for key in keys:
            bindings.add(key)(lambda event, way=way: replay.go(way))

    for figure in "0123456789":
        bindings.add(figure)(lambda event, figure=figure: replay.add_digit(figure))
    bindings.add("g")(lambda event: replay.go_to_entry())

    def leave(event: KeyPressEvent) -> None:
        event.app.exit()

    for key in ("q", "c-c", "c-d"):
        bindings.add(key)(leave)
    return bindings


ReportPlayouts = Annotated[
    int | None,
    typer.Option(
        "--playouts", min=1, help="How many playouts to make (default: as many as fit into 20 seconds)."
    ),
]


@app.command()
def report(
    file: File = "",
    playouts: ReportPlayouts = None,
    more: Annotated[
        int,
        typer.Option(
            "--more", count=True, help="Make four times as many playouts, for intervals half as wide."
        ),
    ] = 0,
    workers: Workers = 0,
    entry: Annotated[
        int | None,
        typer.Option(
            "--entry",
            metavar="N",
            min=0,
            help="Review one entry: the chance before and after it, and the orders the computer would give.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what decided a game: the chance of winning at each moment, and how luck and decisions changed it.

    Computer players play the game out many times from each of its positions, for 20 seconds at most.
    The same file and number of playouts give the same report on any computer.

    Example: pbem report mortain.yaml
    """
    # 21 ms
    from pbem.analysis.report_text import (
        describe_report,
        report_data,  # imported here: `page` needs none of these
    )

    player = local_player()
    opened = open_to_read(player, file)
    require_computer_players(opened.game.rules)
    if entry is not None:
        _check_entry(player, opened.game, entry)
    found = compute_report(opened, playouts, workers, 4**more, entry)
    if entry is not None:
        _put_entry_review(player, opened.game, found, entry, as_json=as_json)
        return
    if as_json:
        put_json(report_data(opened.game, found))
        return
    width, _ = printable_size()
    put_lines(
        [
            wrap(summary(opened.game, None, width, players=False), width),
            *describe_report(opened.game, found, width),
        ]
    )
    command = " ".join(["pbem report", *([quote_path(file)] if file else [])])
    put()
    if found.ended_by_clock:
        put(wrap(tr("pbem stopped when its time was up. To get the same figures on any computer:"), width))
        put(f"  {command} --playouts {found.playouts}")
    put(wrap(tr("For four times as many playouts, and intervals half as wide:"), width))
    put(f"  {command} --more{' --more' * more}")


def _check_entry(player: LocalPlayer, game: Game, entry: int) -> None:
    """Raise `PbemError` for an entry the computer must not review, or that the game does not have."""
    if not may_be_reviewed(game, player):
        raise PbemError(
            tr("the computer does not review a game against a person before it is over"),
            hint=tr("ask again when the game is over, or review a practice game"),
        )
    if entry >= len(game.entries):
        raise PbemError(tr("there is no entry {found}: 0 to {last}", found=entry, last=len(game.entries) - 1))


def _put_entry_review(
    player: LocalPlayer, game: Game, report: GameReport, entry: int, *, as_json: bool
) -> None:
    """Print the review of one entry, with the chances of the player's own side."""
    from pbem.analysis.game_review import entry_review_data, explain_figures, review_entry  # 21 ms

    if as_json:
        put_json(entry_review_data(game, report, entry))
        return
    own = player.seats(game)
    reviewed = review_entry(game, report, entry, own[0] if len(own) == 1 else "")
    width, _ = printable_size()
    put_lines([wrap(line, width, 2) for line in reviewed.lines])
    if reviewed.has_steps:
        put()
        put(wrap(explain_figures(report, entry), width))


def compute_report(
    opened: OpenedGame, playouts: int | None, workers: int = 0, times: int = 1, entry: int | None = None
) -> GameReport:
    """Compute the report of a game, with `times` the number of playouts and a progress bar.

    If no number is given, the clock might end it earlier. With an `entry`, all playouts are for that one.
    """
    from pbem.analysis.game_review import steps_of_entry
    from pbem.analysis.playouts import main_line  # 25 ms
    from pbem.analysis.turning_points import REPORT_SECONDS, make_report, playout_runner
    from pbem.base.worker_pool import cores

    game = opened.game
    positions = main_line(game)
    bar = TimeLeft(describe_playouts_done)
    try:
        with raise_on_interrupt(), playout_runner(game, positions, opened.data, workers or cores()) as hands:
            seconds = inf if playouts else times * REPORT_SECONDS
            number = times * (playouts or game.rules.playouts)
            steps = None if entry is None else steps_of_entry(positions, entry)
            return make_report(game.rules, positions, number, hands, bar, seconds, steps)
    except KeyboardInterrupt:
        raise typer.Abort from None
    finally:
        bar.clear()
