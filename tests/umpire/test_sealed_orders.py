"""FORMAT 8: sealed orders, honest and not, in a game that has them."""

from __future__ import annotations

import contextlib
import io
import random
from copy import deepcopy
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.app import run
from pbem.core.requests import Orders, Plain
from pbem.core.sealing import Open, Seal
from pbem.errors import FileError, NotYourMove, OrderError, PbemError, VerificationError
from pbem.format.canonical import canonical_form
from pbem.format.encrypted_boxes import box_key, close_box
from pbem.format.entries import ProposalTerms
from pbem.format.keys import PrivateKey
from pbem.games.rommel import RULES
from pbem.player.actions.proposals import moves_to_take_back, overlooked_losses, parse_takeback
from pbem.render.story import describe_own_seals
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.next_duty import next_duty
from pbem.umpire.sealed_orders import seal_contents, unopened_seals
from pbem.umpire.verify import open_game
from pbem.umpire.write import Claim, Person, Terms
from support.commanders_game import forge_file, practice_orders
from support.simulator import entropy, log_of
from support.transcripts import write_key

KEYS = {"allied": PrivateKey(sha256(b"Monty").digest()), "axis": PrivateKey(sha256(b"Rommel").digest())}
OPTIONS: dict[str, Plain] = {**RULES.editions["nac"], "turns": 1}


def turn(game: Game, orders: Orders | None = None) -> Game:
    """One play of the seat that writes next."""
    return write.play(game, KEYS[game.state.writer or ""], orders, entropy=entropy("salt"))


@cache
def game_before_sealing() -> Game:
    """The Axis is asked for the placement that it seals."""
    terms = Terms(RULES, OPTIONS, "alamein")
    game = write.offer(Person("Rommel", KEYS["axis"]), "axis", terms, entropy("axis"))
    game = write.accept(game, Person("Monty", KEYS["allied"]), entropy("allied"))
    game = turn(game, practice_orders(game))
    assert isinstance(game.state.pending_question, Seal)
    return game


@cache
def sealed() -> Game:
    """The Axis has sealed; the Allied is asked."""
    return turn(game_before_sealing(), practice_orders(game_before_sealing()))


@cache
def game_before_opening() -> Game:
    """The Allied has placed openly, and the Axis has to open."""
    game = turn(sealed(), practice_orders(sealed()))
    assert isinstance(game.state.pending_question, Open)
    return game


def appended(game: Game, orders: Orders) -> bytes:
    """The file with one more play of the Axis; its position is taken from honest play."""
    honest = turn(game, None if isinstance(game.state.pending_question, Open) else practice_orders(game))
    raw: dict[str, Any] = {**log_of(honest)[-1], "orders": orders}
    return forge_file([*log_of(game), raw])


def opening() -> dict[str, Any]:
    """What an honest Axis opens: salt and orders."""
    [order] = log_of(turn(game_before_opening()))[-1]["orders"]
    content: dict[str, Any] = order["open"]
    return content


class TestTwoComputers:
    """FORMAT 6: an opening follows from log and key, so each of its player's computers writes the same."""

    def test_an_opening_has_no_clock(self) -> None:
        one, other = (
            write.play(game_before_opening(), KEYS["axis"], claim=Claim(at=at))
            for at in ("2026-08-05T08:00:00Z", "2026-08-06T21:15:30Z")
        )
        assert one.ids == other.ids
        assert "at" not in one.entries[-1].raw


