"""The people the player writes to: whose key is trusted, their address, and what their program can read.

    home/contacts.json        by key: the confirmed address, the trusted names, and the language of letters to
                              its holder (`lang`, else `reads`)
    home/mail/readers.json    by the id of the game: whether the opponent's next mail may be a part of the log

Only the game store (`players.json`) knows which keys came with a name. The first one is trusted. Another key
for a known name or address could be a stranger's, so everything stops until the player decides.

A part of a log (FORMAT 10) is sent only after a mail which shows that its writer's program can read parts and
has the entries before it. Older programs only read whole files, and a player who lost their newest entries
needs one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import JsonStore, lock_folder, make_folder
from pbem.correspondence.outbox import Outbox
from pbem.correspondence.verdict import Verdict
from pbem.errors import ChangedKey, MailError, NotYourMove
from pbem.format.entries import Seat
from pbem.format.keys import PublicKey
from pbem.lookalikes import fold_name
from pbem.mail.outgoing import check_address, recipient_of
from pbem.player.local_player import LocalPlayer
from pbem.render.safe_text import quote_name, quote_path
from pbem.texts import ENGLISH, LANGUAGES, Texts, spoken
from pbem.umpire.game_facts import SHORT_ID_DIGITS, changed_address
from pbem.umpire.game_state import Game
from pbem.umpire.permissions import held_seats

if TYPE_CHECKING:
    from pbem.correspondence.verdict import Verdict


tr = Texts("pbem")


class Contact(Struct, frozen=True):
    """An opponent: name, key (for a free seat, empty or the invited key) and address.

    `address` is empty if none is known, and gets no mail unless it is `confirmed`. `claimed` is the address
    stated in the game, which might not be an address at all.
    """

    name: str
    key: str
    address: str
    confirmed: bool
    claimed: str = ""

    @property
    def display_name(self) -> str:
        """The opponent's name for display; for a free seat, that of the side."""
        return quote_name(self.name) if self.name else tr("your opponent")

    @property
    def mailbox(self) -> str:
        """The opponent's name, if known, and address, as in a mail header."""
        return f"{quote_name(self.name)} <{self.address}>" if self.name else self.address


class _Decisions(Struct, frozen=True, forbid_unknown_fields=True):
    """The player's decisions about a key.

    `answered` are the addresses that games stated when the player confirmed one: pbem does not ask about them
    again. Letters are in the language `lang` if the player chose one, else in the one that the newest mail of
    the key's holder says they `reads`.
    """

    address: str = ""
    answered: tuple[str, ...] = ()
    trusted_as: tuple[str, ...] = ()
    lang: str = ""
    reads: str = ""

    def with_confirmed_address(self, address: str, claimed: str) -> _Decisions:
        """These decisions, with this address confirmed although the game states `claimed`."""
        answered = tuple(dict.fromkeys((*self.answered, claimed)))
        return replace(self, address=address, answered=answered)

    def with_trusted_name(self, name: str) -> _Decisions:
        """These decisions, with the key trusted under this name."""
        return replace(self, trusted_as=tuple(dict.fromkeys((*self.trusted_as, name))))


