"""A letter is in its reader's language: as the player says, or his mails; else in two, with the map once.

Each language is English between marks of its own, so that a test sees which words are in which.
"""

from __future__ import annotations

import json
import re
from gettext import NullTranslations
from pathlib import Path

import pytest

from correspondence.test_fetch import deliver_mails, fetch_all, game_mail, mails
from correspondence.test_problem_reply import NOW
from pbem import texts
from pbem.correspondence.contacts import Contact, Contacts
from pbem.correspondence.examiner import examine_mail
from pbem.correspondence.letter import body, letter, letter_paragraphs, segment_attachment, subject
from pbem.correspondence.letter_layout import as_html
from pbem.correspondence.mail_stages import IncomingMail
from pbem.correspondence.problem_reply import find_problem, problem_reply
from pbem.correspondence.send import export_for_pasting, save_to_outbox
from pbem.errors import MailError
from pbem.mail.armour import blocks, unpack
from pbem.mail.outgoing import Address
from pbem.player.store.log_relation import Relation
from pbem.texts import speak, speaking
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from support.commanders_game import game_before_move
from support.correspondents import (
    ANNA,
    BRUNO,
    Correspondent,
    attached_game,
    begin_game,
    mail_text,
    offer_game,
    parse_mail,
    play_share_and_orders,
    serve_smtp_for,
)
from support.simulator import mailed_file as file
from support.smtp_servers import Authority

pytestmark = pytest.mark.thorough

MARKS = {"es": ("\u27e6", "\u27e7"), "it": ("[it:", ":it]"), "de": ("[de:", ":de]")}
"""Those of one language are not ASCII."""

COLUMN_NUMBERS = "13  15  17"
NAMES = re.compile(
    r"mortain-\w+(-\d+)?\.(yaml|txt)|pbem( (?!mortain-)[a-z]+)*|ORDER"
    r"|Stand at Mortain|\b[0-9a-f]{8}\b|Anna|german|\d of \d"
)
"""What stays in every language; and what the rules say of the turn."""

__all__ = ["mails"]


class Marked(NullTranslations):
    """A language that puts its marks around each message; what fills a place stands outside of them."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._begin, self._end = MARKS[language]

    def gettext(self, message: str) -> str:
        """The message between marks."""
        return re.sub(r"\{\w+\}", f"{self._end}\\g<0>{self._begin}", f"{self._begin}{message}{self._end}")

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The form of a number between marks."""
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        """A message with a sense between marks; words that are typed stay as they are."""
        return message if context == texts.TYPED else self.gettext(message)


@pytest.fixture(autouse=True)
def languages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three languages, each with all translations."""
    monkeypatch.setattr(texts, "_catalogue", lambda package, language: Marked(language))
    speak("en")


def spoken(text: str) -> set[str]:
    """The languages whose marks are in a text."""
    return {name for name, (begin, _) in MARKS.items() if begin in text}


def known(player: Correspondent) -> dict[str, dict[str, str]]:
    """What is known of the languages of a player's contacts, by their keys."""
    path = player.local_player.home / "contacts.json"
    found = json.loads(path.read_text()) if path.exists() else {}
    return {key: {name: one[name] for name in ("lang", "reads")} for key, one in found.items()}


def bruno_is(anna: Correspondent, game: Game) -> Contact:
    """Bruno, whose address Anna has confirmed."""
    contacts = Contacts(anna.local_player)
    return contacts.confirm(contacts.check_and_remember(game), BRUNO)


