"""What the player can order now: `moves`, `setup` and `hint`.

It also has what `move`, `orders` and the prompt need: the pending question, the orders of a set-up, and the
map with the hexes a unit can reach, attack or be placed in.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from pbem.analysis.statistics import wilson_interval
from pbem.base.files import write_atomically
from pbem.cli.arguments import File, Json, NoColor, complete_with
from pbem.cli.command_groups import commands
from pbem.cli.paging import Screenful, paged, put_screenful
from pbem.cli.session import local_player, open_to_read
from pbem.cli.terminal import printable_size, put, put_json, put_stderr
from pbem.core.legend import Cell, Legend, Margin
from pbem.core.phrases import Word, strip_comment
from pbem.core.requests import Question
from pbem.core.rules import Advice, Rules
from pbem.correspondence.open_file import OpenedGame
from pbem.correspondence.open_named_game import open_named_game
from pbem.errors import FileError, NotYourMove, PbemError
from pbem.player import clock
from pbem.player.actions.preconditions import check_no_proposal, seat_to_write
from pbem.player.local_player import THINK_SECONDS, LocalPlayer
from pbem.player.locate import parse_game_argument
from pbem.player.order_preview import (
    attack_odds,
    describe_chances,
    describe_possible_orders,
    describe_set_up,
    group_orders,
    possible_orders,
    set_up_phrases,
)
from pbem.player.order_sheet import own_offers
from pbem.render.ascii_map import mark_reach
from pbem.render.safe_text import WIDTH, quote_path, safe_text, wrap
from pbem.render.screen import mentioned_hexes
from pbem.render.story import name_next_duty
from pbem.texts import Texts, percent
from pbem.umpire import drafts, permissions
from pbem.umpire.game_state import Game, GameState

tr = Texts("pbem")
app = commands()


PLACE, TARGET = "+", "x"
"""The marks of a hex where a unit can be placed, and of an enemy it can attack."""


def question_for_player(game: Game, table: GameState, player: LocalPlayer, file: Path | str) -> Question:
    """The pending question, if it is the player's. Raises `NotYourMove`."""
    seat = seat_to_write(player, game, file)
    check_no_proposal(game, file)
    if table.pending_question is None or table.pending_question.seat != seat:
        raise NotYourMove(
            tr(
                "{side} {side:is|are} not due to give orders now: {awaited}",
                side=game.rules.side(seat),
                awaited=name_next_duty(table),
            ),
            hint=tr("to continue: {command}", command=f"pbem move {quote_path(file)}")
            if game.state.open_beat or game.state.is_beat_due
            else "",
        )
    return table.pending_question


def read_setup_orders(player: LocalPlayer, setup: str) -> list[str]:
    """The orders of `--setup`: a ready-made set-up's, or the lines of a file, where `#` begins a comment."""
    path = Path(setup)
    if not path.is_file():
        return [f"setup {setup}"]
    try:
        text = player.read(path).decode()
    except UnicodeDecodeError:
        raise FileError(tr("is not UTF-8 text"), where=setup) from None
    return [order for line in text.splitlines() if (order := strip_comment(line))]


def parse_unit(game: Game, asked: Question, typed: str) -> str:
    """The unit of the side to decide whose name equals or begins with `typed`. Raises `OrderError`."""
    legend = game.rules.view.legend(asked.state)
    places: list[Cell | Margin] = [*legend.cells, *legend.margins]
    names = [piece.name for place in places for piece in place.pieces if piece.side == asked.seat]
    return Word(typed, typed, 0, len(typed)).choose(
        names, tr("a unit of {side}", side=game.rules.side(asked.seat))
    )


def mark_unit_reach(game: Game, asked: Question, unit: str, legend: Legend) -> tuple[Legend, list[str]]:
    """A map with a unit's reach and targets marked, and the marked hexes."""
    targets = _targets(game, asked, unit) if unit else []
    figures = {**reach(game, asked, unit), **dict.fromkeys(targets, TARGET)}
    meaning = (
        tr("steps of {unit}, ten as 0; {mark}: units it can attack", unit=unit, mark=TARGET)
        if targets
        else tr("steps of {unit}, ten as 0", unit=unit)
    )
    return mark_reach(legend, figures, meaning) if figures else legend, list(figures)


