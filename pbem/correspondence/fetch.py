"""Fetching: each new mail is read and judged; a game in it that passes every check goes to shelf and file.

An offer goes to neither: it waits until the player takes it up.

No mail can stop the next: whatever goes wrong with one is told, and it is set aside. The bookmark is put
when the games are on the shelf. So after a crash some mails are read once more, and the shelf knows what it
has; no mail is ever passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import read_regular, write_atomically
from pbem.base.limits import EARLY_BYTES, EARLY_MAILS, MAIL_FAULTS
from pbem.correspondence.bounces import note_report
from pbem.correspondence.contacts import Contacts, hint_to_trust
from pbem.correspondence.judge_mail import Examiner, Facts
from pbem.correspondence.mail_folders import Bookmarks, Mailbox, Tidying
from pbem.correspondence.missing_mail import MissingMail
from pbem.correspondence.peer_capabilities import PeerCapabilities
from pbem.correspondence.problem_reply import DAMAGED_UP_TO
from pbem.correspondence.quarantine import Unjudged, key_of, quarantine_mail, quarantine_path
from pbem.correspondence.unknown_senders import UnknownSenders
from pbem.correspondence.verdict import Verdict, store_game
from pbem.errors import (
    ChangedKey,
    ForkedFile,
    KeyFileError,
    MailError,
    NotYourMove,
    OtherAccept,
    PartRefused,
    PbemError,
    PlaceTaken,
    ShelfError,
    WorkerEnded,
    unforeseen,
)
from pbem.mail.message import may_hold_a_game
from pbem.player.local_player import LocalPlayer
from pbem.player.store.relation import Relation
from pbem.render.words import quoted
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.game_facts import BRIEF
from pbem.umpire.permissions import held_seats

if TYPE_CHECKING:
    from pbem.correspondence.commander_drafts import Came

tr = Texts("pbem")


class Arrival(Struct, frozen=True):
    """A game that came by mail, or what is left of one: which mail, what it is, what became of it.

    `file` holds the newest state on the shelf; `refusal` says why the game was not put there. What the player
    has not taken up is an `offer`. An `alarm` is what a key of a game of his has signed, two histories or an
    entry against the rules; or another key under a name that he knows there. A mail that could not be judged
    is `aside`, and no alarm. What became of an answer to a letter to oneself is `answered`. `sender` is what
    the mail says of who sent it. Without a `label`, it tells of what was not told by itself. `lacks` is the
    id of a game on the shelf of which the mail shows that something is lacking here; `wants` of one of which
    the mail's writer wants to hear.
    """

    label: str
    verdict: Verdict
    file: Path | None = None
    refusal: PbemError | None = None
    offer: bool = False
    alarm: bool = False
    aside: bool = False
    answered: str = ""
    sender: str = ""
    lacks: str = ""
    wants: str = ""


Reply = Callable[[Examiner, bytes], list[str] | None]
"""A function that does what an answer by mail says, and tells it; None where a mail is no such answer."""


def fetch_mails(
    desk: LocalPlayer,
    box: Mailbox,
    folder: Path,
    tidying: Tidying = Tidying(),
    progress: Callable[[int, int], None] = lambda read, number: None,
    reply: Reply | None = None,
    lost: MissingMail | None = None,
) -> Generator[Arrival, None, None]:
    """Every game in the mails that are new since the last time. Games are written into `folder` as files.

    A mail counts as read once the caller asks for what comes after it; where he stops, it comes again next
    time. After each mail, `progress` is told how many were read of how many. `reply` sees each first. Losses
    are noted in `lost`. Last comes in one line how many bring nothing new and have not come by themselves.
    Raises `MailError` where the folder cannot be read, `ShelfError` where nothing can be kept.
    """
    lost = MissingMail(desk) if lost is None else lost
    bookmarks, strangers = Bookmarks(desk.home), UnknownSenders(desk)
    with bookmarks.locked(), Examiner(desk.home) as examiner:
        reader = _Reader(desk, folder, examiner)
        early = _Early(desk, reader, lost)
        for key, data in reader.unjudged.judged_by_another_program():
            arrivals = reader.read(data, key, None)
            _note_lost(lost, desk, data, key, arrivals)
            yield from _told(strangers, desk, data, key, arrivals)
        before, read = bookmarks.of(box.name), []
        try:
            mails = box.since(before)
            for key, data in mails:
                arrivals = reader.read(data, key, reply)
                _note_lost(lost, desk, data, key, arrivals)
                yield from _told(strangers, desk, data, key, arrivals)
                for waiting, mail, again in early.after(key, data, arrivals):
                    _note_lost(lost, desk, mail, waiting, again)
                    yield from _told(strangers, desk, mail, waiting, again)
                tidied = any(not (arrival.aside or arrival.answered) for arrival in arrivals)
                if tidied and tidying.mark:
                    box.mark(key)
                if tidied and tidying.move:
                    box.move(key, tidying.move)
                read.append(key)
                progress(len(read), len(mails))
            if rest := strangers.rest():
                yield Arrival("", Verdict("", "", damage=rest))
        finally:
            if read:
                bookmarks.put(box.name, box.bookmark(before, read))


def _note_lost(lost: MissingMail, desk: LocalPlayer, data: bytes, key: str, arrivals: list[Arrival]) -> None:
    """Note the losses that a mail shows; a game that has come whole no longer lacks anything."""
    for one in arrivals:
        lost.wanted |= {one.wants} - {""}
        if one.lacks:
            lost.note(one.lacks, quarantine_mail(desk, data, key))
        elif one.verdict.game and one.file:
            lost.heal(one.verdict.game.ids[0])


class _Early:
    """Mails whose part of a log came before what it goes on from: they are tried again once that is there.

    The newest of each game is known from an earlier look too, if it is still lacking something.
    """

    def __init__(self, desk: LocalPlayer, reader: _Reader, lost: MissingMail) -> None:
        self._desk = desk
        self._reader = reader
        self._waiting = {key_of(copy): read_regular(copy) for _, copy in lost.lacking()}

    def after(
        self, key: str, data: bytes, arrivals: list[Arrival]
    ) -> Iterator[tuple[str, bytes, list[Arrival]]]:
        """The other mails that can be read once the mail `data` has been, whose arrivals these are."""
        if any(map(_lacks_something, arrivals)):
            room = sum(map(len, self._waiting.values())) + len(data) <= EARLY_BYTES
            if room and len(self._waiting) < EARLY_MAILS:
                self._waiting[key] = data
            return
        came = any(one.file for one in arrivals)
        while came:
            came = False
            for waiting, mail in list(self._waiting.items()):
                again = self._reader.read(mail, waiting, None)
                if _can_be_told(again):
                    del self._waiting[waiting]
                    quarantine_path(self._desk, mail, waiting).unlink(missing_ok=True)
                    came = True
                    yield waiting, mail, again


def _can_be_told(arrivals: list[Arrival]) -> bool:
    """Whether a mail that waited lacks nothing any more: it was filed, or is refused for good."""
    return any(one.file or one.refusal for one in arrivals) and not any(map(_lacks_something, arrivals))


def _lacks_something(arrival: Arrival) -> bool:
    """Whether this is a part of a log that may fit once another mail has been read."""
    refusal = arrival.refusal
    return isinstance(refusal, PartRefused) and not refusal.another


def _told(
    strangers: UnknownSenders, desk: LocalPlayer, data: bytes, key: str, arrivals: list[Arrival]
) -> Iterator[Arrival]:
    """The arrivals of a mail that are told by themselves: with an offer kept, and a copy to work on."""
    for one in arrivals:
        if one.offer:
            told = strangers.offer(one.verdict)
        else:
            told = _is_news(one) or strangers.tells(one.sender, _refused_about(one))
        if told:
            yield _with_copy(desk, data, key, one)


_GOES_ON = (Relation.NEW, Relation.EXTENDS, Relation.ANSWERED)
"""The relations that bring a game further than the shelf has it."""


def _is_news(arrival: Arrival) -> bool:
    """Whether this is about the player's own: his answer, his game that goes on, what should alarm him."""
    if arrival.answered or arrival.alarm or isinstance(arrival.refusal, PlaceTaken):
        return True
    verdict = arrival.verdict
    goes_on = verdict.relation in _GOES_ON if verdict.game else bool(arrival.file)
    return goes_on and arrival.refusal is None