class TestWhich:
    """The language that the player has decided, what his opponent's mail says, or two."""

    def test_of_a_stranger_the_writers_and_english(self, anna: Correspondent, game: Game) -> None:
        contact = bruno_is(anna, game)
        assert Contacts(anna.local_player).languages(contact) == ("en",)
        with speaking("de"):
            assert Contacts(anna.local_player).languages(contact) == ("de", "en")

    def test_decided(self, anna: Correspondent, game: Game) -> None:
        contacts, contact = Contacts(anna.local_player), bruno_is(anna, game)
        contacts.save_language(contact, "it")
        with speaking("de"):
            assert contacts.languages(contact) == ("it",)

    @pytest.mark.parametrize(("lang", "expected"), [("", "it"), ("es", "es"), ("fr", "it")])
    def test_decided_comes_before_what_he_reads(
        self, lang: str, expected: str, anna: Correspondent, bruno: Correspondent, game: Game
    ) -> None:
        """As it stands in the file, which the player may write in; of a language that is not here nothing."""
        contact = bruno_is(anna, game)
        path = anna.local_player.home / "contacts.json"
        path.write_text(json.dumps({contact.key: {"address": BRUNO, "lang": lang, "reads": "it"}}))
        assert Contacts(anna.local_player).languages(contact) == (expected,)

    def test_a_free_seat_by_its_address(self, anna: Correspondent, bruno: Correspondent, game: Game) -> None:
        """An old friend who is offered another game."""
        contacts = Contacts(anna.local_player)
        contacts.save_language(bruno_is(anna, game), "es")
        again = offer_game(anna.person())
        assert contacts.languages(contacts.confirm(contacts.check_and_remember(again), BRUNO)) == ("es",)
        assert contacts.languages(
            contacts.confirm(contacts.check_and_remember(again), "carla@example.org")
        ) == ("en",)

    def test_nobody_to_decide_about(self, anna: Correspondent) -> None:
        contacts = Contacts(anna.local_player)
        with pytest.raises(MailError, match="nobody has joined the game"):
            contacts.save_language(contacts.check_and_remember(offer_game(anna.person())), "es")


