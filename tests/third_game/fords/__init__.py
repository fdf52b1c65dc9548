"""Three Fords: its rules, as `RULES`. See RULES.md for what they say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from operator import attrgetter

import yaml

from fords import rules
from fords.rules import FACES, NORTH, SOUTH, VERBS, State
from pbem.core.requests import Orders, Plain, Question
from pbem.core.rules import Rules
from pbem.errors import FileError


def scenario(name: str) -> Plain:
    """The data of the scenario."""
    return yaml.safe_load(scenario_text(name))


def scenario_text(name: str) -> str:
    """The scenario's file."""
    return (files("fords") / "fords.yaml").read_text("utf-8")


def begin(options: Mapping[str, Plain], scenario: Plain) -> State:
    """The state before the first step."""
    if options.keys() != {"turns", "rafts"} or not all(
        isinstance(options[name], int) and 1 <= options[name] <= 99 for name in ("turns", "rafts")
    ):
        raise FileError("expected turns and rafts, each from 1 to 99", where="options")
    if faults := check_scenario(scenario):
        raise FileError(faults[0])
    fords, faces = scenario["fords"], tuple(scenario["repelled_by"])
    return State("choose", fords, faces, options["turns"], 1, options["rafts"])


def check_scenario(scenario: Plain) -> list[str]:
    """Everything wrong with a scenario."""
    if not isinstance(scenario, dict) or scenario.keys() != {"name", "fords", "repelled_by"}:
        return ["scenario: expected name, fords and repelled_by"]
    faults = []
    fords, faces = scenario["fords"], scenario["repelled_by"]
    if not isinstance(fords, dict) or not fords or not {"0102", "0202", "0302"} >= fords.keys():
        faults.append("scenario.fords: expected some of 0102, 0202, 0302, each with its name")
    if not isinstance(faces, list) or not all(face in FACES for face in faces):
        faults.append("scenario.repelled_by: expected faces of the die")
    return faults


def beats(options: Mapping[str, Plain], scenario: Plain) -> int:
    """Twice the most beats of one game: a throw a turn."""
    return int(2 * options["turns"])


def offers(ask: Question) -> Iterator[Orders]:
    """Every legal answer."""
    return ([{VERBS[ask.seat]: ford}] for ford in ask.state.fords)


RULES = Rules(
    name="fords",
    version=1,
    title="Three Fords",
    package=__name__,
    seats=(NORTH, SOUTH),
    editions={"standard": {"turns": 5, "rafts": 2}},
    scenarios=("fords",),
    sequence=rules.SEQUENCE,
    scenario=scenario,
    scenario_text=scenario_text,
    check_scenario=check_scenario,
    begin=begin,
    beats=beats,
    public=rules.public,
    outcome=attrgetter("outcome"),
    offers=offers,
)