class Contacts:
    """A player's contacts."""

    def __init__(self, player: LocalPlayer) -> None:
        self._player = player
        self._decided = JsonStore(
            player.home / "contacts.json",
            dict[str, _Decisions],
            hint=tr("repair or delete it; without it, pbem asks for each address again"),
        )

    def check_and_remember(self, game: Game, file: str = "") -> Contact:
        """Check that the opponent's key is the known one, and save a new name with it. Returns the opponent.

        Nothing is saved about somebody who has only made an offer: a stranger could take a friend's name
        first. If the player mailed the offer, and the player who joins states the very address it went to,
        that address is saved as confirmed.

        Raises `ChangedKey` if the name or address is known with another key, and as `opponent`; the hint
        names the game's `file`, or the beginning of the game's id.
        """
        contact = self.opponent(game)
        if known := self.other_keys(contact):
            raise _changed_key_error(contact, known, file or game.ids[0][:SHORT_ID_DIGITS])
        if contact.name and held_seats(game, self._player.key):
            self._player.store.note_key(contact.name, contact.key)
            if not contact.confirmed and _is_same_address(
                offered_to := self._address_of_offer(game), contact.claimed
            ):
                return self.confirm(contact, offered_to)
        return contact

    def opponent(self, game: Game) -> Contact:
        """The opponent as known, or as the game states; for an open offer, its maker.

        Raises `NotYourMove` for a spectator, `MailError` in solitaire, which has nobody to write to.
        """
        mine = held_seats(game, self._player.key)
        if not mine and len(game.seats) > 1:
            if lead := _lead_of(game, str(self._player.key.public)):
                return self._contact_of_seat(lead)
            raise NotYourMove(tr("you are not a player in this game"))
        if len(mine) == 2:
            raise MailError(tr("you play both sides of this game: there is nobody to mail it to"))
        for name, seat in game.seats.items():
            if name not in mine:
                return self._contact_of_seat(seat, changed_address(game, name))
        return self._invited_contact(game)

    def other_keys(self, contact: Contact) -> tuple[str, ...]:
        """The other keys known with this name or address, if this one is not trusted."""
        everyone = self._decided.read()
        if fold_name(contact.name) in map(fold_name, everyone.get(contact.key, _Decisions()).trusted_as):
            return ()
        own = str(self._player.key.public)
        by_name = [key for key in self._player.store.keys_of(contact.name) if key != own]
        if by_name[:1] == [contact.key]:
            by_name = []  # the first key that came with the name
        at_home = [key for key, other in everyone.items() if _is_same_address(other.address, contact.claimed)]
        return tuple(key for key in dict.fromkeys(by_name + at_home) if key != contact.key)

    def contact_of_key(self, name: str, key: str, claimed: str = "") -> Contact:
        """The contact with this key, at the known address, else at the claimed one."""
        address = self._decisions_about(key).address
        return Contact(name, key, address or _address_or_empty(claimed), bool(address), claimed)

    def key_and_name_at(self, address: str) -> tuple[str, str]:
        """The key and name of the person at this address. Raises `MailError` if nobody is known there."""
        for key, decided in self._decided.read().items():
            if _is_same_address(decided.address, address):
                return key, next(iter(decided.trusted_as), "")
        raise MailError(
            tr("pbem knows nobody at {address}", address=address),
            hint=tr("give a file that contains your opponent's key instead"),
        )

    def confirm(self, contact: Contact, address: str, file: str = "") -> Contact:
        """Save the contact's address; for a free seat, only the outbox will record it.

        Raises `MailError` if it is not one plain address, or known with another key than the one in `file`.
        """
        check_address(address)
        if contact.key:
            if known := self.other_keys(replace(contact, claimed=address)):
                raise _changed_key_error(contact, known, file)
            self._save_decision(
                contact.key, lambda before: before.with_confirmed_address(address, contact.claimed)
            )
        return replace(contact, address=address, confirmed=True)

    def trust(self, contact: Contact) -> None:
        """Save that this is the contact's key, even if their name or address had another key before.

        Raises `MailError` as long as the seat is free.
        """
        if not contact.name:
            raise MailError(tr("nobody has joined the game yet, so there is no key to trust"))
        self._save_decision(contact.key, lambda before: before.with_trusted_name(contact.name))
        self._player.store.note_key(contact.name, contact.key)

    def languages(self, contact: Contact) -> tuple[str, ...]:
        """The languages of a letter to the contact: their own if known, else the player's and English.

        Before they have joined, they are known by their address.
        """
        about = self._decisions_about(contact.key) if contact.key else self._decisions_at(contact.address)
        known = next((language for language in (about.lang, about.reads) if language in LANGUAGES), "")
        return (known,) if known else tuple(dict.fromkeys((spoken(), ENGLISH)))

    def save_language(self, contact: Contact, language: str) -> None:
        """Save the language the player chose for letters to the contact.

        Raises `MailError` as long as the seat is free and nobody in particular is invited.
        """
        if not contact.key:
            raise MailError(tr("nobody has joined the game yet, so there is no language to note"))
        self._save_decision(contact.key, lambda before: replace(before, lang=language))

    def save_reader_language(self, verdict: Verdict) -> None:
        """Save which language the opponent reads, according to the mail with their newest entries."""
        game = verdict.game
        if game is None or verdict.language not in LANGUAGES or verdict.behind:
            return
        key = game.seats[game.entries[-1].body.by].key
        if key != str(self._player.public_key) and self._decisions_about(key).reads != verdict.language:
            self._save_decision(key, lambda before: replace(before, reads=verdict.language))

    def _decisions_at(self, address: str) -> _Decisions:
        """The player's decisions about the person at this address."""
        everyone = self._decided.read().values()
        return next(
            (decided for decided in everyone if _is_same_address(decided.address, address)), _Decisions()
        )

    def _contact_of_seat(self, seat: Seat, moved: str = "") -> Contact:
        """The holder of a seat. An address they signed later counts if an earlier one was confirmed."""
        decided = self._decisions_about(seat.key)
        moved = _address_or_empty(moved)
        claimed = moved or seat.mail or ""
        if moved and decided.address and moved not in decided.answered:
            return Contact(seat.name, seat.key, moved, True, claimed)
        is_known = not claimed or any(
            _is_same_address(claimed, address) for address in (decided.address, *decided.answered)
        )
        if decided.address and is_known:
            return Contact(seat.name, seat.key, decided.address, True, claimed)
        return Contact(seat.name, seat.key, _address_or_empty(claimed) or decided.address, False, claimed)

    def _invited_contact(self, game: Game) -> Contact:
        """The player invited to the free seat: at their key's address, or where the offer was mailed."""
        key = game.offer.to or ""
        address = self._decisions_about(key).address or self._address_of_offer(game)
        return Contact("", key, address, bool(address))

    def _address_of_offer(self, game: Game) -> str:
        """The address to which the player mailed the offer; empty if they did not mail it."""
        offer = game.ids[0]
        mail = Outbox(self._player.home).read(offer, offer)
        return recipient_of(mail) if mail else ""

    def _decisions_about(self, key: str) -> _Decisions:
        """The player's decisions about a key; usually there are none yet."""
        return self._decided.read().get(key, _Decisions())

    def _save_decision(self, key: str, change: Callable[[_Decisions], _Decisions]) -> None:
        """Change the decisions about a key under the lock, since another process might write as well."""
        make_folder(self._player.home)
        with lock_folder(self._player.home):
            self._decided.save(key, change(self._decisions_about(key)))


