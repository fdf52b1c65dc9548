"""Contacts: trusted on first use and pinned; another key stops everything; each address is confirmed once."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest

from pbem.correspondence.contacts import Contact, Contacts
from pbem.correspondence.send import save_to_outbox
from pbem.errors import MailError, NotYourMove, StorageError
from pbem.format.keys import PrivateKey
from pbem.player.local_player import LocalPlayer
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.write import Person
from support.simulator import KEYS, STRANGER, accept_game, entropy, mailed_file, offer_game

OLD, NEW = (PrivateKey(sha256(label).digest()) for label in (b"Bruno", b"Bruno's new key"))
MAIL = "bruno@example.org"
NOON = datetime(2026, 8, 1, 12, tzinfo=UTC)


@pytest.fixture
def player(tmp_path: Path) -> LocalPlayer:
    """Gerda's home; she plays the Germans in every game here."""
    player = LocalPlayer(tmp_path / "home")
    player.key = KEYS["german"]
    return player


@pytest.fixture
def contacts(player: LocalPlayer) -> Contacts:
    return Contacts(player)


def game(name: str = "Bruno", key: PrivateKey = OLD, mail: str = MAIL) -> Game:
    """A game against this player."""
    return write.accept(offer_game("german"), Person(name, key, mail), entropy("us"))


def confirmed(contacts: Contacts, game: Game, address: str) -> Contact:
    return contacts.confirm(contacts.check_and_remember(game), address)


class TestFirstUse:
    """The first key of a name is trusted, and remembered on the shelf."""

    def test_trusted(self, contacts: Contacts, player: LocalPlayer) -> None:
        assert contacts.check_and_remember(game()) == Contact("Bruno", str(OLD.public), MAIL, False, MAIL)
        assert player.store.keys_of("Bruno") == (str(OLD.public),)

    def test_no_other_book_holds_names_with_keys(self, contacts: Contacts, player: LocalPlayer) -> None:
        confirmed(contacts, game(), MAIL)
        assert json.loads((player.home / "contacts.json").read_text()) == {
            str(OLD.public): {"address": MAIL, "answered": [MAIL], "trusted_as": [], "lang": "", "reads": ""}
        }

    def test_my_own_name_is_free_to_others(self, contacts: Contacts, player: LocalPlayer) -> None:
        """Whoever is called like me is not me with another key."""
        player.store.note_key("Bruno", str(KEYS["german"].public))
        assert contacts.check_and_remember(game()).key == str(OLD.public)


