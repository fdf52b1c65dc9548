"""The way to answer a letter to oneself: the question in a line or two, then the other possible answers."""

from __future__ import annotations

from pathlib import Path

from pbem.correspondence.paragraphs import LetterLine, Paragraph
from pbem.player.actions.action import ActionContext
from pbem.player.actions.preconditions import possible_actions
from pbem.player.local_player import LocalPlayer
from pbem.player.orders.parse_proposal import moves_to_take_back
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.game_facts import SHORT_ID_DIGITS

tr = Texts("pbem")


def how_to_order() -> str:
    """How to give orders by reply."""
    return tr(
        "Answer this mail with your orders above this text, a line each. You are shown what they do, and "
        "answer {yes} to do it.",
        **translate_words("yes"),
    )


def other_replies(desk: LocalPlayer, game: Game) -> Paragraph:
    """The other replies possible now, a line each, and the commands that show more."""
    brief, key = game.ids[0][:SHORT_ID_DIGITS], desk.key
    offered = possible_actions(ActionContext(desk, game, Path(brief)))
    lines = [tr("{now}: before your orders: they are done at once", **translate_words("now"))]
    if offered["takeback"] is None and moves_to_take_back(game, key):
        back = tr(
            "{last}: to take your last move back; others: {command}",
            last=_translate_phrase("propose last"),
            command=f"pbem log {brief}",
        )
        lines.append(back)
    if offered["draw"] is None:
        lines.append(tr("{draw}: to offer a draw", draw=_translate_phrase("propose draw")))
    lines.append(tr("{resign}: to give the game up", **translate_words("resign")))
    plan = tr(
        "{plan}: a plan, which answers for you; others: {command}",
        plan=_translate_phrase("plan hold 40%"),
        command=f"pbem plan {brief}",
    )
    words = tr("{say}: WORDS, on the last lines: goes to your opponent", **translate_words("say"))
    head = tr("Other answers:")
    return Paragraph((LetterLine(head), *(LetterLine(line, 2, 4) for line in [*lines, plan, words])))


def how_to_agree() -> str:
    """How to confirm the orders shown, or to drop them."""
    return tr(
        "Answer {yes} to do this, {no} to leave it, or give other orders.", **translate_words("yes", "no")
    )


def how_to_answer_proposal() -> str:
    """How to answer a proposal."""
    return tr(
        "Answer this mail with {yes} or {no} above this text; {say}: WORDS goes to your opponent.",
        **translate_words("yes", "no", "say"),
    )


def translate_words(*words: str) -> dict[str, str]:
    """Each English word with the one that the player types for it in his language."""
    return {word: _translate_phrase(word) for word in words}


def _translate_phrase(phrase: str) -> str:
    return " ".join(map(tr.own, phrase.split(" ")))
