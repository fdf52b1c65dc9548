"""Show a game: `show`."""

from __future__ import annotations

import sys
from typing import Annotated, Any, NamedTuple

import typer

from pbem.cli.arguments import File, Json, NoColor, complete_with
from pbem.cli.command_groups import commands
from pbem.cli.exit_codes import FAILED
from pbem.cli.overlays import OverlayChoice, checked_hex, chosen_overlay
from pbem.cli.paging import Screenful, put_screenful
from pbem.cli.session import head_of, local_player, open_file, remember_players
from pbem.cli.terminal import printable_size, put_json, warn
from pbem.core.legend import Legend
from pbem.core.requests import Tell
from pbem.core.rules import Overlay
from pbem.core.run import public
from pbem.core.sentences import joined
from pbem.correspondence.open_file import OpenedGame
from pbem.errors import StorageError, UnknownGame
from pbem.format.keys import PrivateKey
from pbem.player.actions.action import ActionContext
from pbem.player.actions.preconditions import is_commander, possible_actions
from pbem.player.local_player import LocalPlayer
from pbem.player.order_sheet import put_own_first
from pbem.player.status import (
    GameStatus,
    Remark,
    deferred_as_data,
    describe_next_step,
    describe_pending,
    describe_question,
    describe_remarks,
    file_remarks,
    game_status,
    is_overdue,
    timestamp,
)
from pbem.player.store.record_store import ReadMarker
from pbem.render.ascii_map import MAX_RADIUS, crop_around, keep_layer, mark_reach
from pbem.render.ascii_picture import ascii_picture
from pbem.render.safe_text import WIDTH, quote_path, safe_text, wrap
from pbem.render.screen import event_hexes
from pbem.render.story import (
    describe_aims,
    describe_asked,
    describe_events,
    describe_own_seals,
    entry_as_data,
    entry_paragraphs,
    game_as_data,
    harm_facts,
    summary,
)
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game_state import Game, ReplayedEntry

tr = Texts("pbem")


app = commands()


@app.command()
def show(
    file: File = "",
    whole: Annotated[
        bool,
        typer.Option(
            "--whole",
            help="Show everything: the full story, the whole map with its key, and every counter.",
        ),
    ] = False,
    at: Annotated[
        int | None, typer.Option("--at", metavar="N", min=0, help="Show the game as it was after entry N.")
    ] = None,
    los: Annotated[
        str,
        typer.Option(
            "--los",
            metavar="HEX",
            help="Show what can be seen from a hex, and what blocks the rest.",
            autocompletion=complete_with("hexes"),
        ),
    ] = "",
    zones: Annotated[
        bool, typer.Option("--zones", help="Show the zones of control; during set-up, the set-up zones.")
    ] = False,
    supply: Annotated[bool, typer.Option("--supply", help="Show where units are in supply.")] = False,
    threats: Annotated[
        bool,
        typer.Option(
            "--threats",
            help="Show which of your units could be attacked, from where, and with what chance.",
        ),
    ] = False,
    centre: Annotated[
        str,
        typer.Option(
            "--around",
            metavar="HEX",
            help="Show only the hexes around this one, with everything in them.",
            autocompletion=complete_with("hexes"),
        ),
    ] = "",
    radius: Annotated[
        int, typer.Option("--radius", min=1, max=MAX_RADIUS, help="How many hexes around it to show.")
    ] = 3,
    layer: Annotated[
        str, typer.Option("--layer", metavar="NAME", help="Show only the counters of one layer, such as air.")
    ] = "",
    as_json: Json = False,
    no_color: NoColor = False,
) -> None:
    """Check a game file, then show what happened, the map, and what to do next.

    May show what only you can see; the file does not change. Prints one screen or 40 lines, or --whole.

    Example: pbem show mortain.yaml
    """
    player = local_player()
    opened = open_file(player, file)
    refusal = _store_game(player, opened)
    seen = _shown_game(player, opened.game, at)
    remarks = [*file_remarks(refusal, head_of(opened)), *(seen.now.remarks if seen.now else ())]
    if refusal:
        remarks = [remark for remark in remarks if remark.kind != "fork"]  # the refusal says the same
    words = seen.now.pending_message if seen.now else ""
    legend, own = _legend_own_first(player, seen)
    legend = _crop_legend(legend, layer, centre, radius)
    over = chosen_overlay(
        seen.game, seen.state, legend, seen.seats, OverlayChoice(los, zones, supply, threats)
    )
    if as_json:
        put_json(
            {
                **_shown_as_data(seen),
                **(
                    _actions_as_data(ActionContext(player, seen.game, opened.file))
                    if seen.now and player.has_key
                    else {}
                ),
                **({"words": words} if words else {}),
                **(deferred_as_data(seen.now.deferred) if seen.now else {}),
                "board": ascii_picture(legend),
                **(over.data if over else {}),
                **({"remarks": [remark.words for remark in remarks]} if remarks else {}),
            }
        )
    elif over:
        put_screenful(
            _with_remarks(remarks, _overlay_screenful(seen, legend, over.overlay)),
            whole=whole,
            no_color=no_color,
        )
    else:
        whole = bool(whole or centre or layer)
        width, _ = printable_size()
        typed = None if refusal else opened.typed
        screenful = _make_screenful(seen, legend, typed, min(width, WIDTH) if whole else width)
        screenful = _with_remarks(remarks, screenful._replace(first=own))
        if seen.now and (lines := describe_pending(seen.now, opened.typed)):
            screenful.below.append("\n".join(wrap(line, indent=2) for line in lines))
        put_screenful(screenful, whole=whole, no_color=no_color)
        if at is None and not refusal and sys.stdout.isatty():
            ReadMarker(player.home).save_mark(seen.game)
    if refusal:
        raise typer.Exit(FAILED)