class TestHonest:
    """The program seals and opens by itself, and everybody can check it."""

    def test_file_shows_the_seal_alone(self) -> None:
        [order] = log_of(sealed())[-1]["orders"]
        assert order.keys() == {"seal", "box"}
        hidden = opening()["orders"][0]["place"]
        shown = RULES.public(sealed().state.run.state)
        assert shown["seal"] == order["seal"]
        assert all(shown["units"][name]["at"] == "unplaced" for name in hidden if name in shown["units"])

    def test_opens_from_key_and_file_alone(self) -> None:
        lost_computer = open_game(write.to_bytes(game_before_opening(), {}, ""))
        game = turn(lost_computer)
        assert open_game(write.to_bytes(game, {}, "")).ids == game.ids
        assert game.state.run.state.seal is None
        assert game.state.openings == [len(game.entries) - 1]

    def test_salt_is_fresh(self) -> None:
        game = game_before_sealing()
        orders = practice_orders(game)
        seals = [write.play(game, KEYS["axis"], orders).entries[-1].raw["orders"] for _ in range(2)]
        assert seals[0] != seals[1]

    def test_seal_is_the_hash_of_format_8(self) -> None:
        content, game = opening(), sealed().offer.game
        told = b"pbem/1 seal\n" + f"{game}\naxis\n".encode() + bytes.fromhex(content["salt"])
        seal = log_of(sealed())[-1]["orders"][0]["seal"]
        assert seal == sha256(told + canonical_form(content["orders"])).hexdigest()

    def test_maker_can_read_what_he_sealed(self) -> None:
        [(seat, seal)] = unopened_seals(sealed(), KEYS["axis"])
        assert seal_contents(sealed(), KEYS["axis"], seat, seal) == opening()
        assert unopened_seals(sealed(), KEYS["allied"]) == []
        assert unopened_seals(turn(game_before_opening()), KEYS["axis"]) == []

    def test_a_take_back_names_them_in_words(self) -> None:
        game, key = turn(game_before_opening()), KEYS["axis"]
        with pytest.raises(PbemError, match=r"seals its orders as .*opens its sealed orders") as refused:
            parse_takeback(game, key, "nothing")
        assert "{" not in str(refused.value)
        (_, opened), (_, hidden), *_ = moves_to_take_back(game, key)
        assert opened.startswith("opens its sealed orders: place ")
        assert hidden.startswith("seals its orders as ")

    def test_what_a_take_back_undoes_besides(self) -> None:
        """All moves after the entry but the proposer's last, and what was seen when orders were opened."""
        game, names = turn(game_before_opening()), {"axis": "Axis", "allied": "Allies"}
        written = [(one["n"], one["by"]) for one in log_of(game) if "orders" in one and one["n"] > 2]
        last = max(n for n, by in written if by == "axis")
        *told, opened = overlooked_losses(game, ["axis"], ProposalTerms(takeback=2))
        others = [f"this also takes back entry {n} of the {names[by]}" for n, by in written if n != last]
        assert {line.split()[-1] for line in others} == {"Axis", "Allies"}
        assert [line.partition(": ")[0] for line in told] == others
        assert opened == f"entry {game.state.openings[0]} opened sealed orders: what was seen stays seen"
        assert overlooked_losses(game, ["axis"], ProposalTerms(takeback=len(game.entries))) == ()

    def test_opening_is_no_decision(self) -> None:
        assert next_duty(game_before_opening().state).what == "opening"
        assert permissions.has_forced_entry(game_before_opening(), KEYS["axis"])
        assert not permissions.has_forced_entry(game_before_opening(), KEYS["allied"])
        assert not permissions.has_forced_entry(sealed(), KEYS["allied"])


class TestRefusedAtHome:
    """What the program does not sign."""

    def test_illegal_placement(self) -> None:
        with pytest.raises(OrderError, match=r"R2\.2"):
            turn(game_before_sealing(), [{"place": {"125Inf": "2906"}}])

    def test_other_orders_at_the_opening(self) -> None:
        with pytest.raises(NotYourMove, match="already sealed orders"):
            turn(game_before_opening(), practice_orders(game_before_sealing()))

    def test_without_the_box(self) -> None:
        log = log_of(game_before_opening())
        raw = next(raw for raw in log if "seal" in raw.get("orders", [{}])[0])
        del raw["orders"][0]["box"]
        game = open_game(forge_file(log))
        with pytest.raises(FileError, match="no sealed message"):
            turn(game)


