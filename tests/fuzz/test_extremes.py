"""Every number, length and name that a stranger or a player writes, at its extremes: an answer, at once.

Each value of each kind of document is put to each extreme, signed again where that is possible, so that later
steps are reached, and judged by the clock of `fuzz.clock`; some go through each command that reads them, in a
process of its own with a limit of processor time. Some are tried every day, more with PBEM_LONG=1, and all
with PBEM_EXTREMES=1000000.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from copy import deepcopy
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from fuzz.clock import Clock, run_clocked
from fuzz.walker import Mutant, mutants, written
from pbem.base.language import configured_language
from pbem.club.people import read_members
from pbem.club.season import read_season
from pbem.core.rules import Rules
from pbem.errors import PbemError, VerificationError
from pbem.format.canonical import canonical_form, digest
from pbem.format.document import draft_bytes, parse_draft
from pbem.format.yaml_reader import parse_yaml
from pbem.games import load
from pbem.mail.settings import parse_config
from pbem.player.actions.parse_action import _BETWEEN
from pbem.player.store.game_file import game_file_bytes as file_with_its_head
from pbem.render.story import game_as_data, story, summary
from pbem.umpire import write
from pbem.umpire.commander_signatures import part_message as part_message
from pbem.umpire.drafts import CommanderSeat, orders_within_command, verify_draft
from pbem.umpire.drafts import sign_draft as sign_draft
from pbem.umpire.log_segment import join_segment, segment_after
from pbem.umpire.offered_scenario import scenario_faults
from pbem.umpire.verify import open_game, parse_file, parse_log
from pbem.umpire.write import Person, Terms
from support import commanders_game
from support.club_games import public_key
from support.game_stages import game_with_every_kind
from support.markers import LONG, Posix, requires
from support.simulator import Log, entropy, file_of, link_log, log_of, mailed_file

AMOUNT = int(os.environ.get("PBEM_EXTREMES", "300" if LONG else "25"))
"""How many mutants of each kind of document are tried, at most."""

SLOW = 2.0
"""Seconds of processor time that none of them may take: the longest have 100,000 values."""

SECONDS = 5
"""Processor time for a command."""

Judge: TypeAlias = Callable[[bytes], object]
Kind: TypeAlias = tuple[Callable[[], dict[str, Any]], Callable[[Mutant], Iterator[bytes]], Judge]
"""A document; the files that are made of a mutant, such as one signed anew; how these are judged."""


# The documents


def game() -> dict[str, Any]:
    """A game of Mortain with every kind of entry."""
    return {"pbem": 1, "status": {"turn": 1}, "board": "x\n", "log": log_of(game_with_every_kind())}


def shared_game() -> dict[str, Any]:
    """A game of Rommel with commanders, parts of theirs, seals and openings."""
    return {"pbem": 1, "log": log_of(commanders_game.game_with_parts())}


def terms(rules: Rules, *, own: bool) -> dict[str, Any]:
    """An offer of these rules, with a scenario of the offerer's own."""
    name = rules.scenarios.names[0]
    data = {**rules.scenarios.data(name), "name": "postcard"} if own else None
    agreed = Terms(rules, dict(next(iter(rules.editions.values()))), "postcard" if own else name, data)
    person = Person("Gerda", _key(rules.seats[0]))
    return {"pbem": 1, "log": log_of(write.offer(person, rules.seats[0], agreed, entropy("terms")))}


def a_part() -> dict[str, Any]:
    """The last entries of a game (FORMAT 10)."""
    return _read(segment_after(game_with_every_kind(), 3))


def a_draft() -> dict[str, Any]:
    """The orders of a commander (FORMAT 11)."""
    state = commanders_game.game_before_move()
    orders = orders_within_command(state, CommanderSeat("axis", 0), commanders_game.practice_orders(state))
    return _read(
        draft_bytes(sign_draft(state, commanders_game.KEYS["italian"], CommanderSeat("axis", 0), orders[:3]))
    )


def members() -> dict[str, Any]:
    """A club's people."""
    return {
        "language": "en",
        "members": [{"name": name, "keys": [public_key(name)]} for name in ("Anna", "Bruno")],
    }


