"""Show a game: `show`."""

from __future__ import annotations

import sys
from typing import Annotated, Any, NamedTuple

import typer

from pbem.cli.arguments import File, Json, NoColor, offering
from pbem.cli.ending import FAILED
from pbem.cli.lazy import commands
from pbem.cli.overlays import Wanted, hex_of, laid
from pbem.cli.screenful import Screenful, put_screenful
from pbem.cli.session import desk, false_map, meet, open_file, suspended_words, waiting_words
from pbem.cli.terminal import put_json, room, warn
from pbem.core.legend import Legend
from pbem.core.requests import Tell
from pbem.core.rules import Overlay
from pbem.core.run import public
from pbem.core.sentences import joined
from pbem.correspondence.opening import Opened
from pbem.desk import Desk
from pbem.desk.acts.possible import is_commander
from pbem.desk.looked import Looked
from pbem.desk.situation import situation
from pbem.errors import PbemError, ShelfError, UnknownGame
from pbem.keys import PrivateKey
from pbem.render.picture import board
from pbem.render.screen import mentioned
from pbem.render.window import MOST_RADIUS, around, only, reaching
from pbem.render.words import WIDTH, cut, quoted, safe, said, wrap
from pbem.report import aims, as_data, events, game_as_data, sealed_by_you, summary, told, what_next
from pbem.texts import Texts
from pbem.umpire import Chapter, Game, seated
from pbem.umpire.table import Table

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
    remarks = _remarks(opened, refusal)
    seen = _seen(mine, opened.game, at)
    words = "" if seen.then else waiting_words(mine, seen.game)
    legend, own = _own_first(mine, seen)
    legend = _part(legend, layer, centre, radius)
    over = laid(seen.game, seen.state, legend, seen.seats, Wanted(los, zones, supply, threats))
    if as_json:
        put_json(
            {
                **_as_data(seen),
                **({"words": words} if words else {}),
                "board": board(legend),
                **(over.data if over else {}),
                **({"remarks": [str(remark) for remark in remarks]} if remarks else {}),
            }
        )
    elif over:
        put_screenful(_first(remarks, _overlaid(seen, legend, over.overlay)), whole=whole, no_color=no_color)
    else:
        whole = bool(whole or centre or layer)
        screenful = _screenful(seen, legend, None if refusal else opened.typed, WIDTH if whole else room()[0])
        screenful = _first(remarks, screenful._replace(first=own))
        if words:
            screenful.below.append("\n".join([tr("Your next orders take these words along:"), *said(words)]))
        if not seen.then and (suspended := suspended_words(mine, seen.game, opened.typed)):
            screenful.below.append("\n".join(suspended))
        put_screenful(screenful, whole=whole, no_color=no_color)
        if at is None and not refusal and sys.stdout.isatty():
            Looked(mine.home).note(seen.game)
    if refusal:
        raise typer.Exit(FAILED)


def _remarks(opened: Opened, refusal: ShelfError | None) -> list[PbemError]:
    """What a player should know before he looks: that this is an old file, or one with a false map."""
    false = PbemError(tr("the map in this file is not the game's; here is the true one"))
    return [*([refusal] if refusal else []), *([false] if false_map(opened) else [])]


def _first(remarks: list[PbemError], screenful: Screenful) -> Screenful:
    """A screenful with remarks before anything else."""
    lines = []
    for remark in remarks:
        lines.append(f"{tr('warning')}: {remark}")
        lines += [tr("hint: {hint}", hint=remark.hint)] if remark.hint else []
    said = [wrap(safe(line), indent=2) for line in lines]
    return screenful._replace(head=[*said, *screenful.head], short=[*said, *screenful.short])


class Seen(NamedTuple):
    """A game as its reader may see it: now, with what his share unlocks, or as it was after an entry."""

    game: Game
    key: PrivateKey | None
    table: Table
    then: Chapter | None
    recent: tuple[Chapter, ...] = ()

    @property
    def state(self) -> Any:
        """The state of the rules."""
        return self.then.state if self.then else self.table.run.state

    @property
    def aim(self) -> list[str]:
        """What wins, and how far each side is from it."""
        aim = self.game.rules.view.aim
        return aims(self.table) if self.then is None else aim(self.state) if aim else []

    @property
    def news(self) -> tuple[Chapter, ...]:
        """The entries to be told."""
        return (self.then,) if self.then else self.recent

    @property
    def unlocked(self) -> tuple[Tell, ...]:
        """What only his share tells."""
        return () if self.then else tuple(self.table.run.told)

    @property
    def seats(self) -> tuple[str, ...]:
        """Whose eyes are looking: his seat's; for a spectator, or in solitaire, both."""
        held = seated.held(self.game, self.key) if self.key else ()
        return held if len(held) == 1 else self.game.rules.seats


