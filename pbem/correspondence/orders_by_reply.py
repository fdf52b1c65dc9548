"""Orders by reply: a player's reply to a letter from their own computer is checked, then shown or carried
out.

A reply must have three things: a code made with the player's key, for the letter that counts now; the
player's own address as its only sender; and no sign that a program or a list sent it. The sender proves
nothing, the code does; the address excludes letters the player has forwarded to others. If one is missing,
nothing is done, and the next letter to oneself says so. If a program sent the mail, only the screen says so,
since two programs that answer each other never stop.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.correspondence.contacts import Contacts
from pbem.correspondence.mail_stages import UnreadableReply
from pbem.correspondence.question_record import (
    PendingLetter,
    QuestionRecord,
    ReplyCode,
    codes_in,
    is_genuine,
    without_codes,
)
from pbem.errors import (
    FileNameTaken,
    KeyFileError,
    NotUnderstood,
    NotYourMove,
    PbemError,
    StorageError,
    UndoneEntry,
    UnknownGame,
)
from pbem.mail.extract_reply import MailReply
from pbem.mail.settings import MailSettings
from pbem.player.actions.action import Action, ActionContext
from pbem.player.actions.parse_action import ParsedReply, action_from_reply, find_orders, parse_reply_text
from pbem.player.local_player import LocalPlayer
from pbem.player.sign import sign
from pbem.render.safe_text import cut, safe_text
from pbem.texts import Texts, speaking, spoken
from pbem.umpire import permissions
from pbem.umpire.game_facts import SHORT_ID_DIGITS
from pbem.umpire.game_state import Game

tr = Texts("pbem")


class OrdersByReply:
    """Carries out a player's replies to their own computer; game files are written to `folder`."""

    def __init__(self, player: LocalPlayer, mail: MailSettings, folder: Path) -> None:
        self._player = player
        self._address = mail.address
        self._folder = folder
        self._notebook = QuestionRecord(player.home)

    @property
    def address(self) -> str:
        """The player's own address, to which replies are sent."""
        return self._address

    def carry_out_reply(self, answer: MailReply | UnreadableReply) -> list[str]:
        """Carry out a reply to a letter to oneself. Returns lines that describe the result.

        Raises `StorageError`, `KeyFileError` for failures on the player's own side.
        """
        if isinstance(answer, UnreadableReply):
            return [tr("a reply that cannot be read: {why}", why=answer.why)]
        if answer.automatic:
            return [tr("pbem ignored a reply: {why}", why=answer.automatic)]
        return self._check_and_carry_out(answer, codes_in(f"{answer.threading}\n{answer.text}"))

    def _check_and_carry_out(self, answer: MailReply, codes: list[ReplyCode]) -> list[str]:
        """Check the code and sender of a reply that a person seems to have sent, and carry it out."""
        genuine = list(self._genuine_codes(codes))
        if not genuine:
            wrong = tr("A mail with orders was ignored, because its code is wrong.")
            without = tr("A mail with orders was ignored, because it has no code.")
            return self._save_refusal("", f"{wrong if codes else without} {_advice()}")
        if not self._is_own(answer.sender):
            return self._save_refusal(
                "", f"{_say_wrong_sender(safe_text(cut(answer.sender, 60)))} {_advice()}"
            )
        for game, code in genuine:
            pending = self._notebook.current_letter(game)
            if code.entry == len(game.entries) - 1 and code.letter == pending.letter:
                return self._carry_out(game, pending, answer)
        game, code = genuine[0]
        gone_on = code.entry < len(game.entries) - 1
        pending, why = (
            self._notebook.current_letter(game),
            _say_game_went_on() if gone_on else _say_code_was_used(),
        )
        return self._refuse_unless_repeated(game, pending, _typed_words(answer), why)

    def _genuine_codes(self, codes: list[ReplyCode]) -> Iterator[tuple[Game, ReplyCode]]:
        """The codes made with the player's key, each with its game."""
        games: dict[str, list[Game]] = {}
        for code in codes:
            if code.game not in games:
                ids = self._player.store.ids(code.game)
                games[code.game] = [self._player.open(self._player.store.find(game).data) for game in ids]
            for game in games[code.game]:
                if is_genuine(code, game, self._player.key):
                    yield game, code

    def _carry_out(self, game: Game, pending: PendingLetter, answer: MailReply) -> list[str]:
        """Carry out a genuine reply to the letter that counts; its code is used up first."""
        name, words = game.ids[0], _typed_words(answer)
        anew = replace(pending, letter=pending.letter + 1, sent=False, answered=True)
        self._notebook.save(name, anew)
        try:
            if game.state.writer not in permissions.held_seats(game, self._player.key):
                raise NotYourMove(tr("it is not your move"))
            wanted = self._parse_action(game, pending, answer)
            if wanted is None:
                self._notebook.save(name, replace(anew, shown="", preview=""))
                return self._save_refusal(name, tr("Nothing was done."))
            if wanted.may_be_done:
                return self._sign_action(wanted.act)
            return self._save_preview(wanted, _fold_words(words) if wanted.agreed else "")
        except (FileNameTaken, UndoneEntry, UnknownGame) as taken:
            why = tr("Refused, and nothing was done: {why}", why=taken)
            return self._refuse_unless_repeated(game, pending, words, why)
        except (StorageError, KeyFileError):
            raise
        except PbemError as error:
            return self._refuse_unless_repeated(game, pending, words, *_describe_error(error))

    def _refuse_unless_repeated(
        self, game: Game, pending: PendingLetter, words: str, *lines: str
    ) -> list[str]:
        """Refuse a reply in the next letter, unless the last one was refused in the same words.

        In that case a program might be answering each letter. No letter is sent, and the newest still counts.
        """
        name, folded = game.ids[0], _fold_words(words)
        if folded == pending.refused:
            self._notebook.save(name, pending)
            return [
                tr(
                    "{game}: the refused reply has arrived again, as if a program had sent it. "
                    "pbem sends no letter about it, and the newest letter still counts",
                    game=_title_and_id(game),
                )
            ]
        self._notebook.save(name, replace(self._notebook.current_letter(game), refused=folded))
        return self._save_refusal(name, *lines)

    def _parse_action(self, game: Game, pending: PendingLetter, answer: MailReply) -> _WantedAction | None:
        """The action a reply asks for; None if it asks for none after all."""
        hand = ActionContext(self._player, game, self._player.game_path(game, self._folder))
        found = find_orders(hand, _typed_words(answer))
        said, left = found.wish, found.left_out
        if pending.shown and said.is_no:
            return None
        idle = found.idle and _fold_words(_typed_words(answer)) != pending.refused
        if pending.shown and (said.is_yes or idle):
            with speaking(pending.lang):  # the words are in the language they were shown in
                shown = parse_reply_text(pending.shown)
                both = "\n".join(text for text in (shown.say, said.say) if text)
                act = action_from_reply(hand, replace(shown, say=both))
            return _WantedAction(
                act, replace(shown, say=both), pending.lang, left, sure=found.agrees, agreed=True
            )
        act = action_from_reply(hand, said)
        if pending.shown and found.agrees and self._was_shown(act, pending):
            return _WantedAction(act, said, spoken(), (), sure=True, agreed=True)
        sure = not (left or answer.inside or found.in_message or found.guesses)
        return _WantedAction(act, said, spoken(), left, sure=sure, guesses=found.guesses)

    def _was_shown(self, act: Action, pending: PendingLetter) -> bool:
        """Whether an action does exactly what the letter showed."""
        with speaking(pending.lang):
            shown = action_from_reply(act.context, parse_reply_text(pending.shown))
        return (type(act), act.words, act.say) == (type(shown), shown.words, shown.say)

    def _save_preview(self, wanted: _WantedAction, idle: str) -> list[str]:
        """Save the words until they are confirmed, with a preview of their effect.

        `idle` are words that do not confirm them: a program that repeats those gets no further letter.
        """
        game = wanted.act.context.game
        pending = self._notebook.stored_letter(game.ids[0])
        preview = "\n".join(
            [
                *_describe_guesses(wanted.guesses, wanted.wish.lines),
                wanted.act.description,
                *_describe_message(wanted.act),
                *_describe_left_out(wanted.left_out),
            ]
        )
        self._notebook.save(
            game.ids[0],
            replace(
                pending,
                shown=wanted.as_reply,
                lang=wanted.language,
                preview=preview,
                refused=idle or pending.refused,
            ),
        )
        return [tr("{game}: asks you to confirm your reply", game=_title_and_id(game))]

    def _sign_action(self, act: Action) -> list[str]:
        """Sign the action: its entry is stored, and `watch` mails it."""
        _, game, file = act.context
        Contacts(self._player).check_and_remember(game)
        self._player.check_path_is_free(game, file)
        pending = self._notebook.stored_letter(game.ids[0])
        preview = "\n".join([act.description, *_describe_message(act)])
        left = {} if act.kind == "say" else {"shown": "", "preview": ""}  # a message leaves the question open
        self._notebook.save(game.ids[0], replace(pending, done=len(game.entries) - 1, **left))
        if sign(act) is None:
            self._notebook.save_note(game.ids[0], preview)
            return [tr("{game}: kept your reply", game=_title_and_id(game))]
        self._notebook.save_note(game.ids[0], f"{tr('Done.')}\n{preview}")
        return [tr("{game}: did what your reply says, in {file}", game=_title_and_id(game), file=file)]

    def _save_refusal(self, game: str, *lines: str) -> list[str]:
        """Save a refusal for the next letter. Returns its first line, for the screen."""
        self._notebook.save_note(game, *lines)
        return [lines[0]]

    def _is_own(self, address: str) -> bool:
        """Whether an address is the player's own, perhaps with a tag (`anna+games@example.org`)."""
        name, _, domain = address.casefold().rpartition("@")
        own, _, own_domain = self._address.casefold().rpartition("@")
        return domain == own_domain and own in (name, name.partition("+")[0])


