"""Nobody else gets in at `pbem play`: real requests, of which none signs or loses anything."""

from __future__ import annotations

import json
import re
import socket
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from shutil import copytree
from signal import SIGINT
from typing import Any, NamedTuple

import pytest

from support.board_player import begin_practice_game, run_pbem_at_home, serve_board

SET_UP = "place 117Inf 1301 119Inf 1303 120Inf 1302 823TD 1304 SPTD 1305"
OTHERS = "place 117Inf 1101 119Inf 1102 120Inf 1103 823TD 1104 SPTD 1105"


class Reply(NamedTuple):
    """What the program answers."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def words(self) -> str:
        """The body as text."""
        return self.body.decode()


class Visitor:
    """Somebody who speaks to the program, with whatever headers he likes."""

    def __init__(self, address: str) -> None:
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)((/[\w-]+/)[\w/]*)\?key=([\w-]+)", address)
        assert found, address
        self.port, self.path, self.root, self.secret = int(found[1]), found[2], found[3], found[4]
        self.headers: dict[str, str] = {}

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str | None) -> Reply:
        """One request; a header that is None is left out."""
        given = {"Host": f"127.0.0.1:{self.port}", **self.headers, **headers}
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in given.items():
            if value is not None:
                connection.putheader(name.replace("_", "-"), value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        found = connection.getresponse()
        reply = Reply(found.status, {name.lower(): value for name, value in found.getheaders()}, found.read())
        connection.close()
        return reply

    def enter(self) -> Reply:
        """Exchange the secret for the cookie."""
        reply = self.ask("GET", f"{self.path}?key={self.secret}")
        self.headers["Cookie"] = reply.headers["set-cookie"].split(";")[0]
        return reply

    def post(self, what: str, wish: Any, **headers: str | None) -> Reply:
        """Ask as the page asks."""
        own = {"Origin": self.origin, "Content_Type": "application/json", **headers}
        body = wish if isinstance(wish, bytes) else json.dumps(wish).encode()
        return self.ask("POST", self.path + what, body, **own)

    def data(self, what: str, wish: Any) -> Any:
        """The same, answered."""
        reply = self.post(what, wish)
        assert reply.status == 200, reply.words
        return json.loads(reply.body)

    def bound(self) -> str:
        """The question that the page shows."""
        page = self.ask("GET", self.path).words
        found = re.search(r'id="first">(.*?)</script>', page)
        assert found
        bound: str = json.loads(found[1])["bound"]
        return bound


@pytest.fixture(scope="module")
def begun_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A player with a game in which he is asked for his set-up."""
    home = tmp_path_factory.mktemp("begun")
    begin_practice_game(home, "mortain", "--seat", "us")
    return home


