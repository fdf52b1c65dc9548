"""The browser edition: one file that opens from the disk, with nothing installed, and verifies games."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest

from support.browsers import VERDICT, Browser, Firefox, run_firefox
from support.markers import Posix, requires

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "mortain-it-exits.yaml"
MOST_BYTES = 14_000_000

STARTED = """
const done = arguments[0];
const wait = () => document.documentElement.dataset.started ? done(true) : setTimeout(wait, 50);
wait();
"""
PICK = """
const [file, done] = arguments;
const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
const given = new DataTransfer();
given.items.add(new File([bytes], "game.yaml"));
const input = document.getElementById("file");
input.files = given.files;
input.dispatchEvent(new Event("change"));
const wait = () => document.body.ariaBusy === "false"
  ? done(document.getElementById("said").textContent)
  : setTimeout(wait, 20);
wait();
"""
SHOWN = 'return !document.getElementById("game").hidden'
PROVED = """
const done = arguments[0];
const { dataset } = document.documentElement;
const wait = () => (["holds", "fails"].includes(dataset.proof) ? done() : setTimeout(wait, 50));
wait();
"""

pytestmark = [pytest.mark.thorough, requires(Posix.BROWSER)]


@pytest.fixture
def edition() -> Path:
    """The folder with what `.ci/browser` has made and checked under node."""
    folder = ROOT / "dist" / "browser"
    assert (folder / "pbem.html").exists(), "make it first: .ci/browser"
    return folder


def test_one_file_passes_a_mail_limit(edition: Path) -> None:
    assert (edition / "pbem.html").stat().st_size <= MOST_BYTES


def test_in_chromium_from_the_disk(edition: Path, browser: Browser) -> None:
    browser.driver.set_script_timeout(300)
    verify_two_files(browser, edition)
    browser.driver.switch_to.frame("game")
    browser.wait(PROVED)
    assert browser.run(VERDICT)[0] == "holds"
    browser.driver.switch_to.default_content()
    assert browser.complaints() == []


def test_in_firefox_from_the_disk(edition: Path, tmp_path: Path) -> None:
    with run_firefox(tmp_path) as browser:
        verify_two_files(browser, edition)
        assert browser.complaints() == []


def verify_two_files(browser: Browser | Firefox, edition: Path) -> None:
    """Open the page; hand it a file with an alteration, and then the file itself."""
    browser.go((edition / "pbem.html").as_uri())
    browser.wait(STARTED)
    whole = EXAMPLE.read_bytes()
    at = whole.rindex(b'sig: "') + 6
    altered = whole[:at] + (b"B" if whole[at : at + 1] == b"A" else b"A") + whole[at + 1 :]
    said = browser.wait(PICK, b64encode(altered).decode())
    assert said.startswith("game.yaml: entry 79 has been changed since the Germans signed it")
    assert browser.run(SHOWN) is False
    said = browser.wait(PICK, b64encode(whole).decode())
    assert said.startswith("Stand at Mortain, mortain/1, edition it")
    assert browser.run(SHOWN) is True
