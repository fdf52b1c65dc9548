"""Pages prove themselves in a real browser, and an altered one shows red and names the entry."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbem.format.keys import PublicKey
from pbem.texts import speaking
from pbem.umpire.commander_signatures import part_message as part_message
from pbem.umpire.verify import open_game
from pbem.web.game_page import draws_data, game_page
from support import commanders_game
from support.browsers import DONE, VERDICT, Browser, Verdict
from support.game_pages import (
    EXAMPLES,
    NAMES,
    Change,
    alter_data,
    data_in,
    entries_of,
    game_of,
    page_of,
    replace_text,
)
from support.game_stages import game_with_every_kind
from support.markers import sample_rows
from support.simulator import STRANGER, Log, file_of, link_log, log_of, message, sign_log

pytestmark = pytest.mark.thorough  # in a browser

SEALED = "rommel-axis-wins"
"""An example in which entry 3 seals orders, entry 5 opens them, and entry 12 completes beat 2."""

TAKEN_BACK = "mortain-de-takebacks"
RESIGNED = "mortain-es-resigns"

NO_ED25519 = "SubtleCrypto.prototype.importKey = async () => { throw new Error(); };"
NO_CRYPTO = "Object.defineProperty(crypto, 'subtle', {value: undefined});"


def opened(browser: Browser, folder: Path, html: str) -> Verdict:
    """What a page says, once it has had the time to prove itself."""
    path = folder / "game.html"
    path.write_text(html, "utf-8")
    return browser.open(path)


def assert_fails(browser: Browser, folder: Path, html: str, entry: int, word: str = "") -> None:
    """The page is red, and names the entry, in its words too."""
    verdict = opened(browser, folder, html)
    assert (verdict.proof, verdict.failed) == ("fails", str(entry)), verdict
    assert f"Entry {entry}: " in verdict.words
    assert word in verdict.words
    assert browser.run("return document.querySelectorAll('td.holds').length") == 0
    last = browser.run("return document.querySelector('#proof-found li:last-child')?.textContent ?? ''")
    assert not entry or f"entry {entry - 1}, the last that passes" in last
    marked = browser.run("return [...document.querySelectorAll('#story .fails')].map((item) => item.id)")
    assert marked in ([f"entry-{entry}"], [])  # an entry that was taken away has no place in the story


WIDTHS = (1280, 390, 360)
"""CSS pixels: a computer, and two telephones."""


@pytest.mark.parametrize(
    ("name", "width"), sample_rows([(name, width) for name in NAMES for width in WIDTHS], 4)
)
def test_every_example_proves_itself(browser: Browser, tmp_path: Path, name: str, width: int) -> None:
    browser.set_width(width)
    verdict = opened(browser, tmp_path, page_of(name))
    assert (verdict.proof, verdict.failed) == ("holds", None), verdict
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    assert browser.complaints() == []


def test_each_draw_shows_the_outcome_that_the_story_tells(browser: Browser, tmp_path: Path) -> None:
    """What the proof has computed for each beat, against what `pbem log` says of the example."""
    opened(browser, tmp_path, page_of("mortain-it-exits"))
    first = browser.run("return document.getElementById('beat-2').querySelector('summary').textContent")
    assert first == "Entry 4, beat 2: 8H"  # the card of docs/VERIFY.md, reckoned there with sha256sum
    recipe = browser.run("return document.getElementById('beat-2').textContent")
    assert "3413bccdd8d1909e55edb82cc6c7bb39baabdca7118f62e12c4f6ce2885fd52b" in recipe
    assert "5482a223021ef46e1976e8ceeaa64b73e6cad058361f66015957ae3e4c3ac1fd" in recipe
    assert "D[2][0] mod 52" in recipe
    shown = browser.run(
        "return [...document.querySelectorAll('#story .drawn')].map((one) => one.textContent)"
    )
    assert shown[1] == "drawn: 8H"


def test_a_link_opens_the_recipe(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, page_of("mortain-it-exits"))
    browser.run("document.querySelector('#entry-4 .drawn a').click()")
    assert browser.wait("setTimeout(() => arguments[0](document.getElementById('beat-2').open), 100)")


def test_any_address_will_do(browser: Browser, tmp_path: Path) -> None:
    """What stands after the # may be anything."""
    path = tmp_path / "game.html"
    path.write_text(page_of(RESIGNED), "utf-8")
    browser.go(f"{path.as_uri()}#%E0%")
    browser.wait(DONE)
    assert browser.run(VERDICT)[0] == "holds"
    assert browser.complaints() == []


