"""Three Fords: its rules, as `RULES`. See RULES.md for what they say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files

import yaml

from fords import first, rules
from fords.rules import FACES, NORTH, SOUTH, VERBS, State
from pbem.core.requests import Orders, Plain, Question
from pbem.core.rules import Rules
from pbem.errors import FileError
from pbem.messages import Messages, Said

tr = Messages("fords")


class Scenarios:
    """The one that ships, and what a player's own must be like."""

    names = ("fords",)

    def data(self, name: str) -> Plain:
        """Its data."""
        return yaml.safe_load(self.text(name))

    def text(self, name: str) -> str:
        """Its file."""
        return (files("fords") / f"{name}.yaml").read_text("utf-8")

    def check(self, data: Plain) -> list[Said]:
        """Everything wrong with a scenario."""
        if not isinstance(data, dict) or data.keys() != {"name", "fords", "repelled_by"}:
            return [tr("scenario: expected name, fords and repelled_by")]
        faults: list[Said] = []
        fords, faces = data["fords"], data["repelled_by"]
        if not isinstance(fords, dict) or not fords or not {"0102", "0202", "0302"} >= fords.keys():
            faults.append(tr("scenario.fords: expected some of 0102, 0202, 0302, each with its name"))
        if not isinstance(faces, list) or not all(face in FACES for face in faces):
            faults.append(tr("scenario.repelled_by: expected faces of the die"))
        return faults


def begin(options: Mapping[str, Plain], scenario: Plain) -> State:
    """The state before the first step."""
    if options.keys() != {"turns", "rafts"} or not all(
        isinstance(options[name], int) and 1 <= options[name] <= 99 for name in ("turns", "rafts")
    ):
        raise FileError(tr("expected turns and rafts, each from 1 to 99"), where="options")
    if faults := Scenarios().check(scenario):
        raise FileError(faults[0])
    fords, faces = scenario["fords"], tuple(scenario["repelled_by"])
    return State("choose", fords, faces, options["turns"], 1, options["rafts"])


def beats(options: Mapping[str, Plain], scenario: Plain) -> int:
    """Twice the most beats of one game: a throw a turn."""
    return int(2 * options["turns"])


def offers(ask: Question) -> Iterator[Orders]:
    """Every legal answer."""
    yield from ([{VERBS[ask.seat]: ford}] for ford in ask.state.fords)
    if ask.question == "guard" and not ask.state.dug:
        yield from ([{"dig": ford}] for ford in ask.state.fords)


RULES = Rules(
    name="fords",
    version=2,
    title="Three Fords",
    package=__name__,
    seats=(NORTH, SOUTH),
    editions={"standard": {"turns": 5, "rafts": 2}},
    scenarios=Scenarios(),
    sequence=rules.SEQUENCE,
    begin=begin,
    beats=beats,
    public=rules.public,
    offers=offers,
    earlier={1: first.version},
)
