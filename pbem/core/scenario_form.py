"""A form in which a player makes a scenario of his own, for a game whose scenarios people make every day.

A game's view declares its fields, which are texts, and how they become a scenario's data and come from it.
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

    A choice is a value with its label. Fields of one `group` stand together; where all are empty the page
    shows the group only when the player wants one more.
    """

    name: str
    label: str
    kind: Literal["line", "lines", "choice"] = "line"
    example: str = ""
    group: str = ""
    choices: tuple[tuple[str, str], ...] = ()


FieldProblem: TypeAlias = tuple[str, Said]
"""What is wrong in a field, by its name."""


class ScenarioForm(Struct, frozen=True):
    """The form: its `fields` in the player's language, and the way from and to a scenario's data.

    `fill` gives the texts of the fields for a scenario; `read` the scenario that texts describe, with what
    cannot be read of them; `field_of` the field of such texts in which a fault lies, from its path, such as
    `scenario.sides[0]`.
    """

    fields: Callable[[], Sequence[FormField]]
    fill: Callable[[Plain], Mapping[str, str]]
    read: Callable[[Mapping[str, str]], tuple[Plain, Sequence[FieldProblem]]]
    field_of: Callable[[str, Mapping[str, str]], str]