def season() -> dict[str, Any]:
    """Who plays whom."""
    seats = [{"german": "Anna", "us": "Bruno"}, {"german": "Bruno", "us": "Anna"}]
    pairings = [{"period": n + 1, "seats": one, "game": "0a" * 4} for n, one in enumerate(seats)]
    decisions = [{"game": "0a" * 4, "result": "us", "reason": "Bruno has left"}]
    said = {"silence": "30d", "day": "2027-06-30", "decisions": decisions}
    return {"season": "Spring", "game": "mortain", "edition": "it", "pairings": pairings} | said


def settings() -> dict[str, Any]:
    """A player's `config.yaml`."""
    server = {
        "host": "mail.example.org",
        "port": 993,
        "security": "tls",
        "user": "anna",
        "password_command": ["x"],
    }
    mail = {"address": "anna@example.org", "name": "Anna", "imap": server, "smtp": server, "maildir": "/mail"}
    return {"lang": "en", "mail": mail | {"folder": "INBOX", "sent_copy": True, "resend_after": "36h"}}


# What is made of a mutant


def plainly(mutant: Mutant) -> Iterator[bytes]:
    """As it stands."""
    yield written(mutant.value())


def signed(mutant: Mutant, *, key: Callable[[str], Any]) -> Iterator[bytes]:
    """As it stands; signed; linked and signed. Terms that were changed get the beats and digest of these."""
    value = mutant.value()
    yield written(value)
    log = value.get("log")
    if not (isinstance(log, list) and log and all(isinstance(raw, dict) for raw in log)) or len(log) > 100:
        return
    try:
        _agree(log[0])
        yield written(value | {"log": _signed(log, key)})
        if "after" not in value:
            yield written(value | {"log": _signed(link_log(log), key)})
    except (PbemError, TypeError):  # what is no plain data, or names no seat, can be signed by nobody
        return


def signed_draft(mutant: Mutant) -> Iterator[bytes]:
    """A draft as it stands, and signed."""
    value = mutant.value()
    yield written(value)
    try:
        after, one = value["after"], value["part"]
        signing = part_message(after["game"], after["id"], one["seat"], one["by"], one["orders"])
        one["sig"] = commanders_game.KEYS["italian"].sign(signing)
    except (PbemError, TypeError, KeyError):
        return
    yield written(value)


def _signed(log: Log, key: Callable[[str], Any]) -> Log:
    for raw in log:
        message = b"pbem/1 entry\n" + canonical_form(
            {name: one for name, one in raw.items() if name != "sig"}
        )
        raw["sig"] = key(raw.get("by", "")).sign(message)
    return log


def _agree(offer: dict[str, Any]) -> None:
    """Put into an offer what follows from its terms."""
    scenario = offer.get("scenario")
    if isinstance(scenario, dict) and "data" in scenario:
        scenario["sha256"] = digest(scenario["data"])
    if isinstance(name := offer.get("rules"), str) and "/" in name and isinstance(offer.get("options"), dict):
        with suppress(PbemError, KeyError):
            offer["beats"] = load(name).beats(offer["options"], None)


def _key(seat: str) -> Any:
    from support.simulator import KEYS, STRANGER

    return KEYS.get(seat, STRANGER) if isinstance(seat, str) else STRANGER


def _shared_key(seat: str) -> Any:
    return (
        commanders_game.KEYS.get(seat, commanders_game.KEYS["axis"])
        if isinstance(seat, str)
        else commanders_game.KEYS["axis"]
    )


# How they are judged


def shown(data: bytes) -> None:
    """All that `verify` and `show` make of a game."""
    found = open_game(data)
    summary(found, None)
    story(found, None)
    game_as_data(found)
    file_with_its_head(found)


def put_behind(data: bytes) -> None:
    """What a reader makes of a part of a log."""
    open_game(
        file_of(
            [
                entry.raw
                for entry in join_segment(parse_file(data), parse_log(mailed_file(game_with_every_kind())))
            ]
        )
    )


def given(data: bytes) -> None:
    """What a lead makes of a draft."""
    verify_draft(
        commanders_game.game_before_move(), commanders_game.game_before_move().state, parse_draft(data)
    )


def own_scenario(name: str, data: bytes) -> None:
    """What `pbem scenario check` and `new` make of a file."""
    if wrong := scenario_faults(parse_yaml(data), load(name)):
        assert len("\n".join(map(str, wrong))) < 10**7