def _lead_of(game: Game, key: str) -> Seat | None:
    """The seat whose lead this key's holder commands for (FORMAT 11)."""
    commanding = (
        seat
        for seat in game.seats.values()
        if any(commander.key == key for commander in seat.commanders or ())
    )
    return next(commanding, None)


def _changed_key_error(contact: Contact, known: tuple[str, ...], file: str) -> ChangedKey:
    """The error that stops all mail with a contact, with their known keys and the new one."""
    before = ", ".join(PublicKey.parse(key).fingerprint for key in known)
    fingerprint = PublicKey.parse(contact.key).fingerprint
    if contact.name:
        problem = tr(
            "pbem knows {player} with a different key: {before}; here it is {key}",
            player=contact.display_name,
            before=before,
            key=fingerprint,
        )
    else:
        problem = tr(
            "pbem knows this address with a different key: {before}; here it is {key}",
            before=before,
            key=fingerprint,
        )
    return ChangedKey(problem, hint=hint_to_trust(file))


def hint_to_trust(file: str | Path) -> str:
    """The hint for a changed key: the command that trusts it, with the game's file if there is one."""
    if not file:
        return tr("ask your opponent whether the key is new, but not by replying to this mail")
    return tr(
        "ask your opponent whether the key is new, but not by replying to this mail. If it is: "
        "pbem mail trust {file}",
        file=quote_path(file),
    )


def _is_same_address(one: str, other: str) -> bool:
    """Whether two addresses are the same, ignoring case; an empty one never is."""
    return bool(other) and one.casefold() == other.casefold()


def _address_or_empty(claimed: str) -> str:
    """The address a game claims, if it is a plain one; else empty."""
    try:
        return check_address(claimed)
    except MailError:
        return ""


class PeerCapabilities:
    """What mails have shown about the opponents' programs, in the home folder `home`."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "mail"
        self._store = JsonStore(
            self._folder / "readers.json",
            dict[str, bool],
            hint=tr("delete it; the next mail of each game will then contain the whole file"),
        )

    def reads_parts(self, game: str) -> bool:
        """Whether the opponent can be sent a part of the log of the game with this id."""
        return self._store.read().get(game, False)

    def save_observed(self, verdict: Verdict) -> None:
        """Save what a received game shows: whether its writer's program reads parts, and what they have.

        Somebody who sends an older state as a whole file has no newer one; an older part is only late.
        """
        if verdict.game is None or (verdict.part and verdict.behind):
            return
        game = verdict.game.ids[0]
        reads = verdict.reads_parts and not verdict.behind
        if self.reads_parts(game) != reads:
            make_folder(self._folder)
            self._store.save(game, reads)
