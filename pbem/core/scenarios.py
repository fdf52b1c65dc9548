"""The scenarios of a game, those that ship and a player's own; and other data that its package ships.

A game ships data in a folder of its package: YAML with comments for people, and the same as JSON. Where the
JSON is there, it is read, which takes no time; a test holds that it says what the YAML says. Without it the
YAML is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pkgutil import get_data  # a tenth of the time that importlib.resources takes to import
from typing import Any, Generic, TypeVar

import msgspec

from pbem.base.validation import convert, quote_value
from pbem.core import shape
from pbem.core.requests import Plain
from pbem.core.shape import Problem, Struct
from pbem.errors import FileError
from pbem.messages import Messages, Said, row

tr = Messages("pbem")


FOLDER = "data"
"""The default folder in a package."""


def text_of(package: str, name: str, folder: str = FOLDER) -> str:
    """The YAML file of that name, as its author wrote it."""
    return _packaged_file(package, f"{folder}/{name}.yaml").decode()


def data_of(package: str, name: str, folder: str = FOLDER) -> Any:
    """The plain data of that name, new for every caller."""
    try:
        return msgspec.json.decode(_packaged_file(package, f"{folder}/{name}.json"))
    except OSError:
        import yaml  # here, because a game that ships with the program needs no YAML

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # PyYAML may have been built without libyaml
        return yaml.load(text_of(package, name, folder), Loader=loader)


@cache
def _packaged_file(package: str, file: str) -> bytes:
    found = get_data(package, file)
    assert found is not None
    return found


T = TypeVar("T", bound=Struct)


class Scenarios(msgspec.Struct, Generic[T], frozen=True):
    """The shipped scenarios by name, the default first; the Struct of a file; and checks beyond its shape.

    `problems` finds the faults of a scenario of the right shape. A file is `folder/NAME.yaml` in the package,
    in the subset of YAML that FORMAT section 1 describes.
    """

    package: str
    names: tuple[str, ...]
    kind: type[T]
    problems: Callable[[T], Iterator[Problem]] = lambda scenario: iter(())
    folder: str = FOLDER

    def text(self, name: str) -> str:
        """The YAML file of a shipped scenario. Raises `FileError` for another name."""
        return text_of(self.package, self._check_name(name), self.folder)

    def data(self, name: str) -> Plain:
        """The data of a shipped scenario, new for every caller. Raises `FileError` for another name."""
        return data_of(self.package, self._check_name(name), self.folder)

    def check(self, data: Plain) -> list[Said]:
        """All faults, each with its path: those of shape, or if it has none, those that `problems` finds."""
        scenario = self._try_convert(data)
        wrong = shape.problems(data, self.kind, "scenario") if scenario is None else self.problems(scenario)
        return [row((path, problem), ": ") for path, problem in wrong]

    def read(self, data: Plain) -> T:
        """The scenario in the data; only its shape is checked. Raises `FileError` for the first fault."""
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
        """The scenario in the data; None if their shape is wrong."""
        try:
            return msgspec.convert(data, self.kind)
        except msgspec.ValidationError:
            return None