def set_up(data: bytes) -> None:
    """What a command makes of the settings."""
    if mail := parse_config(parse_yaml(data), "config.yaml").mail:
        assert mail.silence is None or mail.silence.days < 1_000


def _read(data: bytes) -> dict[str, Any]:
    value = parse_yaml(data)
    assert isinstance(value, dict)
    return value


@cache
def scenario(name: str) -> dict[str, Any]:
    rules = load(name)
    found = rules.scenarios.data(rules.scenarios.names[0])
    assert isinstance(found, dict)
    return {**found, "name": "postcard"}


BY_SEAT = partial(signed, key=_key)
BY_SHARED_SEAT = partial(signed, key=_shared_key)
KINDS: dict[str, Kind] = {
    "game": (game, BY_SEAT, shown),
    "shared game": (shared_game, BY_SHARED_SEAT, shown),
    "offer of Mortain": (partial(terms, load("mortain"), own=True), BY_SEAT, shown),
    "offer of Rommel": (partial(terms, load("rommel"), own=True), BY_SEAT, shown),
    "part": (a_part, BY_SEAT, put_behind),
    "draft": (a_draft, signed_draft, given),
    "scenario of Mortain": (partial(scenario, "mortain"), plainly, partial(own_scenario, "mortain")),
    "scenario of Rommel": (partial(scenario, "rommel"), plainly, partial(own_scenario, "rommel")),
    "members": (members, plainly, read_members),
    "season": (season, plainly, read_season),
    "settings": (settings, plainly, set_up),
}


def judge_or_refuse(judge: Judge, data: bytes) -> str:
    """The words of a refusal; empty for what is judged good. No other exception is any answer."""
    try:
        judge(data)
    except PbemError as error:
        words = str(error)
        assert words.isprintable()
        assert len(words) < 1_000, words[:200]
        return words
    return ""


