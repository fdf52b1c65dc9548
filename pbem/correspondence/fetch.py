"""Fetching: each new mail is read and judged; a game in it that passes every check goes to shelf and file.

    home/mail/set-aside/    copies of mails that could not be judged

No mail can stop the next: whatever goes wrong with one is told, and it is set aside. The bookmark is put
when the games are on the shelf. So after a crash some mails are read once more, and the shelf knows what it
has; no mail is ever passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from pbem.budgets import ASIDE_BYTES, ASIDE_MAILS, EARLY_BYTES, EARLY_MAILS, MAIL_FAULTS
from pbem.correspondence.contacts import Contacts, hint_to_trust
from pbem.correspondence.inbox import judge
from pbem.correspondence.mailbox import Bookmarks, Mailbox, Tidying
from pbem.correspondence.readers import Readers
from pbem.correspondence.returned import returned
from pbem.correspondence.verdict import Verdict, filed
from pbem.desk import Desk
from pbem.errors import (
    ForkedFile,
    KeyFileError,
    MailError,
    NotYourMove,
    PartRefused,
    PbemError,
    PlaceTaken,
    ShelfError,
    UnknownGame,
    unforeseen,
)
from pbem.files import make_folder, write_atomically
from pbem.journal.draft import is_draft
from pbem.keys import PublicKey
from pbem.mail.message import may_hold_a_game, speaks_of_a_game
from pbem.mail.sources import Received, received
from pbem.render.words import quoted
from pbem.texts import Texts
from pbem.umpire import Game
from pbem.umpire.facts import file_name

tr = Texts("pbem")


class Arrival(Struct, frozen=True):
    """A game that came by mail, or what is left of one: which mail, what it is, what became of it.

    `file` holds the newest state on the shelf; `refusal` says why the game was not put there. An `alarm` is
    a game that fails a check, has two histories, or is signed by another key than the player trusts. A mail
    that could not be judged is `aside`, and no alarm. What became of an answer to a letter to oneself is
    `answered`.
    """

    label: str
    verdict: Verdict
    file: Path | None = None
    refusal: PbemError | None = None
    alarm: bool = False
    aside: bool = False
    answered: str = ""


Reply = Callable[[bytes], list[str] | None]
"""What does as an answer by mail says, and tells what it did; None where a mail is no such answer."""


def fetch(
    desk: Desk,
    box: Mailbox,
    folder: Path,
    tidying: Tidying = Tidying(),
    progress: Callable[[int, int], None] = lambda read, number: None,
    reply: Reply | None = None,
) -> Generator[Arrival, None, None]:
    """Every game in the mails that are new since the last time. Games are written into `folder` as files.

    A mail counts as read once the caller asks for what comes after it; where he stops, it comes again next
    time. After each mail, `progress` is told how many were read of how many. `reply` sees each first.
    Raises `MailError` where the folder cannot be read, `ShelfError` where nothing can be kept.
    """
    bookmarks, early = Bookmarks(desk.home), _Early(desk, folder)
    with bookmarks.locked():
        before, read = bookmarks.of(box.name), []
        try:
            mails = box.since(before)
            for key, data in mails:
                arrivals = _guarded(desk, data, key, folder, reply)
                yield from arrivals
                yield from early.after(key, data, arrivals)
                tidied = any(not (arrival.aside or arrival.answered) for arrival in arrivals)
                if tidied and tidying.mark:
                    box.mark(key)
                if tidied and tidying.move:
                    box.move(key, tidying.move)
                read.append(key)
                progress(len(read), len(mails))
        finally:
            if read:
                bookmarks.put(box.name, box.bookmark(before, read))


class _Early:
    """Mails whose part of a log came before what it goes on from: they are tried again once that is there."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        self._desk = desk
        self._folder = folder
        self._waiting: dict[str, bytes] = {}

    def after(self, key: str, data: bytes, arrivals: list[Arrival]) -> Iterator[Arrival]:
        """What else can be read once the mail `data` has been, whose arrivals these are."""
        if any(map(_lacks_something, arrivals)):
            room = sum(map(len, self._waiting.values())) + len(data) <= EARLY_BYTES
            if room and len(self._waiting) < EARLY_MAILS:
                self._waiting[key] = data
            return
        came = any(one.file for one in arrivals)
        while came:
            came = False
            for waiting, mail in list(self._waiting.items()):
                again = _guarded(self._desk, mail, waiting, self._folder, None)
                if not any(map(_lacks_something, again)):
                    del self._waiting[waiting]
                    _copy_of(self._desk, mail, waiting).unlink(missing_ok=True)
                    came = True
                    yield from again


