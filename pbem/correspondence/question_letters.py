"""Letters to oneself: the player's pending question, with everything they need to answer it by mail.

Each has a code that works once (`question_record`), in its text and as its message id, so that a reply
contains it even if it quotes nothing. It is only ever sent to the player's own address.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.limits import ANSWERS_AN_HOUR, LETTERS_AN_HOUR, WARNINGS_AN_HOUR
from pbem.core.sentences import capitalized
from pbem.correspondence.autoplay_by_mail import opponent_by_mail, unconfirmed_address_error
from pbem.correspondence.contacts import Contacts
from pbem.correspondence.letter import (
    entry_line,
    event_lines,
    list_rolls,
    next_question,
    quote_messages,
    subject,
)
from pbem.correspondence.letter_layout import (
    LetterLine,
    Paragraph,
    as_html,
    as_plain_text,
    map_paragraphs,
    picture_of,
    text_paragraph,
)
from pbem.correspondence.outbox import Outbox, thread
from pbem.correspondence.question_record import PendingLetter, QuestionRecord, make_code
from pbem.errors import MailError
from pbem.mail.extract_reply import PBEM_TAG
from pbem.mail.outgoing import Address, OutgoingMail, to_bytes
from pbem.mail.settings import MailSettings
from pbem.mail.smtp import deliver
from pbem.player.actions.action import ActionContext
from pbem.player.actions.preconditions import possible_actions
from pbem.player.actions.proposals import moves_to_take_back
from pbem.player.commanders import commanders_of
from pbem.player.local_player import LocalPlayer
from pbem.player.order_preview import MANY_UNITS, describe_possible_orders
from pbem.player.status import GameStatus, describe_status, game_status
from pbem.player.store.delivery import Fate
from pbem.render.story import describe_next_duty
from pbem.texts import Texts, spoken
from pbem.umpire import permissions
from pbem.umpire.game_facts import SHORT_ID_DIGITS, file_name
from pbem.umpire.game_state import Game, GameState, Proposal
from pbem.umpire.next_duty import next_duty

tr = Texts("pbem")


def how_to_order() -> str:
    """How to give orders by reply."""
    return tr(
        "Reply with your orders above this text, one per line. pbem shows you what they would do; "
        "reply {yes} to confirm.",
        **translate_words("yes"),
    )


def other_replies(player: LocalPlayer, game: Game) -> Paragraph:
    """The other replies possible now, one per line, and the commands that show more."""
    brief, key = game.ids[0][:SHORT_ID_DIGITS], player.key
    offered = possible_actions(ActionContext(player, game, Path(brief)))
    lines = [tr("{now}: put this before your orders to carry them out at once", **translate_words("now"))]
    if offered["takeback"] is None and moves_to_take_back(game, key):
        back = tr(
            "{last}: take back your last move; for other moves: {command}",
            last=_translate_phrase("propose last"),
            command=f"pbem log {brief}",
        )
        lines.append(back)
    if offered["draw"] is None:
        lines.append(tr("{draw}: offer a draw", draw=_translate_phrase("propose draw")))
    lines.append(tr("{resign}: resign the game", **translate_words("resign")))
    plan = tr(
        "{plan}: a plan that answers for you; for other plans: {command}",
        plan=_translate_phrase("plan hold 40%"),
        command=f"pbem plan {brief}",
    )
    words = tr("{say}: WORDS, on the last lines: a message to your opponent", **translate_words("say"))
    head = tr("Other answers:")
    return Paragraph((LetterLine(head), *(LetterLine(line, 2, 4) for line in [*lines, plan, words])))


def how_to_agree() -> str:
    """How to confirm the orders shown, or to drop them."""
    return tr("Reply {yes} to do this, {no} to cancel, or give other orders.", **translate_words("yes", "no"))


def how_to_answer_proposal() -> str:
    """How to answer a proposal."""
    return tr(
        "Reply with {yes} or {no} above this text; {say}: WORDS sends a message to your opponent.",
        **translate_words("yes", "no", "say"),
    )


def translate_words(*words: str) -> dict[str, str]:
    """Each English word with its form in the player's language."""
    return {word: _translate_phrase(word) for word in words}


def _translate_phrase(phrase: str) -> str:
    return " ".join(map(tr.own, phrase.split(" ")))


_DIGITS = 12
"""The varying digits in the message ids of letters with one code: servers drop repeated ids."""

UNWRAPPED = 10**6
"""Columns for a text that its paragraph wraps later, so that it is not wrapped twice."""

MAX_CHOICES = 120
"""The most lines of possible orders in a letter."""

MOST_SET_UPS = 3
"""How many of these lines can order many units at once, as set-ups do."""

MOST_ORDERS, MOST_EVENTS = 3, 60
"""The most lines of an entry's orders, which its events repeat, and the most lines of its events."""


class MailedQuestion(Struct, frozen=True):
    """A letter to the player: its game, if it has one, and why it could not be sent, if it could not."""

    game: Game | None
    failure: MailError | None = None


