"""The scenarios of a game: the shipped ones, and players' own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

import msgspec

from pbem.base.validation import convert, quote_value
from pbem.core import shape
from pbem.core.requests import Plain
from pbem.core.shape import Problem, Struct
from pbem.core.shipped import FOLDER, data_of, text_of
from pbem.errors import FileError
from pbem.messages import Messages, Said, row

tr = Messages("pbem")


T = TypeVar("T", bound=Struct)


class Scenarios(msgspec.Struct, Generic[T], frozen=True):
    """The shipped scenarios by name, the default first; the Struct of their files; and further checks.

    `problems` yields the faults of a scenario of the right shape. A file is `folder/NAME.yaml` in the
    package, in the subset of YAML described in FORMAT 1.
    """

    package: str
    names: tuple[str, ...]
    kind: type[T]
    problems: Callable[[T], Iterator[Problem]] = lambda scenario: iter(())
    folder: str = FOLDER

    def text(self, name: str) -> str:
        """The YAML file of a shipped scenario. Raises `FileError` for an unknown name."""
        return text_of(self.package, self._check_name(name), self.folder)

    def data(self, name: str) -> Plain:
        """The data of a shipped scenario, copied for each call. Raises `FileError` for an unknown name."""
        return data_of(self.package, self._check_name(name), self.folder)

    def check(self, data: Plain) -> list[Said]:
        """All faults, each with its path: those of the shape or, if it is right, those `problems` finds."""
        scenario = self._try_convert(data)
        wrong = shape.problems(data, self.kind, "scenario") if scenario is None else self.problems(scenario)
        return [row((path, problem), ": ") for path, problem in wrong]

    def read(self, data: Plain) -> T:
        """The scenario in the data, checked for its shape only. Raises `FileError` for the first fault."""
        return convert(data, self.kind, "scenario")

    def look(self, scenario: T) -> None:
        """Check that a scenario can be played. Raises `FileError` with the path of the first fault."""
        for path, problem in self.problems(scenario):
            raise FileError(problem, where=path)

    def _check_name(self, name: str) -> str:
        if name not in self.names:
            names = ", ".join(self.names)
            problem = tr("must be one of {names}, not {found}", found=quote_value(name), names=names)
            raise FileError(problem, where="scenario.name")
        return name

    def _try_convert(self, data: Plain) -> T | None:
        """The scenario in the data, or None if the shape is wrong."""
        try:
            return msgspec.convert(data, self.kind)
        except msgspec.ValidationError:
            return None
