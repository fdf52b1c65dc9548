"""The way to answer a letter to oneself: the question in a line or two, then the other possible answers."""

from __future__ import annotations

from pathlib import Path

from pbem.correspondence.paragraphs import Line, Paragraph
from pbem.player.actions.action import ActionContext
from pbem.player.actions.preconditions import possible
from pbem.player.local_player import LocalPlayer
from pbem.player.orders.parse_proposal import may_be_taken_back
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.game_facts import BRIEF

tr = Texts("pbem")


def how_to_order() -> str:
    """How to give orders by reply."""
    return tr(
        "Answer this mail with your orders above this text, a line each. You are shown what they do, and "
        "answer {yes} to do it.",
        **typed("yes"),
    )


def others(desk: LocalPlayer, game: Game) -> Paragraph:
    """The other replies possible now, a line each, and the commands that show more."""
    brief, key = game.ids[0][:BRIEF], desk.key
    offered = possible(ActionContext(desk, game, Path(brief)))
    lines = [tr("{now}: before your orders: they are done at once", **typed("now"))]
    if offered["takeback"] is None and may_be_taken_back(game, key):
        back = tr(
            "{last}: to take your last move back; others: {command}",
            last=_as_typed("propose last"),
            command=f"pbem log {brief}",
        )
        lines.append(back)
    if offered["draw"] is None:
        lines.append(tr("{draw}: to offer a draw", draw=_as_typed("propose draw")))
    lines.append(tr("{resign}: to give the game up", **typed("resign")))
    plan = tr(
        "{plan}: a plan, which answers for you; others: {command}",
        plan=_as_typed("plan hold 40%"),
        command=f"pbem plan {brief}",
    )
    words = tr("{say}: WORDS, on the last lines: goes to your opponent", **typed("say"))
    head = tr("Other answers:")
    return Paragraph((Line(head), *(Line(line, 2, 4) for line in [*lines, plan, words])))


def how_to_agree() -> str:
    """How to confirm the orders shown, or to drop them."""
    return tr("Answer {yes} to do this, {no} to leave it, or give other orders.", **typed("yes", "no"))


def how_to_a_proposal() -> str:
    """How to answer a proposal."""
    return tr(
        "Answer this mail with {yes} or {no} above this text; {say}: WORDS goes to your opponent.",
        **typed("yes", "no", "say"),
    )


def typed(*words: str) -> dict[str, str]:
    """Each English word with the one that the player types for it in his language."""
    return {word: _as_typed(word) for word in words}


def _as_typed(phrase: str) -> str:
    return " ".join(map(tr.own, phrase.split(" ")))
