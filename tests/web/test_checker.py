"""The checker opens pages and game files as data, runs nothing of them, and finds what a page would."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from independent import test_minimal_verifier
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.web.game_page import game_page
from support import commanders_game
from support.attack_tables import Change, Make
from support.browsers import Browser
from support.game_pages import EXAMPLES, NAMES, alter_data, data_in, page_of
from support.game_stages import game_with_every_kind, offered_game, started_game
from support.simulator import append_forged, file_of, forge_file, log_of, mailed_file
from umpire import test_adversary_commanders, test_adversary_entries, test_adversary_log, test_sealed_orders
from umpire import test_adversary_terms as terms

pytestmark = pytest.mark.thorough  # in a browser

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "protocol.json").read_text("utf-8"))

RULES_ALONE = {
    "a play out of turn",
    "a resignation out of turn",
    "no share of the beat to open",
    "the completed beat alone",
    "a share at the end",
    "a beat after the end",
    "a proposal after the last turn",
}
"""Attacks on what only the rules can say: whom they ask, where chance comes, and when the game is over."""


WITHOUT_RULES = {
    "another kind first",
    "a game of one's own length",
    "capital digits",
    "too many words",
    "an unknown extension",
    "an own scenario with another digest",
    "data that are null",
    "a name in capitals",
    "a name of nothing",
    "a name of 65 letters",
    "a name that clears the screen",
    "a name that runs backwards",
    "a name of two lines",
    "an address with a second header",
    "a key of another kind",
    "a key with a comment",
}
"""What is wrong with the form of an offer and needs no rules to be seen (step 2)."""


def checker_verdict(browser: Browser, path: Path) -> tuple[str, str | None, str]:
    """What the checker says of a file that it is given."""
    browser.driver.find_element("id", "files").send_keys(str(path))
    return told(browser)


def told(browser: Browser) -> tuple[str, str | None, str]:
    """What it says of the file that it was given last: proof, failed, and its words."""
    script = """
    const done = arguments[0];
    const look = () => {
      const {proof, failed} = document.querySelector("article")?.dataset ?? {};
      if (!proof) return setTimeout(look, 20);
      done([proof, failed ?? null, document.querySelector("article .verdict").textContent]);
    };
    look();
    """
    proof, failed, words = browser.wait(script)
    return proof, failed, words


class TestFiles:
    """One drops a page or a game file on it."""

    @pytest.mark.parametrize("name", ["mortain-de-own-scenario", "rommel-axis-wins"])
    def test_a_page(self, checking: Browser, tmp_path: Path, name: str) -> None:
        path = tmp_path / "game.html"
        path.write_text(page_of(name), "utf-8")
        assert checker_verdict(checking, path)[:2] == ("holds", None)
        assert checking.complaints() == []

    @pytest.mark.parametrize("name", NAMES)
    def test_a_game_file(self, checking: Browser, name: str) -> None:
        assert checker_verdict(checking, EXAMPLES / f"{name}.yaml")[:2] == ("holds", None)

    def test_what_is_dropped(self, checking: Browser) -> None:
        checking.run(
            """
            const dropped = new DataTransfer();
            dropped.items.add(new File([arguments[0]], "<b>game</b>\\u202e.yaml"));
            document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: dropped, bubbles: true}));
            """,
            (EXAMPLES / "mortain-en-solitaire.yaml").read_text("utf-8"),
        )
        assert told(checking)[0] == "holds"
        assert checking.run("return document.querySelector('article h2').textContent") == "<b>game</b>?.yaml"

    def test_a_page_that_lies(self, checking: Browser, tmp_path: Path) -> None:
        """Its own script, which its policy allows, would say that it holds; it is not run."""
        html = alter_data(page_of("mortain-es-resigns"), "log", lambda log: log[2].update(say="Coward!"))
        lie = "<script>document.documentElement.dataset.proof = 'holds'; window.mine = 1;</script>"
        html = html.replace("script-src", "script-src 'unsafe-inline'").replace("</body>", f"{lie}</body>")
        path = tmp_path / "game.html"
        path.write_text(html, "utf-8")
        assert checker_verdict(checking, path)[:2] == ("fails", "2")
        assert checking.run("return typeof window.mine") == "undefined"

    def test_a_page_with_two_cards_swapped(self, checking: Browser, tmp_path: Path) -> None:
        """What came changes places with another card, in all that says so."""

        def swap(told: Any) -> None:
            (draw,) = told["beats"][2]["draws"]
            at = draw["outcomes"].index(draw["outcome"])
            draw["outcomes"][at], draw["outcomes"][0] = draw["outcomes"][0], draw["outcomes"][at]
            draw["outcome"] = draw["outcomes"][at]

        path = tmp_path / "game.html"
        path.write_text(alter_data(page_of("mortain-es-resigns"), "draws", swap), "utf-8")
        entry = data_in(page_of("mortain-es-resigns"), "draws")["beats"][2]["entry"]
        proof, failed, words = checker_verdict(checking, path)
        assert (proof, failed) == ("fails", str(entry))
        assert "does not match the cards left in the deck" in words

    def test_a_page_with_another_position(self, checking: Browser, tmp_path: Path) -> None:
        html = alter_data(page_of("mortain-es-resigns"), "positions", lambda data: data[4].update(turn=[2]))
        path = tmp_path / "game.html"
        path.write_text(html, "utf-8")
        assert checker_verdict(checking, path)[:2] == ("fails", "4")

    def test_what_it_does_not_read(self, checking: Browser, tmp_path: Path) -> None:
        """A page whose story says something else; it says that it has not read it."""
        html = page_of("mortain-es-resigns").replace('<p class="told">', '<p class="told">Victory! ')
        path = tmp_path / "game.html"
        path.write_text(html, "utf-8")
        assert checker_verdict(checking, path)[0] == "holds"
        words = checking.run("return document.querySelector('article').textContent")
        assert "Not read here: the page's story and text, how its map looks" in words
        assert "every position" in words

    def test_a_page_with_another_map(self, checking: Browser, tmp_path: Path) -> None:
        html = alter_data(page_of("mortain-es-resigns"), "scene", lambda scene: scene["frames"].pop())
        path = tmp_path / "game.html"
        path.write_text(html, "utf-8")
        assert checker_verdict(checking, path)[:2] == ("fails", "0")

    def test_an_altered_game_file(self, checking: Browser, tmp_path: Path) -> None:
        path = tmp_path / "game.yaml"
        data = (EXAMPLES / "mortain-es-resigns.yaml").read_bytes()
        path.write_bytes(data.replace(b"kind: resign", b"kind: answer\n    accept: true"))
        assert checker_verdict(checking, path)[:2] == ("fails", "82")

    @pytest.mark.parametrize(
        ("data", "word"),
        [
            (b"", "this value is not allowed here"),
            (b"<!doctype html><p>nothing", "must appear in the page once"),
            (
                page_of("mortain-es-resigns").replace('id="log"', 'id="lag"').encode(),
                "must appear in the page once",
            ),
            (b"pbem: 2\nlog: []\n", "version 1"),
            (b"pbem: 1\nlog: []\n", "no log"),
            (b"pbem: 1\nafter: {n: 1}\nlog: []\n", "part of a game"),
            (b"pbem: 1\nnews: 1\nlog: []\n", "news"),
            (b"\xff\xfe", "UTF-8"),
            (b"a: " + b"[" * 100_000, "levels"),
            (b"&a [x]", "line 1"),
        ],
    )
    def test_what_is_neither(self, checking: Browser, tmp_path: Path, data: bytes, word: str) -> None:
        path = tmp_path / "other"
        path.write_bytes(data)
        proof, _, words = checker_verdict(checking, path)
        assert proof == "fails"
        assert word in words


class TestHonest:
    """What honest players write holds, wherever the game stands."""

    def test_every_situation(self, checking: Browser) -> None:
        games = {id(game): game for game in (row[1]() for row in adversary_rows())}
        answers = checking.check([mailed_file(game) for game in (*games.values(), game_with_every_kind())])
        assert [state for state, *_ in answers] == ["holds"] * (len(games) + 1), answers

    def test_sealed_and_opened(self, checking: Browser) -> None:
        games = (test_sealed_orders.sealed(), test_sealed_orders.game_before_opening())
        answers = checking.check([commanders_game.forge_file(log_of(game)) for game in games])
        assert [state for state, *_ in answers] == ["holds"] * 2

    def test_it_needs_nothing(self, checking: Browser) -> None:
        """An empty list of extensions is none."""
        log = log_of(started_game())
        log[0]["needs"] = []
        assert open_game(forge_file(log)).offer.needs == []
        assert checking.check([forge_file(log)]) == [["holds", None, None, ""]]

    def test_a_game_that_begins_with_chance(self, checking: Browser) -> None:
        """The log of the minimal verifier's tests: the accept opens beat 1, and beats go every way."""
        log = test_minimal_verifier.honest_log()
        log[0] |= {"rules": "dicing/1", "options": {}, "scenario": {"name": "dicing", "sha256": "00" * 32}}
        log[2]["orders"] = [{"fire": True}]
        log[6]["say"] = "Glück auf"
        written = file_of(test_minimal_verifier.sign(log))
        assert checking.check([written]) == [["holds", None, None, ""]]


