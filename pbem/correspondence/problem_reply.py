"""The reply to a mail that cannot be used: what is wrong, what both players have, and what to do about it.

The reply gives nothing away. The player's own newest file is attached only if the opponent's mail is damaged
or older, so that there is one history; never if the opponent's log differs or fails a check, since the shares
in the file could then serve a second history (FORMAT 6).

It is in the opponent's language, or in two if that is unknown (see `Contacts.languages`).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256

from msgspec import Struct

from pbem.correspondence.contacts import Contact, Contacts
from pbem.correspondence.letter import in_each_language
from pbem.correspondence.letter_layout import COLUMNS
from pbem.correspondence.mail_stages import Examination
from pbem.correspondence.missing_mail import save_delivery_report
from pbem.correspondence.outbox import message_id
from pbem.correspondence.verdict import DAMAGED_UP_TO, Verdict
from pbem.errors import MailError
from pbem.mail import armour
from pbem.mail.extract_reply import PBEM_TAG
from pbem.mail.outgoing import Address, OutgoingMail
from pbem.mail.settings import MailSettings
from pbem.player.local_player import LocalPlayer
from pbem.player.store.log_relation import LogLine, Relation, first_difference
from pbem.render.safe_text import quote_path, safe_text, wrap
from pbem.texts import Texts, speaking, spoken
from pbem.umpire import permissions
from pbem.umpire.game_facts import SHORT_ID_DIGITS, file_name
from pbem.umpire.game_state import Game

tr = Texts("pbem")

_GOOD = (Relation.NEW, Relation.EQUAL, Relation.EXTENDS, Relation.ANSWERED)


class MailProblem(Struct, frozen=True):
    """The problem with a mail, in words, and the stored game it belongs to, if known (`mine`).

    The `words` are in each of the `languages` of the reply. `theirs` is the game in the mail, if it verifies;
    `part`: the mail only has the last entries, which do not continue the stored ones; `common` is the last
    entry that both players certainly have. `resend`: attaching the player's own newest file helps and is
    harmless; `in_reply_to` is the mail's message id; `automatic`: it was sent automatically.
    """

    words: tuple[str, ...]
    languages: tuple[str, ...]
    mine: Game | None
    theirs: Game | None
    part: bool
    common: int
    resend: bool
    in_reply_to: str
    automatic: bool


def find_problem(player: LocalPlayer, found: Examination, file: str) -> MailProblem:
    """The problem with a mail in a file. Raises `MailError` if there is none, or no mail to reply to."""
    mails = found.mails
    if not mails:
        raise MailError(tr("there is no mail to answer"))
    reports = [one.report for one in mails if one.report]
    if len(reports) == len(mails):
        what = next(save_delivery_report(player, one) for one in reports) or tr("not about one of your mails")
        raise MailError(tr("this is a mail server's report: {what}", what=what))
    worst = _worst_verdict(found)
    if worst is None:
        advice = tr("to see what to do next: pbem show {file}", file=quote_path(file))
        raise MailError(tr("nothing is wrong with this game"), hint=advice)
    mine = _stored_game(player, found, worst)
    languages = _languages(player, mine)
    another = worst.refusal is not None and worst.refusal.another
    step = worst.failure.step if worst.failure else 0
    damaged = worst.game is None and step <= DAMAGED_UP_TO and not another
    return MailProblem(
        words=tuple(in_each_language(languages, lambda: _describe_problem(worst, mine))),
        languages=languages,
        mine=mine,
        theirs=worst.game,
        part=worst.refusal is not None,
        common=_last_common_entry(player, mine, worst.game) if mine else 0,
        resend=mine is not None and (damaged or worst.relation is Relation.OLDER),
        in_reply_to=mails[0].message_id,
        automatic=any(one.automatic for one in mails),
    )


def _worst_verdict(found: Examination) -> Verdict | None:
    """The first verdict that is a problem; None if there is none."""
    verdicts = found.verdicts or [Verdict("", "", damage=tr("there is no game in it"))]
    return next((verdict for verdict in verdicts if verdict.relation not in _GOOD), None)


def _languages(player: LocalPlayer, mine: Game | None) -> tuple[str, ...]:
    """The languages of the reply; those of a stranger are unknown."""
    contacts = Contacts(player)
    known = mine is not None and len(permissions.held_seats(mine, player.key)) == 1
    return contacts.languages(contacts.opponent(mine) if mine and known else Contact("", "", "", False))


def addressee(player: LocalPlayer, problem: MailProblem, to: str) -> Address | None:
    """The recipient: the address given, else the opponent's in that game, if the player has confirmed it.

    The mail's own From is not trusted. None if no address is known. Raises `MailError`.
    """
    if to:
        return Address(to)
    mine, theirs = problem.mine, problem.theirs
    same_opponent = theirs is None or (mine is not None and mine.ids[:2] == theirs.ids[:2])
    if mine and same_opponent:
        opponent = Contacts(player).check_and_remember(mine)
        if opponent.confirmed:
            return Address(opponent.address, safe_text(opponent.name))
    return None


def sender_of_reply(mail: MailSettings | None) -> Address | None:
    """The sender of the reply, from the settings."""
    return Address(mail.address, mail.name) if mail else None


def problem_reply(
    player: LocalPlayer, problem: MailProblem, sender: Address | None, recipient: Address, now: datetime
) -> OutgoingMail:
    """The polite reply, with the player's own newest file if that helps.

    If it asks for the whole game, a header also asks the opponent's program for it.
    """
    mine = problem.mine
    attachment_name, attachment = "", b""
    text = "\n\n".join(_paragraphs_in_each_language(problem)) + "\n"
    if mine and problem.resend:
        attachment_name, attachment = file_name(mine), player.store.find(mine.ids[0]).data
        text += f"\n{armour.enclose(attachment)}"
    digest = sha256(text.encode()).hexdigest()
    return OutgoingMail(
        sender=sender,
        recipient=recipient,
        subject=f"{PBEM_TAG} {in_each_language(problem.languages[:1], lambda: _subject(mine))[0]}",
        body=text,
        attachment_name=attachment_name,
        attachment=attachment,
        message_id=message_id(mine.ids[0] if mine else digest, digest),
        in_reply_to=problem.in_reply_to,
        references=(problem.in_reply_to,) if problem.in_reply_to else (),
        date=now,
        unsent=True,
        languages=problem.languages,
        wanted=spoken(),
        wants=mine.ids[0] if mine and asks_for_whole_game(problem) else "",
    )


def _subject(mine: Game | None) -> str:
    if mine is None:
        return tr("a problem with your mail")
    return tr(
        "{title} {game}: a problem with your mail", title=mine.rules.title, game=mine.ids[0][:SHORT_ID_DIGITS]
    )


def _paragraphs_in_each_language(problem: MailProblem) -> Iterator[str]:
    """The letter in the opponent's language, or in both."""
    for language, words in zip(problem.languages, problem.words, strict=True):
        with speaking(language):
            yield from list(_paragraphs(problem, words))