def mark_placements(legend: Legend, unit: str, phrases: Iterable[str]) -> tuple[Legend, list[str]]:
    """A map with the hexes marked that a unit's orders name, as in a set-up; and the marked hexes.

    With an empty name, the orders are those of several units.
    """
    named = {word for phrase in phrases for word in phrase.split()}
    places = {cell.number: PLACE for cell in legend.cells if cell.number in named}
    meaning = (
        tr("{mark} where {unit} can be placed", mark=PLACE, unit=unit)
        if unit
        else tr("{mark} where units can be placed", mark=PLACE)
    )
    return mark_reach(legend, places, meaning) if places else legend, list(places)


def reach(game: Game, asked: Question, unit: str) -> Mapping[str, str]:
    """The hexes a unit can go to, each with its steps; empty without a unit."""
    reach_of = game.rules.view.reach
    return reach_of(asked, unit) if unit and reach_of else {}


def _targets(game: Game, asked: Question, unit: str) -> list[str]:
    """The hexes of the enemies a unit can attack now."""
    legend = game.rules.view.legend(asked.state)
    named = {
        number
        for attack in attack_odds(game, asked, unit)
        for number in mentioned_hexes(legend, attack.orders)
    }
    foes = {cell.number for cell in legend.cells for piece in cell.pieces if piece.side != asked.seat}
    return sorted(named & foes)


@app.command()
def moves(
    file: File = "",
    unit: Annotated[
        str,
        typer.Option(
            "--unit",
            metavar="NAME",
            help="List only this unit's orders, with a map of where it can go.",
            autocompletion=complete_with("units"),
        ),
    ] = "",
    as_json: Json = False,
    no_color: NoColor = False,
) -> None:
    """List the orders you can give now, with the exact chance of each attack.

    When it is your opponent's move, lists what they can order.

    Example: pbem moves mortain.yaml
    """
    player = local_player()
    opened = open_to_read(player, file)
    game = opened.game
    asked = _pending_question(
        opened, permissions.unlock_state(game, player.key) if player.has_key else game.state, player
    )
    name = parse_unit(game, asked, unit) if unit else ""
    reached = reach(game, asked, name)
    if as_json:
        attacks = [
            {"orders": attack.orders, "words": attack.words, "chance": str(attack.hit), "why": attack.why}
            for attack in attack_odds(game, asked, name)
        ]
        orders = possible_orders(game, asked, name)
        coming = [
            {"orders": order, "chances": said}
            for order in orders
            if (said := describe_chances(game, asked, order))
        ]
        prompt = game.rules.view.prompt(asked)
        found = {"prompt": prompt, "orders": orders, "attacks": attacks, "forecasts": coming}
        put_json({**found, "reach": reached} if name else found)
        return
    width, _ = printable_size()
    prompt = wrap(game.rules.view.prompt(asked), width, indent=2)
    lines = describe_set_up(game, asked, name, width) or describe_possible_orders(game, asked, name, width)
    may = "\n".join(lines) or tr("{unit} cannot do anything now", unit=name)
    may = _list_own_first(player, game, asked, may) if not name else may
    legend, figures = mark_unit_reach(game, asked, name, game.rules.view.legend(asked.state))
    if name and not figures:
        legend, figures = mark_placements(legend, name, set_up_phrases(game, asked, name))
    if not figures:
        with paged():
            put(prompt)
            put(may)
        return
    screenful = Screenful([prompt], [], legend, [*mentioned_hexes(legend, name), *figures], [may], [prompt])
    put_screenful(screenful, whole=False, no_color=no_color)


