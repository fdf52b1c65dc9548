"""Orders by reply: what a player answers to a letter of his own computer is judged, shown or done.

Three things are required of an answer: a code that his key has made, for the letter that counts now; his own
address as its one sender; and that no program or list has sent it. A sender proves nothing, the code does;
the address keeps out what he has passed on to others. Without them nothing is done, and he is told: in the
next letter to himself, or, of what a program has sent, on the screen alone, since letters that answer
programs never end.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.correspondence.contacts import Contacts
from pbem.correspondence.judge_mail import Examiner
from pbem.correspondence.letter_record import Notebook, PendingLetter
from pbem.correspondence.reply_codes import Code, codes_in, is_genuine, without_codes
from pbem.errors import (
    KeyFileError,
    MailError,
    NotUnderstood,
    NotYourMove,
    OverBudget,
    PbemError,
    PlaceTaken,
    ShelfError,
    UndoneEntry,
    UnknownGame,
)
from pbem.mail.answer import Answer, may_answer_a_letter
from pbem.mail.config import MailSettings
from pbem.player.actions.action import Action, ActionContext
from pbem.player.actions.find_orders import find_orders
from pbem.player.actions.parse_answer import Wish, read, wish
from pbem.player.local_player import LocalPlayer
from pbem.player.sign import sign
from pbem.render.words import cut, safe
from pbem.texts import Texts, speaking, spoken
from pbem.umpire import permissions
from pbem.umpire.game import Game
from pbem.umpire.game_facts import BRIEF

tr = Texts("pbem")


class OrdersByReply:
    """The answers to whoever's desk it is; game files are written into `folder`."""

    def __init__(self, desk: LocalPlayer, mail: MailSettings, folder: Path) -> None:
        self._desk = desk
        self._address = mail.address
        self._folder = folder
        self._notebook = Notebook(desk.home)

    def take(self, examiner: Examiner, data: bytes) -> list[str] | None:
        """The result of a mail, in lines; None where it is no answer to a letter to oneself.

        Raises `ShelfError`, `KeyFileError` where the player's own side fails; as `Examiner.answer`.
        """
        if not may_answer_a_letter(data, self._address):
            return None
        try:
            answer = examiner.answer(data, self._address)
        except (MailError, OverBudget) as error:
            return [tr("an answer that cannot be read: {why}", why=error)]
        if answer is None:
            return None
        codes = codes_in(f"{answer.threading}\n{answer.text}")
        if not codes and not (answer.is_tied and self._is_to_oneself(answer)):
            return None
        if answer.automatic:
            return [tr("nothing was done with an answer: {why}", why=answer.automatic)]
        return self._judged(answer, codes)

    def _judged(self, answer: Answer, codes: list[Code]) -> list[str]:
        """The answer, once a person has sent it as far as one can see."""
        found = list(self._genuine(codes))
        if not found:
            wrong = tr("A mail with a wrong code asked for orders: nothing was done.")
            without = tr("A mail with no code asked for orders: nothing was done.")
            return self._refused("", f"{wrong if codes else without} {_always_do()}")
        if not self._is_own(answer.sender):
            return self._refused("", f"{_from_another(safe(cut(answer.sender, 60)))} {_always_do()}")
        for game, one in found:
            asked = self._notebook.at(game)
            if one.entry == len(game.entries) - 1 and one.letter == asked.letter:
                return self._answered(game, asked, answer)
        game, one = found[0]
        gone_on = one.entry < len(game.entries) - 1
        asked, why = self._notebook.at(game), _gone_on() if gone_on else _served()
        return self._worthless(game, asked, _words(answer), why)

    def _genuine(self, codes: list[Code]) -> Iterator[tuple[Game, Code]]:
        """The codes that the player's key has made, each with its game."""
        games: dict[str, list[Game]] = {}
        for one in codes:
            if one.game not in games:
                ids = self._desk.shelf.ids(one.game)
                games[one.game] = [self._desk.open(self._desk.shelf.find(game).data) for game in ids]
            for game in games[one.game]:
                if is_genuine(one, game, self._desk.key):
                    yield game, one

    def _answered(self, game: Game, asked: PendingLetter, answer: Answer) -> list[str]:
        """A good answer to the letter that counts: from here on its code has served."""
        name, words = game.ids[0], _words(answer)
        anew = replace(asked, letter=asked.letter + 1, shown="", preview="", sent=False, answered=True)
        self._notebook.put(name, anew)
        try:
            if game.table.writer not in permissions.held_seats(game, self._desk.key):
                raise NotYourMove(tr("it is not your move"))
            wanted = self._wanted(game, asked, answer)
            if wanted is None:
                return self._refused(name, tr("Nothing was done."))
            if wanted.may_be_done:
                return self._do(wanted.act)
            return self._show(wanted, _folded(words) if wanted.agreed else "")
        except (PlaceTaken, UndoneEntry, UnknownGame) as taken:
            why = tr("Refused, and nothing was done: {why}", why=taken)
            return self._worthless(game, asked, words, why)
        except (ShelfError, KeyFileError):
            raise
        except PbemError as error:
            return self._worthless(game, asked, words, *_complaint(error))

    def _worthless(self, game: Game, asked: PendingLetter, words: str, *lines: str) -> list[str]:
        """An answer that is refused, as the next letter tells; but not if the last was, in the same words.

        Then a program may answer each letter by itself. No letter answers it, and the newest still counts.
        """
        name, said = game.ids[0], _folded(words)
        if said == asked.refused:
            self._notebook.put(name, asked)
            return [
                tr(
                    "{game}: the answer that was refused has come once more, as from a program that answers "
                    "by itself: no letter tells of it, and the newest letter still counts",
                    game=_named(game),
                )
            ]
        self._notebook.put(name, replace(self._notebook.at(game), refused=said))
        return self._refused(name, *lines)

    def _wanted(self, game: Game, asked: PendingLetter, answer: Answer) -> _Wanted | None:
        """The wish of the answer; None: it has none after all."""
        hand = ActionContext(self._desk, game, self._desk.place(game, self._folder))
        found = find_orders(hand, _words(answer))
        said, left = found.wish, found.left_out
        if asked.shown and said.is_no:
            return None
        idle = found.idle and _folded(_words(answer)) != asked.refused
        if asked.shown and (said.is_yes or idle):
            with speaking(asked.lang):  # as they were understood when they were shown
                shown = wish(asked.shown)
                both = "\n".join(one for one in (shown.say, said.say) if one)
                act = read(hand, replace(shown, say=both))
            sure = said.is_yes and found.courteous  # of an "OK" alone he is asked once more
            return _Wanted(act, replace(shown, say=both), asked.lang, left, sure=sure, agreed=True)
        act = read(hand, said)
        return _Wanted(act, said, spoken(), left, sure=not left and not answer.inside)

    def _show(self, wanted: _Wanted, idle: str) -> list[str]:
        """Keep the words until they are confirmed, and tell what they would do.

        `idle` are words that do not confirm them: a program that answers so once more gets no other letter.
        """
        game = wanted.act.hand.game
        asked = self._notebook.of(game.ids[0])
        told = "\n".join([wanted.act.told, *_said_too(wanted.act), *_left_out(wanted.left_out)])
        self._notebook.put(
            game.ids[0],
            replace(
                asked, shown=wanted.typed, lang=wanted.language, preview=told, refused=idle or asked.refused
            ),
        )
        return [tr("{game}: asks you whether to do what you answered", game=_named(game))]

    def _do(self, act: Action) -> list[str]:
        """Sign it: the entry is kept, and `watch` mails it."""
        _, game, file = act.hand
        Contacts(self._desk).check(game)
        self._desk.check_place(game, file)
        asked = self._notebook.of(game.ids[0])
        told = "\n".join([act.told, *_said_too(act)])
        self._notebook.put(game.ids[0], replace(asked, done=len(game.entries) - 1))
        if sign(act) is None:
            self._notebook.note(game.ids[0], told)
            return [tr("{game}: kept your answer", game=_named(game))]
        self._notebook.note(game.ids[0], f"{tr('Done.')}\n{told}")
        return [tr("{game}: did what you answered, in {file}", game=_named(game), file=file)]

    def _refused(self, game: str, *lines: str) -> list[str]:
        """Refuse to do anything: tell it in the next letter, and here."""
        self._notebook.note(game, *lines)
        return [lines[0]]

    def _is_to_oneself(self, answer: Answer) -> bool:
        """Whether somebody who says he is the player writes to him alone, as if to order something."""
        return (
            self._is_own(answer.sender)
            and all(map(self._is_own, answer.recipients))
            and bool(answer.recipients)
        )

    def _is_own(self, address: str) -> bool:
        return address.casefold() == self._address.casefold()