class TestTheTop:
    """What stands at the top of a page."""

    def test_names_and_keys_are_those_of_the_log(self, browser: Browser, tmp_path: Path) -> None:
        game = game_of(RESIGNED)
        assert game.offer.seat.name not in page_of(RESIGNED).partition("<main>")[0].partition("<body>")[2]
        opened(browser, tmp_path, page_of(RESIGNED))
        top = browser.run("return document.querySelector('header').textContent")
        for seat in game.seats.values():
            assert f'"{seat.name}" {PublicKey.parse(seat.key).fingerprint}' in top

    def test_what_is_told_is_as_large_as_the_verdict(self, browser: Browser, tmp_path: Path) -> None:
        opened(browser, tmp_path, page_of(RESIGNED))
        sizes = browser.run(
            "const lines = [...document.querySelectorAll('#verdict, #not-proven p')];"
            "return lines.map((line) => getComputedStyle(line).fontSize);"
        )
        assert len(sizes) == 3
        assert len(set(sizes)) == 1
        told = browser.run("return document.getElementById('not-proven').textContent")
        assert "the text and arrows of the story; the text beside the map;" in told
        assert "Anyone who alters a page can also make it show green" in told

    def test_the_position_stands_below_the_map_as_it_was_signed(
        self, browser: Browser, tmp_path: Path
    ) -> None:
        game = game_of(RESIGNED)
        opened(browser, tmp_path, page_of(RESIGNED))
        signed = browser.run("return document.getElementById('position').textContent")
        rest = game.replayed_entries[-1].rest
        assert rest
        assert f"deck: {' '.join(rest[0].deck)}" in signed
        newest = max(n for n, entry in enumerate(game.entries) if entry.raw.get("position"))
        assert f"as it was signed in entry {newest}" in signed


@pytest.mark.parametrize(
    ("name", "language"), sample_rows([(n, lang) for n in NAMES for lang in ("es", "it", "de")], 11)
)
def test_it_proves_itself_in_every_language(
    browser: Browser, tmp_path: Path, name: str, language: str, compiled: None
) -> None:
    """The words beside the map are others, the numbers in them are not."""
    game = open_game((EXAMPLES / f"{name}.yaml").read_bytes())  # one that nobody has opened in English
    with speaking(language):
        html = game_page(game).decode()
    path = tmp_path / "game.html"
    path.write_text(html, "utf-8")
    assert browser.open(path)[:2] == ("holds", None)
    assert f'lang="{language}"' in html


@pytest.mark.parametrize("name", [TAKEN_BACK, pytest.param(SEALED, marks=pytest.mark.long)])
def test_a_game_that_goes_on(browser: Browser, tmp_path: Path, name: str) -> None:
    """From its offer on, with beats and proposals open."""
    log = [entry.raw for entry in game_of(name).entries]
    for length in (1, 2, 3, 4, 5, 6, 7, 8, 45, 46):
        html = game_page(open_game(file_of(log[:length]))).decode()
        verdict = opened(browser, tmp_path, html)
        assert (verdict.proof, verdict.failed) == ("holds", None), (length, verdict)


def in_another_game(html: str) -> str:
    """The page of a game by rules that nobody has, signed by both."""
    log = data_in(html, "log")
    log[0]["rules"] = "marsh/1"
    sign_log(link_log(log))
    head = sha256(message(log[-1])).hexdigest()
    html = alter_data(html, "log", lambda data: data.__setitem__(slice(None), log))
    return alter_data(html, "draws", lambda told: told.update(head=head))


