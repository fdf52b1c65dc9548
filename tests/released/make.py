"""Make what a release leaves in the world: games over and in progress, homes, mails, pages, a study, clubs.

    cd tests && python -m released.make 0.1.0

Once, by the program that is released, with the browser edition that `.ci/browser` has made of it; the tests
here then hold every later one to it. The keys in it are of nobody. Where a path of this computer would stand
in a home, there stands `FOLDER`.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.games.mortain import RULES
from pbem.umpire import write
from support.browsers import run_chromium
from support.club_games import begin_game, day_of_2027, keys_of, play_game, write_games
from support.edition_player import EditionPlayer
from support.homes import Home, begin_by_mail, make_home
from support.programs import ROOT, Program, current_program, next_command
from support.terminal import END, ENTER, Screen

HERE = Path(__file__).parent
FOLDER = "FOLDER"
WITH_PATHS = {"config.yaml", "file", "state.json", "record.json"}
STUDY = ("study", "mortain", "--games", "40", "--players", "random", "--out", "study")


def make(version: str) -> None:
    """All of it, into a folder named as the version."""
    with current_program() as program, TemporaryDirectory() as scratch:
        base = Path(scratch)
        for situation in SITUATIONS:
            situation(program, base / "homes" / situation.__name__)
        for path in (base / "homes").rglob("*"):
            if path.is_file() and path.name in WITH_PATHS:
                path.write_text(path.read_text("utf-8").replace(str(base / "homes"), FOLDER), "utf-8")
            if path.name in {"lock", ".in", ".out", ".err"}:
                path.unlink()
        looking_back(program, base)
        browsers_backup(base / "backup")
        season(program, base / "season")
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


def undone(program: Program, folder: Path) -> None:
    """A take-back was granted, and another order signed in its place; the game goes on."""
    taken_back(program, folder)
    anna, bruno = Home(program, folder / "anna"), Home(program, folder / "bruno")
    asks, asked = (anna, bruno) if not next_command(anna.folder, anna.file) else (bruno, anna)
    asked.type("answer", asked.file, "yes")
    asked.mail_to(asks)
    asks.play()
    asks.mail_to(asked)


def hidden(program: Program, folder: Path) -> None:
    """At the tabletop both hold cards that the other does not see; whose hand it is knows them."""
    anna, bruno = make_home(program, folder / "anna"), make_home(program, folder / "bruno")
    anna.type("new", "tabletop", "game.yaml", "--seat", "first", "--scenario", "cards", "--name", "Anna")
    anna.mail_to(bruno)
    bruno.type("join", "--name", "Bruno")
    bruno.mail_to(anna)
    for giver, taker, deck in ((anna, bruno, "red"), (bruno, anna, "blue")) * 2:
        giver.type("move", giver.file, f'draw 2 from {deck}; roll 2d6 "hex 0101"; end')
        giver.mail_to(taker)


def unfinished(program: Program, folder: Path) -> None:
    """Bruno has typed one of his orders at the prompt, and then gone to bed."""
    anna, bruno = pair(program, folder, "mortain", "us")
    while len(next_command(bruno.folder, bruno.file) or ()) < 3:  # until there are orders to give
        for giver, taker in ((bruno, anna), (anna, bruno)):
            giver.play()
            giver.mail_to(taker)
    home = str(bruno.folder / "home")
    prompt = Screen(bruno.folder, 80, 40, "move", bruno.file, PBEM_HOME=home, PBEM_NAME="Bruno")
    prompt.wait_for_question("Order: ")
    prompt.type(UNFINISHED + ENTER)
    prompt.wait_for("Order 2", "Order 2")
    prompt.type(END)
    prompt.wait_for_end()
    prompt.close()


UNFINISHED = "enter DF 1902"
SET_UP = "place 117Inf 1301 119Inf 1303 120Inf 1302 823TD 1304 SPTD 1305"


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
    undone,
    hidden,
    unfinished,
    planned,
)


def looking_back(program: Program, base: Path) -> None:
    """Finished games, pages of three, the checker, a study, and a club's table of all."""
    games = shutil.copytree(
        ROOT / "examples",
        base / "games",
        ignore=shutil.ignore_patterns("*.py", "*.md", "*.txt", "__pycache__"),
    )
    sceptic = make_home(program, base / "sceptic")
    for name in ("mortain-it-exits", "rommel-axis-wins", "tabletop-hands-opened"):
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


def browsers_backup(folder: Path) -> None:
    """What the browser edition saves of a practice game, and the passphrase of it."""
    folder.mkdir()
    for browser in run_chromium():
        player = EditionPlayer(browser, ROOT / "dist" / "browser" / "pbem.html")
        player.open()
        player.begin_practice()
        player.order(SET_UP)
        player.click("#finish")
        data, passphrase = player.save_everything()
    (folder / "pbem.age").write_bytes(data)
    (folder / "passphrase").write_text(f"{passphrase}\n", "utf-8")


def season(program: Program, folder: Path) -> None:
    """A season in which one game is adjudged for silence, and its director decides another; its tables."""
    asked = begin_game("ana", "bo", on=3)
    place = next(RULES.offers(asked.state.pending_question))  # type: ignore[arg-type]
    silent = write.play(asked, keys_of(asked, "ana", "bo")["us"], place, claim=day_of_2027(5))
    decided = begin_game("bo", "cleo", on=50)
    write_games(folder / "games", silent, decided, play_game("cleo", "ana", "german", on=2))
    (folder / "season.yaml").write_text(SEASON + f'  - {{game: "{decided.ids[0][:8]}", {MOON}}}\n', "utf-8")
    secretary = Home(program, folder)
    secretary.type("club", "games", "--season", "season.yaml", "--out", "club")
    for path in folder.glob(".*"):
        path.unlink()
    shutil.rmtree(folder / "home", ignore_errors=True)


SEASON = """\
season: spring-2027
game: mortain
silence: 30d
day: "2027-03-01"
pairings:
  - {period: 1, seats: {german: ana, us: bo}}
  - {period: 2, seats: {german: bo, us: cleo}}
  - {period: 3, seats: {german: cleo, us: ana}}
decisions:
"""
MOON = 'result: us, reason: "Bo has moved to the moon."'


if __name__ == "__main__":
    make(sys.argv[1])
