"""What a page is, before any browser opens it."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from pbem.cli.app import run
from pbem.umpire.verify import open_game
from pbem.umpire.write import to_bytes
from pbem.web.game_page import checker_page, game_page
from support.game_pages import EXAMPLES, NAMES, data_in, game_of, page_of

ALLOWED = {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}

every_page = pytest.mark.parametrize(
    "html", [page_of("rommel-axis-wins"), checker_page().decode()], ids=["page", "checker"]
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))


class TestOneFile:
    """A page loads nothing, and nothing runs in it but what the program wrote."""

    @every_page
    def test_the_policy_names_each_script_and_style_by_its_digest(self, html: str) -> None:
        found = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
        assert found is not None
        policy = dict(part.split(" ", 1) for part in found[1].split("; "))
        assert set(policy) == ALLOWED
        assert [policy[name] for name in ("default-src", "base-uri", "form-action")] == ["'none'"] * 3
        assert policy["img-src"] == "data:"
        for name, tag in (("script-src", "script"), ("style-src", "style")):
            texts = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
            assert texts
            digests = [b64encode(sha256(text.encode()).digest()).decode() for text in texts]
            assert policy[name] == " ".join(f"'sha256-{digest}'" for digest in digests)

    @every_page
    def test_it_refers_to_nothing_outside(self, html: str) -> None:
        assert re.findall(r"<(?:link|img|iframe|object|embed|base|form|audio|video)\b", html) == []
        assert re.findall(r"\s(?:src|srcset|action|style|on[a-z]+)=", html.partition("<script>")[0]) == []
        assert re.findall(r'href="(?!#)', html) == []
        assert re.findall(r"https?://|url\(|@import", html) == []

    @pytest.mark.thorough
    @pytest.mark.parametrize("name", NAMES)
    def test_it_is_small(self, name: str) -> None:
        assert len(page_of(name).encode()) <= 1_000_000

    def test_the_same_log_gives_the_same_page(self) -> None:
        game = game_of("mortain-it-exits")
        resaved = to_bytes(game, {"turn": "another program's words"}, "another map")
        assert game_page(open_game(resaved)).decode() == page_of("mortain-it-exits")

    def test_the_log_in_it_is_that_of_the_file(self) -> None:
        game = game_of("mortain-de-own-scenario")
        assert data_in(page_of("mortain-de-own-scenario"), "log") == [entry.raw for entry in game.entries]


class TestCommand:
    """`pbem page`."""

    FILE = str(EXAMPLES / "mortain-en-solitaire.yaml")

    def test_it_writes_beside_the_game(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "game.yaml"
        file.write_bytes(Path(self.FILE).read_bytes())
        assert run(["page", str(file)]) == 0
        assert (tmp_path / "game.html").read_text("utf-8") == page_of("mortain-en-solitaire")
        assert "game.html" in capsys.readouterr().out

    def test_it_writes_over_a_page_and_over_nothing_else(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "game.html"
        assert [run(["page", self.FILE, "-o", str(out)]) for _ in range(2)] == [0, 0]
        out.write_text("<!doctype html>\n<title>My holidays</title>\n")
        assert run(["page", self.FILE, "-o", str(out)]) == 1
        assert "holidays" in out.read_text()
        assert "is not a page: nothing was written" in capsys.readouterr().err

    def test_a_folder_is_no_page(self, tmp_path: Path) -> None:
        assert run(["page", self.FILE, "-o", str(tmp_path)]) == 1

    def test_a_file_that_fails_gets_no_page(self, tmp_path: Path) -> None:
        file = tmp_path / "game.yaml"
        file.write_bytes(Path(self.FILE).read_bytes().replace(b"kind: accept", b"kind: resign"))
        assert run(["page", str(file)]) == 1
        assert not (tmp_path / "game.html").exists()

    def test_the_checker_says_its_digest(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        out = tmp_path / "check.html"
        assert run(["page", "--checker", "-o", str(out)]) == 0
        assert out.read_bytes() == checker_page()
        assert sha256(out.read_bytes()).hexdigest() in capsys.readouterr().out

    def test_the_checker_has_no_game(self) -> None:
        assert run(["page", "mortain.yaml", "--checker"]) == 2


def test_no_script_ends_its_own_element() -> None:
    folder = Path(__file__).parents[2] / "pbem" / "web"
    for script in folder.glob("*.js"):
        assert not re.search(r"</script|<!--|\r", script.read_text("utf-8")), script.name
