"""How the browser finds the board of `pbem play`: no other user of the computer gets in before it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGINT
from typing import NamedTuple

import pytest

from support.board_player import BoardPlayer, begin_practice_game, player_environment
from support.browsers import Browser, run_firefox
from support.markers import Posix, requires
from support.processes import wait_until
from web.test_board_server import Visitor

pytestmark = [
    requires(Posix.SHELL),
    pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="reads the list of processes"),
]

SLOW_BROWSER = """\
#!{python}
import sys, time
from pathlib import Path
Path("opening").write_text(sys.argv[1])
Path("opening").rename("opened")
end = time.monotonic() + 60
while not Path("closed").exists() and time.monotonic() < end:
    time.sleep(0.02)
"""

AT_THE_BOARD = "return document.readyState === 'complete' && document.getElementById('first') ? 'yes' : 'no'"


class Opened(NamedTuple):
    """A board whose door the browser was given: what it was called with, the folder and the program."""

    word: str
    folder: Path
    program: subprocess.Popen[str]

    @property
    def doors(self) -> list[Path]:
        """The files in the player's own folder that lead in."""
        return list(self.folder.glob("pbem-play-*.html"))

    @property
    def address(self) -> str:
        """Where the door leads."""
        (door,) = self.doors
        found = re.search(r'url=([^"]+)', door.read_text())
        assert found
        return found[1]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    begin_practice_game(tmp_path, "mortain", "--seat", "us")
    return tmp_path


@contextmanager
def opened(home: Path, *, own: str = "own") -> Iterator[Opened]:
    """`pbem play` with a browser that is slow to come; the player's own folder is `own`."""
    browser = home / "slow-browser"
    browser.write_text(SLOW_BROWSER.format(python=sys.executable))
    browser.chmod(0o755)
    (home / "own").mkdir(mode=0o755)
    command = [sys.executable, "-u", "-m", "pbem", "play", "game.yaml"]
    env = {**player_environment(home), "HOME": str(home / own), "BROWSER": f"{browser} %s &"}
    with subprocess.Popen(
        command, cwd=home, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as program:
        try:
            word = ""
            if own == "own":
                assert wait_until((home / "opened").exists)
                word = (home / "opened").read_text()
            yield Opened(word, home / "own", program)
        finally:
            (home / "closed").touch()
            program.terminate()


def others_see() -> str:
    """What every user of the computer may read of its programs."""
    lines = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(process.read_bytes().decode(errors="replace"))
        except OSError:
            continue
    return "\n".join(lines)


def test_the_address_stands_in_no_command_line(home: Path) -> None:
    with opened(home) as board:
        seen = others_see()
        assert board.word in seen  # the browser runs
        visitor = Visitor(board.address)
        for secret in (visitor.secret, visitor.path.strip("/"), f"127.0.0.1:{visitor.port}"):
            assert secret not in seen


@pytest.mark.thorough
def test_the_door_is_its_owners_alone_and_goes_once_somebody_is_in(home: Path) -> None:
    with opened(home) as board:
        (door,) = board.doors
        assert board.word == door.as_uri()
        assert door.stat().st_mode & 0o777 == 0o600
        visitor = Visitor(board.address)
        assert visitor.ask("GET", f"{visitor.path}?key=wrong").status == 403
        assert board.doors == [door]
        assert visitor.enter().status == 200
        assert board.doors == []
        assert visitor.bound()


def test_the_door_goes_with_the_program(home: Path) -> None:
    with opened(home) as board:
        assert board.doors
        board.program.send_signal(SIGINT)
        assert board.program.wait(60) == 0
        assert board.doors == []
        (home / "closed").touch()  # the browser writes to the same screen
        assert board.program.stdout
        said = board.program.stdout.read()
        assert "If it does not open: pbem play game.yaml --no-open" in said
        assert "http" not in said


@pytest.mark.thorough
def test_without_a_folder_of_ones_own_the_address_is_printed(home: Path) -> None:
    with opened(home, own="nowhere") as board:
        assert board.program.stdout
        assert "It works only once" in board.program.stdout.readline()
        assert Visitor(board.program.stdout.readline().strip()).enter().status == 200


@pytest.mark.thorough
def test_chromium_goes_through_it(browser: Browser, home: Path) -> None:
    with opened(home) as board:
        browser.set_width(1280)
        browser.go(board.word)
        assert browser.run(AT_THE_BOARD) == "yes"
        player = BoardPlayer(browser, home)
        player.order("place 117Inf 1301")
        assert player.lines() == ["place 117Inf 1301"]
        assert board.doors == []
        assert browser.complaints() == []
        browser.go("about:blank")


@pytest.mark.long
def test_firefox_goes_through_it(home: Path) -> None:
    (home / "profile").mkdir()
    with opened(home) as board, run_firefox(home / "profile") as browser:
        (door,) = board.doors
        browser.open(door)
        assert wait_until(lambda: browser.run(AT_THE_BOARD) == "yes")
        assert board.doors == []
