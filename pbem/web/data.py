"""What a page says of its game to the scripts in it: the log, and what each draw was drawn among."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from pbem.journal.canonical import canonical
from pbem.umpire import Chapter, Game


def log(game: Game) -> list[Any]:
    """The entries as they stand in the game file."""
    return [entry.raw for entry in game.entries]


def draws(game: Game) -> dict[str, Any]:
    """What the log does not say: where it ends, and the draws of each completed beat, by the rules."""
    return {
        "head": game.ids[-1],
        "beats": [_beat(chapter) for chapter in game.chapters if chapter.beat is not None],
    }


def _beat(chapter: Chapter) -> dict[str, Any]:
    """The draws of one beat, in the rules' order, with a sum by which damage to the page shows."""
    beat, entry = chapter.beat, chapter.entry
    assert beat is not None
    drawn: Any = {
        "beat": beat.number,
        "draws": [
            {"rule": draw.rule, "outcomes": list(draw.outcomes), "outcome": draw.outcome}
            for draw in beat.draws
        ],
    }
    total = sha256(b"pbem/1 page\n" + bytes.fromhex(entry.id) + canonical(drawn)).hexdigest()
    return {"entry": entry.body.n, **drawn, "sum": total}