class TestTrust:
    """`pbem mail trust --lang`."""

    def test_says_the_language(
        self, anna: Correspondent, game: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert anna.type("mail", "trust", "game.yaml", "--lang", "es") == 0
        assert capsys.readouterr().out == 'Letters to "Bruno" are written in español.\n'
        (one,) = known(anna).values()
        assert one == {"lang": "es", "reads": ""}

    def test_a_language_that_is_not_here(
        self, anna: Correspondent, game: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert anna.type("mail", "trust", "game.yaml", "--lang", "fr") == 1
        assert "--lang: pbem does not speak 'fr': use en, es, it, de" in capsys.readouterr().err
        assert known(anna) == {}


class TestTheLetter:
    """What is mailed, part by part."""

    def test_to_an_italian_from_a_german(self, anna: Correspondent, game: Game) -> None:
        contact = bruno_is(anna, game)
        Contacts(anna.local_player).save_language(contact, "it")
        with speaking("de"):
            data = save_to_outbox(anna.local_player, None, game, contact, NOW)
        mail, page = parse_mail(data), parse_mail(data).get_body(("html",))
        assert page is not None
        assert spoken(mail_text(data)) == spoken(page.get_content()) == {"it"}
        assert (mail["Content-Language"], mail["Accept-Language"]) == ("it", "de")
        assert mail["Subject"] == subject(game)
        assert attached_game(data).ids == game.ids

    def test_to_a_stranger_in_two_with_one_map(self, anna: Correspondent, bruno: Correspondent) -> None:
        game = offer_game(anna.person())
        with speaking("de"):
            german = letter(game)
        text = letter(game, languages=("de", "en"))
        first, others = german.split("\n\n", 1)
        assert text == f"{first}\n(English below)\n\n{others}\n{letter(game, picture=False)}"
        assert letter(game).count(COLUMN_NUMBERS) == text.count(COLUMN_NUMBERS) > 0
        assert as_html(letter_paragraphs(game, languages=("de", "en"))).count("<img") == 1

    def test_what_waits_in_the_outbox_stays(self, anna: Correspondent, game: Game) -> None:
        contact = bruno_is(anna, game)
        data = save_to_outbox(anna.local_player, None, game, contact, NOW)
        with speaking("de"):
            assert save_to_outbox(anna.local_player, None, game, contact, NOW) == data

    def test_header_of_two(self, anna: Correspondent, game: Game) -> None:
        with speaking("de"):
            data = save_to_outbox(anna.local_player, None, game, bruno_is(anna, game), NOW)
        assert (parse_mail(data)["Content-Language"], parse_mail(data)["Accept-Language"]) == ("de, en", "de")
        assert mail_text(data).count("-----BEGIN PBEM GAME-----") == 1

    def test_english_alone(self, anna: Correspondent, game: Game) -> None:
        data = save_to_outbox(anna.local_player, None, game, bruno_is(anna, game), NOW)
        assert (parse_mail(data)["Content-Language"], parse_mail(data)["Accept-Language"]) == ("en", "en")
        assert mail_text(data).isascii()
        assert "below)" not in mail_text(data)

    def test_pasted(self, anna: Correspondent, game: Game) -> None:
        contact = bruno_is(anna, game)
        Contacts(anna.local_player).save_language(contact, "it")
        assert spoken(export_for_pasting(anna.local_player, game, contact)) == {"it"}

    def test_the_picture_is_called_so_too(self, anna: Correspondent, bruno: Correspondent) -> None:
        page = as_html(letter_paragraphs(offer_game(anna.person()), languages=("it", "en")))
        assert 'alt="[it:map:it]"' in page

    def test_the_block_survives(self, game: Game) -> None:
        data = file(game)
        for text in (body(game, data, languages=("es", "en")), segment_attachment(game, data, ("es",))):
            (block,) = blocks(text)
            assert unpack(block) == data

    def test_nothing_is_forgotten(self, game: Game) -> None:
        """Which mail it is, how to answer, that it is verified: outside of the marks stand names."""
        found = letter_paragraphs(game, languages=("it",), picture=False)
        text = "\n".join(line.text for one in (*found[1:3], *found[-2:]) for line in one.lines)
        begin, end = map(re.escape, MARKS["it"])
        innermost = re.compile(f"{begin}(?:(?!{begin}|{end}).)*{end}")
        while text != (text := innermost.sub(" ", text)):
            pass  # what a message says of a side stands in marks of its own, within those of the message
        assert set(re.findall(r"[^\W\d]+", NAMES.sub("", text))) == set()

    def test_the_turn_is_told_in_any_language(self, game: Game) -> None:
        assert "turn 1 of 1" in letter(game)
        assert "[it:), turn :it]" in letter(game, languages=("it",))

    def test_why_it_has_ended(self, bruno: Correspondent, game: Game) -> None:
        """That was said as the game was opened, in the language of whoever writes."""
        with speaking("de"):
            ended = open_game(file(write.resign(game, bruno.local_player.key)))
            assert spoken(str(ended.state.ending.reason) if ended.state.ending else "") == {"de"}
            assert spoken(letter(ended, languages=("it",))) == {"it"}
            assert letter(ended, languages=("it",)).startswith("[it:The game is over: ")
            both = letter(ended, languages=("de", "en"))
            german, english = both.split("\n\nThe game is over")
            assert (spoken(german), spoken(english)) == ({"de"}, set())


class TestWhatAMailSays:
    """In which language its sender wants to be answered (RFC 3282) is remembered, once the game verifies."""

    @pytest.fixture
    def begun_game(self, anna: Correspondent, bruno: Correspondent) -> Game:
        game = begin_game(anna.person(), bruno.person())
        anna.save(game)
        return bruno.save(game)

    @pytest.mark.parametrize(
        ("says", "reads"),
        [
            ("es", "es"),
            ("es-AR, en;q=0.5", "es"),
            ("fr, it;q=0.9", "it"),
            ("DE", "de"),
            ("fr", ""),
            ("", ""),
            ("\u00e9s, =?x?=", ""),
        ],
    )
    def test_fetched(
        self, says: str, reads: str, anna: Correspondent, bruno: Correspondent, begun_game: Game, mails: Path
    ) -> None:
        after = play_share_and_orders(begun_game, anna.person())
        deliver_mails(mails, f"Accept-Language: {says}\n".encode() + game_mail(file(after)))
        (arrival,) = fetch_all(bruno, mails)
        assert arrival.verdict.relation is Relation.EXTENDS
        expected = {str(anna.local_player.public_key): {"lang": "", "reads": reads}} if reads else {}
        assert known(bruno) == expected

    def test_not_what_the_mail_is_in(
        self, anna: Correspondent, bruno: Correspondent, begun_game: Game, mails: Path
    ) -> None:
        """That is the reader's language, whose own mails are not to be answered in it."""
        after = play_share_and_orders(begun_game, anna.person())
        deliver_mails(mails, b"Content-Language: it\n" + game_mail(file(after)))
        fetch_all(bruno, mails)
        assert known(bruno) == {}

    def test_nobody_elses(
        self, anna: Correspondent, bruno: Correspondent, begun_game: Game, mails: Path
    ) -> None:
        """Neither my own mail, nor an older one, nor one whose game fails."""
        mine = game_mail(file(begun_game))  # Bruno's own entries are the last
        older = game_mail(file(offer_game(anna.person())))
        damaged = game_mail(
            file(play_share_and_orders(begun_game, anna.person())).replace(b"sig: ", b"sig: A")
        )
        deliver_mails(mails, *(b"Accept-Language: es\n" + one for one in (mine, older, damaged)))
        fetch_all(bruno, mails)
        assert known(bruno) == {}

    def test_there_and_back(
        self, anna: Correspondent, bruno: Correspondent, begun_game: Game, mails: Path, tmp_path: Path
    ) -> None:
        """A German's first letter is in two languages, an Italian's answer German, the next Italian."""
        with speaking("de"):
            first = anna.save(play_share_and_orders(begun_game, anna.person()))
            data = save_to_outbox(anna.local_player, None, first, bruno_is(anna, first), NOW)
        assert parse_mail(data)["Content-Language"] == "de, en"
        deliver_mails(mails, data)
        with speaking("it"):
            fetch_all(bruno, mails)
            contacts = Contacts(bruno.local_player)
            second = bruno.save(play_share_and_orders(first, bruno.person()))
            data = save_to_outbox(
                bruno.local_player,
                None,
                second,
                contacts.confirm(contacts.check_and_remember(second), ANNA),
                NOW,
                whole=True,
            )
        assert (parse_mail(data)["Content-Language"], spoken(mail_text(data))) == ("de", {"de"})
        hers = tmp_path / "hers"
        for part in ("new", "cur", "tmp"):
            (hers / part).mkdir(parents=True)
        deliver_mails(hers, data)
        with speaking("de"):
            fetch_all(anna, hers)
            third = anna.save(play_share_and_orders(second, anna.person()))
            data = save_to_outbox(anna.local_player, None, third, bruno_is(anna, third), NOW)
        assert (parse_mail(data)["Content-Language"], spoken(mail_text(data))) == ("it", {"it"})


class TestOtherLetters:
    def test_a_problem(self, anna: Correspondent, bruno: Correspondent, game: Game) -> None:
        """What was found is looked for once more, in the words of whoever reads of it."""
        Contacts(anna.local_player).save_language(bruno_is(anna, game), "it")
        torn = game_mail(text=body(game, file(game))[:-300])
        with speaking("de"):
            problem = find_problem(
                anna.local_player,
                examine_mail(anna.local_player.home, IncomingMail("mail.eml", torn)),
                "mail.eml",
            )
            draft = problem_reply(anna.local_player, problem, None, Address(BRUNO), NOW)
        assert problem.mine is None
        assert (draft.languages, draft.wanted) == (("de", "en"), "de")
        german, english = draft.body.split("\n\nHello,\n\n")
        assert (spoken(german), spoken(english)) == ({"de"}, set())
        assert "the end of this game is missing" in " ".join(english.split())

    def test_a_problem_of_a_game_that_is_known(
        self, anna: Correspondent, bruno: Correspondent, game: Game
    ) -> None:
        Contacts(anna.local_player).save_language(bruno_is(anna, game), "it")
        before = begin_game(anna.person(), bruno.person())
        with speaking("de"):
            problem = find_problem(
                anna.local_player,
                examine_mail(anna.local_player.home, IncomingMail("mail.eml", game_mail(file(before)))),
                "mail.eml",
            )
            draft = problem_reply(anna.local_player, problem, None, Address(BRUNO), NOW)
        assert (draft.languages, draft.wanted) == (("it",), "de")
        assert spoken(draft.subject + draft.body) == {"it"}

    def test_to_a_commander(self, tmp_path: Path, authority: Authority) -> None:
        """In his language, which stands with his key."""
        from correspondence.test_commander_drafts import LeadAtHome
        from pbem.correspondence.commander_mail import addressees, mail_to_commander
        from pbem.mail.settings import read_config

        lead, game = LeadAtHome(tmp_path, "axis"), game_before_move()
        player = Correspondent("Anna", lead.local_player, tmp_path / "game.yaml")
        with serve_smtp_for(player, authority) as room:
            (one, contact), *_ = addressees(lead.local_player, game, ["italian=graziani@example.org"])
            Contacts(lead.local_player).save_language(contact, "es")
            settings = read_config(lead.local_player.home).mail
            assert settings is not None
            with speaking("de"):
                mail_to_commander(lead.local_player, settings, game, one, contact, NOW)
        ((_, _, data),) = room.accepted
        assert (spoken(mail_text(data)), parse_mail(data)["Content-Language"]) == ({"es"}, "es")
        (part,) = parse_mail(data).iter_attachments()
        (block,) = blocks(part.get_content())
        assert "\u27e6New entries of a game: pbem show" in part.get_content()
        assert unpack(block)
