"""The letter: all that a player wants to know, in 76 columns, and the file below it."""

from __future__ import annotations

import html
import re
from collections import Counter
from itertools import takewhile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec import structs

from pbem import games
from pbem.core.rules import Rules
from pbem.correspondence.letter import (
    body,
    letter,
    letter_paragraphs,
    segment_attachment,
    segment_file_name,
    subject,
)
from pbem.correspondence.letter_layout import (
    COLUMNS,
    Paragraph,
    as_html,
    as_plain_text,
    picture_of,
    text_paragraph,
)
from pbem.games import load
from pbem.games.tabletop.rules.events import Rolled
from pbem.mail.armour import blocks, unpack
from pbem.mail.outgoing import content_id
from pbem.render.png import map_to_png
from pbem.render.story import describe_next_duty
from pbem.texts import LANGUAGES
from pbem.umpire import write
from pbem.umpire.game_facts import file_name
from pbem.umpire.game_state import Game, ReplayedEntry
from pbem.umpire.next_duty import next_duty
from pbem.umpire.verify import open_game
from pbem.umpire.write import Claim
from support.simulator import (
    KEYS,
    accept_game,
    file_of,
    log_of,
    mailed_files,
    offer_game,
    person,
    practice_chooser,
    write_play,
)
from support.tabletop_games import begun, play, settled

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))


@pytest.fixture(scope="module")
def mails() -> list[Game]:
    """A game of one turn, mail by mail."""
    return [open_game(data) for data in mailed_files("german", practice_chooser(7, "sensible"))]


@pytest.fixture(scope="module")
def rommel() -> list[Game]:
    """A large map with many counters: first somebody is asked for orders, then many throws are told."""
    raws = log_of(open_game((EXAMPLES[0].parent / "rommel-axis-wins.yaml").read_bytes()))
    return [open_game(file_of(raws[:n])) for n in (33, 30)]


def flat(text: str) -> str:
    """A text with its wrapping undone."""
    return " ".join(text.split())


