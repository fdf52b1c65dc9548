"""The people the player writes to: whose key is trusted, and where its holder gets his mail.

    home/contacts.json    by key: the address that the player confirmed, the names he trusts it under, and
                          the language in which letters to him are written (`lang`, else `reads`)

Which keys a name has come with is on the shelf (`players.json`), and only there. The first one is trusted.
Another key for a known name or address may be a stranger's: everything stops until the player decides.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import Store, locked, make_folder
from pbem.correspondence.outbox import Outbox
from pbem.errors import ChangedKey, MailError, NotYourMove
from pbem.format.keys import PublicKey
from pbem.format.shapes import Seat
from pbem.lookalikes import folded
from pbem.mail.outgoing import checked_address, recipient_of
from pbem.player.local_player import LocalPlayer
from pbem.render.words import named, quoted
from pbem.texts import ENGLISH, LANGUAGES, Texts, spoken
from pbem.umpire.addresses import moved_to
from pbem.umpire.game import Game
from pbem.umpire.game_facts import BRIEF
from pbem.umpire.permissions import held_seats

if TYPE_CHECKING:
    from pbem.correspondence.verdict import Verdict

tr = Texts("pbem")


class Contact(Struct, frozen=True):
    """An opponent: name and key (of a seat still free: empty, or the invited key), and his address.

    `address` is empty if none is known, and nothing may be mailed to it unless it is `confirmed`.
    `claimed` is the address that the game gives for him, which may be no address at all.
    """

    name: str
    key: str
    address: str
    confirmed: bool
    claimed: str = ""

    @property
    def called(self) -> str:
        """His name as people are shown it; while his seat is free he has none."""
        return named(self.name) if self.name else tr("your opponent")

    @property
    def mailbox(self) -> str:
        """His name, if he has one yet, and his address."""
        return f"{named(self.name)} <{self.address}>" if self.name else self.address


class _Decided(Struct, frozen=True, forbid_unknown_fields=True):
    """The player's decisions about a key.

    `answered` are the addresses that games gave for it when he confirmed one: they are not asked about again.
    Letters are written in the language `lang`, if he has decided that, else in the one that its holder's
    newest mail says he `reads`.
    """

    address: str = ""
    answered: tuple[str, ...] = ()
    trusted_as: tuple[str, ...] = ()
    lang: str = ""
    reads: str = ""

    def confirmed(self, address: str, claimed: str) -> _Decided:
        """This, and that the address is his, although a game gives `claimed`."""
        answered = tuple(dict.fromkeys((*self.answered, claimed)))
        return replace(self, address=address, answered=answered)

    def trusted(self, name: str) -> _Decided:
        """This, and that the key is his whose name it comes with."""
        return replace(self, trusted_as=tuple(dict.fromkeys((*self.trusted_as, name))))


class Contacts:
    """The contacts of whoever's desk it is."""

    def __init__(self, desk: LocalPlayer) -> None:
        self._desk = desk
        self._decided = Store(
            desk.home / "contacts.json",
            dict[str, _Decided],
            hint=tr("mend or remove it: then pbem asks for each address again"),
        )

    def check(self, game: Game, file: str = "") -> Contact:
        """The opponent, whose name is remembered with his key if it is new.

        Nothing is remembered about somebody who has only made an offer: a stranger could take a friend's name
        first. Where a seat was offered by mail, and whoever takes it claims the very address that the offer
        went to, that address counts as confirmed.

        Raises `ChangedKey` where his name or address is known with another key, and see `opponent`; its hint
        names the game's `file`, or the game as it is called on the shelf.
        """
        contact = self.opponent(game)
        if known := self.other_keys(contact):
            raise _changed(contact, known, file or game.ids[0][:BRIEF])
        if contact.name and held_seats(game, self._desk.key):
            self._desk.shelf.remember(contact.name, contact.key)
            if not contact.confirmed and _same(offered_to := self._offered_to(game), contact.claimed):
                return self.confirm(contact, offered_to)
        return contact

    def opponent(self, game: Game) -> Contact:
        """The opponent as he is known, or as the game has him; of an offer that was found, its maker.

        Raises `NotYourMove` for a spectator, `MailError` in solitaire: there is nobody to write to.
        """
        mine = held_seats(game, self._desk.key)
        if not mine and len(game.seats) > 1:
            if lead := _lead_of(game, str(self._desk.key.public)):
                return self._known(lead)
            raise NotYourMove(tr("you play no side in this game"))
        if len(mine) == 2:
            raise MailError(tr("you play both sides of this game: there is nobody to mail it to"))
        for name, seat in game.seats.items():
            if name not in mine:
                return self._known(seat, moved_to(game, name))
        return self._invited(game)

    def other_keys(self, contact: Contact) -> tuple[str, ...]:
        """The keys that his name or address is known with, if this one is not trusted."""
        everyone = self._decided.read()
        if folded(contact.name) in map(folded, everyone.get(contact.key, _Decided()).trusted_as):
            return ()
        own = str(self._desk.key.public)
        by_name = [key for key in self._desk.shelf.keys_of(contact.name) if key != own]
        if by_name[:1] == [contact.key]:
            by_name = []  # the first that came with the name
        at_home = [key for key, other in everyone.items() if _same(other.address, contact.claimed)]
        return tuple(key for key in dict.fromkeys(by_name + at_home) if key != contact.key)

    def known(self, name: str, key: str, claimed: str = "") -> Contact:
        """Somebody by his key, with the address that is known for it, else the one that is claimed."""
        address = self._about(key).address
        return Contact(name, key, address or _plain(claimed), bool(address), claimed)

    def at(self, address: str) -> tuple[str, str]:
        """The key and the name of who gets his mail there. Raises `MailError` where nobody is known to."""
        for key, decided in self._decided.read().items():
            if _same(decided.address, address):
                return key, next(iter(decided.trusted_as), "")
        raise MailError(
            tr("nobody is known at {address}", address=address), hint=tr("give a file with his key instead")
        )

    def confirm(self, contact: Contact, address: str, file: str = "") -> Contact:
        """The player says that this is his address. While his seat is free only the outbox notes it.

        Raises `MailError` if it is not one plain address, or known with another key than the one in `file`.
        """
        checked_address(address)
        if contact.key:
            if known := self.other_keys(replace(contact, claimed=address)):
                raise _changed(contact, known, file)
            self._decide(contact.key, lambda before: before.confirmed(address, contact.claimed))
        return replace(contact, address=address, confirmed=True)

    def trust(self, contact: Contact) -> None:
        """The player says that this is his key, whatever other key his name or address has come with.

        Raises `MailError` while the seat is free: nobody has come yet.
        """
        if not contact.name:
            raise MailError(tr("nobody has taken the other seat yet, so there is no key to trust"))
        self._decide(contact.key, lambda before: before.trusted(contact.name))
        self._desk.shelf.remember(contact.name, contact.key)

    def languages(self, contact: Contact) -> tuple[str, ...]:
        """The languages of a letter to him: his own where it is known, else the player's and English.

        While his seat is free he is known by his address.
        """
        about = self._about(contact.key) if contact.key else self._at(contact.address)
        known = next((one for one in (about.lang, about.reads) if one in LANGUAGES), "")
        return (known,) if known else tuple(dict.fromkeys((spoken(), ENGLISH)))

    def writes_to(self, contact: Contact, language: str) -> None:
        """The player decides in which language letters to him are written.

        Raises `MailError` while the seat is free, and nobody is known to take it.
        """
        if not contact.key:
            raise MailError(tr("nobody has taken the other seat yet, whose language could be noted"))
        self._decide(contact.key, lambda before: replace(before, lang=language))

    def heard(self, verdict: Verdict) -> None:
        """Remember which language the opponent reads, as the mail says that brought his newest entries."""
        game = verdict.game
        if game is None or verdict.language not in LANGUAGES or verdict.behind:
            return
        key = game.seats[game.entries[-1].body.by].key
        if key != str(self._desk.public) and self._about(key).reads != verdict.language:
            self._decide(key, lambda before: replace(before, reads=verdict.language))

    def _at(self, address: str) -> _Decided:
        """The player's decisions about whoever gets his mail there."""
        everyone = self._decided.read().values()
        return next((one for one in everyone if _same(one.address, address)), _Decided())

    def _known(self, seat: Seat, moved: str = "") -> Contact:
        """The holder of a seat. An address that he signed later is his if an earlier one was confirmed."""
        decided = self._about(seat.key)
        moved = _plain(moved)
        claimed = moved or seat.mail or ""
        if moved and decided.address and moved not in decided.answered:
            return Contact(seat.name, seat.key, moved, True, claimed)
        seen = not claimed or any(_same(claimed, one) for one in (decided.address, *decided.answered))
        if decided.address and seen:
            return Contact(seat.name, seat.key, decided.address, True, claimed)
        return Contact(seat.name, seat.key, _plain(claimed) or decided.address, False, claimed)

    def _invited(self, game: Game) -> Contact:
        """Whoever takes the free seat: at the address known with his key, or where the offer went before."""
        key = game.offer.to or ""
        address = self._about(key).address or self._offered_to(game)
        return Contact("", key, address, bool(address))

    def _offered_to(self, game: Game) -> str:
        """The address that the player gave when he mailed the offer; empty if he did not."""
        offer = game.ids[0]
        mail = Outbox(self._desk.home).read(offer, offer)
        return recipient_of(mail) if mail else ""

    def _about(self, key: str) -> _Decided:
        """The player's decisions about a key; none yet, as a rule."""
        return self._decided.read().get(key, _Decided())

    def _decide(self, key: str, change: Callable[[_Decided], _Decided]) -> None:
        """Write down what the player decides about a key, whatever another program has just written."""
        make_folder(self._desk.home)
        with locked(self._desk.home):
            self._decided.put(key, change(self._about(key)))