class TestChangedKey:
    """A known name or address with another key stops everything until the player decides."""

    def test_known_name(self, contacts: Contacts) -> None:
        contacts.check_and_remember(game())
        changed = game(key=NEW, mail="new@example.org")
        for _ in range(2):  # it is no warning that is given once
            with pytest.raises(MailError) as caught:
                contacts.check_and_remember(changed)
            old, new = OLD.public.fingerprint, NEW.public.fingerprint
            assert str(caught.value) == f'pbem knows "Bruno" with a different key: {old}; here it is {new}'
            assert caught.value.hint.endswith(f"If it is: pbem mail trust {changed.ids[0][:8]}")
        assert contacts.check_and_remember(game()).key == str(OLD.public)  # his other games go on

    def test_also_after_the_shelf_has_seen_it(self, contacts: Contacts, player: LocalPlayer) -> None:
        """`show` notes every key that a name came with; the first is the one that is pinned."""
        for key in (OLD, NEW):
            player.store.note_key("Bruno", str(key.public))
        contacts.check_and_remember(game())
        with pytest.raises(MailError, match=r'pbem knows "Bruno" with a different key'):
            contacts.check_and_remember(game(key=NEW))

    @pytest.mark.parametrize("name", ["bruno", "Bru\u200bno", "Bruno\ufe0f", "\u3164Bruno", "\uff22runo"])
    def test_known_name_with_a_difference_that_nobody_sees(self, name: str, contacts: Contacts) -> None:
        contacts.check_and_remember(game())
        with pytest.raises(MailError, match="with a different key"):
            contacts.check_and_remember(game(name, NEW))

    @pytest.mark.parametrize("claimed", [MAIL, MAIL.upper()])
    def test_known_address(self, claimed: str, contacts: Contacts) -> None:
        confirmed(contacts, game(), MAIL)
        with pytest.raises(MailError, match=r'^pbem knows "Eve" with a different key: '):
            contacts.check_and_remember(game("Eve", NEW, claimed))

    def test_an_address_that_was_only_claimed_is_nobodys(self, contacts: Contacts) -> None:
        """Else a stranger could bar a friend by naming his address first."""
        contacts.check_and_remember(game("Eve", STRANGER, MAIL))
        assert contacts.check_and_remember(game()).address == MAIL

    def test_a_known_key_under_the_name_of_another(self, contacts: Contacts) -> None:
        contacts.check_and_remember(game())
        confirmed(contacts, game("Clara", NEW, "clara@example.org"), "clara@example.org")
        with pytest.raises(MailError, match=r'^pbem knows "Bruno" with a different key: '):
            contacts.check_and_remember(game("Bruno", NEW, "clara@example.org"))

    def test_nothing_is_noted(self, contacts: Contacts, player: LocalPlayer) -> None:
        contacts.check_and_remember(game())
        with pytest.raises(MailError):
            contacts.check_and_remember(game(key=NEW))
        assert player.store.keys_of("Bruno") == (str(OLD.public),)


class TestTrust:
    """The player decides: the new key is pinned beside the old one, whose games can still be finished."""

    def test_both_keys_go_on(self, contacts: Contacts) -> None:
        confirmed(contacts, game(), MAIL)
        changed = game(key=NEW)
        opponent = contacts.opponent(changed)
        assert contacts.other_keys(opponent) == (str(OLD.public),)
        contacts.trust(opponent)
        assert contacts.other_keys(opponent) == ()
        assert contacts.check_and_remember(changed).key == str(NEW.public)
        assert contacts.check_and_remember(game()).key == str(OLD.public)

    def test_the_address_is_asked_for_all_the_same(self, contacts: Contacts) -> None:
        confirmed(contacts, game(), MAIL)
        contacts.trust(contacts.opponent(game(key=NEW)))
        assert not contacts.check_and_remember(game(key=NEW)).confirmed
        assert confirmed(contacts, game(key=NEW), MAIL).confirmed
        assert contacts.check_and_remember(game(key=NEW)).confirmed

    def test_under_this_name_alone(self, contacts: Contacts) -> None:
        contacts.check_and_remember(game())
        contacts.check_and_remember(game("Clara", STRANGER, ""))
        contacts.trust(contacts.opponent(game(key=NEW)))
        with pytest.raises(MailError, match=r'^pbem knows "Clara" with a different key: '):
            contacts.check_and_remember(game("Clara", NEW, ""))

    def test_however_it_is_spelt(self, contacts: Contacts) -> None:
        contacts.check_and_remember(game())
        contacts.trust(contacts.opponent(game(key=NEW)))
        assert contacts.check_and_remember(game("BRUNO", NEW)).key == str(NEW.public)

    def test_a_third_key_stops_again(self, contacts: Contacts) -> None:
        contacts.check_and_remember(game())
        contacts.trust(contacts.opponent(game(key=NEW)))
        with pytest.raises(MailError) as caught:
            contacts.check_and_remember(game(key=STRANGER))
        assert OLD.public.fingerprint in str(caught.value)
        assert NEW.public.fingerprint in str(caught.value)