def boxed(content: bytes | None, name: str = "axis") -> Game:
    """The sealed game with another box: of any content, under the key of either; or with none."""
    log = log_of(sealed())
    [order] = log[-1]["orders"]
    del order["box"]
    if content is not None:
        game = sealed().offer.game
        key = box_key(KEYS[name], bytes.fromhex(sealed().seats["axis"].nonce), game, "axis")
        order["box"] = close_box(key, order["seal"], content)
    return open_game(forge_file(log))


SALT = "00" * 32
STRANGE = {
    "no sealed message": (None, "the file has no sealed message for them"),
    "no JSON": (b"{", "line 2, column 1"),
    "no text": (b"\xff\xfe", "is not UTF-8 text"),
    "nothing": (b"", "the file is empty"),
    "a list": (b"[]", "does not contain what was sealed"),
    "no salt": (b'{"orders":[]}', "does not contain what was sealed"),
    "a salt that is a number": (b'{"orders":[],"salt":5}', "does not contain what was sealed"),
    "a salt in capitals": (
        canonical_form({"orders": [], "salt": "AA" * 32}),
        "does not contain what was sealed",
    ),
    "orders that are none": (
        canonical_form({"orders": {}, "salt": SALT}),
        "does not contain what was sealed",
    ),
    "one key more": (
        canonical_form({"orders": [], "salt": SALT, "x": 1}),
        "does not contain what was sealed",
    ),
    "other orders": (
        canonical_form({"orders": [{"pass": True}], "salt": SALT}),
        "does not contain what was sealed",
    ),
    "a number too long": (
        b'{"orders":[' + b"9" * 5000 + b'],"salt":"' + SALT.encode() + b'"}',
        "needs quotes",
    ),
    "a number with a point": (b'{"orders":[1.5],"salt":"' + SALT.encode() + b'"}', "needs quotes"),
    "deep nesting": (b"[" * 40_000, "there are more than 16 levels, the most allowed"),
}


