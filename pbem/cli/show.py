"""Show a game: `show`."""

from __future__ import annotations

import sys
from typing import Annotated, Any, NamedTuple

import typer

from pbem.cli.arguments import File, Json, NoColor, offering
from pbem.cli.exit_codes import FAILED
from pbem.cli.lazy import commands
from pbem.cli.overlays import Wanted, hex_of, laid
from pbem.cli.paging import Screenful, put_screenful
from pbem.cli.session import desk, head_of, meet, open_file
from pbem.cli.terminal import put_json, room, warn
from pbem.core.legend import Legend
from pbem.core.requests import Tell
from pbem.core.rules import Overlay
from pbem.core.run import public
from pbem.core.sentences import joined
from pbem.correspondence.open_file import Opened
from pbem.errors import ShelfError, UnknownGame
from pbem.format.keys import PrivateKey
from pbem.player.actions.action import ActionContext
from pbem.player.actions.preconditions import is_commander, possible
from pbem.player.local_player import LocalPlayer
from pbem.player.status.describe_status import (
    asks,
    is_overdue,
    remarked,
    stamp,
    waiting,
    what_next,
    wishes_as_data,
)
from pbem.player.status.game_status import GameStatus, Remark, game_status, of_the_file
from pbem.player.store.read_marker import ReadMarker
from pbem.render.picture import board
from pbem.render.screen import mentioned
from pbem.render.story import aims, as_data, events, game_as_data, sealed_by_you, summary, told
from pbem.render.window import MOST_RADIUS, around, only, reaching
from pbem.render.words import WIDTH, cut, quoted, safe, wrap
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game import Game, ReplayedEntry

app = commands()
tr = Texts("pbem")


@app.command()
def show(
    file: File = "",
    whole: Annotated[
        bool, typer.Option("--whole", help="All that happened, the whole map with its key, every counter.")
    ] = False,
    at: Annotated[
        int | None, typer.Option("--at", metavar="N", min=0, help="The game as it stood after entry N.")
    ] = None,
    los: Annotated[
        str,
        typer.Option(
            "--los",
            metavar="HEX",
            help="What is seen from a hex, and what blocks the rest.",
            autocompletion=offering("hexes"),
        ),
    ] = "",
    zones: Annotated[
        bool, typer.Option("--zones", help="The zones of control; in a set-up, its zones.")
    ] = False,
    supply: Annotated[bool, typer.Option("--supply", help="Where units are in supply.")] = False,
    threats: Annotated[
        bool, typer.Option("--threats", help="Which of your units could be attacked from where; the chance.")
    ] = False,
    centre: Annotated[
        str,
        typer.Option(
            "--around",
            metavar="HEX",
            help="Only the hexes around this one, and all in them.",
            autocompletion=offering("hexes"),
        ),
    ] = "",
    radius: Annotated[
        int, typer.Option("--radius", min=1, max=MOST_RADIUS, help="How many hexes around it.")
    ] = 3,
    layer: Annotated[
        str, typer.Option("--layer", metavar="NAME", help="Only the counters of one layer, such as air.")
    ] = "",
    as_json: Json = False,
    no_color: NoColor = False,
) -> None:
    """Check a game file, unlock what is yours to see, tell what happened and what is asked; the map.

    Writes nothing into the file. Prints what fits a terminal, or 40 lines; all of it with --whole.

    Example: pbem show mortain.yaml
    """
    mine = desk()
    opened = open_file(mine, file)
    refusal = _shelve(mine, opened)
    seen = _seen(mine, opened.game, at)
    remarks = [*of_the_file(refusal, head_of(opened)), *(seen.now.remarks if seen.now else ())]
    if refusal:
        remarks = [remark for remark in remarks if remark.kind != "fork"]  # the refusal says the same
    words = seen.now.words if seen.now else ""
    legend, own = _own_first(mine, seen)
    legend = _part(legend, layer, centre, radius)
    over = laid(seen.game, seen.state, legend, seen.seats, Wanted(los, zones, supply, threats))
    if as_json:
        put_json(
            {
                **_as_data(seen),
                **(
                    _open_acts(ActionContext(mine, seen.game, opened.file))
                    if seen.now and mine.has_key
                    else {}
                ),
                **({"words": words} if words else {}),
                **(wishes_as_data(seen.now.wish) if seen.now else {}),
                "board": board(legend),
                **(over.data if over else {}),
                **({"remarks": [remark.words for remark in remarks]} if remarks else {}),
            }
        )
    elif over:
        put_screenful(_first(remarks, _overlaid(seen, legend, over.overlay)), whole=whole, no_color=no_color)
    else:
        whole = bool(whole or centre or layer)
        screenful = _screenful(seen, legend, None if refusal else opened.typed, WIDTH if whole else room()[0])
        screenful = _first(remarks, screenful._replace(first=own))
        if seen.now and (lines := waiting(seen.now, opened.typed)):
            screenful.below.append("\n".join(wrap(line, indent=2) for line in lines))
        put_screenful(screenful, whole=whole, no_color=no_color)
        if at is None and not refusal and sys.stdout.isatty():
            ReadMarker(mine.home).note(seen.game)
    if refusal:
        raise typer.Exit(FAILED)