@pytest.fixture
def home(begun_once: Path, tmp_path: Path) -> Path:
    """The same in a folder of its own."""
    copytree(begun_once, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture(scope="module")
def board(begun_once: Path) -> Iterator[Visitor]:
    """The board of that game, with the player at it."""
    with serve_board(begun_once) as (address, _):
        visitor = Visitor(address)
        assert visitor.enter().status == 200
        yield visitor


@pytest.fixture
def player(board: Visitor, begun_once: Path) -> Iterator[Visitor]:
    """The player himself."""
    before = saved(begun_once)
    yield board
    assert saved(begun_once) == before  # nothing signed, nothing lost


@pytest.fixture
def guest(player: Visitor) -> Visitor:
    """Somebody who knows the whole address, and has no cookie."""
    return Visitor(f"{player.origin}{player.path}?key={player.secret}")


def saved(home: Path) -> dict[str, bytes]:
    """All game files of the player, his own and the stored ones."""
    return {str(path): path.read_bytes() for path in home.rglob("*.yaml")}


class TestWithoutCookie:
    @pytest.mark.parametrize("cookie", [None, "pbem=", "pbem=wrong", "pbem=\u00e9", "other=1", "pbem", ";;="])
    def test_nothing_is_shown(self, guest: Visitor, cookie: str | None) -> None:
        for path in ("", "life"):
            reply = guest.ask("GET", guest.path + path, Cookie=cookie)
            assert reply.status == 403
            assert "does not have access" in reply.words

    @pytest.mark.parametrize("what", ["look", "confirm", "sign", "file"])
    def test_nothing_is_asked(self, guest: Visitor, what: str) -> None:
        assert guest.post(what, {"bound": ""}).status == 403

    def test_the_secret_works_once(self, home: Path) -> None:
        with serve_board(home) as (address, _):
            first, second = Visitor(address), Visitor(address)
            wrong = first.ask("GET", f"{first.path}?key={first.secret[:-1]}")
            assert (wrong.status, "set-cookie" in wrong.headers) == (403, False)
            cookie = first.enter().headers["set-cookie"]
            assert {"HttpOnly", "SameSite=Strict", f"Path={first.root}"} <= set(cookie.split("; "))
            refused = second.ask("GET", f"{second.path}?key={second.secret}")
            assert (refused.status, "set-cookie" in refused.headers) == (403, False)
            assert "has already been used" in refused.words

    def test_without_the_path_there_is_nothing(self, player: Visitor) -> None:
        for path in ("/", "/favicon.ico", "/look", f"{player.path}../", f"{player.path}game.yaml", "//"):
            assert player.ask("GET", path).status == 404
            assert player.ask("POST", path, b"{}", Origin=player.origin).status == 404


class TestFromElsewhere:
    @pytest.mark.parametrize(
        "host", [None, "localhost:{port}", "127.0.0.1", "evil.example:{port}", "127.0.0.1:1"]
    )
    def test_another_host_is_refused(self, player: Visitor, host: str | None) -> None:
        """DNS rebinding: a name of somebody's that points to this computer."""
        named = host and host.format(port=player.port)
        assert player.ask("GET", player.path, Host=named).status == 403
        reply = player.post("look", {"bound": player.bound()}, Host=named)
        assert reply.status == 403
        assert "another host" in reply.words

    def test_two_hosts_are_refused(self, player: Visitor) -> None:
        head = f"GET {player.path} HTTP/1.1\r\nHost: 127.0.0.1:{player.port}\r\nHost: evil.example\r\n"
        with socket.create_connection(("127.0.0.1", player.port), timeout=20) as connection:
            connection.sendall(f"{head}Cookie: {player.headers['Cookie']}\r\n\r\n".encode())
            assert b" 403 " in connection.recv(100)

    @pytest.mark.parametrize(
        "origin", [None, "null", "http://evil.example", "http://127.0.0.1:1", "http://localhost:{port}"]
    )
    def test_another_origin_is_refused(self, player: Visitor, origin: str | None) -> None:
        """Another site's form or script, with the cookie that the browser might send along."""
        named = origin and origin.format(port=player.port)
        bound = player.bound()
        for what in ("look", "confirm", "sign"):
            reply = player.post(what, {"bound": bound}, Origin=named)
            assert reply.status == 403
            assert "another page" in reply.words
            assert not [name for name in reply.headers if name.startswith("access-control")]

    def test_what_a_form_can_send_is_refused(self, player: Visitor) -> None:
        body = json.dumps({"bound": player.bound()}).encode()
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
            assert player.post("look", body, Content_Type=kind).status == 415

    def test_a_preflight_is_not_answered(self, player: Visitor) -> None:
        reply = player.ask("OPTIONS", player.path + "sign", Origin="http://evil.example")
        assert reply.status == 501
        assert not [name for name in reply.headers if name.startswith("access-control")]


class TestWhatIsSent:
    def test_fifty_megabytes_are_refused_in_words(self, player: Visitor) -> None:
        reply = player.post("confirm", b" " * 50_000_000)
        assert reply.status == 413
        assert "more than 65,536" in reply.words
        assert player.data("look", {"bound": player.bound()})["acts"]  # and it still serves

    @pytest.mark.parametrize("length", ["-1", "1e3", "9" * 400, "", "\u0661"])
    def test_a_length_that_is_none(self, player: Visitor, length: str) -> None:
        head = (
            f"POST {player.path}look HTTP/1.1\r\nHost: 127.0.0.1:{player.port}\r\nOrigin: {player.origin}\r\n"
        )
        head += f"Content-Type: application/json\r\nCookie: {player.headers['Cookie']}\r\n"
        with socket.create_connection(("127.0.0.1", player.port), timeout=20) as connection:
            connection.sendall(f"{head}Content-Length: {length}\r\n\r\n".encode())
            connection.shutdown(socket.SHUT_WR)
            assert re.match(rb"HTTP/1.0 41[13] ", connection.recv(100))

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"{",
            b"[]",
            b"null",
            b"\xff",
            b'{"bound": 1}',
            b'{"bound": "", "act": "cheat"}',
            b'{"bound": "", "x": 1}',
            b"[" * 30_000,
            b'{"bound": "\\ud800"}',
        ],
    )
    def test_what_no_page_asks(self, player: Visitor, body: bytes) -> None:
        for what in ("look", "confirm", "sign"):
            found = json.loads(player.post(what, body).body)
            assert "not one the page makes" in found["refused"]["error"]

    def test_orders_without_number(self, player: Visitor) -> None:
        found = player.data("look", {"bound": player.bound(), "lines": ["a;" * 30_000]})
        assert "500 at most" in found["refused"]["error"]