def _seen(mine: Desk, game: Game, at: int | None) -> Seen:
    """The game as it is to be shown. Raises `typer.BadParameter` if it has no such entry."""
    key = mine.key if mine.has_key else None
    if at is None:
        now = situation(mine, game)
        return Seen(game, key, now.table, None, now.news)
    if at >= len(game.chapters):
        last = len(game.chapters) - 1
        problem = tr("found {found}, expected an entry of the game, 0 to {last}", found=at, last=last)
        raise typer.BadParameter(problem, param_hint="--at")
    return Seen(game, key, game.table, game.chapters[at])


def _own_first(mine: Desk, seen: Seen) -> tuple[Legend, list[str]]:
    """The position; for a commander with his units before others, and their hexes (FORMAT 11)."""
    legend = seen.game.rules.view.legend(seen.state)
    if not any(seen.game.table.commanders.values()):
        return legend, []
    from pbem.desk.commander import own_first  # here, because few sides are shared

    return own_first(seen.game, mine.public, legend)


def _screenful(seen: Seen, legend: Legend, file: str | None, width: int) -> Screenful:
    """What happened, the map where it happened, and what is next (nothing where there is no file to type)."""
    game, key, then = seen.game, seen.key, seen.then
    entries = [told(game, one, width) for one in seen.news]
    if seen.unlocked:
        title = f"    {tr('Unlocked for you; your next move writes it into the file:')}"
        entries.append([title, *events(game, seen.unlocked, width)])
    if then:
        below = [_when(game, then, width)]
    else:
        entries += [[line] for line in sealed_by_you(game, key)]
        below = [what_next(game, seen.table, key, file, width)] if file else []
    facts = [tell.facts for one in seen.news for tell in one.told] + [tell.facts for tell in seen.unlocked]
    aim = [wrap(f"  {safe(line)}", width, indent=4) for line in seen.aim]
    head, short = summary(game, key, width), summary(game, key, width, players=False)
    shortest = [cut(f"  {safe(line)}", width) for line in seen.aim[:1]] if width < WIDTH else aim[:1]
    command = (
        f"pbem show {quoted(file)}{f' --at {then.entry.body.n}' if then else ''} --whole" if file else ""
    )
    return Screenful(
        [head, *aim], entries, legend, mentioned(legend, facts), below, [short, *shortest], command
    )


def _overlaid(seen: Seen, legend: Legend, overlay: Overlay) -> Screenful:
    """The map with what is laid over it, and the lines that go with it."""
    below = [wrap(safe(line), indent=4) for line in overlay.lines]
    then = [_when(seen.game, seen.then)] if seen.then else []
    drawn = reaching(legend, overlay.figures, overlay.meaning)
    top = [summary(seen.game, seen.key, players=False), *then]
    return Screenful(top, [], drawn, list(overlay.figures), below, top)


def _when(game: Game, then: Chapter, width: int = WIDTH) -> str:
    """After which entry it was, and what the rules asked then."""
    asked = f": {then.asked.seat}: {game.rules.view.prompt(then.asked)}" if then.asked else ""
    last = len(game.chapters) - 1
    after = tr("After entry {entry} of {last}", entry=then.entry.body.n, last=last)
    return wrap(f"{after}{safe(asked)}", width, indent=6)


def _as_data(seen: Seen) -> dict[str, Any]:
    """What is shown, for a program."""
    game = seen.game
    asked = seen.then.asked if seen.then else seen.table.asked
    return {
        **game_as_data(game),
        "aim": seen.aim,
        "news": [as_data(game, one) for one in seen.news],
        "unlocked": [{"event": tell.event, "rule": tell.rule, **tell.facts} for tell in seen.unlocked],
        "position": public(game.rules, seen.state, asked),
    }


def _part(legend: Legend, layer: str, centre: str, radius: int) -> Legend:
    """The part of the picture that is asked for: one layer, the hexes around one, or both."""
    if layer:
        if layer not in legend.layers:
            raise typer.BadParameter(_no_layer(legend, layer), param_hint="--layer")
        legend = only(legend, layer)
    return around(legend, hex_of(legend, centre, "--around"), radius) if centre else legend


def _no_layer(legend: Legend, found: str) -> str:
    """What is wrong where a layer is asked for that is not there."""
    if not legend.layers:
        return tr("found '{found}', expected none, because the game has no layers", found=found)
    return tr("found '{found}', expected {layers}", found=found, layers=joined(legend.layers, "or"))


def _shelve(mine: Desk, opened: Opened) -> ShelfError | None:
    """Put the file on the shelf if it belongs there; what the shelf refuses is told after showing."""
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
