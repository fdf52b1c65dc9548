"""What a player wants done in a game, by the words of an answer: read, shown to him, and then done.

    move 2SS-A 1803        orders, as `pbem move` reads them, on lines or parted by `;`
    pass                   where the rules have it
    propose last           a draw, or to take a move back, as `pbem propose` has it
    answer yes             to the opponent's proposal; yes or no alone will do
    resign                 always to be confirmed
    drafts                 beside orders: those of the commanders' drafts that have come (FORMAT 11)
    now: move 2SS-A 1803   any of these, done without being shown first
    plan hold 40%          a plan, armed: see `plan_answer`
    say: Well played       words to the opponent, on the last lines; alone they wait for the next orders

Orders are judged by the same question and written by the same umpire as those typed at the computer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from pbem.core.requests import Ask
from pbem.desk.desk import Desk
from pbem.desk.gathering import split
from pbem.desk.staff import is_word, staff
from pbem.desk.takeback import openings, proposal
from pbem.desk.trial import preview
from pbem.desk.words import Words
from pbem.errors import NotUnderstood, NotYourMove, OrderError
from pbem.render.words import cut
from pbem.report import with_its_end
from pbem.texts import Texts
from pbem.umpire import Game, seated, write
from pbem.umpire.table import Proposal

tr = Texts("pbem")

TYPED = ("now", "say", "yes", "no", "answer", "resign", "propose", "plan")

_NOW = re.compile(r"\s*([^\s:]+)\s*:[ \t]*")
_SAY = re.compile(r"^[ \t]*([^\s:]+)[ \t]*:[ \t]*", re.MULTILINE)
"""A word and a colon: of interest if it is that word."""

_BULLET = re.compile(r"^[ \t]*(?:[*\u2022-][ \t]+|[0-9]{1,2}[.)][ \t]+)")
"""What a telephone makes of lines that look like a list."""


class Wish(Struct, frozen=True):
    """The words of an answer: orders or the like, a line each, and words to the opponent.

    `now`: to be done without being shown first.
    """

    lines: tuple[str, ...]
    say: str = ""
    now: bool = False

    @property
    def is_yes(self) -> bool:
        """Whether it agrees to what was shown or proposed."""
        return list(map(_known, self.lines)) in (["yes"], ["answer yes"])

    @property
    def is_no(self) -> bool:
        """Whether it does not."""
        return list(map(_known, self.lines)) in (["no"], ["answer no"])


class Deed(Struct, frozen=True):
    """What would be done: in words, and how; and whether the player is asked first, `now:` or not.

    `do` returns the game with the entry, which nothing has kept yet; None where it writes none.
    """

    words: str
    do: Callable[[], Game | None]
    asks: Literal["always", "first", "never"] = "first"


def wish(words: str) -> Wish:
    """The words of an answer taken apart."""
    now = _NOW.match(words)
    if now and _known(now[1]) != "now":
        now = None
    rest = words[now.end() :] if now else words
    say = next((one for one in _SAY.finditer(rest) if _known(one[1]) == "say"), None)
    orders, said = (rest[: say.start()], rest[say.end() :].strip()) if say else (rest, "")
    lines = tuple(line for one in split(orders) if (line := _BULLET.sub("", one).rstrip(" .")))
    return Wish(lines, said, now is not None)


def read(desk: Desk, game: Game, wanted: Wish) -> Deed:
    """What the words come to in a game that waits for the player. Nothing is written yet.

    Raises `OrderError`, `NotYourMove` and `PbemError` as the commands do that take the same words.
    """
    typed, *others = (_bare(wanted.lines[0]).split() if wanted.lines else []) or [""]
    first = _known(typed)
    if not wanted.lines:
        return _words_alone(desk, game, wanted.say)
    if len(wanted.lines) == 1 and first == "resign" and not others:
        winner = game.table.other(seated.writing(game, desk.key))
        words = tr("You give the game up: {winner} wins.", winner=winner)
        return Deed(words, _resign(desk, game, wanted), "always")
    if game.table.proposal:
        return _answered(desk, game, wanted)
    if len(wanted.lines) == 1 and first == "propose":
        return _proposed(desk, game, wanted, " ".join(others))
    if first == "plan":
        return _planned(desk, game, wanted)
    return _ordered(desk, game, wanted)


def _words_alone(desk: Desk, game: Game, say: str) -> Deed:
    """Words that wait for the next entry that takes them along."""
    if not say:
        problem, hint = tr("no orders above the quoted text"), tr("write them above it, a line each")
        raise NotUnderstood(problem, "", 0, 0, hint=hint)
    Words(desk.home).joined(game, desk.key, say)

    def keep() -> None:
        Words(desk.home).keep(game, desk.key, say)

    return Deed(tr("Your words wait for your next orders."), keep, "never")


def _resign(desk: Desk, game: Game, wanted: Wish) -> Callable[[], Game]:
    return lambda: write.resign(game, desk.key, claim=_claim(desk, game, wanted))


def _answered(desk: Desk, game: Game, wanted: Wish) -> Deed:
    """The answer to the opponent's proposal, which comes before all else."""
    proposed = game.table.proposal
    assert proposed is not None
    if not (wanted.is_yes or wanted.is_no):
        yes, no = tr.own("yes"), tr.own("no")
        raise NotYourMove(
            tr("{proposal}: answer that first", proposal=proposed.words()),
            hint=tr("answer {yes}, or answer {no}", yes=yes, no=no),
        )
    warnings = openings(game, proposed.entry) if wanted.is_yes and proposed.entry is not None else ()
    return Deed(
        "\n".join([_agreed(wanted.is_yes, proposed), *_minding(warnings)]),
        lambda: write.answer(game, desk.key, wanted.is_yes, claim=_claim(desk, game, wanted)),
        "never",
    )