class TestAddress:
    """The opponent's address is asked to be confirmed the first time, and when a game gives another."""

    def test_confirmed_once(self, contacts: Contacts) -> None:
        contact = contacts.check_and_remember(game())
        assert contacts.confirm(contact, MAIL) == Contact("Bruno", contact.key, MAIL, True, MAIL)
        assert contacts.check_and_remember(game()) == Contact("Bruno", contact.key, MAIL, True, MAIL)

    def test_a_game_without_one_uses_what_is_known(self, contacts: Contacts) -> None:
        assert contacts.check_and_remember(game(mail="")).address == ""
        confirmed(contacts, game(), MAIL)
        assert contacts.check_and_remember(game(mail="")) == Contact("Bruno", str(OLD.public), MAIL, True, "")

    def test_another_address_of_a_known_key_is_asked_about(self, contacts: Contacts) -> None:
        confirmed(contacts, game(), MAIL)
        moved = contacts.check_and_remember(game(mail="moved@example.org"))
        assert (moved.address, moved.confirmed) == ("moved@example.org", False)

    def test_a_question_that_was_answered_is_not_asked_again(self, contacts: Contacts) -> None:
        """Two games with one player, each with his address of then: neither undoes the other's answer."""
        confirmed(contacts, game(), MAIL)
        confirmed(contacts, game(mail="moved@example.org"), "moved@example.org")
        for claimed in (MAIL, "moved@example.org", ""):
            contact = contacts.check_and_remember(game(mail=claimed))
            assert (contact.address, contact.confirmed) == ("moved@example.org", True)

    def test_the_player_knows_better_than_the_game(self, contacts: Contacts) -> None:
        confirmed(contacts, game(), "bruno@work.example")
        contact = contacts.check_and_remember(game())
        assert (contact.address, contact.confirmed) == ("bruno@work.example", True)

    @pytest.mark.parametrize(
        "claimed",
        [
            "a@example.org, b@example.org",
            "Bruno <a@example.org>",
            "a@example.org\\r\\nBcc: b@b.org",
            "bruno",
            "ä@b.de",
        ],
    )
    def test_what_is_no_plain_address_is_never_offered(self, claimed: str, contacts: Contacts) -> None:
        contact = contacts.check_and_remember(game(mail=claimed))
        assert contact.address == ""
        with pytest.raises(MailError, match="is not a mail address"):
            contacts.confirm(contact, claimed)
        assert not contacts.check_and_remember(game(mail=claimed)).confirmed

    def test_the_address_of_another_key_is_refused(self, contacts: Contacts) -> None:
        """A stranger took the seat that was offered to Bruno, under another name and without an address."""
        confirmed(contacts, game(), MAIL)
        contact = contacts.check_and_remember(game("Robert", STRANGER, ""))
        with pytest.raises(MailError, match=r'^pbem knows "Robert" with a different key: '):
            contacts.confirm(contact, MAIL)
        assert not contacts.check_and_remember(game("Robert", STRANGER, "")).confirmed


class TestTheAddressOfAnOffer:
    """Whoever takes the seat that was mailed to an address, and says that it is his, has it confirmed."""

    @pytest.fixture(autouse=True)
    def mailed(self, player: LocalPlayer, contacts: Contacts) -> None:
        game = offer_game("german")
        player.record(game, mailed_file(game), new=True)
        save_to_outbox(player, None, game, contacts.confirm(contacts.check_and_remember(game), MAIL), NOON)

    @pytest.mark.parametrize("claimed", [MAIL, MAIL.upper()])
    def test_confirmed(self, claimed: str, contacts: Contacts) -> None:
        assert contacts.check_and_remember(game(mail=claimed)) == Contact(
            "Bruno", str(OLD.public), MAIL, True, claimed
        )
        assert contacts.opponent(game(mail=claimed)).confirmed

    @pytest.mark.parametrize("claimed", ["", "eve@example.org", f"{MAIL}, eve@example.org"])
    def test_not_for_who_says_something_else(self, claimed: str, contacts: Contacts) -> None:
        assert not contacts.check_and_remember(game(mail=claimed)).confirmed

    def test_not_for_another_key(self, contacts: Contacts) -> None:
        contacts.confirm(contacts.opponent(game()), MAIL)
        with pytest.raises(MailError, match=r'^pbem knows "Eve" with a different key: '):
            contacts.check_and_remember(game("Eve", STRANGER))

    def test_not_in_another_game(self, contacts: Contacts) -> None:
        other = write.accept(
            offer_game("german", to=str(OLD.public)), Person("Bruno", OLD, MAIL), entropy("us")
        )
        assert other.ids[0] != game().ids[0]
        assert not contacts.check_and_remember(other).confirmed