class _Wanted(Struct, frozen=True):
    """An act that an answer asks for, the words for it and their language, and the lines beside them.

    `sure`: nothing of the answer was guessed. `agreed`: it says yes to what was shown.
    """

    act: Action
    wish: Wish
    language: str
    left_out: tuple[str, ...]
    sure: bool
    agreed: bool = False

    @property
    def may_be_done(self) -> bool:
        """Whether it is done without being shown first."""
        unasked = self.act.asks == "never" or (self.act.asks == "first" and self.wish.now)
        return self.sure and (self.agreed or unasked)

    @property
    def typed(self) -> str:
        """The words as an answer that means this and nothing else."""
        return "\n".join([*self.wish.lines, *([f"say: {self.wish.say}"] if self.wish.say else [])])


def _words(answer: Answer) -> str:
    """The words that a person has typed, above the quote and in it, without our codes."""
    return without_codes("\n".join(one for one in (answer.words, answer.inside) if one))


def _folded(words: str) -> str:
    """Words as one line, by which two answers are compared."""
    return " ".join(words.casefold().split())


def _said_too(act: Action) -> list[str]:
    """The words to the opponent that go along."""
    if not act.spoken:
        return []
    first, *others = act.spoken.split("\n")
    return [tr("You say: {words}", words=safe(first)), *(f"  {safe(line)}" for line in others)]


def _left_out(lines: tuple[str, ...]) -> list[str]:
    """The parts of an answer that make no order."""
    return [tr("Left out, as no order:"), *(f"  {safe(cut(line, 60))}" for line in lines)] if lines else []


def _complaint(error: PbemError) -> list[str]:
    """The refusal of orders, as `move` says it: with the place in what was typed, and what to do."""
    lines = [tr("Refused, and nothing was done: {why}", why=error)]
    if isinstance(error, NotUnderstood) and error.text:
        lines += error.caret().split("\n")
    return [*lines, *([tr("Hint: {hint}", hint=error.hint)] if error.hint else [])]


def _gone_on() -> str:
    return tr("What that mail asked has been decided, and the game has gone on: nothing more was done.")


def _served() -> str:
    return tr(
        "The code of that mail has already been used: nothing was done. Answer this letter, or the newest."
    )


def _from_another(sender: str) -> str:
    if not sender:
        return tr("A mail with a code of yours came from no single address: nothing was done.")
    return tr("A mail with a code of yours came from {sender}: nothing was done.", sender=sender)


def _always_do() -> str:
    return tr("Answer the newest letter, from your own address, with the code that stands in it.")


def _named(game: Game) -> str:
    return f"{game.rules.title} {game.ids[0][:BRIEF]}"