class _WantedAction(Struct, frozen=True):
    """The action a reply asks for, its words and their language, and the lines that were left out.

    `sure`: nothing in the reply was guessed. `agreed`: it says yes to the action shown. `guesses` are the
    lines whose orders were guessed.
    """

    act: Action
    wish: ParsedReply
    language: str
    left_out: tuple[str, ...]
    sure: bool
    agreed: bool = False
    guesses: tuple[str, ...] = ()

    @property
    def may_be_done(self) -> bool:
        """Whether to carry it out without showing it first."""
        unasked = self.act.confirmation == "never" or (self.act.confirmation == "first" and self.wish.now)
        return self.sure and (self.agreed or unasked)

    @property
    def as_reply(self) -> str:
        """The text of a reply that means exactly this action."""
        return "\n".join([*self.wish.lines, *([f"say: {self.wish.say}"] if self.wish.say else [])])


def _typed_words(answer: MailReply) -> str:
    """The words a person typed above and within the quote, without our codes."""
    return without_codes("\n".join(text for text in (answer.words, answer.inside) if text))


def _fold_words(words: str) -> str:
    """Words as one line in lower case, for comparing two replies."""
    return " ".join(words.casefold().split())


def _describe_message(act: Action) -> list[str]:
    """The message to the opponent in the action."""
    if not act.message:
        return []
    first, *others = act.message.split("\n")
    return [tr("You say: {words}", words=safe_text(first)), *(f"  {safe_text(line)}" for line in others)]


