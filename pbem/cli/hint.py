"""`hint`: the best answers to the pending question, each with the chance to win."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Annotated

import typer

from pbem.cli.arguments import File, Json
from pbem.cli.lazy import commands
from pbem.cli.ordering import question_for_player
from pbem.cli.session import local_player, open_to_read
from pbem.cli.terminal import put, put_json
from pbem.core.requests import Question
from pbem.core.rules import Advice, Rules
from pbem.errors import PbemError
from pbem.player import clock
from pbem.player.commanders.opponent_home import THINK_SECONDS
from pbem.render.words import safe_text, wrap
from pbem.study.intervals import wilson_interval
from pbem.texts import Texts
from pbem.umpire import permissions

app = commands()
tr = Texts("pbem")

BEST = 3
"""The most answers that are printed."""


@app.command()
def hint(
    file: File = "",
    think: Annotated[
        float, typer.Option("--think", metavar="SECONDS", min=0.0, help="How long the program thinks.")
    ] = THINK_SECONDS,
    as_json: Json = False,
) -> None:
    """Tell the three best answers to what you are asked, each with the chance to win and why.

    The program plays each on many times, with cards and dice that nobody can know: to the end, or for a turn,
    after which it judges the position. Nobody is told that you asked: the file says nothing of it.

    Example: pbem hint mortain.yaml --think 10
    """
    mine = local_player()
    opened = open_to_read(mine, file)
    rules = opened.game.rules
    asked = question_for_player(
        opened.game, permissions.unlock_state(opened.game, mine.key), mine, opened.typed
    )
    found = _best_advice(rules, asked, think)
    if as_json:
        put_json([_advice_as_data(rules, asked, advice) for advice in found])
        return
    put(wrap(rules.view.prompt(asked), indent=2))
    put("\n".join(_describe_advice(rules, asked, found)))


def advice_lines(rules: Rules, asked: Question) -> list[str]:
    """The best answers to a question, in lines; for a game that has an adviser."""
    return _describe_advice(rules, asked, _best_advice(rules, asked, THINK_SECONDS))


def _best_advice(rules: Rules, asked: Question, think: float) -> list[Advice]:
    if rules.adviser is None:
        problem = tr("{game} has no practice player that weighs answers", game=rules.title)
        raise PbemError(problem, hint=tr("what is legal: {command}", command="pbem moves"))
    return list(rules.adviser(asked, random.Random(), clock.count_within(think)))[:BEST]


def _describe_advice(rules: Rules, asked: Question, found: Sequence[Advice]) -> list[str]:
    return [
        line
        for number, advice in enumerate(found, 1)
        for line in _describe_answer(rules, asked, number, advice)
    ]


def _describe_answer(rules: Rules, asked: Question, number: int, advice: Advice) -> list[str]:
    """An answer in lines: the chance to win, how it is typed, and the reasons for it."""
    words = "; ".join(rules.view.write_words(advice.orders))
    return [
        f"{number}. {_describe_chance(advice)}",
        wrap(f"     {safe_text(words)}", indent=7),
        *(wrap(f"     {safe_text(line)}", indent=7) for line in _reasons(rules, asked, advice)),
    ]


def _describe_chance(advice: Advice) -> str:
    """The chance to win, with its confidence interval where games were played to their end."""
    if not advice.playouts:
        return tr("what the program would do; it has not played it on")
    if advice.judged:
        return tr.plural(
            "{chance} to win, a guess from one position that it led to",
            "{chance} to win, a guess from {number} positions that it led to",
            advice.playouts,
            chance=f"{advice.won / advice.playouts:.0%}",
        )
    low, high = wilson_interval(round(advice.won), advice.playouts)
    return tr.plural(
        "{chance} to win, played on once: {low} to {high}",
        "{chance} to win, played on {number} times: {low} to {high}",
        advice.playouts,
        chance=f"{advice.won / advice.playouts:.0%}",
        low=f"{low:.0%}",
        high=f"{high:.0%}",
    )


def _reasons(rules: Rules, asked: Question, advice: Advice) -> list[str]:
    return list(rules.view.why(asked, advice)) if rules.view.why else []


def _advice_as_data(rules: Rules, asked: Question, advice: Advice) -> dict[str, object]:
    """An answer and its evaluation, for a program."""
    return {
        "orders": advice.orders,
        "words": rules.view.write_words(advice.orders),
        "won": advice.won,
        "playouts": advice.playouts,
        "judged": advice.judged,
        "figures": dict(advice.figures),
        "why": _reasons(rules, asked, advice),
    }