def _first(remarks: list[Remark], screenful: Screenful) -> Screenful:
    """A screenful with remarks before everything else, except the one on the scenario, which its head has."""
    said = [
        wrap(line, indent=2) for line in remarked(remark for remark in remarks if remark.kind != "scenario")
    ]
    return screenful._replace(head=[*said, *screenful.head], short=[*said, *screenful.short])


class Seen(NamedTuple):
    """A game as its reader may see it: now; or after an entry, when there is no status."""

    game: Game
    key: PrivateKey | None
    now: GameStatus | None
    then: ReplayedEntry

    @property
    def state(self) -> Any:
        """The state of the rules."""
        return self.now.table.run.state if self.now else self.then.state

    @property
    def aim(self) -> list[str]:
        """The victory conditions, and each side's progress."""
        aim = self.game.rules.view.aim
        if self.now:
            return aims(self.now.table)
        return aim(self.state) if aim else []

    @property
    def news(self) -> tuple[ReplayedEntry, ...]:
        """The entries to describe."""
        return self.now.news if self.now else (self.then,)

    @property
    def unlocked(self) -> tuple[Tell, ...]:
        """The events that the reader's next share will record, and that he can see already."""
        return self.now.unlocked if self.now else ()

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats to show threats for: the player's own; for a spectator, or in solitaire, both."""
        held = permissions.held_seats(self.game, self.key) if self.key else ()
        return held if len(held) == 1 else self.game.rules.seats


def _seen(mine: LocalPlayer, game: Game, at: int | None) -> Seen:
    """The game now, or after entry `at`. Raises `typer.BadParameter` if there is no such entry."""
    key = mine.key if mine.has_key else None
    if at is None:
        return Seen(game, key, game_status(mine, game), game.chapters[-1])
    if at >= len(game.chapters):
        last = len(game.chapters) - 1
        problem = tr("there is no entry {found} in this game: 0 to {last}", found=at, last=last)
        raise typer.BadParameter(problem, param_hint="--at")
    return Seen(game, key, None, game.chapters[at])


def _own_first(mine: LocalPlayer, seen: Seen) -> tuple[Legend, list[str]]:
    """The position's legend; for a commander with his own units first, and their hexes (FORMAT 11)."""
    legend = seen.game.rules.view.legend(seen.state)
    if not any(seen.game.table.commanders.values()):
        return legend, []
    from pbem.player.orders.commander_view import own_first  # here, because few sides are shared

    return own_first(seen.game, mine.public, legend)


def _screenful(seen: Seen, legend: Legend, file: str | None, width: int) -> Screenful:
    """The news, the map where they happened, and the next step (none where there is no file to type)."""
    game, key, now = seen.game, seen.key, seen.now
    entries = [told(game, entry, width) for entry in seen.news]
    if seen.unlocked:
        title = f"    {tr('You can already see this; your next move records it in the file:')}"
        entries.append([title, *events(game, seen.unlocked, width)])
    if now:
        entries += [[line] for line in sealed_by_you(game, key)]
        below = [what_next(now.asked, game, key, file, width)] if file else []
    else:
        below = [_when(game, seen.then, width)]
    facts = [tell.facts for entry in seen.news for tell in entry.told] + [
        tell.facts for tell in seen.unlocked
    ]
    aim = [wrap(f"  {safe(line)}", width, indent=4) for line in seen.aim]
    head, short = summary(game, key, width), summary(game, key, width, players=False)
    shortest = [cut(f"  {safe(line)}", width) for line in seen.aim[:1]] if width < WIDTH else aim[:1]
    command = (
        f"pbem show {quoted(file)}{'' if now else f' --at {seen.then.entry.body.n}'} --whole" if file else ""
    )
    return Screenful(
        [head, *aim], entries, legend, mentioned(legend, facts), below, [short, *shortest], command
    )