def _describe_guesses(typed: tuple[str, ...], lines: tuple[str, ...]) -> list[str]:
    """The question whether the guessed orders are meant."""
    if not typed:
        return []
    meant = tr("Did you mean: {orders}?", orders=safe_text("; ".join(lines)))
    return [meant, *(tr("You wrote: {words}", words=safe_text(cut(line, 60))) for line in typed)]


def _describe_left_out(lines: tuple[str, ...]) -> list[str]:
    """The lines of a reply that are not orders."""
    return (
        [tr("Ignored, because it is not an order:"), *(f"  {safe_text(cut(line, 60))}" for line in lines)]
        if lines
        else []
    )


def _describe_error(error: PbemError) -> list[str]:
    """The refusal of orders as the command `move` prints it: with the place in the words, and a hint."""
    lines = [tr("Refused, and nothing was done: {why}", why=error)]
    if isinstance(error, NotUnderstood) and error.text:
        lines += error.caret().split("\n")
    return [*lines, *([tr("Hint: {hint}", hint=error.hint)] if error.hint else [])]


def _say_game_went_on() -> str:
    return tr("That decision has already been made and the game has moved on, so nothing more was done.")


def _say_code_was_used() -> str:
    return tr(
        "The code in that mail has already been used, so nothing was done. Reply to this letter, "
        "or to the newest one."
    )


def _say_wrong_sender(sender: str) -> str:
    if not sender:
        return tr("A mail with one of your codes was ignored, because it has no single sender.")
    return tr("A mail with one of your codes was ignored, because it came from {sender}.", sender=sender)


def _advice() -> str:
    return tr("Reply to the newest letter from your own address, with the code in it.")


def _title_and_id(game: Game) -> str:
    return f"{game.rules.title} {game.ids[0][:SHORT_ID_DIGITS]}"