def _paragraphs(problem: MailProblem, words: str) -> Iterator[str]:
    mine = problem.mine
    yield tr("Hello,")
    yield _wrap(_describe_arrival(mine))
    yield wrap(f"  {safe_text(words)}", COLUMNS, 2)
    if mine:
        yield _wrap(
            tr(
                "Nothing has changed here. We both have the entries up to {number} ({entry}).",
                number=problem.common,
                entry=_describe_entry(mine, problem.common),
            )
        )
    yield from _advice(problem)


def _describe_arrival(mine: Game | None) -> str:
    """The note that a mail has arrived, and about which game."""
    if mine is None:
        return tr("your mail has arrived, but my pbem cannot continue from it. This is what it found:")
    return tr(
        "your mail about {title} (game {game}) has arrived, but my pbem cannot continue from it. "
        "This is what it found:",
        title=mine.rules.title,
        game=mine.ids[0][:SHORT_ID_DIGITS],
    )


def _advice(problem: MailProblem) -> Iterator[str]:
    """The advice to the opponent, with the commands."""
    name = problem.mine.ids[0][:SHORT_ID_DIGITS] if problem.mine else tr.sense("placeholder", "FILE")
    if not asks_for_whole_game(problem):
        yield _wrap(tr("Please look at what you have, and write to me before you send another file:"))
        yield _command_line(f"pbem log {name}")
        yield _wrap(tr("If you continued from an older copy by mistake, tell me and we can sort it out."))
        return
    yield _wrap(tr("Please mail me the whole game again:"))
    yield _command_line(f"pbem mail send {name} --whole")
    if problem.resend:
        yield _wrap(
            tr(
                "My own newest file is attached, and repeated in the block below: if your last "
                "mail answered an older one, continue from this."
            )
        )


def asks_for_whole_game(problem: MailProblem) -> bool:
    """Whether the reply asks for the whole game; if not, the players have two histories to settle."""
    return not ((problem.theirs or problem.part) and problem.mine and not problem.resend)


def _command_line(command: str) -> str:
    return f"  {command}"


def _stored_game(player: LocalPlayer, found: Examination, verdict: Verdict) -> Game | None:
    """The stored game a mail belongs to: by its log, else by the ids in its headers."""
    first = verdict.game.ids[0] if verdict.game else verdict.first
    beginnings = [first] if first else [name for mail in found.mails for name in mail.named]
    for stored in player.store.games():
        if any(stored.game.startswith(beginning) for beginning in beginnings):
            game = player.open(stored.data)
            return game if permissions.held_seats(game, player.key) else None
    return None


def _describe_problem(verdict: Verdict, mine: Game | None) -> str:
    """The problem in one sentence."""
    if verdict.game is None or mine is None:
        return verdict.description
    theirs = verdict.game
    if verdict.relation is Relation.OLDER:
        return tr(
            "it ends with entry {theirs}, but mine ends with entry {mine}",
            theirs=len(theirs.ids) - 1,
            mine=len(mine.ids) - 1,
        )
    n = first_difference(mine.ids, theirs.ids)
    if verdict.relation is Relation.UNDONE:
        return tr(
            "it continues with entry {number}, which I have undone, because I thought nobody had it", number=n
        )
    return tr(
        "its entry {number} is {theirs}, but mine is {mine}. The game has one history, so I can "
        "answer only one of them",
        number=n,
        theirs=_describe_entry(theirs, n),
        mine=_describe_entry(mine, n),
    )


def _last_common_entry(player: LocalPlayer, mine: Game, theirs: Game | None) -> int:
    """The last entry both players have: in both logs, or else the last one the opponent wrote."""
    if theirs:
        return first_difference(mine.ids, theirs.ids) - 1
    seats = permissions.held_seats(mine, player.key)
    return max((entry.body.n for entry in mine.entries if entry.body.by not in seats), default=0)


def _describe_entry(game: Game, n: int) -> str:
    entry = game.entries[n]
    return str(LogLine(entry.id, entry.body.by, entry.kind, rules=game.offer.rules))


def _wrap(text: str) -> str:
    return wrap(safe_text(text), COLUMNS)