def test_of_a_game_that_is_not_known_lists_and_map_are_told(browser: Browser, tmp_path: Path) -> None:
    """Its positions are computed all the same."""
    html = in_another_game(game_page(game_with_every_kind()).decode())
    assert opened(browser, tmp_path, html).proof == "holds"
    told = browser.run("return document.getElementById('not-proven').textContent")
    assert "This game is unknown here, so two more things are shown but not proven" in told
    signed = [n for n, entry in enumerate(data_in(html, "log")) if "position" in entry]
    spoilt = alter_data(html, "positions", lambda data: data[signed[1]].update(turn=[5]))
    assert_fails(browser, tmp_path, spoilt, signed[1], "not the one signed here")


# Alterations: each changes the data of a page where it stands


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values that are no list and no mapping."""
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], (*path, key))
    else:
        yield path


def other(value: Any) -> Any:
    """Nearly the same: one more, the other of two, or one character that is another."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case _:
            return value[:-4] + ("a" if value[-4:-3] != "a" else "b") + value[-3:]


def at(*path: Any) -> Change:
    """Alter the value at a path."""

    def change(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = other(data[path[-1]])

    return change


def values() -> list[tuple[str, str]]:
    """Values of an entry of each kind, not all of its orders and options: page, path in the log."""
    chosen = {SEALED: (0, 1, 3, 5, 12), TAKEN_BACK: (44, 45), RESIGNED: (82,)}
    rows = []
    for name, entries in chosen.items():
        log = entries_of(name)
        for n in entries:
            deep = {"orders": 3, "options": 1}
            paths = {path[: deep.get(path[0], 5)]: path for path in leaves(log[n])}
            rows += [(name, json.dumps([n, *path])) for path in paths.values()]
    return rows


@pytest.mark.parametrize(("name", "path"), sample_rows(values(), 6))
def test_a_value_of_an_entry_altered(browser: Browser, tmp_path: Path, name: str, path: str) -> None:
    where = json.loads(path)
    assert_fails(browser, tmp_path, alter_data(page_of(name), "log", at(*where)), where[0])


LAST = len(entries_of(SEALED)) - 1
ENTRIES: dict[str, tuple[Change, int, str]] = {
    "an entry dropped": (lambda log: log.pop(20), 20, "n must be 20"),
    "two entries swapped": (lambda log: log.insert(20, log.pop(21)), 20, "n must be 20"),
    "an entry doubled": (lambda log: log.insert(20, log[20]), 21, "n must be 21"),
    "the offer dropped": (lambda log: log.pop(0), 0, "n must be 0"),
    "a key added": (lambda log: log[20].update(why="x"), 20, '"why"'),
    "a key taken away": (lambda log: log[20].pop("position"), 20, "signature"),
    "a signature from elsewhere": (lambda log: log[20].update(sig=log[22]["sig"]), 20, "signature"),
    "no mapping": (lambda log: log.__setitem__(20, ["x"]), 20, "not a mapping"),
    "nothing": (lambda log: log.__setitem__(20, None), 20, "not a mapping"),
    "the log cut off": (lambda log: log.__delitem__(slice(100, None)), 100, "it was longer when"),
    "the last entry cut off": (lambda log: log.pop(), LAST, "it was longer when"),
    "no entry left": (lambda log: log.clear(), 0, "no log"),
    "the last entry again": (lambda log: log.append(log[LAST]), LAST + 1, f"n must be {LAST + 1}"),
    "another player's key": (lambda log: log[0]["seat"].update(key=log[1]["seat"]["key"]), 0, "signature"),
    "a broken number": (lambda log: log[20].update(beat=2.5), 20, "this beat is not allowed here"),
    "half a character": (lambda log: log[20].update(say="\ud83d"), 20, "half a character"),
}


@pytest.mark.parametrize("attack", sample_rows(ENTRIES, 2))
def test_entries_altered(browser: Browser, tmp_path: Path, attack: str) -> None:
    change, entry, word = ENTRIES[attack]
    assert_fails(browser, tmp_path, alter_data(page_of(SEALED), "log", change), entry, word)


BEATS = draws_data(game_of(SEALED))["beats"]
ONE = next(number for number, beat in enumerate(BEATS) if len(beat["draws"] or ()) > 2)
"""A beat with several draws: they can change places."""
WHERE, BEAT = BEATS[ONE]["entry"], f"beat {BEATS[ONE]['beat']}"


DRAWS: dict[str, tuple[Change, int, str]] = {
    "what came": (at("beats", ONE, "draws", 2, "outcome"), WHERE, f"draw 2 of {BEAT} gives"),
    "what could come": (at("beats", ONE, "draws", 2, "outcomes", 0), WHERE, "faces of a die"),
    "the beat": (at("beats", ONE, "beat"), WHERE, f"{BEAT} has no draws"),
    "the entry": (at("beats", ONE, "entry"), WHERE, f"{BEAT} has no draws"),
    "a draw first that came last": (
        lambda told: told["beats"][ONE]["draws"].insert(0, told["beats"][ONE]["draws"].pop()),
        WHERE,
        f"of {BEAT} gives",
    ),
    "no draws": (lambda told: told["beats"][ONE].update(draws=None), WHERE, ""),
    "nothing drawn among": (lambda told: told["beats"][ONE]["draws"][0].update(outcomes=[]), WHERE, ""),
    "a beat taken away": (lambda told: told["beats"].pop(ONE), WHERE, f"{BEAT} has no draws"),
    "the last beat taken away": (lambda told: told["beats"].pop(), BEATS[-1]["entry"], "has no draws"),
    "a beat more": (lambda told: told["beats"].append(told["beats"][0]), LAST + 1, "it was longer when"),
    "where the log ends": (at("head"), LAST + 1, "it was longer when"),
    "everything": (lambda told: told.clear(), BEATS[0]["entry"], ""),
}


@pytest.mark.parametrize("attack", sample_rows(DRAWS, 4))
def test_draws_altered(browser: Browser, tmp_path: Path, attack: str) -> None:
    change, entry, word = DRAWS[attack]
    assert_fails(browser, tmp_path, alter_data(page_of(SEALED), "draws", change), entry, word)


def stranger_signs(log: Log) -> None:
    """The last part is signed by nobody's commander."""
    (part,) = log[-1]["parts"]
    game = commanders_game.game_with_parts().ids[0]
    part["sig"] = STRANGER.sign(part_message(game, log[-1]["prev"], "axis", 0, part["orders"]))


PARTS: dict[str, tuple[Change, str]] = {
    "signed by another key": (
        stranger_signs,
        "the part by commander 0 is not signed with that commander's key",
    ),
    "altered": (lambda log: log[-1]["parts"][0]["orders"].pop(), "is not signed with that commander's key"),
    "orders that he has signed left out": (
        lambda log: log[-1]["orders"].remove(log[-1]["parts"][0]["orders"][0]),
        "are not among the entry's own",
    ),
}


@pytest.mark.parametrize("attack", PARTS)
def test_parts_altered(browser: Browser, tmp_path: Path, attack: str) -> None:
    """FORMAT 11: by a lead, who signs the whole entry anew."""
    change, word = PARTS[attack]
    game = commanders_game.game_with_parts()
    log = log_of(game)
    change(log)
    commanders_game.forge_file(log)
    html = alter_data(game_page(game).decode(), "log", lambda data: data.__setitem__(slice(None), log))
    assert_fails(browser, tmp_path, html, len(log) - 1, word)


def log_text(html: str) -> str:
    """The log as it stands in a page."""
    found = re.search(r'id="log">([^<]*)<', html)
    assert found is not None
    return found[1]


def bytes_altered() -> list[tuple[str, int, int]]:
    """Places in the log of a page, with what stands before and the entry in which each lies."""
    chooser = Random(11)
    text = log_text(page_of(RESIGNED))
    begins = [found.start() for found in re.finditer(r'\{"n":', text)]
    rows: list[tuple[str, int, int]] = []
    while len(rows) < 24:
        place = chooser.randrange(len(text))
        if text[place].isalnum() and text[place - 1] != "\\":
            entry = sum(begin <= place for begin in begins) - 1
            rows.append((text[place - 6 : place + 1], place, entry))
    return rows


@pytest.mark.parametrize(("near", "place", "entry"), sample_rows(bytes_altered(), 3))
def test_a_byte_of_the_log_altered(
    browser: Browser, tmp_path: Path, near: str, place: int, entry: int
) -> None:
    """Where that leaves no JSON there is no log: the page fails at its first entry."""
    html = page_of(RESIGNED)
    text = log_text(html)
    spoilt = text[:place] + ("1" if text[place] != "1" else "2") + text[place + 1 :]
    try:
        json.loads(spoilt)
    except ValueError:
        entry = 0
    assert_fails(browser, tmp_path, replace_text(html, "log", spoilt), entry)


@pytest.mark.parametrize("name", ["log", "draws", "positions", "scene"])
@pytest.mark.parametrize("text", ["", "null", "{", '"x"', "[[]]", "7"])
def test_other_data(browser: Browser, tmp_path: Path, name: str, text: str) -> None:
    verdict = opened(browser, tmp_path, replace_text(page_of(RESIGNED), name, text))
    assert verdict.proof == "fails"


class TestNeverATick:
    """What was not checked is said not to be."""

    def without(self, browser: Browser, folder: Path, html: str, prelude: str) -> Verdict:
        """What the page says in a browser in which a script has run before all others."""
        done = browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": prelude})
        try:
            return opened(browser, folder, html)
        finally:
            browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", done)

    def test_no_ed25519(self, browser: Browser, tmp_path: Path) -> None:
        verdict = self.without(browser, tmp_path, page_of(RESIGNED), NO_ED25519)
        assert verdict.proof == "unchecked"
        assert "not checked here" in verdict.words
        row = browser.run("return document.querySelectorAll('#proof-found tbody tr')[4].textContent")
        assert "every signature" in row
        assert "not checked here" in row
        assert "✓" not in row

    def test_no_ed25519_and_an_altered_share(self, browser: Browser, tmp_path: Path) -> None:
        html = alter_data(page_of(RESIGNED), "log", at(2, "share"))
        verdict = self.without(browser, tmp_path, html, NO_ED25519)
        assert (verdict.proof, verdict.failed) == ("fails", "2")

    def test_no_sha256(self, browser: Browser, tmp_path: Path) -> None:
        verdict = self.without(browser, tmp_path, page_of(RESIGNED), NO_CRYPTO)
        assert verdict.proof == "unchecked"
        assert "Not checked here" in verdict.words
        assert browser.run("return document.querySelectorAll('td.holds').length") == 0

    def test_an_altered_script_does_not_run(self, browser: Browser, tmp_path: Path) -> None:
        path = tmp_path / "game.html"
        path.write_text(page_of(RESIGNED).replace('state: "fails"', 'state: "holds"'), "utf-8")
        browser.go(path.as_uri())
        assert browser.run(VERDICT) == ["unchecked", None, "Nothing computed."]
        assert any("Content Security Policy" in line for line in browser.complaints())

    def test_an_added_script_does_not_run(self, browser: Browser, tmp_path: Path) -> None:
        added = '<script>document.title = "mine"</script><img src="x" onerror="document.title = 1">'
        html = page_of(RESIGNED).replace("<header>", f"<header>{added}")
        assert opened(browser, tmp_path, html).proof == "holds"
        assert "Mortain" in browser.driver.title