def adversary_rows() -> list[tuple[str, Callable[[], Game], Make, int, str]]:
    """The attacks that need no rules: name, situation, entry, step, word."""
    table = test_adversary_entries
    return [*table.SHAPES, *table.SEATS, *table.SHARES, *table.PROPOSALS, *table.ENDS]


def with_position(name: str, raw: dict[str, Any]) -> dict[str, Any]:
    """A play that the rules alone refuse, with a position; without one it would fail by FORMAT 7."""
    lacking = name in RULES_ALONE and raw["kind"] == "play"
    return {**raw, "position": "ab" * 32} if lacking else raw


class TestAdversary:
    """The umpire's adversary tables: what needs no rules is found here too, at the same entry."""

    def test_an_entry_that_may_not_stand_there(self, checking: Browser) -> None:
        """All well linked and signed: by a cheat whose opponent is in league with him."""
        rows = adversary_rows()
        forged = [append_forged(game(), with_position(name, make(game()))) for name, game, make, *_ in rows]
        answers = checking.check(forged)
        for (name, game, _, step, _), (state, failed, found, problem) in zip(rows, answers, strict=True):
            if name in RULES_ALONE:
                assert state == "holds", name
            else:
                assert (state, failed) == ("fails", len(game().entries)), (name, problem)
                assert found == step, (name, problem)

    def test_the_offer_and_the_accept(self, checking: Browser) -> None:
        """What is wrong with options and scenarios the rules must say; keys, seats and words need none."""
        offers = [(0, *row) for row in terms.OFFERS if row[2] > 2 or row[0] in WITHOUT_RULES]
        accepts = [(1, *row) for row in terms.ACCEPTS if row[2] < 6 or row[0] == "orders with a false share"]
        rows = [*offers, *accepts]
        files = []
        for n, _, change, *_ in rows:
            log = log_of((offered_game, started_game)[n]())
            change(log[n])
            files.append(forge_file(log))
        for (n, name, *_), (state, failed, _, problem) in zip(rows, checking.check(files), strict=True):
            assert (state, failed) == ("fails", n), (name, problem)

    def test_a_cheat_who_signs_again(self, checking: Browser) -> None:
        """Here the first entry that fails is named, whatever the step."""
        files, expected = [], []
        naive: list[tuple[str, Change, int, int, str]] = list(test_adversary_log.NAIVE)
        for _, change, _, n, _ in naive:
            log = log_of(game_with_every_kind())
            change(log)
            files.append(file_of(log))
            expected.append(n)
        answers = checking.check(files)
        assert [state for state, *_ in answers] == ["fails"] * len(files)
        for (_, failed, _, problem), n in zip(answers, expected, strict=True):
            assert failed in (n - 1, n), problem

    def test_seals(self, checking: Browser) -> None:
        """FORMAT 8: another salt, other orders, another seal; all signed."""
        honest = test_sealed_orders.turn(test_sealed_orders.game_before_opening())
        files = [commanders_game.forge_file(log_of(honest))]
        for spoil in self.spoilt_seals():
            log = log_of(honest)
            spoil(log)
            files.append(commanders_game.forge_file(log))
        answers = checking.check(files)
        assert answers[0][0] == "holds"
        n = len(honest.entries) - 1
        assert [(state, failed, step) for state, failed, step, _ in answers[1:]] == [("fails", n, 9)] * 3

    def spoilt_seals(self) -> Iterator[Callable[[Any], Any]]:
        yield lambda log: log[-1]["orders"][0]["open"].update(salt="00" * 32)
        yield lambda log: log[-1]["orders"][0]["open"]["orders"].pop()
        yield lambda log: log[3]["orders"][0].update(seal="00" * 32)


