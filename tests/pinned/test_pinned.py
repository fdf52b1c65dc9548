"""No change of the rules without a new version: each version judges as it once did (see `pinning`).

Red here: the change belongs into a new version (CONTRIBUTING, "Change a rule"); the file pinned stays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pbem.core.requests import Plain
from pbem.core.rules import Rules, Sharing
from pbem.core.versions import versions
from pbem.errors import IllegalOrder
from pbem.games import all_versions
from pinned.make import departure, file_of, pins

OURS = [pin for name in ("mortain", "rommel") for pin in all_versions(name)]
THIRD = Path(__file__).parents[1] / "third_game"


@cache
def pinned(pin: str) -> dict[str, Plain]:
    """All that is pinned of a version."""
    found: dict[str, Plain] = msgspec.json.decode(file_of(pin).read_bytes())
    return found


@pytest.mark.parametrize("pin", OURS)
def test_every_version_judges_as_ever(pin: str) -> None:
    assert departure(all_versions(pin.partition("/")[0])[pin], pinned(pin)) == ""


def test_so_does_one_kept_in_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each version of the third game says what it said; neither says what the other does."""
    monkeypatch.syspath_prepend(THIRD)
    fords = versions(import_module("fords").RULES)
    for pin, rules in fords.items():
        for other in fords:
            assert (departure(rules, pinned(other)) == "") == (pin == other)


def test_what_is_pinned_is_much() -> None:
    """Games to their ends; orders that are refused under many rules, and some that are not."""
    for pin, rules in (("mortain/1", 15), ("rommel/1", 12)):
        games = pinned(pin)["games"]
        verdicts = [one for game in games for found in game["verdicts"].values() for one in found]
        assert all(game["outcome"] for game in games)
        assert len({one for one in verdicts if isinstance(one, str)}) >= rules
        assert sum(isinstance(one, list) for one in verdicts) > 100


def another_rule(module: Any, name: str, rule: str) -> Callable[[pytest.MonkeyPatch], None]:
    """A judge that refuses the same orders by a rule of another number."""
    judge = getattr(module, name)

    def renumbered(*arguments: Any) -> Any:
        try:
            return judge(*arguments)
        except IllegalOrder as refused:
            refused.rule = rule
            raise

    return lambda patch: patch.setattr(module, name, renumbered)


def mortain(module: str) -> Any:
    return import_module(f"pbem.games.mortain.{module}")


def rommel(module: str) -> Any:
    return import_module(f"pbem.games.rommel.{module}")


def stronger(patch: pytest.MonkeyPatch) -> None:
    """Suppression counts 2 (M6.4)."""
    combat = mortain("rules.fire")
    counted = combat.modifiers
    patch.setattr(
        combat,
        "modifiers",
        lambda *of: [(why, 2 if why == "suppressed" else number) for why, number in counted(*of)],
    )


CHANGES: dict[str, tuple[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "a modifier": ("mortain/1", stronger),
    "another number": ("mortain/1", another_rule(mortain("rules.activation"), "check_known", "M9.9")),
    "the order of cards": (
        "mortain/1",
        lambda patch: patch.setattr(mortain("terms.cards"), "DECK", mortain("terms.cards").DECK[::-1]),
    ),
    "more is allowed": (
        "mortain/1",
        lambda patch: patch.setattr(mortain("rules.activation"), "_unit_named_twice", lambda *of: None),
    ),
    "a shorter range": (
        "rommel/1",
        lambda patch: patch.setattr(rommel("rules.fire"), "_check_range", lambda *of: None),
    ),
    "fewer faces hit": (
        "rommel/1",
        lambda patch: patch.setattr(rommel("rules.fire"), "hitting_faces", lambda *of: (2,)),
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_the_code_is_seen(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pin, make = CHANGES[change]
    make(monkeypatch)
    assert departure(all_versions(pin.partition("/")[0])[pin], pinned(pin)) != ""


def asked_under_another_rule(rules: Rules) -> Rules:
    """The first question of Mortain has another number."""

    async def set_up(state: Any) -> Any:
        step = rules.sequence[state.step](state)
        answer = None
        while True:
            try:
                request = step.send(answer)
            except StopIteration as finished:
                return finished.value
            answer = await (replace(request, rule="M2.9") if request.rule == "M2.1" else request)

    return replace(rules, sequence={**rules.sequence, "set_up": set_up})


OTHERWISE: dict[str, Callable[[Rules], Rules]] = {
    "beats": lambda rules: replace(rules, beats=lambda *of: 2 * rules.beats(*of)),
    "a field of the position": lambda rules: replace(
        rules, public=lambda state: {**rules.public(state), "fog": 0}
    ),
    "the rule of a question": asked_under_another_rule,
    "groups": lambda rules: replace(rules, sharing=Sharing("M1", {"us": ("ss",)})),
    "a scenario": lambda rules: replace(rules, scenarios=Other(rules.scenarios)),
}


class Other:
    """Scenarios with one value changed."""

    def __init__(self, booklet: Any) -> None:
        self._booklet = booklet
        self.names = booklet.names

    def data(self, name: str) -> Plain:
        return {**self._booklet.data(name), "title": "Another"}


@pytest.mark.parametrize("change", OTHERWISE)
def test_a_change_of_what_is_signed_is_seen(change: str) -> None:
    rules = OTHERWISE[change](all_versions("mortain")["mortain/1"])
    assert departure(rules, pinned("mortain/1")) != ""


def test_what_is_no_rule_may_change() -> None:
    """Other offers, and another title."""
    rules = replace(all_versions("mortain")["mortain/1"], title="Mortain", offers=lambda ask: iter([]))
    assert departure(rules, pinned("mortain/1")) == ""


def test_a_new_version_is_pinned_by_the_same_means(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `python -m pinned.make` writes is what it finds."""
    monkeypatch.syspath_prepend(THIRD)
    rules = import_module("fords").RULES
    assert departure(rules, msgspec.json.decode(msgspec.json.encode(pins(rules)))) == ""
