"""A club's page in a real Chromium: it sorts, opens what is folded, fits a telephone, and loads nothing."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from pbem.texts import LANGUAGES
from pbem.web.club_page import club_page
from support.browsers import Browser
from support.club_games import begin_game, end_game, make_club_table, play_game, public_key, write_games

pytestmark = pytest.mark.thorough

HOSTILE = "<script>mine=1</script>"
SEASON = """\
season: spring-2027
game: mortain
pairings:
  - {period: 1, seats: {german: Ana, us: Bo}}
  - {period: 2, seats: {german: Bo, us: Ana}}
"""
COLUMN = """
const [section, column] = arguments;
return [...document.querySelectorAll(`#${section} tbody tr`)].map((row) => row.cells[column].textContent);
"""
CLICK = "document.querySelectorAll(`#${arguments[0]} th`)[arguments[1]].querySelector('button').click();"
DAYS = """
const days = [...document.querySelectorAll("#games tbody td:nth-child(6) time")];
return days.map((one) => [one.title, one.textContent]);
"""
WIDER = "return document.documentElement.scrollWidth - document.documentElement.clientWidth;"
GROUND = "return getComputedStyle(document.body).backgroundColor;"


def club(folder: Path, language: str = "en") -> Path:
    """The page of a small club: 13 games of Ana's, one overdue, a season, and a file that is no game."""
    games = [
        play_game("ana", "bo", ("german", "us", "")[number % 3], str(number), on=number + 1)
        for number in range(9)
    ]
    names = {"x": HOSTILE}
    more = [
        play_game("x", "ana", "us", names=names),
        end_game(begin_game("bo", "ana", "long", on=3), "german", "bo", "ana", on=32),  # in February
        begin_game("bo", "ana", on=3, deadline="7d"),
        begin_game("x", "bo", names=names),
    ]
    write_games(folder / "games", *games, *more)
    (folder / "games" / f"{HOSTILE[1:7]}.yaml").write_text("pbem: none")
    called = {"ana": "Ana", "bo": "Bo", "x": HOSTILE}
    rows = [f'  - {{name: "{name}", keys: ["{public_key(key)}"]}}' for key, name in called.items()]
    (folder / "members.yaml").write_text("\n".join(["members:", *rows, f"language: {language}", ""]))
    (folder / "spring.yaml").write_text(SEASON)
    wanted: dict[str, Any] = {"members": folder / "members.yaml", "as_of": "2027-02-01"}
    found = make_club_table(folder / "games", **wanted)
    links = {game.head: "pages/one.html" for game in found.standings.games}
    path = folder / "club.html"
    path.write_bytes(club_page(found, links))
    (folder / "season.html").write_bytes(
        club_page(make_club_table(folder / "games", season=folder / "spring.yaml", **wanted), {})
    )
    return path


def test_it_sorts_both_ways(browser: Browser, tmp_path: Path) -> None:
    browser.go(club(tmp_path).as_uri())
    before = browser.run(COLUMN, "standings", 1)
    ratings = [int(one) for one in browser.run(COLUMN, "standings", 2)]
    assert ratings == sorted(ratings, reverse=True)
    browser.run(CLICK, "standings", 2)
    assert [int(one) for one in browser.run(COLUMN, "standings", 2)] == sorted(ratings)
    browser.run(CLICK, "standings", 2)
    assert browser.run(COLUMN, "standings", 1) == before
    browser.run(CLICK, "standings", 1)
    assert browser.run(COLUMN, "standings", 1) == sorted(before, key=str.casefold)
    lost = [int(one) for one in browser.run(COLUMN, "standings", 6)]
    browser.run(CLICK, "standings", 6)
    assert [int(one) for one in browser.run(COLUMN, "standings", 6)] == sorted(lost), "by number, not by text"
    assert browser.complaints() == []


def test_days_are_in_words_and_sort_as_days(browser: Browser, tmp_path: Path) -> None:
    browser.go(club(tmp_path).as_uri())
    browser.run(CLICK, "games", 5)
    days = browser.run(DAYS)
    moments = [moment for moment, _ in days]
    assert len({shown for _, shown in days}) > 2
    assert moments == sorted(moments)
    assert all(re.fullmatch(r"\d{1,2} [A-Z][a-z]+ 202\d", shown) for _, shown in days), days


def test_a_player_opens_by_his_link(browser: Browser, tmp_path: Path) -> None:
    browser.go(club(tmp_path).as_uri())
    opened = "return document.querySelectorAll('details[open]').length;"
    assert browser.run(opened) == 0
    browser.run("document.querySelector('#standings a').click();")
    browser.wait("const done = arguments[0]; setTimeout(done, 50);")
    assert browser.run(opened) == 1
    assert "Ana" in browser.run("return document.querySelector('details[open]').textContent;")


@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits_and_loads_nothing(browser: Browser, tmp_path: Path, width: int) -> None:
    """No page wider than its screen; a stranger's name is text; what is overdue is seen; games are linked."""
    path = club(tmp_path)
    browser.set_width(width)
    for name in ("club.html", "season.html"):
        browser.go(path.with_name(name).as_uri())
        assert browser.run(WIDER) <= 0
        assert browser.run("return typeof mine;") == "undefined"
        assert browser.run("return performance.getEntriesByType('resource').length;") == 0
        assert browser.complaints() == []
    assert browser.run(COLUMN, "season", 0) == ["1", "2"]
    browser.go(path.as_uri())
    assert HOSTILE in " ".join(browser.run(COLUMN, "standings", 1))
    assert browser.run("return document.querySelector('.late').checkVisibility();")
    assert browser.run("return document.querySelectorAll('#games a[href=\"pages/one.html\"]').length;") == 13
    assert browser.run(COLUMN, "problems", 1) == ["this is not a game: it has no line 'pbem: 1'"]
    browser.set_width(1280)


def test_dark_where_the_screen_is(browser: Browser, tmp_path: Path) -> None:
    browser.go(club(tmp_path).as_uri())
    grounds = []
    for scheme in ("light", "dark", ""):
        features = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", features)
        grounds.append(browser.run(GROUND))
    assert grounds[0] != grounds[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_the_language_of_the_club(tmp_path: Path, language: str) -> None:
    """Its words are the club's, whoever makes it."""
    html = unescape(club(tmp_path, language).read_text("utf-8"))
    assert f'<html lang="{language}"' in html
    title = {"en": "Standings", "es": "Clasificación", "it": "Classifica", "de": "Tabelle"}[language]
    assert f"<h2>{title}</h2>" in html