def _lacks_something(arrival: Arrival) -> bool:
    """Whether this is a part of a log that may fit once another mail has been read."""
    refusal = arrival.refusal
    return isinstance(refusal, PartRefused) and not refusal.forked


def _guarded(desk: Desk, data: bytes, key: str, folder: Path, reply: Reply | None) -> list[Arrival]:
    """What came with a mail; one that causes what nobody has thought of is set aside.

    What fails on the player's own side, his disk or his key, would fail with the next mail as well.
    """
    try:
        if reply and (answered := reply(data)) is not None:
            return [Arrival(_label(key), Verdict(_label(key), ""), answered=one) for one in answered]
        return _arrivals(desk, data, key, folder)
    except (ShelfError, KeyFileError, OSError):
        raise
    except Exception as error:
        return [_set_aside(desk, data, key, unforeseen(error))]


def _arrivals(desk: Desk, data: bytes, key: str, folder: Path) -> list[Arrival]:
    """The games in a mail, put where they belong; and what is damaged, if the mail is about pbem at all."""
    if not may_hold_a_game(data):
        return []
    if (report := returned(desk, data)) is not None:
        return [Arrival(_label(key), Verdict("", "", damage=report))] if report else []
    found = received(data, _label(key))
    drafts, found = _drafts(desk, found, folder)
    verdicts = judge(desk, found)
    speaks = any(one.damage for one in verdicts) and speaks_of_a_game(data, found.message)
    games = [one for one in verdicts if one.game]
    parts = [one for one in verdicts if one.refusal]
    failing = [one for one in verdicts if one.failure or (speaks and one.damage and not one.ended)]
    arrivals = [_filed(desk, one, data, key, folder) for one in games + failing[:MAIL_FAULTS]]
    arrivals += [_not_joined(desk, data, key, one) for one in parts[:MAIL_FAULTS]]
    if len(failing) > MAIL_FAULTS:
        more = Verdict(
            found.label, "", damage=tr("and {number} more that fail", number=len(failing) - MAIL_FAULTS)
        )
        arrivals.append(Arrival(found.label, more))
    if ended := [one.damage for one in verdicts if one.ended]:
        arrivals.append(
            _set_aside(desk, data, key, tr("could not be judged to its end: {why}", why=ended[0]))
        )
    return arrivals + drafts


def _drafts(desk: Desk, found: Received, folder: Path) -> tuple[list[Arrival], Received]:
    """The drafts of commanders in a mail (FORMAT 11), and the mail without them."""
    if not any(is_draft(one.data) for one in found.finding.candidates):
        return [], found
    from pbem.correspondence import drafts  # here, because few sides are shared

    came = [drafts.received(desk, one, folder) for one in drafts.drafts_of(found)]
    arrivals = [
        Arrival(
            found.label, Verdict("", "", damage=one.words, first=one.draft.after.game), one.file, one.refusal
        )
        for one in came
    ]
    return arrivals, drafts.without(found)


def _set_aside(desk: Desk, data: bytes, key: str, problem: str) -> Arrival:
    """A mail that could not be judged, of which a copy is kept, so that the fault can be reported."""
    file = _copied(desk, data, key)
    if file:
        damage = tr("{problem}; set aside in {file}", problem=problem, file=file)
    else:
        full = _aside(desk)
        damage = tr(
            "{problem}; set aside without a copy, since {folder} is full", problem=problem, folder=full
        )
    return Arrival(_label(key), Verdict(_label(key), "", damage=damage), aside=True)


