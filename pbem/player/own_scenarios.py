"""The scenarios a player has made in the form: files in the home, as `pbem scenario check` reads them."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pbem.base.files import make_folder, read_regular, write_atomically
from pbem.core.requests import Plain
from pbem.core.rules import Rules
from pbem.errors import FileError, PbemError
from pbem.format.yaml_reader import parse_yaml
from pbem.format.yaml_writer import dump_yaml
from pbem.umpire.offered_scenario import scenario_faults

FOLDER = "scenarios"


class OwnScenarios(Struct, frozen=True):
    """The player's own scenarios for one game."""

    home: Path
    rules: Rules

    @property
    def names(self) -> list[str]:
        """The names of the scenarios that can be played now, in alphabetical order."""
        return [
            name for name in sorted(file.stem for file in self._folder.glob("*.yaml")) if self._is_sound(name)
        ]

    def data(self, name: str) -> Plain:
        """A scenario's data. Raises `FileError`, `StorageError` if it cannot be read or played."""
        if name != Path(name).name:
            raise FileError(name)
        data = parse_yaml(read_regular(self._folder / f"{name}.yaml"))
        for fault in scenario_faults(data, self.rules):
            raise FileError(fault, where=name)
        return data

    def save(self, data: dict[str, Plain]) -> Path:
        """Save a scenario without faults, replacing its namesake. Returns the path. Raises `StorageError`."""
        make_folder(self._folder)
        file = self._folder / f"{data['name']}.yaml"
        write_atomically(file, dump_yaml(data).encode())
        return file

    @property
    def _folder(self) -> Path:
        return self.home / FOLDER / self.rules.name

    def _is_sound(self, name: str) -> bool:
        try:
            return bool(self.data(name)["name"] == name)
        except (PbemError, OSError):
            return False