def _refused_about(arrival: Arrival) -> str:
    """The id of the game about which a mail is refused for good; empty where that is not so."""
    verdict, refusal = arrival.verdict, arrival.refusal
    if isinstance(refusal, PartRefused):
        return verdict.first if refusal.another else ""
    if isinstance(refusal, (NotYourMove, ChangedKey, ForkedFile)) and verdict.game:
        return verdict.game.ids[0]
    return verdict.first if verdict.failure else ""


def _with_copy(desk: LocalPlayer, data: bytes, key: str, arrival: Arrival) -> Arrival:
    """With a copy of the mail for what the player may do about it, where he may do anything."""
    verdict, refusal = arrival.verdict, arrival.refusal
    if arrival.aside:
        file = quarantine_mail(desk, data, key)
        damage = tr("{problem}; set aside in {file}", problem=verdict.damage, file=file)
        return replace(arrival, verdict=replace(verdict, damage=damage))
    if isinstance(refusal, ChangedKey):
        refusal.hint = hint_to_trust(quarantine_mail(desk, data, key))
    elif desk.shelf.look_up(arrival.lacks or verdict.first):
        if isinstance(refusal, PartRefused):
            copy = quoted(quarantine_mail(desk, data, key))
            refusal.hint = tr("ask for the whole file: pbem mail send {file} --reply-problem", file=copy)
        elif verdict.failure or arrival.lacks:
            copy = quoted(quarantine_mail(desk, data, key))
            hint = tr("to ask for it again: pbem mail send {file} --reply-problem", file=copy)
            return replace(arrival, refusal=MailError(tr("none of it was used"), hint=hint))
    return arrival


