"""Orders by reply: a player's reply to a letter of his own computer is judged, then shown or carried out.

Three things are required of a reply: a code that his key has made, for the letter that counts now; his own
address as its one sender; and that no program or list has sent it. A sender proves nothing, the code does;
the address excludes what he has forwarded to others. Without them nothing is done, and he is informed in the
next letter to himself; about a mail that a program has sent, on the screen alone, since two programs that
answer each other never stop.
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
    """Carries out the replies of a player to his own computer; game files are written into `folder`."""

    def __init__(self, desk: LocalPlayer, mail: MailSettings, folder: Path) -> None:
        self._desk = desk
        self._address = mail.address
        self._folder = folder
        self._notebook = Notebook(desk.home)

    def take(self, examiner: Examiner, data: bytes) -> list[str] | None:
        """Carry out a reply, and describe the result in lines; None where it is none to a letter to oneself.

        Raises `ShelfError`, `KeyFileError` where the player's own side fails; as `Examiner.extract_reply`.
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
        """Check code and sender of a reply that a person seems to have sent, and carry it out."""
        genuine = list(self._genuine(codes))
        if not genuine:
            wrong = tr("A mail with a wrong code asked for orders: nothing was done.")
            without = tr("A mail with no code asked for orders: nothing was done.")
            return self._refused("", f"{wrong if codes else without} {_always_do()}")
        if not self._is_own(answer.sender):
            return self._refused("", f"{_from_another(safe(cut(answer.sender, 60)))} {_always_do()}")
        for game, code in genuine:
            pending = self._notebook.at(game)
            if code.entry == len(game.entries) - 1 and code.letter == pending.letter:
                return self._answered(game, pending, answer)
        game, code = genuine[0]
        gone_on = code.entry < len(game.entries) - 1
        pending, why = self._notebook.at(game), _gone_on() if gone_on else _served()
        return self._worthless(game, pending, _words(answer), why)

    def _genuine(self, codes: list[Code]) -> Iterator[tuple[Game, Code]]:
        """The codes that the player's key has made, each with its game."""
        games: dict[str, list[Game]] = {}
        for code in codes:
            if code.game not in games:
                ids = self._desk.shelf.ids(code.game)
                games[code.game] = [self._desk.open(self._desk.shelf.find(game).data) for game in ids]
            for game in games[code.game]:
                if is_genuine(code, game, self._desk.key):
                    yield game, code

    def _answered(self, game: Game, pending: PendingLetter, answer: Answer) -> list[str]:
        """Carry out a genuine reply to the letter that counts; its code is used up first."""
        name, words = game.ids[0], _words(answer)
        anew = replace(pending, letter=pending.letter + 1, shown="", preview="", sent=False, answered=True)
        self._notebook.put(name, anew)
        try:
            if game.table.writer not in permissions.held_seats(game, self._desk.key):
                raise NotYourMove(tr("it is not your move"))
            wanted = self._wanted(game, pending, answer)
            if wanted is None:
                return self._refused(name, tr("Nothing was done."))
            if wanted.may_be_done:
                return self._do(wanted.act)
            return self._show(wanted, _folded(words) if wanted.agreed else "")
        except (PlaceTaken, UndoneEntry, UnknownGame) as taken:
            why = tr("Refused, and nothing was done: {why}", why=taken)
            return self._worthless(game, pending, words, why)
        except (ShelfError, KeyFileError):
            raise
        except PbemError as error:
            return self._worthless(game, pending, words, *_complaint(error))

    def _worthless(self, game: Game, pending: PendingLetter, words: str, *lines: str) -> list[str]:
        """Refuse a reply in the next letter, unless the last one was refused in the same words.

        Then a program may be answering each letter. No letter is sent, and the newest still counts.
        """
        name, folded = game.ids[0], _folded(words)
        if folded == pending.refused:
            self._notebook.put(name, pending)
            return [
                tr(
                    "{game}: the answer that was refused has come once more, as from a program that answers "
                    "by itself: no letter tells of it, and the newest letter still counts",
                    game=_named(game),
                )
            ]
        self._notebook.put(name, replace(self._notebook.at(game), refused=folded))
        return self._refused(name, *lines)

    def _wanted(self, game: Game, pending: PendingLetter, answer: Answer) -> _Wanted | None:
        """The action that a reply asks for; None: it asks for none after all."""
        hand = ActionContext(self._desk, game, self._desk.place(game, self._folder))
        found = find_orders(hand, _words(answer))
        said, left = found.wish, found.left_out
        if pending.shown and said.is_no:
            return None
        idle = found.idle and _folded(_words(answer)) != pending.refused
        if pending.shown and (said.is_yes or idle):
            with speaking(pending.lang):  # in which they were read when they were shown
                shown = wish(pending.shown)
                both = "\n".join(text for text in (shown.say, said.say) if text)
                act = read(hand, replace(shown, say=both))
            sure = said.is_yes and found.courteous  # after a bare "OK" he is asked once more
            return _Wanted(act, replace(shown, say=both), pending.lang, left, sure=sure, agreed=True)
        act = read(hand, said)
        return _Wanted(act, said, spoken(), left, sure=not left and not answer.inside)

    def _show(self, wanted: _Wanted, idle: str) -> list[str]:
        """Save the words until they are confirmed, with a preview of what they would do.

        `idle` are words that do not confirm them: a program that repeats those gets no other letter.
        """
        game = wanted.act.hand.game
        pending = self._notebook.of(game.ids[0])
        preview = "\n".join([wanted.act.told, *_said_too(wanted.act), *_left_out(wanted.left_out)])
        self._notebook.put(
            game.ids[0],
            replace(
                pending,
                shown=wanted.typed,
                lang=wanted.language,
                preview=preview,
                refused=idle or pending.refused,
            ),
        )
        return [tr("{game}: asks you whether to do what you answered", game=_named(game))]

    def _do(self, act: Action) -> list[str]:
        """Sign the action: its entry is stored, and `watch` mails it."""
        _, game, file = act.hand
        Contacts(self._desk).check(game)
        self._desk.check_place(game, file)
        pending = self._notebook.of(game.ids[0])
        preview = "\n".join([act.told, *_said_too(act)])
        self._notebook.put(game.ids[0], replace(pending, done=len(game.entries) - 1))
        if sign(act) is None:
            self._notebook.note(game.ids[0], preview)
            return [tr("{game}: kept your answer", game=_named(game))]
        self._notebook.note(game.ids[0], f"{tr('Done.')}\n{preview}")
        return [tr("{game}: did what you answered, in {file}", game=_named(game), file=file)]

    def _refused(self, game: str, *lines: str) -> list[str]:
        """Save a refusal for the next letter; its first line for the screen."""
        self._notebook.note(game, *lines)
        return [lines[0]]

    def _is_to_oneself(self, answer: Answer) -> bool:
        """Whether sender and all recipients are the player's own address, as in a reply with orders."""
        return (
            self._is_own(answer.sender)
            and all(map(self._is_own, answer.recipients))
            and bool(answer.recipients)
        )

    def _is_own(self, address: str) -> bool:
        return address.casefold() == self._address.casefold()