def _with_remarks(remarks: list[Remark], screenful: Screenful) -> Screenful:
    """A screenful that begins with the remarks, except the one about the scenario, which its head has."""
    said = [
        wrap(line, indent=2)
        for line in describe_remarks(remark for remark in remarks if remark.kind != "scenario")
    ]
    return screenful._replace(head=[*said, *screenful.head], short=[*said, *screenful.short])


class ShownGame(NamedTuple):
    """A game as its reader sees it: now, with its status, or after an earlier entry."""

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
            return describe_aims(self.now.table)
        return aim(self.state) if aim else []

    @property
    def news(self) -> tuple[ReplayedEntry, ...]:
        """The entries to describe."""
        return self.now.news if self.now else (self.then,)

    @property
    def unlocked_events(self) -> tuple[Tell, ...]:
        """The events the reader can already see, which their next share will record."""
        return self.now.unlocked_events if self.now else ()

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats to show threats for: the player's own; in solitaire, and for a spectator, both."""
        held = permissions.held_seats(self.game, self.key) if self.key else ()
        return held if len(held) == 1 else self.game.rules.seats


def _shown_game(player: LocalPlayer, game: Game, at: int | None) -> ShownGame:
    """The game now, or after entry `at`. Raises `typer.BadParameter` if there is no such entry."""
    key = player.key if player.has_key else None
    if at is None:
        return ShownGame(game, key, game_status(player, game), game.replayed_entries[-1])
    if at >= len(game.replayed_entries):
        last = len(game.replayed_entries) - 1
        problem = tr("there is no entry {found} in this game: 0 to {last}", found=at, last=last)
        raise typer.BadParameter(problem, param_hint="--at")
    return ShownGame(game, key, None, game.replayed_entries[at])


def _legend_own_first(player: LocalPlayer, seen: ShownGame) -> tuple[Legend, list[str]]:
    """The position's legend; for a commander, with their own units and hexes first (FORMAT 11).

    Returns it with those hexes.
    """
    legend = seen.game.rules.view.legend(seen.state)
    if not any(seen.game.state.commanders.values()):
        return legend, []

    return put_own_first(seen.game, player.public_key, legend)


def _make_screenful(seen: ShownGame, legend: Legend, file: str | None, width: int) -> Screenful:
    """The news, the map around them, and the next step (none if there is no file to type)."""
    game, key, now = seen.game, seen.key, seen.now
    entries = [entry_paragraphs(game, entry, width) for entry in seen.news]
    if seen.unlocked_events:
        title = f"    {tr('You can already see this; your next move records it in the file:')}"
        entries.append([title, *describe_events(game, seen.unlocked_events, width)])
    if now:
        entries += [[line] for line in describe_own_seals(game, key)]
        below = [describe_next_step(now.question, game, key, file, width)] if file else []
    else:
        below = [_describe_moment(game, seen.then, width)]
    events = [*(tell for entry in seen.news for tell in entry.events), *seen.unlocked_events]
    focus = event_hexes(legend, [tell.facts for tell in events], harm_facts(game.rules.view, events))
    aim = [wrap(f"  {safe_text(line)}", width, indent=4) for line in seen.aim]
    head, short = summary(game, key, width), summary(game, key, width, players=False)
    command = (
        f"pbem show {quote_path(file)}{'' if now else f' --at {seen.then.entry.body.n}'} --whole"
        if file
        else ""
    )
    return Screenful(
        [head, *aim],
        entries,
        legend,
        focus,
        below,
        [short],
        command,
        aim=[] if width < WIDTH else aim[:1],  # on a narrow screen, each unit matters more
    )