class TestWhoIsTheOpponent:
    """A free seat has no key to pin; nobody writes to himself."""

    def test_a_free_seat(self, contacts: Contacts, player: LocalPlayer) -> None:
        contact = contacts.check_and_remember(offer_game("german"))
        assert contact == Contact("", "", "", False)
        assert contacts.confirm(contact, MAIL) == Contact("", "", MAIL, True)
        assert not (player.home / "contacts.json").exists()

    def test_a_free_seat_for_somebody_known(self, contacts: Contacts) -> None:
        """That his address has a key already is no fault of an offer, which has none."""
        confirmed(contacts, game(), MAIL)
        assert contacts.confirm(contacts.check_and_remember(offer_game("german")), MAIL).confirmed

    def test_a_seat_for_one_key(self, contacts: Contacts) -> None:
        confirmed(contacts, game(), MAIL)
        invited = contacts.check_and_remember(offer_game("german", to=str(OLD.public)))
        assert invited == Contact("", str(OLD.public), MAIL, True)
        assert not contacts.check_and_remember(offer_game("german", to=str(NEW.public))).confirmed

    def test_the_offerer(self, player: LocalPlayer) -> None:
        player.key = KEYS["us"]
        assert Contacts(player).check_and_remember(accept_game(offer_game("german"))).name == "Gerda"

    def test_the_offerer_of_a_free_seat(self, player: LocalPlayer) -> None:
        """His name is not his yet: a stranger could take it first."""
        player.key = KEYS["us"]
        assert Contacts(player).check_and_remember(offer_game("german")).name == "Gerda"
        assert player.store.keys_of("Gerda") == ()

    def test_the_offerer_with_another_key(self, player: LocalPlayer) -> None:
        player.key = KEYS["us"]
        player.store.note_key("Gerda", str(STRANGER.public))
        with pytest.raises(MailError, match=r'^pbem knows "Gerda" with a different key: '):
            Contacts(player).check_and_remember(offer_game("german"))

    def test_a_spectator(self, player: LocalPlayer) -> None:
        player.key = STRANGER
        with pytest.raises(NotYourMove, match="you are not a player"):
            Contacts(player).check_and_remember(game())

    def test_solitaire(self, contacts: Contacts) -> None:
        with pytest.raises(MailError, match="there is nobody to mail it to"):
            contacts.check_and_remember(game(key=KEYS["german"]))


class TestTheFile:
    """A damaged file is one line; nothing is written over it."""

    @pytest.mark.parametrize(
        "data", [b"", b"{", b"[]", b'{"key": 1}', b'{"key": {"adress": "x"}}', b'{"\xff": 1}']
    )
    def test_damaged(self, data: bytes, contacts: Contacts, player: LocalPlayer) -> None:
        player.home.mkdir()
        (player.home / "contacts.json").write_bytes(data)
        with pytest.raises(StorageError, match=r"contacts\.json is damaged: "):
            contacts.check_and_remember(game())
        with pytest.raises(StorageError, match=r"contacts\.json is damaged: "):
            contacts.trust(Contact("Bruno", str(OLD.public), "", False))
        assert (player.home / "contacts.json").read_bytes() == data

    def test_unreadable(self, contacts: Contacts, player: LocalPlayer) -> None:
        (player.home / "contacts.json").mkdir(parents=True)
        with pytest.raises(StorageError, match=r"^cannot read .*contacts\.json: "):
            contacts.check_and_remember(game())
