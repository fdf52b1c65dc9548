"""Make what a release leaves in the world: games over and in progress, homes, mails, pages, a study, a club.

    cd tests && python -m released.make 0.1.0

Once, by the program that is released; tests/test_released.py then holds every later one to it. The keys in it
are of nobody. Where a path of this computer would stand in a home, there stands `FOLDER`.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from homes import Home, home, opened
from programs import ROOT, Program, due, today

HERE = Path(__file__).parent
FOLDER = "FOLDER"
STUDY = ("study", "mortain", "--games", "40", "--players", "random", "--out", "study")


def make(version: str) -> None:
    """All of it, into a folder named as the version."""
    with today() as program, TemporaryDirectory() as scratch:
        base = Path(scratch)
        for situation in SITUATIONS:
            situation(program, base / "homes" / situation.__name__)
        for path in (base / "homes").rglob("*"):
            if path.is_file() and path.name in {"config.yaml", "file", "state.json"}:
                path.write_text(path.read_text("utf-8").replace(str(base / "homes"), FOLDER), "utf-8")
            if path.name in {"lock", ".in", ".out", ".err"}:
                path.unlink()
        looking_back(program, base)
        shutil.rmtree(HERE / version, ignore_errors=True)
        shutil.copytree(base, HERE / version)


def on_the_way(program: Program, folder: Path) -> None:
    """A mail is on its way: it lies in its reader's folder, as `late.eml`."""
    anna, bruno = pair(program, folder, "mortain", "german")
    for giver, taker in ((bruno, anna), (anna, bruno), (bruno, anna)):
        giver.plays()
        giver.mails(taker)
    (bruno.folder / "late.eml").write_bytes(written(anna))


def awaited(program: Program, folder: Path) -> None:
    """A part of a log waits for what it goes on from: Bruno has gone back to a copy of his home.

    The mail that he had got since lies in his folder, as `late.eml`.
    """
    anna, bruno = pair(program, folder, "mortain", "german")
    for giver, taker in ((bruno, anna), (anna, bruno), (bruno, anna)):
        giver.plays()
        giver.mails(taker)
    before = shutil.copytree(bruno.folder, folder / "before")
    late = written(anna)
    bruno.gets(late)
    bruno.types("mail", "fetch")
    bruno.plays()
    bruno.mails(anna)
    newest = written(anna)
    shutil.rmtree(bruno.folder)
    before.rename(bruno.folder)
    bruno.gets(newest)
    bruno.types("mail", "fetch", code=None)
    (bruno.folder / "late.eml").write_bytes(late)


def sealed(program: Program, folder: Path) -> None:
    """The Axis has set up behind the screen; the Allied side is to."""
    anna, bruno = pair(program, folder, "rommel", "axis")
    while not (b"seal" in anna.data and due(bruno.folder, bruno.file)):
        for giver, taker in ((bruno, anna), (anna, bruno)):
            giver.plays()
            giver.mails(taker)
            if b"seal" in giver.data:
                break


def shared(program: Program, folder: Path) -> None:
    """Carla commands the Italians; her set-up lies as a draft with the lead, who is to take it in."""
    lead, other, carla = (home(program, folder / name) for name in ("anna", "bruno", "carla"))
    key = next(line for line in carla.types("key").splitlines() if line.startswith("ssh-ed25519"))
    (lead.folder / "carla.pub").write_text(f"{key}\n", "utf-8")
    lead.types(
        "new", "rommel", "game.yaml", "--seat", "axis", "--commander", "italian=carla.pub", "--name", "Anna"
    )
    lead.mails(other)
    other.types("join", "--name", "Bruno")
    other.plays()
    other.mails(lead)
    lead.hands(carla)
    carla.types("orders", carla.file, "--setup", "historical", "-o", "carla.draft")
    shutil.copy(carla.folder / "carla.draft", lead.folder)


def taken_back(program: Program, folder: Path) -> None:
    """One proposes to take his last move back; the other is to answer."""
    anna, bruno = pair(program, folder, "mortain", "us")
    giver, taker = bruno, anna
    for _ in range(8):
        giver.plays()
        giver.mails(taker)
        giver, taker = taker, giver
    while due(giver.folder, giver.file) == ["move", giver.file]:
        giver.plays()
        giver.mails(taker)
        giver, taker = taker, giver
    giver.types("propose", giver.file, "last")
    giver.mails(taker)


def planned(program: Program, folder: Path) -> None:
    """Plans are armed at both homes; one player waits to propose a draw, and has words that wait."""
    anna, bruno = pair(program, folder, "mortain", "german")
    for giver, taker in ((bruno, anna), (anna, bruno)) * 2:
        giver.plays()
        giver.mails(taker)
    for player in (anna, bruno):
        player.types("plan", player.file, "add", "when asked activate", "do pass", "despite hits, range")
        player.types("plan", player.file, "arm")
    waits = anna if not due(anna.folder, anna.file) else bruno
    waits.types("say", waits.file, "A long week, sorry!")
    waits.types("propose", waits.file, "draw")


def pair(program: Program, folder: Path, game: str, seat: str) -> tuple[Home, Home]:
    """Two players who have begun a game by mail."""
    anna, bruno = home(program, folder / "anna"), home(program, folder / "bruno")
    opened(game, seat, anna, bruno)
    return anna, bruno


def written(player: Home) -> bytes:
    """The mail in which a player answers, which has not gone."""
    player.plays()
    player.types("mail", "send", player.file, "--eml", "out.eml")
    mail = player.folder / "out.eml"
    data = mail.read_bytes()
    mail.unlink()
    return data


SITUATIONS: tuple[Callable[[Program, Path], None], ...] = (
    on_the_way,
    awaited,
    sealed,
    shared,
    taken_back,
    planned,
)


def looking_back(program: Program, base: Path) -> None:
    """Finished games, pages of two, the checker, a study, and a club's table of all."""
    games = shutil.copytree(
        ROOT / "examples",
        base / "games",
        ignore=shutil.ignore_patterns("*.py", "*.md", "*.txt", "__pycache__"),
    )
    sceptic = home(program, base / "sceptic")
    for name in ("mortain-it-exits", "rommel-axis-wins"):
        sceptic.types("page", str(games / f"{name}.yaml"), "-o", f"{name}.html")
    sceptic.types("page", "--checker", "-o", "checker.html")
    sceptic.types(*STUDY)
    sceptic.types("club", str(games), "--out", "club", "--as-of", "2026-12-31")
    for name in ("pages", "study", "club"):
        (base / name).mkdir(exist_ok=True)
    for page in sceptic.folder.glob("*.html"):
        shutil.move(page, base / "pages")
    for name in ("study", "club"):
        shutil.copytree(sceptic.folder / name, base / name, dirs_exist_ok=True)
    shutil.rmtree(sceptic.folder)


if __name__ == "__main__":
    make(sys.argv[1])
