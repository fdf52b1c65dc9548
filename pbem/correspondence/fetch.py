"""Fetching: each new mail is read and judged; a game that passes every check is stored and written to a file.

An offer is neither: it waits until the player accepts it.

No mail can stop the next: whatever goes wrong with one is reported, and the mail is quarantined. The bookmark
is saved once the games are stored. So after a crash some mails are read again, which changes nothing in the
game store; no mail is ever skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import read_regular, write_atomically
from pbem.base.limits import EARLY_BYTES, EARLY_MAILS, MAIL_FAULTS
from pbem.correspondence.commander_drafts import save_draft
from pbem.correspondence.contacts import Contacts, PeerCapabilities, hint_to_trust
from pbem.correspondence.judge_mail import Examiner, MailContext
from pbem.correspondence.missing_mail import MissingMail, save_delivery_report
from pbem.correspondence.problem_reply import DAMAGED_UP_TO
from pbem.correspondence.quarantine import UnjudgedMails, key_of, quarantine_mail, quarantine_path
from pbem.correspondence.unknown_senders import UnknownSenders
from pbem.correspondence.verdict import Verdict, store_game
from pbem.errors import (
    ChangedKey,
    CompetingAccept,
    FileNameTaken,
    ForkedFile,
    KeyFileError,
    MailError,
    NotYourMove,
    PbemError,
    SegmentRefused,
    StorageError,
    WorkerEnded,
    describe_unforeseen_error,
)
from pbem.mail.mailbox import Bookmarks, Mailbox, Tidying
from pbem.mail.parse_mail import may_hold_a_game
from pbem.player.local_player import LocalPlayer
from pbem.player.store.log_relation import Relation
from pbem.render.safe_text import quote_path
from pbem.texts import Texts
from pbem.umpire.game_facts import SHORT_ID_DIGITS
from pbem.umpire.game_state import Game
from pbem.umpire.permissions import held_seats

if TYPE_CHECKING:
    from pbem.correspondence.commander_drafts import ArrivedDraft

tr = Texts("pbem")


class Arrival(Struct, frozen=True):
    """A game that came by mail, or what is left of one: from which mail, its verdict, and what was done.

    `file` holds the newest stored state; `refusal` says why the game was not stored. A game that the player
    has not accepted is an `offer`. An `alarm` is raised by what a key in one of his games has signed, two
    histories or an entry against the rules, or by another key under a name that he knows there. A mail that
    could not be judged is `quarantined`, and no alarm. `reply_result` is the outcome of a reply to a letter
    to oneself. `sender` is the mail's From. An arrival without a `label` sums up mails that are not reported
    one by one. `lacks` is the id of a stored game of which the mail shows that entries are missing here;
    `wants` is the id of a game that the mail's writer asks to be resent.
    """

    label: str
    verdict: Verdict
    file: Path | None = None
    refusal: PbemError | None = None
    offer: bool = False
    alarm: bool = False
    quarantined: bool = False
    reply_result: str = ""
    sender: str = ""
    lacks: str = ""
    wants: str = ""


ReplyHandler = Callable[[Examiner, bytes], list[str] | None]
"""A function that carries out a reply by mail and describes the result; None where a mail is no reply."""


def fetch_mails(
    desk: LocalPlayer,
    box: Mailbox,
    folder: Path,
    tidying: Tidying = Tidying(),
    progress: Callable[[int, int], None] = lambda read, number: None,
    reply: ReplyHandler | None = None,
    lost: MissingMail | None = None,
) -> Generator[Arrival, None, None]:
    """Judge and file every game in the mails that are new in `box`. Games are written into `folder` as files.

    A mail counts as read once the caller asks for the arrival after it; if he stops before, it is read again
    next time. After each mail, `progress` is called with how many of how many were read. `reply` gets each
    mail first. Losses are saved in `lost`. The last arrival sums up the mails that brought nothing new and
    were not reported. Raises `MailError` where the folder cannot be read, `ShelfError` where nothing can be
    saved.
    """
    lost = MissingMail(desk) if lost is None else lost
    bookmarks, strangers = Bookmarks(desk.home), UnknownSenders(desk)
    with bookmarks.lock(), Examiner(desk.home) as examiner:
        reader = _MailProcessor(desk, folder, examiner)
        early = _EarlyMails(desk, reader, lost)
        for key, data in reader.unjudged.take_for_retry():
            arrivals = reader.judge_and_file(data, key, None)
            _save_losses(lost, desk, data, key, arrivals)
            yield from _save_and_report(strangers, desk, data, key, arrivals)
        before, read = bookmarks.bookmark_of(box.name), []
        try:
            mails = box.since(before)
            for key, data in mails:
                arrivals = reader.judge_and_file(data, key, reply)
                _save_losses(lost, desk, data, key, arrivals)
                yield from _save_and_report(strangers, desk, data, key, arrivals)
                for early_key, mail, retried in early.retry_after(key, data, arrivals):
                    _save_losses(lost, desk, mail, early_key, retried)
                    yield from _save_and_report(strangers, desk, mail, early_key, retried)
                tidied = any(not (arrival.quarantined or arrival.reply_result) for arrival in arrivals)
                if tidied and tidying.mark:
                    box.mark(key)
                if tidied and tidying.move:
                    box.move(key, tidying.move)
                read.append(key)
                progress(len(read), len(mails))
            if rest := strangers.describe_rest():
                yield Arrival("", Verdict("", "", damage=rest))
        finally:
            if read:
                bookmarks.save(box.name, box.bookmark(before, read))


def _save_losses(
    lost: MissingMail, desk: LocalPlayer, data: bytes, key: str, arrivals: list[Arrival]
) -> None:
    """Save the losses that a mail shows; a game that has come whole no longer lacks anything."""
    for arrival in arrivals:
        lost.wanted |= {arrival.wants} - {""}
        if arrival.lacks:
            lost.save_broken(arrival.lacks, quarantine_mail(desk, data, key))
        elif arrival.verdict.game and arrival.file:
            lost.clear_broken(arrival.verdict.game.ids[0])


class _EarlyMails:
    """Mails whose part of a log came before the entries that it continues: they are retried once those came.

    The newest such mail of each game is known from earlier fetches too, while entries are still missing.
    """

    def __init__(self, desk: LocalPlayer, reader: _MailProcessor, lost: MissingMail) -> None:
        self._desk = desk
        self._reader = reader
        self._waiting = {key_of(copy): read_regular(copy) for _, copy in lost.incomplete_games()}

    def retry_after(
        self, key: str, data: bytes, arrivals: list[Arrival]
    ) -> Iterator[tuple[str, bytes, list[Arrival]]]:
        """Retry the early mails, once the mail `data` with these arrivals is filed; those that now fit."""
        if any(map(_may_fit_later, arrivals)):
            has_room = sum(map(len, self._waiting.values())) + len(data) <= EARLY_BYTES
            if has_room and len(self._waiting) < EARLY_MAILS:
                self._waiting[key] = data
            return
        is_new = any(arrival.file for arrival in arrivals)
        while is_new:
            is_new = False
            for early_key, mail in list(self._waiting.items()):
                retried = self._reader.judge_and_file(mail, early_key, None)
                if _is_settled(retried):
                    del self._waiting[early_key]
                    quarantine_path(self._desk, mail, early_key).unlink(missing_ok=True)
                    is_new = True
                    yield early_key, mail, retried


def _is_settled(arrivals: list[Arrival]) -> bool:
    """Whether a mail that came early waits no longer: it was filed, or is refused for good."""
    return any(arrival.file or arrival.refusal for arrival in arrivals) and not any(
        map(_may_fit_later, arrivals)
    )


def _may_fit_later(arrival: Arrival) -> bool:
    """Whether this is a part of a log that may fit once another mail has been read."""
    refusal = arrival.refusal
    return isinstance(refusal, SegmentRefused) and not refusal.another


def _save_and_report(
    strangers: UnknownSenders, desk: LocalPlayer, data: bytes, key: str, arrivals: list[Arrival]
) -> Iterator[Arrival]:
    """The arrivals of a mail that are reported one by one; saves offers, and copies for the player to use."""
    for arrival in arrivals:
        if arrival.offer:
            is_reported = strangers.save_offer(arrival.verdict)
        else:
            is_reported = _is_news(arrival) or strangers.admit_report(arrival.sender, _refused_game(arrival))
        if is_reported:
            yield _quarantine_with_hint(desk, data, key, arrival)


_NEWER = (Relation.NEW, Relation.EXTENDS, Relation.ANSWERED)
"""The relations of a game that is newer than the stored one."""


def _is_news(arrival: Arrival) -> bool:
    """Whether this is news for the player: the result of his reply, a game that goes on, or an alarm."""
    if arrival.reply_result or arrival.alarm or isinstance(arrival.refusal, FileNameTaken):
        return True
    verdict = arrival.verdict
    goes_on = verdict.relation in _NEWER if verdict.game else bool(arrival.file)
    return goes_on and arrival.refusal is None


def _refused_game(arrival: Arrival) -> str:
    """The id of the game that a mail is refused for good about; empty where it is not."""
    verdict, refusal = arrival.verdict, arrival.refusal
    if isinstance(refusal, SegmentRefused):
        return verdict.first if refusal.another else ""
    if isinstance(refusal, (NotYourMove, ChangedKey, ForkedFile)) and verdict.game:
        return verdict.game.ids[0]
    return verdict.first if verdict.failure else ""


def _quarantine_with_hint(desk: LocalPlayer, data: bytes, key: str, arrival: Arrival) -> Arrival:
    """Quarantine a copy of the mail where the player can do something with it, and hint at what."""
    verdict, refusal = arrival.verdict, arrival.refusal
    if arrival.quarantined:
        file = quarantine_mail(desk, data, key)
        damage = tr("{problem}; set aside in {file}", problem=verdict.damage, file=file)
        return replace(arrival, verdict=replace(verdict, damage=damage))
    if isinstance(refusal, ChangedKey):
        refusal.hint = hint_to_trust(quarantine_mail(desk, data, key))
    elif desk.store.look_up(arrival.lacks or verdict.first):
        if isinstance(refusal, SegmentRefused):
            copy = quote_path(quarantine_mail(desk, data, key))
            refusal.hint = tr("ask for the whole file: pbem mail send {file} --reply-problem", file=copy)
        elif verdict.failure or arrival.lacks:
            copy = quote_path(quarantine_mail(desk, data, key))
            hint = tr("to ask for it again: pbem mail send {file} --reply-problem", file=copy)
            return replace(arrival, refusal=MailError(tr("none of it was used"), hint=hint))
    return arrival


class _MailProcessor:
    """Judges one mail after another, and files the games in it."""

    def __init__(self, desk: LocalPlayer, folder: Path, examiner: Examiner) -> None:
        self.unjudged = UnjudgedMails(desk)
        self._desk = desk
        self._folder = folder
        self._examiner = examiner

    def judge_and_file(self, data: bytes, key: str, reply: ReplyHandler | None) -> list[Arrival]:
        """The arrivals of a mail; one that cannot be judged is quarantined, and not judged again.

        Only a failure on the player's own side, of his disk or his key, is raised: it would recur with the
        next mail.
        """
        if self.unjudged.has_failed_on(data):
            return []
        try:
            if reply and (results := reply(self._examiner, data)) is not None:
                return [
                    Arrival(_mail_label(key), Verdict(_mail_label(key), ""), reply_result=line)
                    for line in results
                ]
            return self._judge_and_file(data, key)
        except (StorageError, KeyFileError, OSError):
            raise
        except WorkerEnded as ended:
            self.unjudged.save(data, key)
            return [_unjudged_arrival(key, str(describe_unforeseen_error(ended)))]
        except Exception as error:
            return [_unjudged_arrival(key, str(describe_unforeseen_error(error)))]

    def _judge_and_file(self, data: bytes, key: str) -> list[Arrival]:
        """The games in a mail, filed; and what is damaged, if the mail is about pbem at all."""
        if not may_hold_a_game(data):
            return []
        desk, examined = self._desk, self._examiner.examine_mail(data, _mail_label(key))
        [mail] = examined.mails
        if mail.report:
            report = save_delivery_report(desk, mail.report)
            return [Arrival(_mail_label(key), Verdict("", "", damage=report))] if report else []
        drafts = self._save_drafts(mail)
        verdicts = examined.verdicts
        games = [one for one in verdicts if one.game]
        parts = [one for one in verdicts if one.refusal]
        failing = [one for one in verdicts if one.failure or (mail.speaks and one.damage and not one.ended)]
        arrivals = [_file_game(desk, one, key, self._folder) for one in games + failing[:MAIL_FAULTS]]
        arrivals += [Arrival(one.label, one, refusal=one.refusal) for one in parts[:MAIL_FAULTS]]
        if len(failing) > MAIL_FAULTS:
            more = tr("and {number} more that fail", number=len(failing) - MAIL_FAULTS)
            arrivals.append(Arrival(mail.label, Verdict(mail.label, "", damage=more)))
        if ended := [one.damage for one in verdicts if one.ended]:
            arrivals.append(
                _unjudged_arrival(key, tr("could not be checked to the end: {why}", why=ended[0]))
            )
        arrivals = [_with_loss(desk, one, mail) for one in arrivals]
        wants = mail.wants
        if wants and not any(one.verdict.game for one in arrivals) and desk.store.look_up(wants):
            asks = tr("your opponent's program asks for the whole game {game}", game=wants[:SHORT_ID_DIGITS])
            arrivals = [Arrival(mail.label, Verdict(mail.label, "", damage=asks, first=wants), wants=wants)]
        return [replace(one, sender=mail.sender) for one in arrivals + drafts]

    def _save_drafts(self, mail: MailContext) -> list[Arrival]:
        """Check and save the drafts of commanders in a mail (FORMAT 11)."""
        if not mail.drafts:
            return []

        received = [
            save_draft(self._desk, draft, self._folder, self._examiner.check_draft) for draft in mail.drafts
        ]
        return [
            Arrival(mail.label, _verdict_on_draft(draft), draft.file, draft.refusal) for draft in received
        ]


def _verdict_on_draft(received: ArrivedDraft) -> Verdict:
    return Verdict("", "", damage=received.description, first=received.draft.after.game)


def _with_loss(desk: LocalPlayer, arrival: Arrival, mail: MailContext) -> Arrival:
    """The arrival with the loss that its mail shows: of our mail, which its writer wants, or of his own."""
    verdict, refusal = arrival.verdict, arrival.refusal
    if verdict.game:
        behind = verdict.relation is Relation.OLDER and mail.wants == verdict.game.ids[0]
        return replace(arrival, wants=mail.wants) if behind else arrival
    late = isinstance(refusal, SegmentRefused) and not refusal.another
    step = verdict.failure.step if verdict.failure else 0
    broken = refusal is None and step <= DAMAGED_UP_TO and not (verdict.signed or arrival.quarantined)
    if not (late or broken):
        return arrival
    named = [verdict.first] if verdict.first else mail.named
    games = [game for one in named for game in desk.store.ids(one)]
    return replace(arrival, lacks=games[0]) if len(set(games)) == 1 else arrival


def _unjudged_arrival(key: str, problem: str) -> Arrival:
    """A mail that could not be judged; it is quarantined, so that the fault can be reported."""
    return Arrival(_mail_label(key), Verdict(_mail_label(key), "", damage=problem), quarantined=True)


def _mail_label(key: str) -> str:
    """What a mail is called, by its key in the folder."""
    return tr("mail {key}", key=key)


def _file_game(desk: LocalPlayer, verdict: Verdict, key: str, folder: Path) -> Arrival:
    """Store a game of a mail and write its file, unless a check forbids it."""
    game = verdict.game
    if game is None:
        if verdict.failure and verdict.failure.newer:
            return _unjudged_arrival(key, f"{verdict.description}; {verdict.failure.hint}")
        return Arrival(verdict.label, verdict, alarm=verdict.signed)
    contacts, relation = Contacts(desk), verdict.relation
    if relation is not Relation.FORKED:  # which is reported whoever it is from
        try:
            contacts.check_and_remember(game)
        except (MailError, NotYourMove) as refusal:
            alarm = isinstance(refusal, ChangedKey) and relation is not Relation.NEW
            return Arrival(verdict.label, verdict, refusal=refusal, alarm=alarm)
    if relation is Relation.NEW and not held_seats(game, desk.key):
        return Arrival(verdict.label, verdict, offer=True)
    try:
        if not verdict.behind:
            waits = desk.offers.look_up(game.ids[0]) is not None
            begins = len(game.entries) == 1 or waits
            store_game(desk, verdict, new=begins, doubted=not begins)
    except ForkedFile as refusal:
        return Arrival(
            verdict.label, verdict, refusal=refusal, alarm=not isinstance(refusal, CompetingAccept)
        )
    PeerCapabilities(desk.home).save_observed(verdict)
    contacts.save_reader_language(verdict)
    try:
        return Arrival(verdict.label, verdict, write_newest_state(desk, game, folder))
    except FileNameTaken as taken:
        return Arrival(verdict.label, verdict, refusal=taken)


def write_newest_state(desk: LocalPlayer, game: Game, folder: Path) -> Path:
    """Write the newest stored state of a game to the player's own file, else to one in `folder`; its path.

    Raises `PlaceTaken` where something else has its name.
    """
    file = desk.game_path(game, folder)
    newest = desk.store.find(game.ids[0]).data
    desk.check_path_is_free(game, file)
    if not file.exists() or read_regular(file) != newest:
        write_atomically(file, newest)
    desk.store.note_file(game.ids[0], file)
    return file
