"""A session at the prompt: question after question, until it is the opponent's turn to write."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from pbem.cli.editor import Editor
from pbem.cli.prompt import Talk
from pbem.cli.terminal import colour, put, room
from pbem.core.requests import Orders as Given
from pbem.core.requests import Tell
from pbem.core.rules import View
from pbem.core.sealing import Open
from pbem.core.traces import Lost, Struck
from pbem.errors import PbemError
from pbem.format.shapes import Play
from pbem.player.actions.action import ActionContext
from pbem.player.actions.orders import Orders
from pbem.player.commanders.lead import staff
from pbem.player.commanders.opponent_home import is_practice
from pbem.player.local_player import LocalPlayer
from pbem.player.sign import sign
from pbem.player.status.describe_status import beside, drafts, what_next
from pbem.player.status.game_status import GameStatus, game_status
from pbem.player.store.read_marker import ReadMarker
from pbem.render.story import recent
from pbem.render.words import named, quoted, safe
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.drafts import Post, commander_at
from pbem.umpire.game import Game, ReplayedEntry
from pbem.umpire.game_state import GameState

tr = Texts("pbem")

HARM = (Struck, Lost)
"""The traces of hits and losses on the map."""

REMEMBERED = 50
"""The most of the player's earlier orders that the line editor's history begins with."""


def sit_down(mine: LocalPlayer, game: Game, told: Sequence[ReplayedEntry], file: Path, words: str) -> None:
    """Ask for orders and sign them as long as the player is asked, each time after the news since the last.

    `told` are the entries before the first question; `words` go to the opponent with the first orders. Raises
    `typer.Abort`.
    """
    editor = Editor(_earlier(mine, game), colour=colour(False))
    while True:
        now = game_status(mine, game)
        table = now.table
        lines = [*beside(now, file), *recent(game, told, now.unlocked, room()[0]), *drafts(now)]
        ReadMarker(mine.home).note(game)
        if not _is_asked(game, table, mine):
            _leave(mine, now, file, lines)
            return
        happened = [
            tell.facts for tell in (*(tell for entry in told for tell in entry.told), *table.run.told)
        ]
        plan = partial(_consulted, mine, game)
        side = staff(mine, game, table)
        signed = partial(_signed, mine, game, file)
        talk = Talk(game, table, editor, lines, happened, plan, _results(game, told), side, signed=signed)
        orders = talk.orders()
        if talk.undoes:
            game = _undone(mine, game, file)
            told = game.chapters[-1:]
            continue
        if orders is None:
            put(tr("Nothing was signed. To go on: {command}", command=f"pbem move {quoted(file)}"))
            return
        hand, (parts, _) = ActionContext(mine, game, file), side.signed(orders) if side else ((), ())
        final = sign(Orders(hand, orders, words, parts))
        assert final is not None
        told, game, words = final.chapters[len(game.chapters) + 1 :], final, ""  # his own is printed


def _signed(mine: LocalPlayer, game: Game, file: Path) -> tuple[list[str], str]:
    """Lines about the entries that the player can undo, and the question that confirms it; or nothing."""
    from pbem.player.actions.undo import at_stake, sure_of, what_can_be_undone

    found = what_can_be_undone(mine, game)
    return ([], "") if found.why_not else (at_stake(found), sure_of(file))


def _undone(mine: LocalPlayer, game: Game, file: Path) -> Game:
    """Undo the player's newest decision, after he has confirmed that nobody has received it."""
    from pbem.correspondence.undo_mail import came_of, undo

    undone = undo(mine, game, file, nobody_has_it=True)
    put("\n".join(came_of(mine, undone, file)))
    return undone.game


def ask_commander(mine: LocalPlayer, game: Game, at: Post) -> Given | None:
    """Ask a commander for orders for the units that he commands (FORMAT 11); None if he quits."""
    told = game.chapters[-1:]
    lead = named(game.seats[at.seat].name)
    groups = ", ".join(commander_at(game, at).of)
    yours = tr("What you sign is a draft for {lead}: your orders for {groups}.", lead=lead, groups=groups)
    lines = [*recent(game, told, (), room()[0]), yours]
    happened = [tell.facts for entry in told for tell in entry.told]
    editor = Editor([], colour=colour(False))
    nobody = ("", [tr("A plan is the lead's.")])
    return Talk(game, game.table, editor, lines, happened, lambda _: nobody, at=at).orders()


def _consulted(mine: LocalPlayer, game: Game, words: str) -> tuple[str, list[str]]:
    """The orders that the player's plan gives, armed or not, as typed; or lines on why it gives none.

    `words` are a step to add before, with which the plan is armed, or `off`, which disarms it.
    """
    from pbem.player.plans.plan_store import consulted  # here, because most players have no plans

    if words:
        from pbem.player.actions.plan import arm

        try:
            if not arm(mine, game, words):
                return "", [tr("Your plan no longer answers.")]
        except PbemError as error:
            return "", [safe(str(error)), *([f"  {safe(error.hint)}"] if error.hint else [])]
    choice = consulted(mine, game)
    assert choice is not None  # because the player is asked
    if choice.orders:
        return choice.words, []
    return "", [
        tr("Your plan asks you: {why}", why=safe(choice.why)),
        *(f"  {safe(reason)}" for reason in choice.reasons),
    ]


def _results(game: Game, told: Sequence[ReplayedEntry]) -> list[str]:
    """Lines on the attacks resolved up to the opponent's first orders, whose entry also reveals his dice."""
    view, seat = game.rules.view, game.table.writer
    plays = [(n, replayed.entry.body) for n, replayed in enumerate(told, 1) if replayed.entry.body.by != seat]
    own = told[: next((n for n, body in plays if isinstance(body, Play) and body.orders), None)]
    tells = (tell for replayed in own for tell in replayed.told if _settles(view, tell))
    return [f"      {safe(view.story(tell))}" for tell in tells]


def _settles(view: View, tell: Tell) -> bool:
    """Whether an event is the result of an attack, or its effect on a unit."""
    traces = view.traces(tell) if view.traces else []
    return bool(view.combat and view.combat(tell)) or any(isinstance(trace, HARM) for trace in traces)


def _is_asked(game: Game, table: GameState, mine: LocalPlayer) -> bool:
    """Whether the player is asked for orders, other than to open his seal."""
    asked = table.asked
    writes = game.table.writer in permissions.held_seats(game, mine.key) and not game.table.proposal
    return bool(writes and asked and asked.seat == game.table.writer and not isinstance(asked, Open))


def _leave(mine: LocalPlayer, now: GameStatus, file: Path, lines: list[str]) -> None:
    """Print the last news, and what comes next."""
    game = now.game
    put("\n".join([*lines, what_next(now.asked, game, mine.key, file)]))
    if game.table.ending and not is_practice(game, mine):
        put(tr("Mail {file} to your opponent again.", file=safe(str(file))))


def _earlier(mine: LocalPlayer, game: Game) -> list[str]:
    """The player's own orders in this game, as typed, the newest last, without sealed ones."""
    own = permissions.held_seats(game, mine.key)
    plays = [replayed.entry.body for replayed in game.chapters if replayed.entry.body.by in own]
    lists = [body.orders for body in plays if isinstance(body, Play) and body.orders]
    write_words = game.rules.view.write_words
    lines = [line for orders in lists if not _sealed(orders[0]) for line in write_words(orders)]
    return lines[-REMEMBERED:]


def _sealed(order: object) -> bool:
    return isinstance(order, dict) and not {"seal", "open"}.isdisjoint(order)