THE_RULES_SAY = {
    "the units of others",
    "a commander of the other side",
    "a group that there is not",
    "a third commander of the game",
    "three commanders of one side, none of the other",
}
"""Attacks with parts on what only the rules say: which groups there are, how many command, whose units."""


class TestCommanders:
    """FORMAT 11: what commanders have signed is checked without the rules, but for whose the units are."""

    def test_a_page(self, checking: Browser, tmp_path: Path) -> None:
        path = tmp_path / "game.html"
        game = commanders_game.game_with_parts()
        last = [one for one in game.entries if one.raw.get("parts")][-1]
        (part,) = cast(list[dict[str, Any]], last.raw["parts"])
        path.write_bytes(game_page(game))
        assert checker_verdict(checking, path)[:2] == ("holds", None)
        words = checking.run("return document.querySelector('article').textContent")
        assert 'axis, italian: "Graziani" SHA256:' in words
        assert f'Entry {last.body.n}, axis: {len(part["orders"])} orders of "Graziani" (italian)' in words

    def test_attacks(self, checking: Browser) -> None:
        """Each fails at the entry and the step where `pbem verify` has it."""
        rows = test_adversary_commanders.ATTACKS
        files = []
        for _, game, change, *_ in rows:
            log = log_of(game())
            change(log)
            files.append(commanders_game.forge_file(log))
        for (name, _, _, step, entry, _), answer in zip(rows, checking.check(files), strict=True):
            if name in THE_RULES_SAY:
                assert answer[0] == "holds", (name, answer)
            elif name == "the opponent's key":  # not known before he comes
                assert answer[:3] == ["fails", 1, 4]
            else:
                assert answer[:3] == ["fails", entry, step], (name, answer)