def _not_joined(desk: Desk, data: bytes, key: str, verdict: Verdict) -> Arrival:
    """A part of a log that cannot go behind the one on the shelf; of a game there, with a copy to answer."""
    refusal = verdict.refusal
    assert refusal is not None
    if desk.shelf.look_up(verdict.first) and (file := _copied(desk, data, key)):
        refusal.hint = tr("ask for the whole file: pbem mail send {file} --reply-problem", file=quoted(file))
    return Arrival(verdict.label, verdict, refusal=refusal, alarm=refusal.forked)


def _label(key: str) -> str:
    """What a mail is called by its key in the folder."""
    return tr("mail {key}", key=key)


def _aside(desk: Desk) -> Path:
    return desk.home / "mail" / "set-aside"


def _copied(desk: Desk, data: bytes, key: str) -> Path | None:
    """A copy of a mail for the player to look into, if there is room."""
    folder, file = _aside(desk), _copy_of(desk, data, key)
    make_folder(folder)
    kept = [path.stat().st_size for path in folder.iterdir() if path != file]
    if len(kept) >= ASIDE_MAILS or sum(kept) + len(data) > ASIDE_BYTES:
        return None
    write_atomically(file, data, private=True)
    return file


def _copy_of(desk: Desk, data: bytes, key: str) -> Path:
    """Where the copy of a mail lies, if there is one."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", key)[:60]
    return _aside(desk) / f"{name}-{sha256(data).hexdigest()[:8]}.eml"


def _filed(desk: Desk, verdict: Verdict, data: bytes, key: str, folder: Path) -> Arrival:
    """Put a game of a mail on the shelf and into its file, if nothing speaks against it."""
    game = verdict.game
    if game is None:
        if verdict.failure and verdict.failure.newer:
            return _set_aside(desk, data, key, f"{verdict.words}; {verdict.failure.hint}")
        return Arrival(verdict.label, verdict, alarm=verdict.failure is not None)
    contacts = Contacts(desk)
    try:
        contacts.opponent(game)
    except (MailError, NotYourMove) as nobody:
        return Arrival(verdict.label, verdict, refusal=nobody)
    try:
        contacts.check(game)
    except MailError as changed:
        changed.hint = hint_to_trust(_copied(desk, data, key) or "")
        return Arrival(verdict.label, verdict, refusal=changed, alarm=True)
    try:
        if not verdict.behind:
            filed(desk, verdict, new=len(game.entries) == 1 or not may_write(game, desk.public))
    except UnknownGame as unknown:
        return Arrival(verdict.label, verdict, refusal=unknown)
    except ForkedFile as refusal:
        return Arrival(verdict.label, verdict, refusal=refusal, alarm=True)
    Readers(desk.home).note(verdict)
    contacts.heard(verdict)
    try:
        return Arrival(verdict.label, verdict, written(desk, game, folder))
    except PlaceTaken as taken:
        return Arrival(verdict.label, verdict, refusal=taken)


def may_write(game: Game, key: PublicKey | None) -> bool:
    """Whether a key's holder has a seat, or may take one; a commander has none, and gives no secret away."""
    return len(game.seats) < 2 or any(seat.key == str(key) for seat in game.seats.values())


def written(desk: Desk, game: Game, folder: Path) -> Path:
    """The file in `folder` that holds what the shelf holds of the game.

    Raises `PlaceTaken` where something else has its name.
    """
    file = folder / file_name(game)
    newest = desk.shelf.find(game.ids[0]).data
    desk.check_place(game, file)
    if not file.exists() or file.read_bytes() != newest:
        write_atomically(file, newest)
    desk.shelf.note_file(game.ids[0], file)
    return file
