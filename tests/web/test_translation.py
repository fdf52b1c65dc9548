"""Pages in a language of marks: all that is on the screen is translated but names; and the scripts' table."""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import GNUTranslations
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from pbem import texts
from pbem.analysis.playouts import main_line
from pbem.analysis.turning_points import make_report
from pbem.games.mortain.terms.scenario import SCENARIOS
from pbem.games.mortain.view.names import place_name
from pbem.games.mortain.view.typed_orders import TYPED
from pbem.player.local_player import LocalPlayer
from pbem.texts import Texts, speaking, spoken
from pbem.umpire.verify import open_game
from pbem.web import html_file
from pbem.web.board_server import BoardServer, open_board
from pbem.web.chances_panel import chances_panel
from pbem.web.game_page import checker_page, game_page
from support.board_player import QUIET, begin_practice_game
from support.browsers import Browser
from support.catalogues import ROOT, compile_catalogue
from support.game_pages import EXAMPLES
from support.marked_language import words_outside_marks
from web.test_chances_panel import even_chances

SET_UP = "place 117Inf 1301 119Inf 1303 120Inf 1302 823TD 1304 SPTD 1305"

SEEN = """
for (const each of document.querySelectorAll("details")) each.open = true;
const said = [...document.querySelectorAll("[aria-label], [title], [placeholder], [aria-valuetext]")]
  .flatMap((each) => ["aria-label", "title", "aria-valuetext"].map((name) => each.getAttribute(name) ?? ""));
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const within = walker.currentNode.parentElement;
  if (!within.closest("script, style, noscript, blockquote, time, #ruling p, #position p, #plan-when"))
    said.push(walker.currentNode.data);
}
return said.join("\\n") + document.title;
"""
"""Every text of the page and every word for who cannot see it, also where it is shut; but no player's words,
no rule, of which the game has a page in each language, no position, which is as it was signed, no time,
which the browser writes, and no condition of a plan, which is typed so in all languages."""

NAMES = re.compile(
    "|".join(
        [
            r'"[^"\n]*"',  # players, and the bytes that are hashed
            r"SHA-256(?=\()|SHA256:\S+|\b[0-9a-f]{12,}\b|[xRD]\[\d+\]|\S+==|\bmod\b",
            r"Stand at Mortain|\bpbem\b|mortain(/[\d.]+|-\w+)?|\bgerman\b|\bus\b|\ben\b|\bit\b|\bsensible\b",
            r"\b(10|[2-9AJQK])[CDHS]\b|\b[MF]\d+(\.\d+)?\b|-\d\d-\d\dT\S+|\b(AT|AI)\b",
            r"\b(\d+[A-Z][A-Za-z]*-?[A-Z]?|[A-Z]{1,3}|Tiger ?102|SPTD|Joker)\b",  # units
        ]
    )
)
"""What stays: names, cards, numbers of rules, digests and what they are of."""


HEXES = SCENARIOS.data("mortain")["map"]["hexes"]
PLACES = {word for at in HEXES.values() for word in re.findall(r"[^\W\d_]+", place_name(at.get("label", "")))}


def left(said: str) -> list[str]:
    """What was not translated, in order."""
    return sorted(words_outside_marks(said, NAMES) - set(TYPED) - PLACES)