def _lead_of(game: Game, key: str) -> Seat | None:
    """The seat of which a key's holder commands a part (FORMAT 11)."""
    commanding = (
        seat for seat in game.seats.values() if any(one.key == key for one in seat.commanders or ())
    )
    return next(commanding, None)


def _changed(contact: Contact, known: tuple[str, ...], file: str) -> ChangedKey:
    """The error that stops everything: whose key has changed, from which to which."""
    before = ", ".join(PublicKey.parse(key).fingerprint for key in known)
    here = PublicKey.parse(contact.key).fingerprint
    if contact.name:
        problem = tr(
            "{player} is known with another key: {before}; here it is {key}",
            player=contact.called,
            before=before,
            key=here,
        )
    else:
        problem = tr(
            "this address is known with another key: {before}; here it is {key}", before=before, key=here
        )
    return ChangedKey(problem, hint=hint_to_trust(file))


def hint_to_trust(file: str | Path) -> str:
    """The hint for a changed key: the command for the game in a file, if it is in one."""
    if not file:
        return tr("ask whether the key is new, by other means than this mail")
    return tr(
        "ask whether the key is new, by other means than this mail; if it is: pbem mail trust {file}",
        file=quoted(file),
    )


def _same(one: str, other: str) -> bool:
    """Whether two addresses reach the same person, as far as a reader sees."""
    return bool(other) and one.casefold() == other.casefold()


def _plain(claimed: str) -> str:
    """The address that a game gives, if it is one."""
    try:
        return checked_address(claimed)
    except MailError:
        return ""