def _agreed(yes: bool, proposed: Proposal) -> str:
    """What an answer to a proposal says."""
    match yes, proposed.entry:
        case True, None:
            return tr("You agree to a draw, which {seat} proposes.", seat=proposed.by)
        case True, entry:
            return tr(
                "You agree to take back to entry {entry}, which {seat} proposes.",
                entry=entry,
                seat=proposed.by,
            )
        case _, None:
            return tr("You refuse a draw, which {seat} proposes.", seat=proposed.by)
        case _, entry:
            return tr(
                "You refuse to take back to entry {entry}, which {seat} proposes.",
                entry=entry,
                seat=proposed.by,
            )


def _proposed(desk: Desk, game: Game, wanted: Wish, what: str) -> Deed:
    """A draw, or a move to be taken back."""
    found = proposal(game, desk.key, what)
    after = write.propose(game, desk.key, found.what)  # so that what may not be proposed is refused now
    assert after.table.proposal is not None
    entry = after.table.proposal.entry
    words = (
        tr("You propose a draw.")
        if entry is None
        else tr("You propose to take back to entry {entry}.", entry=entry)
    )
    return Deed(
        "\n".join([words, *_minding(found.warnings)]),
        lambda: write.propose(game, desk.key, found.what, claim=_claim(desk, game, wanted)),
    )


def _planned(desk: Desk, game: Game, wanted: Wish) -> Deed:
    """A plan, which answers from then on, and now if it can."""
    from pbem.desk.plan_answer import planned  # here, because few answers have plans

    return Deed(*planned(desk, game, wanted.lines, wanted.say))


def _ordered(desk: Desk, game: Game, wanted: Wish) -> Deed:
    """Orders, with what they would do; they are judged once more as they are written."""
    seat, table = seated.writing(game, desk.key), seated.unlock(game, desk.key)
    asked = table.asked
    if asked is None or asked.seat != seat or not isinstance(asked, Ask):
        raise NotYourMove(tr("{seat} is asked for no orders now", seat=seat))
    side, typed = staff(desk, game, table), list(wanted.lines)
    try:
        if side and any(map(is_word, typed)):
            own = [line for line in typed if not is_word(line)]
            for line in filter(is_word, typed):
                side.name(line)
            typed = [*side.words(game.rules.view.read_words(asked, own) if own else []), *own]
        orders = game.rules.view.read_words(asked, typed)
        if side:
            typed, _ = side.completed(typed, orders)
            orders = game.rules.view.read_words(asked, typed)
        told = preview(game, table, orders)
    except OrderError as error:
        raise with_its_end(game, table.run.told, error) from None
    lines = [f"  {line}" for line in game.rules.view.write_words(orders)]
    parts = side.parts(orders) if side else []
    drafts = side.told() if side else []
    return Deed(
        "\n".join([tr("Your orders:"), *lines, *drafts, tr("What they do:"), told]),
        lambda: write.play(game, desk.key, orders, claim=_claim(desk, game, wanted), parts=parts),
    )


def _claim(desk: Desk, game: Game, wanted: Wish) -> write.Claim:
    return Words(desk.home).claim(game, desk.key, wanted.say)


def _minding(warnings: tuple[str, ...]) -> list[str]:
    return [tr("Mind: {warning}", warning=cut(warning, 200)) for warning in warnings]


def _known(line: str) -> str:
    """A line with the words that an answer may have in English."""
    return " ".join(tr.meant(word, TYPED) for word in _bare(line).split())


def _bare(line: str) -> str:
    return " ".join(line.lower().split()).rstrip(".!")