class _Reader:
    """What is made of one mail after another: its games are put where they belong."""

    def __init__(self, desk: LocalPlayer, folder: Path, examiner: Examiner) -> None:
        self.unjudged = Unjudged(desk)
        self._desk = desk
        self._folder = folder
        self._examiner = examiner

    def read(self, data: bytes, key: str, reply: Reply | None) -> list[Arrival]:
        """The arrivals of a mail; one that cannot be judged is set aside, and not judged again.

        A failure on the player's own side, of his disk or his key, would come with the next mail as well.
        """
        if self.unjudged.knows(data):
            return []
        try:
            if reply and (answered := reply(self._examiner, data)) is not None:
                return [Arrival(_label(key), Verdict(_label(key), ""), answered=one) for one in answered]
            return self._arrivals(data, key)
        except (ShelfError, KeyFileError, OSError):
            raise
        except WorkerEnded as ended:
            self.unjudged.note(data, key)
            return [_set_aside(key, str(unforeseen(ended)))]
        except Exception as error:
            return [_set_aside(key, str(unforeseen(error)))]

    def _arrivals(self, data: bytes, key: str) -> list[Arrival]:
        """The games in a mail; and what is damaged, if the mail is about pbem at all."""
        if not may_hold_a_game(data):
            return []
        desk, examined = self._desk, self._examiner.mail(data, _label(key))
        [mail] = examined.mails
        if mail.report:
            report = note_report(desk, mail.report)
            return [Arrival(_label(key), Verdict("", "", damage=report))] if report else []
        drafts = self._save_drafts(mail)
        verdicts = examined.verdicts
        games = [one for one in verdicts if one.game]
        parts = [one for one in verdicts if one.refusal]
        failing = [one for one in verdicts if one.failure or (mail.speaks and one.damage and not one.ended)]
        arrivals = [_filed(desk, one, key, self._folder) for one in games + failing[:MAIL_FAULTS]]
        arrivals += [Arrival(one.label, one, refusal=one.refusal) for one in parts[:MAIL_FAULTS]]
        if len(failing) > MAIL_FAULTS:
            more = tr("and {number} more that fail", number=len(failing) - MAIL_FAULTS)
            arrivals.append(Arrival(mail.label, Verdict(mail.label, "", damage=more)))
        if ended := [one.damage for one in verdicts if one.ended]:
            arrivals.append(_set_aside(key, tr("could not be checked to the end: {why}", why=ended[0])))
        arrivals = [_about_loss(desk, one, mail) for one in arrivals]
        wants = mail.wants
        if wants and not any(one.verdict.game for one in arrivals) and desk.shelf.look_up(wants):
            asks = tr("your opponent's program asks for the whole game {game}", game=wants[:BRIEF])
            arrivals = [Arrival(mail.label, Verdict(mail.label, "", damage=asks, first=wants), wants=wants)]
        return [replace(one, sender=mail.sender) for one in arrivals + drafts]

    def _save_drafts(self, mail: Facts) -> list[Arrival]:
        """The drafts of commanders in a mail (FORMAT 11), each checked and kept."""
        if not mail.drafts:
            return []
        from pbem.correspondence.commander_drafts import save_draft  # here, because few sides are shared

        came = [save_draft(self._desk, one, self._folder, self._examiner.check_draft) for one in mail.drafts]
        return [Arrival(mail.label, _on_draft(one), one.file, one.refusal) for one in came]