def picked(all_of_them: Iterable[Mutant], most: int = AMOUNT) -> list[Mutant]:
    """At most so many mutants, from all over the document."""
    found = list(all_of_them)
    return found[:: -(-len(found) // most)]


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_an_extreme_is_judged_at_once(kind: str, tmp_path: Path) -> None:
    make, made_of, judge = KINDS[kind]

    def work(clock: Clock) -> tuple[int, int]:
        tried = good = 0
        for mutant in picked(mutants(make())):
            for data in made_of(mutant):
                good += not clock.judge(data, partial(judge_or_refuse, judge, data), mutant.label)
                tried += 1
        return tried, good

    tried, good = run_clocked(tmp_path / "mutants", work, floor=SLOW)
    assert tried > 20, "the walker finds what it walks on"
    assert good < tried


# What was found so


def misnumbered(folder: Path) -> None:
    """A game of one entry, by a stranger, which is numbered 2^53 - 1."""
    log = log_of(game_with_every_kind())[:1]
    with pytest.raises(VerificationError) as caught:
        open_game(file_of([log[0] | {"n": 2**53 - 1}]))
    assert str(caught.value.told) == (
        "entries 0 to 9007199254740990 are missing from this file: ask for it again"
    )


def many_blocks(folder: Path) -> None:
    """60,000 blocks of the whole map: 72 million hexes, of which there are 1,200."""
    data = deepcopy(scenario("rommel"))
    data["map"] |= {"columns": [1, 40], "rows": [1, 30]}
    data["map"]["land"]["blocks"] = [["0101", "4030"]] * 60_000
    assert scenario_faults(data, load("rommel")) == []


def many_sources(folder: Path) -> None:
    """A scenario of 30,000 sources whose map names none of them."""
    data = deepcopy(scenario("rommel"))
    data["sources"] = {f"s{number}": "x" for number in range(30_000)}
    assert max(len(str(one)) for one in scenario_faults(data, load("rommel"))) < 200


def wide_map(folder: Path) -> None:
    """A map of 40 columns, the most that a scenario may have: no line of 78 characters holds it."""
    rules = load("rommel")
    data = deepcopy(scenario("rommel"))
    data["map"]["columns"] = [1, 40]
    options = dict(next(iter(rules.editions.values())))
    offered = write.offer(
        Person("Anna", _key("axis")), "axis", Terms(rules, options, "postcard", data), os.urandom
    )
    shown(file_of(log_of(offered)))
    assert " 39" in file_with_its_head(offered).decode()


def blanks_behind_a_language(folder: Path) -> None:
    """A line of `config.yaml` that every command looks at."""
    (folder / "config.yaml").write_text(f"lang: es{' ' * 100_000}x\n")
    assert configured_language(folder).startswith("es")
    (folder / "config.yaml").write_text("lang: 'es'   # mine\n")
    assert configured_language(folder) == "es"


def blanks_between_orders(folder: Path) -> None:
    """Orders in an answer, far apart."""
    assert _BETWEEN.split(f"a{' ' * 20_000}b") == [f"a{' ' * 20_000}b"]
    assert _BETWEEN.split("a  and  b, c") == ["a", "b", "c"]


FOUND = [
    misnumbered,
    many_blocks,
    many_sources,
    wide_map,
    blanks_behind_a_language,
    blanks_between_orders,
]


@pytest.mark.parametrize("found", FOUND)
def test_what_hung_or_crashed_is_judged_at_once(found: Callable[[Path], None], tmp_path: Path) -> None:
    run_clocked(tmp_path / "mutants", lambda clock: clock.judge(b"", partial(found, tmp_path)), floor=SLOW)


# Through the commands


PROGRAM = f"""
import resource
resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS} + 1))
from pbem.cli.app import main
main()
"""

EACH = 60 if LONG else 1
"""How many mutants of a kind go through each command that reads it."""

COMMANDS: list[tuple[str, str]] = [
    ("game", "verify {file}"),
    ("game", "show {file} --json"),
    ("game", "log {file}"),
    ("game", "page {file} -o out.html"),
    ("game", "picture {file} -o out.svg"),
    ("game", "moves {file}"),
    ("game", "mail fetch --from {file}"),
    ("game", "club {file}"),
    ("shared game", "show {file} --whole"),
    ("shared game", "verify {file}"),
    ("offer of Mortain", "join {file} --name Bruno --yes"),
    ("offer of Rommel", "join {file} --name Bruno --yes"),
    ("offer of Rommel", "scenario compare {file}"),
    ("part", "mail fetch --from {file}"),
    ("part", "verify {file}"),
    ("draft", "mail fetch --from {file}"),
    ("draft", "move {file}"),
    ("scenario of Mortain", "scenario check {file} --game mortain"),
    ("scenario of Rommel", "scenario check {file} --game rommel"),
    ("scenario of Mortain", "new mortain out.yaml --seat german --scenario {file}"),
    ("scenario of Rommel", "new rommel out.yaml --seat axis --scenario {file}"),
    ("members", "club games --members {file}"),
    ("season", "club games --season {file}"),
    ("settings", "key"),
    ("settings", "mail fetch"),
    ("settings", "mail send games/game.yaml --to bruno@example.org --eml out.eml"),
]
"""A kind of document, and a command that reads one; the settings lie where every command looks."""


@requires(Posix.LIMITS)
@pytest.mark.parametrize(
    ("kind", "command"),
    [
        row if number % 5 == 0 else pytest.param(*row, marks=pytest.mark.thorough)
        for number, row in enumerate(COMMANDS)
    ],
)
def test_a_command_ends(kind: str, command: str, tmp_path: Path) -> None:
    """With an exit code that is documented, no traceback, and in `SECONDS` of processor time."""
    make, made_of, _ = KINDS[kind]
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "game.yaml").write_bytes(mailed_file(game_with_every_kind()))
    first = COMMANDS.index((kind, command))
    for number, mutant in enumerate(picked(list(mutants(make()))[first * 37 % 400 :], EACH)):
        *_, data = made_of(mutant)
        home = tmp_path / f"home-{number}"
        home.mkdir()
        file = (home / "config.yaml") if kind == "settings" else tmp_path / f"{number}.yaml"
        file.write_bytes(data)
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *command.format(file=file).split()],
            env=os.environ | {"PBEM_HOME": str(home)},
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        told = f"{mutant.label}: {file}: {done.stderr.decode()[-800:]}"
        assert 0 <= done.returncode <= 5, told
        assert b"Traceback" not in done.stderr, told
        for out in ("out.yaml", "out.html", "out.svg", "out.eml"):
            (tmp_path / out).unlink(missing_ok=True)