class _Wanted(Struct, frozen=True):
    """An action that a reply asks for, the words for it and their language, and the lines that were left out.

    `sure`: nothing in the reply was guessed. `agreed`: it says yes to what was shown.
    """

    act: Action
    wish: Wish
    language: str
    left_out: tuple[str, ...]
    sure: bool
    agreed: bool = False

    @property
    def may_be_done(self) -> bool:
        """Whether it is carried out without being shown first."""
        unasked = self.act.asks == "never" or (self.act.asks == "first" and self.wish.now)
        return self.sure and (self.agreed or unasked)

    @property
    def typed(self) -> str:
        """The words of a reply that means exactly this action."""
        return "\n".join([*self.wish.lines, *([f"say: {self.wish.say}"] if self.wish.say else [])])


def _words(answer: Answer) -> str:
    """The words that a person has typed above the quote and within it, without our codes."""
    return without_codes("\n".join(text for text in (answer.words, answer.inside) if text))


def _folded(words: str) -> str:
    """Words as one line in small letters, by which two replies are compared."""
    return " ".join(words.casefold().split())


def _said_too(act: Action) -> list[str]:
    """The message to the opponent that goes along."""
    if not act.spoken:
        return []
    first, *others = act.spoken.split("\n")
    return [tr("You say: {words}", words=safe(first)), *(f"  {safe(line)}" for line in others)]


def _left_out(lines: tuple[str, ...]) -> list[str]:
    """The lines of a reply that make no order."""
    return [tr("Left out, as no order:"), *(f"  {safe(cut(line, 60))}" for line in lines)] if lines else []


def _complaint(error: PbemError) -> list[str]:
    """The refusal of orders as the command `move` prints it: with the place in the words, and a hint."""
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