def _list_own_first(player: LocalPlayer, game: Game, asked: Question, may: str) -> str:
    """The list of a side's orders; for a commander, after those of their own units."""
    if not (game.state.commanders.get(asked.seat) and player.public_key):
        return may

    own = group_orders(own_offers(game, asked, player.public_key), printable_size()[0])
    return "\n".join([tr("Units you command:"), *own, tr("All units of your side:"), may]) if own else may


def _pending_question(opened: OpenedGame, table: GameState, player: LocalPlayer) -> Question:
    """The pending question; prints a note if it is somebody else's. Raises `NotYourMove`."""
    game, asked = opened.game, table.pending_question
    if asked is None and any(game.state.commanders.values()) and not game.state.ending:
        at = drafts.find_commander_seat(game, player.public_key)
        if at is not None:
            drafts.commander_question(game, at)  # raises if the commander has to do something else first
    if asked is None or table.ending or table.proposal or asked.seat not in game.seats:
        return question_for_player(game, table, player, opened.typed)
    if not player.has_key or asked.seat not in permissions.held_seats(game, player.key):
        side = game.rules.side(asked.seat)
        put_stderr(tr("note: {side} {side:is|are} to move, and can give these orders", side=side))
    return asked


@app.command()
def setup(
    file: File = "",
    out: Annotated[
        str, typer.Argument(metavar="out", help="The text file to write.", show_default=False)
    ] = "",
    *,
    named: Annotated[
        str,
        typer.Option(
            "--setup",
            metavar="NAME",
            help="The ready-made set-up; leave it out to list their names.",
            autocompletion=complete_with("setups"),
        ),
    ] = "",
) -> None:
    """Write out the orders of a ready-made set-up, one per line, for you to change.

    Example: pbem setup rommel.yaml my-setup.txt --setup historical
    """
    player = local_player()
    if not out and not _is_game(player, file):  # a single word is the file to write
        file, out = "", file
    place = Path(out)
    if out and named and place.exists():
        problem = tr("already exists; nothing was written")
        raise FileError(problem, where=out, hint=tr("choose another name"))
    opened = open_to_read(player, file)
    game = opened.game
    asked = question_for_player(game, permissions.unlock_state(game, player.key), player, opened.typed)
    _check_setup(game, asked, named, out, quote_path(opened.typed))
    orders = game.rules.view.read_words(asked, read_setup_orders(player, named))
    remarks = wrap(f"{named}: {game.rules.view.prompt(asked)}", width=WIDTH - 2).splitlines()
    lines = [*(f"# {remark}" for remark in remarks), "", *game.rules.view.write_words(orders)]
    write_atomically(place, "".join(f"{line}\n" for line in lines).encode())
    move = f"pbem move {quote_path(opened.typed)} --setup {quote_path(place)}"
    look = f"{move} --dry-run"
    put(tr("wrote {file}: edit it, then preview it: {command}", file=safe_text(out), command=look))
    put(tr("To give these orders: {command}", command=move))


def _is_game(player: LocalPlayer, word: str) -> bool:
    """Whether a word names an existing game, rather than a file to write."""
    with suppress(PbemError):
        argument = parse_game_argument(player, word)
        return argument.game != "" or (argument.file is not None and bool(open_named_game(player, argument)))
    return False


def _check_setup(game: Game, asked: Question, named: str, out: str, file: str) -> None:
    """Raise `typer.BadParameter`, with the command to type, if the set-up or the file is missing."""
    if named and out:
        return
    names = game.rules.view.setups(asked) if game.rules.view.setups else ()
    if not names:
        side = game.rules.side(asked.seat)
        raise typer.BadParameter(
            tr("there is no ready-made set-up for what {side} {side:does|do} now", side=side)
        )
    name = named or (out if out in names else names[0])
    place = "my-setup.txt" if out in ("", *names) else quote_path(out)
    command = f"pbem setup {file} {place} --setup {name}"
    if named:
        problem = tr("name the text file to write; type: {command}", command=command)
        raise typer.BadParameter(problem, param_hint=tr("out"))
    expected = ", ".join(names)
    problem = tr("choose one of {names}; type: {command}", names=expected, command=command)
    raise typer.BadParameter(problem, param_hint="--setup")


