"""A form for a player's own scenario, for games whose players make scenarios all the time.

A game's view declares its fields, which are texts, and how to convert them to a scenario's data and back.
Pages show the form and know no game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from pbem.core.requests import Plain
from pbem.messages import Said


class FormField(Struct, frozen=True):
    """A field of the form: its name, its label, an example, and a line, several lines, or one of `choices`.

    A choice is a value with its label. Fields of one `group` are shown together; if all are empty, the page
    shows the group only when the player asks for another one.
    """

    name: str
    label: str
    kind: Literal["line", "lines", "choice"] = "line"
    example: str = ""
    group: str = ""
    choices: tuple[tuple[str, str], ...] = ()


FieldProblem: TypeAlias = tuple[str, Said]
"""The name of a field, and its fault."""


class ScenarioForm(Struct, frozen=True):
    """The form: its `fields` in the player's language, and the conversions to and from a scenario's data.

    `fill` gives the texts of the fields for a scenario; `read` gives the scenario that texts describe, with
    the faults of those it cannot read; `field_of` gives the field that contains a fault, from the texts and
    the path of the fault, such as `scenario.sides[0]`.
    """

    fields: Callable[[], Sequence[FormField]]
    fill: Callable[[Plain], Mapping[str, str]]
    read: Callable[[Mapping[str, str]], tuple[Plain, Sequence[FieldProblem]]]
    field_of: Callable[[str, Mapping[str, str]], str]
