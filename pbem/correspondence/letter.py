"""The letter: the mail that carries a game, as its reader likes to find it.

First what the opponent says and what has happened, then whether it was checked, the map, whose move it is
and what to type; last the file itself as an armoured block, for mail programs that lose attachments.
Knows no game: the rules tell the story, and their legend has the map and the turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem import __version__
from pbem.correspondence.thread import runs, thread
from pbem.journal.shapes import Body
from pbem.mail import armour
from pbem.render.picture import board
from pbem.render.smallmap import RULER, STRIDE
from pbem.render.words import named, safe, said
from pbem.render.words import wrap as wrapped
from pbem.report import awaited, deed
from pbem.umpire import Chapter, Game, owed
from pbem.umpire.facts import BRIEF, counted, file_name
from pbem.umpire.scenario import own_scenario
from pbem.umpire.table import Beat

COLUMNS = 76
"""How wide a letter is at most: what mail programs neither wrap nor make wider by quoting it once."""


def subject(game: Game) -> str:
    """Game, turn, sides and mail number on one line, harmless whatever the players are called."""
    turn = dict(game.rules.view.legend(game.table.run.state).figures).get("Turn", "")
    parts = [f"turn {turn}" if turn else "", _sides(game), f"mail {thread(game).number}"]
    title = f"[pbem] {game.rules.title} {game.ids[0][:BRIEF]}"
    return safe(f"{title}: {', '.join(part for part in parts if part)}")


def letter(game: Game, *, picture: bool = True) -> str:
    """The letter about a game's newest mail, without the block, and if wished without the map.

    Every line has an end, and none is wider than COLUMNS.
    """
    writer = game.chapters[-1].entry.body.by
    paragraphs = [
        *_opening(game, writer),
        *_scenario(game),
        *_news(game),
        _checked(game),
        *([_map(game)] if picture else []),
        *_what_next(game, writer),
    ]
    return "\n\n".join(paragraphs) + "\n"


def body(game: Game, data: bytes) -> str:
    """The letter, and below it the file `data` as an armoured block."""
    lost = (
        f"If the attached {file_name(game)} is lost, save this mail as a text file or an .eml and give pbem "
        "that instead. The block below is the same file."
    )
    return f"{letter(game)}\n{_wrap(lost)}\n\n{armour.enclose(data)}"


def _sides(game: Game) -> str:
    return " - ".join(
        f"{_player(game, seat)} ({seat})" if seat in game.seats else f"the {seat} seat is free"
        for seat in game.rules.seats
    )


def _opening(game: Game, writer: str) -> Iterator[str]:
    """Which mail this is, and what the opponent says in it."""
    reader = next(seat for seat in game.rules.seats if seat != writer)
    to = f" to {_player(game, reader)} ({reader})" if reader in game.seats else ""
    mail = f"mail {thread(game).number}, {_player(game, writer)} ({writer}){to}"
    yield _wrap(f"{game.rules.title}, game {game.ids[0][:BRIEF]}: {mail}")
    words = [one.entry.body.say for one in runs(game)[-1] if one.entry.body.say]
    if words:
        lines = [line for say in words for line in said(say, COLUMNS, 2)]
        yield "\n".join([_wrap(f"{_player(game, writer)} says:"), *lines])


def _scenario(game: Game) -> Iterator[str]:
    """That the scenario is the offerer's own, where it is, and what it changes (FORMAT 4)."""
    if own := own_scenario(game):
        yield _wrap(f"The scenario is {own.text}")


def _news(game: Game) -> Iterator[str]:
    """What the mail brings, entry by entry."""
    first, *_ = newest = runs(game)[-1]
    since = "What happens" if first.entry.body.n == 0 else "What has happened since your last mail"
    yield "\n".join([f"{since}:", *(line for one in newest for line in _chapter(game, one))])


def _chapter(game: Game, one: Chapter) -> Iterator[str]:
    """An entry: who did what, the cards or dice it brought, and what came of it."""
    entry: Body = one.entry.body
    yield _wrap(f"{entry.n}. {_player(game, entry.by)} ({entry.by}): {deed(game, one)}", 2, 6)
    if one.beat and one.beat.draws:
        yield _wrap(_drawn(one.beat), 6, 8)
    for tell in one.told:
        yield _wrap(f"- {game.rules.view.story(tell)}", 6, 8)


def _drawn(beat: Beat) -> str:
    """What chance gave, and that nobody could choose it."""
    outcomes = ", ".join(str(draw.outcome) for draw in beat.draws)
    return f"Drawn in beat {beat.number}: {outcomes} (verified: from the secrets of both players)"


def _checked(game: Game) -> str:
    """That the sender's program has checked the file, and how the reader can do so himself."""
    draws = sum(len(beat.draws) for beat in game.table.beats)
    held = (
        f"Verified: yes, by pbem {__version__} before this mail left: {counted(len(game.entries))}, each "
        f"signature and order, and {draws} {'draw' if draws == 1 else 'draws'}. Check it yourself: "
        f"pbem verify {file_name(game)}"
    )
    return _wrap(held)


def _map(game: Game) -> str:
    """The map with its key; where it is wider than a letter, where to see it."""
    legend = game.rules.view.legend(game.table.run.state)
    if STRIDE * legend.columns + 2 * RULER > COLUMNS:  # of small hexes; large ones are drawn if they fit
        return _wrap(f"The map is too wide for a mail. To see it: pbem show {file_name(game)}")
    return "\n".join(map(_narrowed, board(legend).splitlines()))


def _narrowed(line: str) -> str:
    """A line of the map's key and lists, as wide as a letter: its columns drawn together, or wrapped."""
    surplus = len(line) - COLUMNS
    if surplus <= 0:
        return line
    gap = max(re.findall(" +", line), key=len, default="")
    return line.replace(gap, gap[surplus:], 1) if len(gap) > surplus + 1 else _wrap(line, 0, 4)


def _what_next(game: Game, writer: str) -> Iterator[str]:
    """Whose move it is, and what the reader types."""
    due, file = owed(game.table), file_name(game)
    if due.seat is None:
        yield _wrap(f"T{due.text[1:]}.")
        yield _typed([f"pbem log {file}"])
        return
    player = _player(game, due.seat)
    whose = f"{player} goes on" if due.seat == writer else f"Your move, {player}"
    yield f"{_wrap(f'{whose}.')}\n{_wrap(f'Next: {awaited(game.table)}', 0, 6)}"
    if due.seat == writer:
        yield _typed([f"pbem show {file}"])
        return
    answers = {
        "accept": [f"pbem join {file}"],
        "answer": [f"pbem answer {file} yes", f"pbem answer {file} no"],
        "opening": [f"pbem move {file}"],
    }
    orders = [f"pbem moves {file}", f'pbem move {file} "ORDER" ...']
    yield _typed([f"pbem show {file}", *answers.get(due.what, orders), f"pbem mail send {file}"])
    if due.what == "share":
        yield _wrap(f"Where show asks for no orders, it is: pbem move {file}")


def _player(game: Game, seat: str) -> str:
    """The name of a seat's player; of a free seat the seat."""
    return named(game.seats[seat].name) if seat in game.seats else seat


def _typed(lines: list[str]) -> str:
    return "\n".join(["Save the attached file, and type:", *(f"  {line}" for line in lines)])


def _wrap(text: str, first: int = 0, indent: int = 0) -> str:
    """The text, made harmless, in lines of at most COLUMNS; the first and the others indented."""
    return wrapped(" " * first + safe(text), COLUMNS, indent)