BEST = 3
"""The most answers printed."""


@app.command()
def hint(
    file: File = "",
    think: Annotated[
        float, typer.Option("--think", metavar="SECONDS", min=0.0, help="How long the computer thinks.")
    ] = THINK_SECONDS,
    as_json: Json = False,
) -> None:
    """Suggest the three best orders, each with your chance of winning and why.

    The first is what the strong computer player would do. The computer plays each of them out many
    times with random cards and dice: to the end of the game, or for a turn and then judges the
    position. Your opponent cannot see that you asked.

    Example: pbem hint mortain.yaml --think 10
    """
    player = local_player()
    opened = open_to_read(player, file)
    rules = opened.game.rules
    asked = question_for_player(
        opened.game, permissions.unlock_state(opened.game, player.key), player, opened.typed
    )
    found = _best_advice(rules, asked, think)
    if as_json:
        put_json([_advice_as_data(rules, asked, advice) for advice in found])
        return
    put(wrap(rules.view.prompt(asked), indent=2))
    put("\n".join(_describe_advice(rules, asked, found)))


def advice_lines(rules: Rules, asked: Question) -> list[str]:
    """The best answers to a question, in lines. The game must have an adviser."""
    return _describe_advice(rules, asked, _best_advice(rules, asked, THINK_SECONDS))


def _best_advice(rules: Rules, asked: Question, think: float) -> list[Advice]:
    if rules.adviser is None:
        problem = tr("{game} has no computer player that can suggest orders", game=rules.title)
        raise PbemError(problem, hint=tr("to list the legal orders: {command}", command="pbem moves"))
    return list(rules.adviser(asked, random.Random(), clock.count_within(think)))[:BEST]


def _describe_advice(rules: Rules, asked: Question, found: Sequence[Advice]) -> list[str]:
    return [
        line
        for number, advice in enumerate(found, 1)
        for line in _describe_answer(rules, asked, number, advice)
    ]


def _describe_answer(rules: Rules, asked: Question, number: int, advice: Advice) -> list[str]:
    """An answer in lines: the chance of winning, what to type, and the reasons for it."""
    words = "; ".join(rules.view.write_words(advice.orders))
    return [
        f"{number}. {_describe_chance(advice)}",
        wrap(f"     {safe_text(words)}", indent=7),
        *(wrap(f"     {safe_text(line)}", indent=7) for line in _reasons(rules, asked, advice)),
    ]


def _describe_chance(advice: Advice) -> str:
    """The chance of winning, with its confidence interval if games were played to the end."""
    if not advice.playouts:
        return tr("what the computer would do, without playing it out")
    if advice.judged:
        return tr.plural(
            "{chance} to win, estimated from one position that followed",
            "{chance} to win, estimated from {number} positions that followed",
            advice.playouts,
            chance=percent(advice.won / advice.playouts),
        )
    low, high = wilson_interval(round(advice.won), advice.playouts)
    return tr.plural(
        "{chance} to win, played out once: {low} to {high}",
        "{chance} to win, played out {number} times: {low} to {high}",
        advice.playouts,
        chance=percent(advice.won / advice.playouts),
        low=percent(low),
        high=percent(high),
    )


def _reasons(rules: Rules, asked: Question, advice: Advice) -> list[str]:
    return list(rules.view.why(asked, advice)) if rules.view.why else []


def _advice_as_data(rules: Rules, asked: Question, advice: Advice) -> dict[str, object]:
    """An answer and its evaluation as JSON data."""
    return {
        "orders": advice.orders,
        "words": rules.view.write_words(advice.orders),
        "won": advice.won,
        "playouts": advice.playouts,
        "judged": advice.judged,
        "figures": dict(advice.figures),
        "why": _reasons(rules, asked, advice),
    }
