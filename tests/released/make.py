"""Make what a release leaves in the world: games over and in progress, homes, mails, pages, a study, a club.

    cd tests && python -m released.make 0.1.0

Once, by the program that is released; `test_released.py` then holds every later one to it. The keys in it are
of nobody. Where a path of this computer would stand in a home, there stands `FOLDER`.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from support.homes import Home, begin_by_mail, make_home
from support.programs import ROOT, Program, current_program, next_command

HERE = Path(__file__).parent
FOLDER = "FOLDER"
STUDY = ("study", "mortain", "--games", "40", "--players", "random", "--out", "study")


def make(version: str) -> None:
    """All of it, into a folder named as the version."""
    with current_program() as program, TemporaryDirectory() as scratch:
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
        giver.play()
        giver.mail_to(taker)
    (bruno.folder / "late.eml").write_bytes(written(anna))


def awaited(program: Program, folder: Path) -> None:
    """A part of a log waits for what it goes on from: Bruno has gone back to a copy of his home.

    The mail that he had got since lies in his folder, as `late.eml`.
    """
    anna, bruno = pair(program, folder, "mortain", "german")
    for giver, taker in ((bruno, anna), (anna, bruno), (bruno, anna)):
        giver.play()
        giver.mail_to(taker)
    before = shutil.copytree(bruno.folder, folder / "before")
    late = written(anna)
    bruno.receive(late)
    bruno.type("mail", "fetch")
    bruno.play()
    bruno.mail_to(anna)
    newest = written(anna)
    shutil.rmtree(bruno.folder)
    before.rename(bruno.folder)
    bruno.receive(newest)
    bruno.type("mail", "fetch", code=None)
    (bruno.folder / "late.eml").write_bytes(late)


def sealed(program: Program, folder: Path) -> None:
    """The Axis has set up behind the screen; the Allied side is to."""
    anna, bruno = pair(program, folder, "rommel", "axis")
    while not (b"seal" in anna.data and next_command(bruno.folder, bruno.file)):
        for giver, taker in ((bruno, anna), (anna, bruno)):
            giver.play()
            giver.mail_to(taker)
            if b"seal" in giver.data:
                break


def shared(program: Program, folder: Path) -> None:
    """Carla commands the Italians; her set-up lies as a draft with the lead, who is to take it in."""
    lead, other, carla = (make_home(program, folder / name) for name in ("anna", "bruno", "carla"))
    key = next(line for line in carla.type("key").splitlines() if line.startswith("ssh-ed25519"))
    (lead.folder / "carla.pub").write_text(f"{key}\n", "utf-8")
    lead.type(
        "new", "rommel", "game.yaml", "--seat", "axis", "--commander", "italian=carla.pub", "--name", "Anna"
    )
    lead.mail_to(other)
    other.type("join", "--name", "Bruno")
    other.play()
    other.mail_to(lead)
    lead.hand_to(carla)
    carla.type("orders", carla.file, "--setup", "historical", "-o", "carla.draft")
    shutil.copy(carla.folder / "carla.draft", lead.folder)


def taken_back(program: Program, folder: Path) -> None:
    """One proposes to take his last move back; the other is to answer."""
    anna, bruno = pair(program, folder, "mortain", "us")
    giver, taker = bruno, anna
    for _ in range(8):
        giver.play()
        giver.mail_to(taker)
        giver, taker = taker, giver
    while next_command(giver.folder, giver.file) == ["move", giver.file]:
        giver.play()
        giver.mail_to(taker)
        giver, taker = taker, giver
    giver.type("propose", giver.file, "last")
    giver.mail_to(taker)


def planned(program: Program, folder: Path) -> None:
    """Plans are armed at both homes; one player waits to propose a draw, and has words that wait."""
    anna, bruno = pair(program, folder, "mortain", "german")
    for giver, taker in ((bruno, anna), (anna, bruno)) * 2:
        giver.play()
        giver.mail_to(taker)
    for player in (anna, bruno):
        player.type("plan", player.file, "add", "when asked activate", "do pass", "despite hits, range")
        player.type("plan", player.file, "arm")
    waits = anna if not next_command(anna.folder, anna.file) else bruno
    waits.type("say", waits.file, "A long week, sorry!")
    waits.type("propose", waits.file, "draw")


def pair(program: Program, folder: Path, game: str, seat: str) -> tuple[Home, Home]:
    """Two players who have begun a game by mail."""
    anna, bruno = make_home(program, folder / "anna"), make_home(program, folder / "bruno")
    begin_by_mail(game, seat, anna, bruno)
    return anna, bruno


def written(player: Home) -> bytes:
    """The mail in which a player answers, which has not gone."""
    player.play()
    player.type("mail", "send", player.file, "--eml", "out.eml")
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
    sceptic = make_home(program, base / "sceptic")
    for name in ("mortain-it-exits", "rommel-axis-wins"):
        sceptic.type("page", str(games / f"{name}.yaml"), "-o", f"{name}.html")
    sceptic.type("page", "--checker", "-o", "checker.html")
    sceptic.type(*STUDY)
    sceptic.type("club", str(games), "--out", "club", "--as-of", "2026-12-31")
    for name in ("pages", "study", "club"):
        (base / name).mkdir(exist_ok=True)
    for page in sceptic.folder.glob("*.html"):
        shutil.move(page, base / "pages")
    for name in ("study", "club"):
        shutil.copytree(sceptic.folder / name, base / name, dirs_exist_ok=True)
    shutil.rmtree(sceptic.folder)


if __name__ == "__main__":
    make(sys.argv[1])