def _on_draft(came: Came) -> Verdict:
    return Verdict("", "", damage=came.words, first=came.draft.after.game)


def _about_loss(desk: LocalPlayer, arrival: Arrival, mail: Facts) -> Arrival:
    """The arrival with the loss that its mail shows: of our mail, which its writer wants, or of his own."""
    verdict, refusal = arrival.verdict, arrival.refusal
    if verdict.game:
        behind = verdict.relation is Relation.OLDER and mail.wants == verdict.game.ids[0]
        return replace(arrival, wants=mail.wants) if behind else arrival
    late = isinstance(refusal, PartRefused) and not refusal.another
    step = verdict.failure.step if verdict.failure else 0
    broken = refusal is None and step <= DAMAGED_UP_TO and not (verdict.signed or arrival.aside)
    if not (late or broken):
        return arrival
    named = [verdict.first] if verdict.first else mail.named
    games = [game for one in named for game in desk.shelf.ids(one)]
    return replace(arrival, lacks=games[0]) if len(set(games)) == 1 else arrival


def _set_aside(key: str, problem: str) -> Arrival:
    """A mail that could not be judged, of which a copy is kept, so that the fault can be reported."""
    return Arrival(_label(key), Verdict(_label(key), "", damage=problem), aside=True)


def _label(key: str) -> str:
    """The name of a mail by its key in the folder."""
    return tr("mail {key}", key=key)


def _filed(desk: LocalPlayer, verdict: Verdict, key: str, folder: Path) -> Arrival:
    """Put a game of a mail on the shelf and into its file, if nothing speaks against it."""
    game = verdict.game
    if game is None:
        if verdict.failure and verdict.failure.newer:
            return _set_aside(key, f"{verdict.words}; {verdict.failure.hint}")
        return Arrival(verdict.label, verdict, alarm=verdict.signed)
    contacts, relation = Contacts(desk), verdict.relation
    if relation is not Relation.FORKED:  # which is told whoever it is by
        try:
            contacts.check(game)
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
        return Arrival(verdict.label, verdict, refusal=refusal, alarm=not isinstance(refusal, OtherAccept))
    PeerCapabilities(desk.home).note(verdict)
    contacts.heard(verdict)
    try:
        return Arrival(verdict.label, verdict, written(desk, game, folder))
    except PlaceTaken as taken:
        return Arrival(verdict.label, verdict, refusal=taken)


def written(desk: LocalPlayer, game: Game, folder: Path) -> Path:
    """The file that holds what the shelf holds of the game: the player's own, else one in `folder`.

    Raises `PlaceTaken` where something else has its name.
    """
    file = desk.place(game, folder)
    newest = desk.shelf.find(game.ids[0]).data
    desk.check_place(game, file)
    if not file.exists() or read_regular(file) != newest:
        write_atomically(file, newest)
    desk.shelf.note_file(game.ids[0], file)
    return file