def _overlay_screenful(seen: ShownGame, legend: Legend, overlay: Overlay) -> Screenful:
    """The map with an overlay, and the lines that go with it."""
    below = [wrap(safe_text(line), indent=4) for line in overlay.lines]
    then = [] if seen.now else [_describe_moment(seen.game, seen.then)]
    drawn = mark_reach(legend, overlay.figures, overlay.meaning)
    top = [summary(seen.game, seen.key, players=False), *then]
    return Screenful(top, [], drawn, list(overlay.figures), below, top)


def _describe_moment(game: Game, then: ReplayedEntry, width: int = WIDTH) -> str:
    """The entry after which the position is shown, and the pending question then."""
    places = {"entry": then.entry.body.n, "last": len(game.replayed_entries) - 1}
    if not then.question:
        return wrap(tr("After entry {entry} of {last}", **places), width, indent=6)
    waiting = safe_text(describe_asked(game.rules, then.question))
    return wrap(tr("After entry {entry} of {last}: {waiting}", **places, waiting=waiting), width, indent=6)


def _shown_as_data(seen: ShownGame) -> dict[str, Any]:
    """The shown game as JSON data."""
    game = seen.game
    asked = seen.now.table.pending_question if seen.now else seen.then.question
    return {
        **game_as_data(game),
        "aim": seen.aim,
        **(_status_as_data(seen.now) if seen.now else {}),
        "news": [entry_as_data(game, entry) for entry in seen.news],
        "unlocked": [{"event": tell.event, "rule": tell.rule, **tell.facts} for tell in seen.unlocked_events],
        "unlocked_story": [game.rules.view.story(tell) for tell in seen.unlocked_events],
        "position": public(game.rules, seen.state, asked),
        **({"private": dict(private)} if (private := game.rules.view.legend(seen.state).private) else {}),
    }


def _status_as_data(now: GameStatus) -> dict[str, Any]:
    """The pending question and the result as JSON data."""
    asked = now.question
    waits = {
        "what": asked.what,
        "seat": asked.seat,
        "decision": asked.seat is not None and not asked.is_formality,
        "yours": asked.yours,
        "text": describe_question(asked),
        "since": timestamp(asked.since),
        "until": timestamp(asked.until),
        "overdue": is_overdue(asked),
    }
    ended = now.result
    result = {"winner": ended.winner or None, "reason": ended.reason, "new": ended.is_news} if ended else None
    return {"asked": waits, "result": result}


def _actions_as_data(hand: ActionContext) -> dict[str, Any]:
    """The actions possible for the player, and for each other one the reason, as JSON data."""
    return {"acts": {kind: str(why) if why else None for kind, why in possible_actions(hand).items()}}


def _crop_legend(legend: Legend, layer: str, centre: str, radius: int) -> Legend:
    """The requested part of the map: one layer, the hexes around one, or both."""
    if layer:
        if layer not in legend.layers:
            raise typer.BadParameter(_describe_missing_layer(legend, layer), param_hint="--layer")
        legend = keep_layer(legend, layer)
    return crop_around(legend, checked_hex(legend, centre, "--around"), radius) if centre else legend


def _describe_missing_layer(legend: Legend, found: str) -> str:
    """The message that there is no such layer."""
    if not legend.layers:
        return tr("this game has no layers, so there is no '{found}'", found=found)
    return tr("must be {layers}, not '{found}'", found=found, layers=joined(legend.layers, "or"))


def _store_game(player: LocalPlayer, opened: OpenedGame) -> StorageError | None:
    """Store the file's game if it belongs in the store. Returns any refusal, to be reported after showing."""
    game = opened.game
    try:
        place = None if opened.source else opened.file
        player.record(game, opened.data, new=is_commander(player, game), file=place)
    except UnknownGame as unknown:
        if len(game.entries) > 1:
            warn(unknown)
        return None
    except StorageError as refusal:
        return refusal
    remember_players(player, game)
    return None