class TestWidth:
    """At most 76 columns, and ASCII but for what the players are called and say."""

    def test_every_mail_of_a_game(self, mails: list[Game]) -> None:
        assert len(mails) > 10
        for game in mails:
            text = body(game, b"pbem: 1\n")
            assert max(map(len, text.splitlines())) <= COLUMNS
            assert text.isascii()
            assert text.endswith("\n")

    @pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
    def test_examples(self, file: Path) -> None:
        game = open_game(file.read_bytes())
        assert max(map(len, body(game, file.read_bytes()).splitlines())) <= COLUMNS

    @pytest.mark.parametrize("name", games.names())
    def test_every_game(self, name: str) -> None:
        """The offer has the longest lists of counters off the map."""
        rules = games.load(name)
        edition = next(iter(rules.editions.values()))
        terms = write.Terms(rules, dict(edition), rules.scenarios.names[0])
        game = write.offer(
            structs.replace(person("german"), name="Gerda"), rules.seats[0], terms, lambda size: b"x" * size
        )
        text = letter(game)
        assert "too wide" not in text
        assert max(map(len, text.splitlines())) <= COLUMNS

    def test_long_names_and_words(self) -> None:
        game = write.offer(
            structs.replace(person("german"), name="N" * 64),
            "german",
            terms_of(offer_game()),
            lambda size: b"x" * size,
            claim=Claim(say="W" * 500 + "\n" + "word " * 90),
        )
        assert max(map(len, body(game, b"").splitlines())) <= COLUMNS

    def test_of_a_map_that_is_too_wide_there_is_a_part(
        self, mails: list[Game], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """36 columns of small hexes are 78 characters wide (render.smallmap)."""
        game = next(one for one in mails if next_duty(one.state).what == "orders")
        legend = game.rules.view.legend(game.state.run.state)
        cells = tuple(
            structs.replace(legend.cells[0], number=f"{column:02}01", column=column, row=0, pieces=())
            for column in range(36)
        )
        wide = structs.replace(legend, columns=36, rows=1, cells=cells, margins=())
        view = structs.replace(game.rules.view, legend=lambda state: wide)
        monkeypatch.setattr(Rules, "view", property(lambda rules: view))
        text = letter(game)
        assert f"A part of the map. All of it: pbem show {file_name(game)}" in flat(text)
        assert max(map(len, text.splitlines())) <= COLUMNS


def terms_of(game: Game) -> write.Terms:
    """The terms on which a game was offered."""
    return write.Terms(game.rules, game.offer.options, game.offer.scenario.name)


class TestWhatHasHappened:
    def test_orders_events_and_draws_of_the_mail(self, mails: list[Game]) -> None:
        """All that the writer of the last entries did, and nothing of what was told before."""
        drawn = 0
        for game in mails:
            text = flat(letter(game))
            seat, newest = newest_run(game)
            side = game.rules.side(seat)
            for one in newest:
                assert f'{one.entry.body.n}. "{game.seats[seat].name}" ({side:name}):' in text
                for tell in one.events:
                    assert f"- {game.rules.view.story(tell)}" in text
                if one.beat:
                    drawn += len(one.beat.draws)
                    outcomes = ", ".join(game.rules.view.drawn([draw.outcome]) for draw in one.beat.draws)
                    assert f"Drawn: {outcomes} (verified:" in text
            assert f" {newest[0].entry.body.n - 1}. " not in text.split("What ha")[1].split("Verified")[0]
        assert drawn > 10

    def test_orders_as_typed(self) -> None:
        game = accept_game(offer_game("german"))
        asked = game.state.pending_question
        assert asked is not None
        orders = next(game.rules.offers(asked))
        typed = "; ".join(game.rules.view.write_words(orders))
        assert f'2. "Ulysses" (US): {typed}' in flat(letter(write_play(game, orders)))

    def test_words_of_the_opponent(self) -> None:
        game = write.accept(
            offer_game("german"), person("us"), lambda size: b"y" * size, claim=Claim(say="Good luck!\nU.")
        )
        assert '\n"Ulysses" says:\n  "Good luck!"\n  "U."\n' in letter(game)

    def test_verified(self, mails: list[Game]) -> None:
        game = mails[4]
        draws = sum(len(one.beat.draws) for one in game.replayed_entries if one.beat)
        assert draws > 1
        told = f"{len(game.entries)} entries, every signature and order, and {draws} draws."
        assert told in flat(letter(game))

    def test_the_map(self, mails: list[Game]) -> None:
        """Of small hexes, with its key and every counter; where somebody decides, and at the end."""
        with_one = set()
        for game in mails:
            text = letter(game)
            due = next_duty(game.state).what
            if "\n   11  13  15  17  19\n     12  14  16  18\n" in text:
                with_one.add(due)
                figures = dict(game.rules.view.legend(game.state.run.state).figures)
                assert f"Turn: {figures['Turn']} | Card: {figures['Card']}" in flat(text)
                assert "Terrain: . clear;" in text
                where = [cell for cell in game.rules.view.legend(game.state.run.state).cells if cell.pieces]
                for cell in where:
                    assert all(f"{piece.name} {cell.number}" in flat(text) for piece in cell.pieces)
            else:
                assert due == "share"
            assert "/1201" not in text
        assert {"orders", "nothing"} <= with_one <= {"orders", "nothing", "accept"}

    def test_nothing_that_only_a_programmer_understands(self, mails: list[Game]) -> None:
        for game in mails:
            assert not re.search(r"\b(beat|share|log\[|sha256|hash)", letter(game))


def newest_run(game: Game) -> tuple[str, list[ReplayedEntry]]:
    """Who wrote last, and the entries that he has written since the other did."""
    seat = game.replayed_entries[-1].entry.body.by
    return seat, list(takewhile(lambda one: one.entry.body.by == seat, reversed(game.replayed_entries)))[::-1]


class TestScenario:
    """FORMAT 4: every letter says that the scenario is the offerer's own."""

    def test_own(self) -> None:
        own = load("mortain").scenarios.data("mortain") | {"name": "postcard", "title": "Postcard"}
        told = (
            'The scenario is supplied by the Germans, "postcard"; compared with mortain: title "Stand at '
            'Mortain", here Postcard'
        )
        for game in (offer_game(own=own), accept_game(offer_game(own=own))):
            assert told in flat(letter(game))

    def test_shipped(self, mails: list[Game]) -> None:
        assert "scenario" not in letter(mails[0])


class TestWhatIsNext:
    """Whose move it is, and the commands, with the name under which the file is attached."""

    def test_offer(self) -> None:
        game = offer_game("german")
        text = letter(game)
        assert text.startswith(
            '"Gerda" invites you to play Stand at Mortain. You would play the Americans.\n'
        )
        assert f"\n  pbem join {file_name(game)}\n" in text
        assert f"To look at the game first: pbem show {file_name(game)}\n" in text

    def test_a_stranger_learns_what_he_is_offered(self) -> None:
        """What pbem is, what wins, and how to begin with nothing set up; later mails do without."""
        game = offer_game("german")
        text = flat(letter(game))
        assert 'The program, pbem.html, needs no installing: ask "Gerda" for it.' in text
        assert "A game takes about 100 mails" in text
        assert "How to win: - The Germans win with 5 more exits off the west edge" in text
        assert "pbem mail fetch" not in text
        assert "needs no installing" not in flat(letter(accept_game(game)))

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_an_invitation_is_six_lines(self, language: str) -> None:
        """Who, what, where to get it, how long, and what to type; all else stands below."""
        game = offer_game("german")
        text = letter(game, languages=(language,), get_it="https://example.org/pbem")
        lines = text.partition("\n\n")[0].split("\n")
        assert len(lines) == 6
        assert lines[2].endswith("https://example.org/pbem")
        assert lines[5] == f"  pbem join {file_name(game)}"

    def test_orders_or_share(self, mails: list[Game]) -> None:
        for game in mails[1:-1]:
            file, text = file_name(game), letter(game)
            first = text.split("\n\n")[0].replace("\n", " ")
            what = "Add your half of the draw"
            if next_duty(game.state).what == "orders":
                what = describe_next_duty(game.state).partition(" to move. ")[2]
                assert what[0].isupper() or what[0].isdigit()
            assert first == f'Your move, "{game.seats[game.state.writer or ""].name}". {what}.'
            typed = f"  pbem move {file}\n  pbem mail send {file}\n"
            how = f"\n\nTo answer, save {file} and type in its folder:\n{typed}\n"
            assert how in text.split("What has happened")[0]
            how = f"\n\nTo answer, type:\n  pbem mail fetch\n{typed}\n"
            assert how in letter(game, part=True).split("What has happened")[0]
            orders = next_duty(game.state).what == "orders"
            assert (f"\nWhat you can order: pbem moves {file}\n" in text) == orders
            assert f"\nTo see the game: pbem show {file}\n" in text

    def test_proposal(self, mails: list[Game]) -> None:
        game = next(one for one in mails[1:] if not one.state.open_beat)
        game = write.propose(game, KEYS[game.state.writer or ""], {"draw": True})
        assert f"\n  pbem answer {file_name(game)} yes\n  pbem answer {file_name(game)} no\n" in letter(game)

    def test_the_writer_goes_on(self) -> None:
        game = accept_game(offer_game("german"))
        text = letter(game)
        assert text.startswith('"Ulysses" is still to move. You have nothing to do yet.')
        assert "pbem move" not in text

    def test_over(self, mails: list[Game]) -> None:
        text = letter(mails[-1])
        assert text.startswith("The game is over: ")
        assert "pbem move" not in text


class TestTheBlock:
    def test_holds_the_file(self, mails: list[Game]) -> None:
        data = bytes(range(256)) * 50
        for text in (body(mails[0], data), segment_attachment(mails[0], data)):
            (block,) = blocks(text)
            assert unpack(block) == data

    def test_stands_below_the_signature_line(self, mails: list[Game]) -> None:
        """So a reply leaves it behind."""
        before, _, below = body(mails[0], b"x").partition("\n-- \n")
        assert before == letter(mails[0])
        assert flat(below).startswith("If nothing is attached, save this mail as a text file and")
        assert "\n\n-----BEGIN PBEM GAME-----\n" in below

    def test_named_after_the_last_entry(self, mails: list[Game]) -> None:
        game = mails[4]
        name = f"mortain-{game.ids[0][:8]}-{len(game.entries) - 1}.txt"
        assert segment_file_name(game) == name
        told = f"save the attached {name} and type its name instead of {file_name(game)} until"
        assert told in flat(letter(game, part=True))
        assert "type pbem mail fetch instead of saving the file." in flat(letter(game))


def narrow(one: Paragraph) -> Paragraph:
    """A paragraph as a telephone has it."""
    return structs.replace(one, lines=one.in_html or one.lines)


def both(one: Paragraph) -> tuple[list[str], list[str]]:
    """A paragraph's lines in plain text and in HTML."""
    return [line.text for line in one.lines], [line.text for line in one.in_html]


class TestAsHtml:
    """For telephones: the same words, which wrap, and the map as a picture, with its own key and lists."""

    def test_the_same_words(self, mails: list[Game]) -> None:
        for game in mails:
            told = letter_paragraphs(game)
            page = as_html(told)
            markup = re.sub("(<br|<img[^>]*)>", r"\1/>", page.partition("\n")[2]).replace("&emsp;", "")
            assert ElementTree.fromstring(markup).tag == "html"
            shown = html.unescape(re.sub(r"<[^>]+>", " ", page))
            if "\n   11  13  15  17  19\n" in letter(game):
                assert page.count("<img") == 1
                assert f'src="cid:{content_id(picture_of(told))}"' in page
                key, listed = [one for one in told if one.in_html]
                assert "capitals: US" in key.lines[0].text
                assert (key.in_html[0].text, key.in_html[1].text) == ("US", "German")
                placed = [
                    re.findall(r"\S+ 1[1-9]0[1-5]", as_plain_text([text_paragraph(*each)]))
                    for each in both(listed)
                ]
                assert Counter(placed[0]) == Counter(placed[1])
            else:
                assert "<img" not in page
                assert picture_of(told) == b""
            assert flat(shown) == flat(as_plain_text(map(narrow, (one for one in told if not one.picture))))

    def test_the_picture_is_the_map(self, mails: list[Game]) -> None:
        game = next(one for one in mails[1:] if picture_of(letter_paragraphs(one)))
        assert picture_of(letter_paragraphs(game)) == map_to_png(game.rules.view.legend(game.state.run.state))

    def test_words_are_no_markup(self) -> None:
        words = "<script>alert(1)</script> <img src=x> &amp; </p>\r<b>"
        hostile = structs.replace(person("us"), name="<i>&lt;U</i>")
        game = write.accept(offer_game("german"), hostile, lambda size: b"y" * size, claim=Claim(say=words))
        page = as_html(letter_paragraphs(game))
        assert set(re.findall(r"<[^>]*>", page)) <= {
            *("<!DOCTYPE html>", "<html>", "<body>", "<br>", "</body>", "</html>"),
            *("<b>", "</b>", '<html style="color-scheme:light dark">', "</div>"),
            *(f'<div style="margin-left:{step}em">' for step in (1, 2)),
        }
        assert "&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x&gt; &amp;amp; &lt;/p&gt;" in page
        assert "&lt;i&gt;&amp;lt;U&lt;/i&gt;" in page


class TestPartOfTheLog:
    """A letter with a part of the log says as much as one with the whole game."""

    def test_the_key_and_the_lists(self, rommel: list[Game], mails: list[Game]) -> None:
        short = next(one for one in mails[2:] if picture_of(letter_paragraphs(one)))
        for part in (False, True):
            assert "Counters: capitals: Axis" in letter(rommel[0], part=part)
            assert "AXIS  " in letter(rommel[0], part=part)
            assert "Counters: " in letter(short, part=part)
            assert "\nUS        " in letter(short, part=part)

    def test_words_without_a_map_are_html_too(self, rommel: list[Game]) -> None:
        """However many: else a telephone breaks once more the lines that we have broken."""
        told = letter_paragraphs(rommel[1], part=True)
        assert picture_of(told) == b""
        assert flat(html.unescape(re.sub(r"<[^>]+>", " ", as_html(told)))) == flat(
            letter(rommel[1], part=True)
        )


class TestSubject:
    def test_it_stays_the_same_through_a_game(self, mails: list[Game]) -> None:
        """Also from the offer on, when the other seat is free, so that mail programs keep one thread."""
        assert {subject(game) for game in mails} == {f"[pbem] Stand at Mortain {mails[0].ids[0][:8]}"}


class TestHostileWords:
    """What is in a file cannot act on the reader's screen, nor pass for what the program says."""

    HOSTILE = "a\x1b[2Jb\u202ec\u2066d\u200be\x85f"

    def test_say(self) -> None:
        game = write.accept(
            offer_game("german"),
            person("us"),
            lambda size: b"y" * size,
            claim=Claim(say=f"{self.HOSTILE}\rYour move\nFrom eve@example.org\n.\n-----END PBEM GAME-----"),
        )
        text = letter(game)
        assert all(character.isprintable() or character == "\n" for character in text)
        assert not any(line.startswith(("From ", ".", "-----")) for line in text.splitlines())
        assert "\nYour move\n" not in text

    def test_name(self) -> None:
        name = "Ul\u200bysses, <eve@example.org>"
        longer = structs.replace(person("us"), name=name)
        game = write.accept(offer_game("german"), longer, lambda size: b"y" * size)
        assert letter(game).replace("\n", "").isprintable()
        assert "Ul?ysses, <eve@example.org>" in flat(letter(game))

    def test_letters_of_any_language_stay(self) -> None:
        ulysses = structs.replace(person("us"), name="Ülysses")
        game = write.accept(offer_game("german"), ulysses, lambda size: b"y" * size)
        assert '"Ülysses" (US)' in letter(game)


def table_of_dice() -> Game:
    """The Reds have rolled for three things, and the Blues complete the draw."""
    game = play(
        begun("dice"),
        {"roll": "2d6", "for": "Verdun, 3:1; +1"},
        {"roll": "d10", "for": "<b>the</b> barrage of the whole line from Arras to the sea, at dawn"},
        {"roll": "2battle"},
        {"end": True},
    )
    return settled(play(game, {"end": True}))


def test_dice_are_a_table_that_a_telephone_shows() -> None:
    """The sum first, then the faces, then what they were for; in HTML each is a cell, and nothing is wide."""
    game = table_of_dice()
    tells = [tell.what for replayed in game.replayed_entries for tell in replayed.events]
    rolls = [event for event in tells if isinstance(event, Rolled)]
    sum_, faces, die, words = str(rolls[0].total), rolls[0].faces, rolls[1].faces[0], rolls[2].faces
    text = letter(game)
    assert f"{sum_:>2}  {' '.join(map(str, faces))}" in text
    assert re.search(rf"\n +{die} .*  <b>the</b> barrage of the whole line", text)
    assert " ".join(map(str, words)) in text
    assert "Verdun, 3:1; +1 (Attacker, 2d6)" in text
    assert text.count("Verdun") == 1, "a roll is told once"
    assert all(len(line) <= COLUMNS for line in text.splitlines())
    page = as_html(letter_paragraphs(game))
    ElementTree.fromstring(page[page.index("<table>") : page.index("</table>") + len("</table>")])
    assert f"<b>{sum_}</b></td><td>{' '.join(map(str, faces))}</td><td>Verdun, 3:1; +1" in page
    assert "&lt;b&gt;the&lt;/b&gt;" in page