def mail_questions(
    player: LocalPlayer, mail: MailSettings, now: datetime, most: int
) -> Iterator[MailedQuestion]:
    """Mail the player their pending questions and the results of their replies; at most `most` letters.

    Raises `StorageError`; `VerificationError` if a game fails, `MailError` if a key has changed.
    """
    notebook, contacts = QuestionRecord(player.home), Contacts(player)
    for stored in player.store.games():
        game = player.open(stored.data)
        contact = opponent_by_mail(player, contacts, game)
        pending, waits = notebook.current_letter(game), _has_decision_to_make(player, game)
        if (
            contact is None
            or player.store.unconfirmed.has(stored.game)
            or not (pending.notes or (waits and not pending.sent))
        ):
            continue
        if not contact.confirmed:
            yield MailedQuestion(game, unconfirmed_address_error(contact, Path(file_name(game))))
            continue
        if most < 1:
            return
        is_first = waits and not pending.sent and not pending.answered
        kind, an_hour = ("letters", LETTERS_AN_HOUR) if is_first else ("answers", ANSWERS_AN_HOUR)
        if not notebook.may_send(kind, an_hour, now):
            continue
        contacts.check_and_remember(game)
        notebook.save_sent(kind, now)
        failure = _send_letter(
            mail,
            question_letter(player, mail, game, pending, now)
            if waits
            else _result_letter(player, mail, game, pending, now),
        )
        if failure is None:
            notebook.save(stored.game, replace(pending, sent=True, notes=()))
            most -= 1
        yield MailedQuestion(game, failure)
    if most > 0:
        yield from _mail_warnings(notebook, mail, now)


def _mail_warnings(notebook: QuestionRecord, mail: MailSettings, now: datetime) -> Iterator[MailedQuestion]:
    """Mail the warnings about replies that belong to no game."""
    pending = notebook.stored_letter("")
    if not pending.notes or not notebook.may_send("warnings", WARNINGS_AN_HOUR, now):
        return
    failure = _send_letter(
        mail,
        _letter_to_oneself(
            mail, f"{PBEM_TAG} {tr('Orders by reply')}", _mark_first_line(text_paragraph(*pending.notes)), now
        ),
    )
    if failure is None:
        notebook.save_sent("warnings", now)
        notebook.save("", PendingLetter())
    yield MailedQuestion(None, failure)


def _has_decision_to_make(player: LocalPlayer, game: Game) -> bool:
    """Whether the player has a decision to make."""
    writes = (
        game.state.writer in permissions.held_seats(game, player.key)
        and next_duty(game.state).what != "accept"
    )
    return writes and not permissions.has_forced_entry(game, player.key)


def _send_letter(mail: MailSettings, outgoing: OutgoingMail) -> MailError | None:
    try:
        deliver(mail.sending_account, mail.address, mail.address, to_bytes(outgoing))
    except MailError as failure:
        return failure
    return None


def question_letter(
    player: LocalPlayer, mail: MailSettings, game: Game, pending: PendingLetter, date: datetime
) -> OutgoingMail:
    """The letter that asks for a decision; it is short if it only asks for a yes."""
    now = game_status(player, game)
    unlocked = now.table
    secret = make_code(game, player.key, len(game.entries) - 1, pending.letter)
    proposal = game.state.proposal
    short = pending.shown and not pending.notes
    how = "" if pending.shown else how_to_answer_proposal() if proposal else how_to_order()
    which = tr("{title}, game {game}.", title=game.rules.title, game=game.ids[0][:SHORT_ID_DIGITS])
    parts = [
        *map(_note_paragraph, pending.notes),
        *([_note_paragraph(_how_to_agree_still(pending))] if pending.shown else []),
        *(
            []
            if pending.shown
            else [text_paragraph(tr("Your move: {what}.", what=_describe_decision(proposal, unlocked)))]
        ),
        *([text_paragraph(how)] if how else []),
        text_paragraph(which, tr("Code: {code}", code=secret)),
    ]
    if not short:
        side = [] if proposal else _drafts_of_commanders(player, game, unlocked)
        parts += [*_remarks(now), *_news(now), *side]
        parts += [] if proposal else _possible_orders(game, unlocked)
        parts += map_paragraphs(game, unlocked)
        parts += [] if proposal else [other_replies(player, game)]
    outgoing = _letter_to_oneself(mail, subject(game), _mark_first_line(*parts), date)
    place = thread(game)
    return replace(
        outgoing,
        message_id=outgoing.message_id.replace("<", f"<{secret}."),
        in_reply_to=place.message_id,
        references=(*place.references, place.message_id),
    )


def _how_to_agree_still(pending: PendingLetter) -> str:
    """What was shown and awaits a yes; below other remarks, that it still does."""
    still = [tr("Your earlier orders are still waiting for your yes:")] if pending.notes else []
    return "\n".join([*still, how_to_agree(), pending.preview])


def _describe_decision(proposal: Proposal | None, unlocked: GameState) -> str:
    """The player's next decision."""
    return str(proposal.describe(unlocked.rules)) if proposal else next_question(unlocked)