class TestSigning:
    def test_only_what_was_shown_is_signed(self, player: Visitor) -> None:
        bound = player.bound()
        shown = player.data("confirm", {"bound": bound, "lines": [SET_UP]})
        player.data("confirm", {"bound": bound, "lines": [OTHERS]})
        for digest in (shown["digest"], "", "0" * 64):
            found = player.data("sign", {"bound": bound, "digest": digest})
            assert "not the text you were last shown" in found["refused"]["error"]

    def test_what_was_refused_last_cannot_be_signed(self, player: Visitor) -> None:
        bound = player.bound()
        shown = player.data("confirm", {"bound": bound, "lines": [SET_UP]})
        assert player.data("confirm", {"bound": bound, "lines": ["pass"]})["refused"]
        assert player.data("sign", {"bound": bound, "digest": shown["digest"]})["refused"]

    def test_orders_to_another_question_are_refused(self, player: Visitor) -> None:
        for what in ("look", "confirm"):
            found = player.data(what, {"bound": "0" * 64, "lines": [SET_UP]})
            assert "has moved on" in found["stale"]
            assert found["lines"] == []
        shown = player.data("confirm", {"bound": player.bound(), "lines": [SET_UP]})
        found = player.data("sign", {"bound": "0" * 64, "digest": shown["digest"]})
        assert "nothing was signed" in found["stale"]

    @pytest.mark.parametrize("act", ["share", "yes", "no"])
    def test_what_is_not_his_to_decide(self, player: Visitor, act: str) -> None:
        found = player.data("confirm", {"bound": player.bound(), "act": act})
        why = "there are no orders yet" if act == "share" else "nothing has been proposed"
        assert why in found["refused"]["error"]

    def test_a_refusal_names_its_rule_and_its_text(self, player: Visitor) -> None:
        found = player.data("look", {"bound": player.bound(), "lines": ["place 117Inf 1901"]})
        assert found["refused"]["error"].startswith("M2.1")
        assert "outside the easternmost column" in found["refused"]["rule"]


class TestPlans:
    def test_kept_added_to_armed_and_disarmed(self, player: Visitor) -> None:
        """Each answer shows the plan as it is now, and what it says to the question that waits."""

        def plan(act: str, text: str = "") -> Any:
            return player.data("plan", {"bound": bound, "act": act, "text": text})

        bound = player.bound()
        found = plan("look")
        assert {"nothing in range", "attack 40%", "turn 1 or more", "support available"} <= {
            *found.pop("conditions")
        }
        assert found == {"text": "", "armed": False, "says": [], "orders": [], "here": []}
        assert plan("arm")["refused"]["error"] == "the plan has no steps yet"
        kept = plan("keep", f"do {SET_UP}")
        assert kept["orders"] == [SET_UP]
        assert kept["says"] == [f"It would now order: {SET_UP}"]
        assert plan("add", "fire 40%")["text"] == f"do {SET_UP}\n\ndo attacks of 40%"
        assert plan("keep", "do march Nobody 1303")["refused"]["error"].startswith(
            "the plan: step 1: 'Nobody'"
        )
        assert plan("arm")["armed"]
        assert plan("look")["says"][0].startswith("Armed on this computer")
        assert not plan("disarm")["armed"]

    def test_of_a_question_that_has_passed(self, player: Visitor) -> None:
        answer = player.data("plan", {"bound": "0", "act": "keep", "text": "do pass"})
        assert answer["stale"]
        assert player.data("plan", {"bound": player.bound(), "act": "look"})["text"] != "do pass"


def test_a_game_that_went_on_in_another_window_is_not_signed(home: Path) -> None:
    with serve_board(home) as (address, _):
        player = Visitor(address)
        player.enter()
        bound = player.bound()
        shown = player.data("confirm", {"bound": bound, "lines": [SET_UP]})
        assert (
            run_pbem_at_home(home, "move", "game.yaml", OTHERS).returncode == 0
        )  # typed in a terminal meanwhile
        before = saved(home)
        found = player.data("sign", {"bound": bound, "digest": shown["digest"]})
        assert "nothing was signed" in found["stale"]
        assert found["bound"] != bound
        assert saved(home) == before


def test_what_was_shown_is_signed_once(home: Path) -> None:
    with serve_board(home) as (address, _):
        player = Visitor(address)
        player.enter()
        bound = player.bound()
        shown = player.data("confirm", {"bound": bound, "lines": [SET_UP], "say": "Good luck!"})
        assert shown["words"] == [SET_UP]
        assert shown["say"] == ["Good luck!"]
        word = {"bound": bound, "digest": shown["digest"]}
        assert "refused" not in player.data("sign", word)
        before = saved(home)
        assert "Good luck!" in before[str(home / "game.yaml")].decode()
        assert player.data("sign", word)["stale"]
        assert saved(home) == before


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_it_ends_with_an_interrupt(home: Path) -> None:
    with serve_board(home) as (_, program):
        program.send_signal(SIGINT)
        assert program.stdout
        assert "To continue: pbem play game.yaml" in program.stdout.read()
        assert program.wait(60) == 0


@pytest.mark.thorough
def test_it_ends_with_the_page(home: Path) -> None:
    with serve_board(home) as (address, program):
        player = Visitor(address)
        player.enter()
        head = f"GET {player.path}life HTTP/1.1\r\nHost: 127.0.0.1:{player.port}\r\n"
        head += f"Cookie: {player.headers['Cookie']}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", player.port), timeout=20) as page:
            page.sendall(head.encode())
            assert b"event-stream" in page.recv(1000)
            assert program.poll() is None
        assert program.wait(60) == 0