def _overlaid(seen: Seen, legend: Legend, overlay: Overlay) -> Screenful:
    """The map with an overlay, and the lines that go with it."""
    below = [wrap(safe(line), indent=4) for line in overlay.lines]
    then = [] if seen.now else [_when(seen.game, seen.then)]
    drawn = reaching(legend, overlay.figures, overlay.meaning)
    top = [summary(seen.game, seen.key, players=False), *then]
    return Screenful(top, [], drawn, list(overlay.figures), below, top)


def _when(game: Game, then: ReplayedEntry, width: int = WIDTH) -> str:
    """After which entry the position is shown, and the pending question then."""
    asked = ""
    if then.asked:
        asked = f": {game.rules.side(then.asked.seat)}: {game.rules.view.prompt(then.asked)}"
    last = len(game.chapters) - 1
    after = tr("After entry {entry} of {last}", entry=then.entry.body.n, last=last)
    return wrap(f"{after}{safe(asked)}", width, indent=6)


def _as_data(seen: Seen) -> dict[str, Any]:
    """The shown game, for a program."""
    game = seen.game
    asked = seen.now.table.asked if seen.now else seen.then.asked
    return {
        **game_as_data(game),
        "aim": seen.aim,
        **(_situated(seen.now) if seen.now else {}),
        "news": [as_data(game, entry) for entry in seen.news],
        "unlocked": [{"event": tell.event, "rule": tell.rule, **tell.facts} for tell in seen.unlocked],
        "unlocked_story": [game.rules.view.story(tell) for tell in seen.unlocked],
        "position": public(game.rules, seen.state, asked),
    }


def _situated(now: GameStatus) -> dict[str, Any]:
    """The pending question and the result, for a program."""
    asked = now.asked
    waits = {
        "what": asked.what,
        "seat": asked.seat,
        "decision": asked.seat is not None and not asked.is_formality,
        "yours": asked.yours,
        "text": asks(asked),
        "since": stamp(asked.since),
        "until": stamp(asked.until),
        "overdue": is_overdue(asked),
    }
    ended = now.result
    result = {"winner": ended.winner or None, "reason": ended.reason, "new": ended.is_news} if ended else None
    return {"asked": waits, "result": result}


def _open_acts(hand: ActionContext) -> dict[str, Any]:
    """The actions that the player may take, and why not for each that he may not, for a program."""
    return {"acts": {kind: str(why) if why else None for kind, why in possible(hand).items()}}


def _part(legend: Legend, layer: str, centre: str, radius: int) -> Legend:
    """The part of the map that is asked for: one layer, the hexes around one, or both."""
    if layer:
        if layer not in legend.layers:
            raise typer.BadParameter(_no_layer(legend, layer), param_hint="--layer")
        legend = only(legend, layer)
    return around(legend, hex_of(legend, centre, "--around"), radius) if centre else legend


def _no_layer(legend: Legend, found: str) -> str:
    """The message that there is no such layer."""
    if not legend.layers:
        return tr("this game has no layers, so not '{found}' either", found=found)
    return tr("must be {layers}, not '{found}'", found=found, layers=joined(legend.layers, "or"))


def _shelve(mine: LocalPlayer, opened: Opened) -> ShelfError | None:
    """Put the file in the game store if it belongs there. A refusal is returned, to be told after showing."""
    game = opened.game
    try:
        place = None if opened.found else opened.file
        mine.keep(game, opened.data, new=is_commander(mine, game), file=place)
    except UnknownGame as unknown:
        if len(game.entries) > 1:
            warn(unknown)
        return None
    except ShelfError as refusal:
        return refusal
    meet(mine, game)
    return None