def _result_letter(
    player: LocalPlayer, mail: MailSettings, game: Game, pending: PendingLetter, now: datetime
) -> OutgoingMail:
    """The letter that asks for nothing, and reports the result of a reply."""
    was_sent = Outbox(player.home).fate(game.ids[0], game.ids[-1]) is Fate.SENT
    lines = [tr("pbem has mailed your opponent.")] if was_sent else []
    lines += [
        tr(
            "Next: {what}. To look: pbem show {file}",
            what=describe_next_duty(game.state),
            file=file_name(game),
        )
    ]
    outgoing = _letter_to_oneself(
        mail,
        subject(game),
        _mark_first_line(*map(_note_paragraph, pending.notes), text_paragraph(*lines)),
        now,
    )
    place = thread(game)
    return replace(outgoing, in_reply_to=place.message_id, references=(*place.references, place.message_id))


def _remarks(now: GameStatus) -> list[Paragraph]:
    """Remarks on the status, how long the move has been pending, and anything pending at home; not drafts."""
    lines = [*map(capitalized, describe_status(now, now.game.ids[0][:SHORT_ID_DIGITS]))]
    return [_indented_paragraph(*lines)] if lines else []


def _news(now: GameStatus) -> Iterator[Paragraph]:
    """Messages and events since the player last wrote, and what only they can see unsealed so far."""
    for seat in now.game.seats:
        yield from quote_messages(now.game, now.news, seat)
    lines = [LetterLine(tr("What has happened:"))]
    for replayed in now.news:
        lines.append(entry_line(now.game, replayed, MOST_ORDERS if replayed.events else None))
        lines += event_lines(now.game, replayed.events, MOST_EVENTS)
    lines += event_lines(now.game, now.unlocked_events, None)
    yield Paragraph(tuple(lines))
    told = [tell for replayed in now.news for tell in replayed.events]
    yield from list_rolls(now.game, [*told, *now.unlocked_events], MOST_EVENTS)


def _drafts_of_commanders(player: LocalPlayer, game: Game, unlocked: GameState) -> list[Paragraph]:
    """A shared side's drafts: which have arrived, which are missing, and how to use them (FORMAT 11)."""
    if not (side := commanders_of(player, game, unlocked)):
        return []
    how = tr(
        "A line that says {drafts} also gives the orders in the drafts you have received.",
        **translate_words("drafts"),
    )
    return [_indented_paragraph(tr("Your commanders:"), *side.describe(), how)]


def _possible_orders(game: Game, unlocked: GameState) -> list[Paragraph]:
    """The possible orders, with their chances."""
    assert unlocked.pending_question is not None
    lines = [
        line
        for text in describe_possible_orders(game, unlocked.pending_question, width=UNWRAPPED)
        for line in text.split("\n")
    ]
    legend = game.rules.view.legend(unlocked.run.state)
    stacks = [*(cell.pieces for cell in legend.cells), *(margin.pieces for margin in legend.margins)]
    names = {piece.name for stack in stacks for piece in stack}
    set_ups = [line for line in lines if len(names.intersection(line.split())) >= MANY_UNITS]
    listed = [line for line in lines if line not in set_ups[MOST_SET_UPS:]][:MAX_CHOICES]
    if more := len(lines) - len(listed):
        rest = tr("and {number} more lines: pbem moves {file}", number=more, file=file_name(game))
        listed.append(f"  {rest}")
    return [_indented_paragraph(tr("What you can order:"), *listed)]


def _note_paragraph(note: str) -> Paragraph:
    return _indented_paragraph(*note.split("\n"))


def _indented_paragraph(*lines: str) -> Paragraph:
    """Lines that are already laid out; continuation lines are indented."""
    indents = ((len(line) - len(line.lstrip(" ")), line.strip()) for line in lines)
    return Paragraph(tuple(LetterLine(text, indent, indent + 2) for indent, text in indents))


def _mark_first_line(first: Paragraph, *others: Paragraph) -> list[Paragraph]:
    """The paragraphs with a tag before their first line, so that a reply's quote is recognised."""
    begun, *more = first.lines
    return [Paragraph((replace(begun, text=f"{PBEM_TAG} {begun.text}"), *more)), *others]


def _letter_to_oneself(mail: MailSettings, about: str, parts: list[Paragraph], now: datetime) -> OutgoingMail:
    """A letter to oneself, marked so that no program answers it (RFC 3834)."""
    body = as_plain_text(parts)
    identity = sha256(f"{now.isoformat()}\n{body}".encode()).hexdigest()[:_DIGITS]
    return OutgoingMail(
        sender=Address(mail.address, "pbem"),
        recipient=Address(mail.address, ""),
        subject=about,
        body=body,
        html=as_html(parts),
        picture=picture_of(parts),
        attachment_name="",
        attachment=b"",
        message_id=f"<{identity}@pbem.invalid>",
        in_reply_to="",
        references=(),
        date=now,
        automatic=True,
        languages=(spoken(),),
    )