@pytest.mark.usefixtures("pseudo")
@pytest.mark.thorough
class TestNothingIsForgotten:
    def test_on_a_page(self, browser: Browser, tmp_path: Path) -> None:
        game = open_game(
            (EXAMPLES / "mortain-it-exits.yaml").read_bytes()
        )  # one that nobody has opened in English
        report = make_report(game.rules, main_line(game), 20, even_chances, lambda made, wanted: None)
        file = tmp_path / "page.html"
        file.write_bytes(game_page(game, chances_panel(game, report)))
        browser.set_width(1280)
        assert browser.open(file).proof == "holds"
        assert browser.run("return document.documentElement.lang") == spoken()
        for step in ("return", "document.getElementById('play').click();", "location.hash = '#57';"):
            browser.run(step)
            assert left(browser.run(SEEN)) == []
        assert not browser.complaints()

    def test_in_the_checker(self, browser: Browser, tmp_path: Path) -> None:
        file = tmp_path / "check.html"
        file.write_bytes(checker_page())
        browser.go(file.as_uri())
        good = (EXAMPLES / "mortain-it-exits.yaml").read_bytes()
        late = good.replace(b"n: 12\n", b"n: 13\n", 1)
        (tmp_path / "good.yaml").write_bytes(good)
        (tmp_path / "late.yaml").write_bytes(late)
        (tmp_path / "none.yaml").write_bytes(b"pbem: [1\n")
        files = "\n".join(str(tmp_path / f"{name}.yaml") for name in ("good", "late", "none"))
        browser.driver.find_element("id", "files").send_keys(files)
        browser.wait(PROVED, 3)
        assert left(browser.run(SEEN).replace(".yaml", "")) == ["good", "late", "none"]

    def test_on_the_board(self, browser: Browser, tmp_path: Path) -> None:
        file = begin_practice_game(tmp_path, "mortain", "--seat", "us")
        player = LocalPlayer(tmp_path / "home")
        with serve(open_board(player, player.open(file.read_bytes()), file)) as address:
            browser.set_width(1280)
            browser.go(address)
            browser.run("document.getElementById('plan').open = true;")
            for order in ("place 117Inf 1301", "place 119Inf 1301", "exit 117Inf"):
                browser.run("document.getElementById('line').value = arguments[0];", order)
                browser.driver.find_element("css selector", "#typed button").click()
                browser.wait(QUIET)
                assert left(browser.run(SEEN)) == []
            for css in ("#clear", "#finish"):
                browser.run("document.getElementById('line').value = arguments[0];", SET_UP)
                browser.driver.find_element("css selector", "#typed button").click()
                browser.wait(QUIET)
                browser.driver.find_element("css selector", css).click()
                browser.wait(QUIET)
            browser.run("document.querySelector('[data-act=resign]').click();")
            browser.wait(QUIET)
            assert browser.run("return document.getElementById('confirm').open")
            assert left(browser.run(SEEN)) == []
            browser.go("about:blank")


@contextmanager
def serve(board: BoardServer) -> Iterator[str]:
    """Serve the pages, in this process. Yields the address, which works once."""
    threading.Thread(target=board.serve_forever, daemon=True).start()
    try:
        yield board.address
    finally:
        board.shutdown()
        board.server_close()


PROVED = """
const [many, done] = arguments;
(function look() {
  if (document.querySelectorAll("article[data-proof]").length < many) setTimeout(look, 5); else done();
})();
"""


class TestTheTable:
    @pytest.mark.parametrize(
        ("script", "expected"),
        [
            ('tr("Play")', ["Play"]),
            ("tr(\n  'the \"log\" isn\\'t here', { id })", ['the "log" isn\'t here']),
            ('tr("one " +\n  "two \\\\n", {})', ["one two \\n"]),
            ('plural("{number} order", "{number} orders", n)', [("{number} order", "{number} orders")]),
            ('mentr("no") + tr(words) + byId("tr")', []),
        ],
    )
    def test_messages_of_a_script(self, script: str, expected: list[html_file.Message]) -> None:
        assert list(html_file.script_messages(script)) == expected

    def test_every_call_in_the_scripts_is_found(self) -> None:
        for path in (ROOT / "pbem" / "web").glob("*.js"):
            code = re.sub(r"/\*.*?\*/|function \w+\(", "", path.read_text("utf-8"), flags=re.DOTALL)
            calls = re.findall(r"\b(?:tr|plural)\(", code)
            assert len(calls) == len(list(html_file.script_messages(code))), path.name

    def test_an_english_page_has_none(self) -> None:
        assert b'id="texts"' not in checker_page()

    @pytest.mark.thorough
    def test_plurals_are_those_of_the_language(
        self, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """In Polish, which has three forms, and what goes with which ends anew with each hundred."""
        message = next(one for one in html_file.script_messages(RECIPES) if isinstance(one, tuple))
        catalogue = Catalog(locale="pl")
        catalogue.add(message, ("{number} a", "{number} b", "{number} c"))
        polish = GNUTranslations(io.BytesIO(compile_catalogue(catalogue)))
        monkeypatch.setattr(texts, "_catalogue", lambda package, language: polish)
        monkeypatch.setitem(texts.SIGNS, "pl", {",": "\u00a0", ".": ",", "%": "%"})
        with speaking("pl"):
            file = tmp_path / "check.html"
            file.write_bytes(checker_page())
            browser.go(file.as_uri())
            numbers = [*range(130), 201, 212, 222, 1000, 1012, 1022]
            say = "return arguments[2].map((number) => texts.plural(arguments[0], arguments[1], number));"
            tr = Texts("pbem")
            assert browser.run(say, *message, numbers) == [tr.plural(*message, number) for number in numbers]


RECIPES = (ROOT / "pbem" / "web" / "proof-view.js").read_text("utf-8")