class TestStrangeBoxes:
    """A box binds nobody (FORMAT 8): whatever is in it, the game verifies and one line says what is wrong."""

    @pytest.mark.parametrize("name", STRANGE)
    def test_told_in_one_line(self, name: str) -> None:
        content, problem = STRANGE[name]
        game = boxed(content)
        [line] = describe_own_seals(game, KEYS["axis"])
        assert " ".join(line.split()).startswith(
            f"Sealed by you: the orders sealed as {game.state.run.state.seal} cannot be opened from this"
        )
        assert problem in " ".join(line.split())

    def test_box_under_another_key(self) -> None:
        [line] = describe_own_seals(boxed(canonical_form(opening()), "allied"), KEYS["axis"])
        assert "this key does not open the sealed message" in " ".join(line.split())

    def test_box_too_short_for_a_nonce(self) -> None:
        log = log_of(sealed())
        log[-1]["orders"][0]["box"] = "AAAA"
        [line] = describe_own_seals(open_game(forge_file(log)), KEYS["axis"])
        assert "this key does not open the sealed message" in " ".join(line.split())

    def test_the_move_says_so_too(self) -> None:
        game = boxed(b"[]")
        game = turn(game, practice_orders(game))
        with pytest.raises(
            FileError, match="cannot be opened from this file: the sealed message does not contain"
        ):
            turn(game)

    def test_show_goes_on(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write_key(tmp_path / "home" / "key", "Rommel")
        (tmp_path / "game.yaml").write_bytes(write.to_bytes(boxed(b"{"), {}, ""))
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("PBEM_HOME", "home")
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            assert run(["show", "game.yaml"]) == 0
        assert "Sealed by you: the orders sealed as" in printed.getvalue()
        assert "Next: the Allies" in printed.getvalue()


def changed(**changes: Any) -> Orders:
    """The honest opening with something else in it."""
    return [{"open": {**opening(), **changes}}]


def moved(name: str, at: str) -> Orders:
    """The honest opening with one counter elsewhere."""
    orders: Orders = deepcopy(opening()["orders"])
    orders[0]["place"][name] = at
    return orders


class TestCheats:
    """What a cheating Axis, whose links and signatures are in order, may try."""

    @pytest.mark.parametrize(
        ("step", "orders"),
        [
            (9, lambda: changed(salt="00" * 32)),
            (9, lambda: changed(orders=list(reversed([*opening()["orders"], {"aa": "hold"}])))),
            (9, lambda: changed(orders=choose_again())),
            (7, lambda: changed(salt="00" * 31)),
            (7, lambda: changed(salt=opening()["salt"].upper())),
            (7, lambda: changed(orders={"place": {}})),
            (7, lambda: [{"open": {"salt": opening()["salt"]}}]),
            (7, lambda: [{"open": {**opening(), "more": 1}}]),
            (7, lambda: [*changed(), {"pass": True}]),
            (7, lambda: opening()["orders"]),
            (7, lambda: [{"seal": "00" * 32}]),
        ],
    )
    def test_opening(self, step: int, orders: Any) -> None:
        with pytest.raises(VerificationError) as failure:
            open_game(appended(game_before_opening(), orders()))
        assert failure.value.step == step
        assert failure.value.entry == len(game_before_opening().entries)

    @pytest.mark.parametrize(
        "order",
        [
            {"seal": "00" * 31},
            {"seal": "0G" * 32},
            {"seal": 5},
            {"box": "AAAA"},
            {"seal": "00" * 32, "box": "AAA"},
            {"seal": "00" * 32, "box": "AAB="},
            {"seal": "00" * 32, "box": ""},
            {"seal": "00" * 32, "box": 1},
            {"seal": "00" * 32, "more": True},
            {"place": {"125Inf": "1605"}},
        ],
    )
    def test_seal_of_a_wrong_form(self, order: dict[str, Plain]) -> None:
        with pytest.raises(VerificationError, match=r"R10\.1") as failure:
            open_game(appended(game_before_sealing(), [order]))
        assert failure.value.step == 7

    def test_box_may_be_absent_and_binds_nobody(self) -> None:
        for box in ({}, {"box": "AAAA"}):
            order = {"seal": "00" * 32, **box}
            game = write.to_bytes(game_before_sealing(), {}, "")
            assert open_game(game)
            with pytest.raises(VerificationError) as failure:
                open_game(appended(game_before_sealing(), [order]))
            assert failure.value.step == 8  # the position still tells another seal

    def test_sealed_illegal_placement_cannot_be_opened(self) -> None:
        """R2.2: an opening that fits its seal and breaks a rule leaves its owner only to resign."""
        orders = moved("125Inf", "2906")
        salt = opening()["salt"]
        told = b"pbem/1 seal\n" + f"{sealed().offer.game}\naxis\n".encode() + bytes.fromhex(salt)
        seal = sha256(told + canonical_form(orders)).hexdigest()
        start = game_before_sealing()
        twin = start.state.fork()
        twin.apply_orders("axis", [{"seal": seal}])
        raw = {**log_of(sealed())[-1], "orders": [{"seal": seal}], "position": twin.position_digest()}
        game = open_game(forge_file([*log_of(start), raw]))
        game = turn(game, practice_orders(game))
        with pytest.raises(VerificationError, match=r"R2\.2") as failure:
            open_game(appended_raw(game, [{"open": {"salt": salt, "orders": orders}}]))
        assert failure.value.step == 7
        assert open_game(write.to_bytes(write.resign(game, KEYS["axis"]), {}, "")).state.ending


def choose_again() -> Orders:
    """Another legal placement than the one that was sealed."""
    asked = game_before_sealing().state.pending_question
    assert asked is not None
    orders = RULES.players["random"](asked, random.Random(2))
    assert orders != opening()["orders"]
    return orders


def appended_raw(game: Game, orders: Orders) -> bytes:
    """The file with one more play of the Axis, position left out."""
    raw = {"n": len(game.entries), "by": "axis", "kind": "play", "orders": orders, "position": "00" * 32}
    return forge_file([*log_of(game), raw])
