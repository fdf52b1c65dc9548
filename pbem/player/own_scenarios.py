"""The scenarios that a player has made in a form: files in his home, as `pbem scenario check` reads them."""

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
    """Those of one game in a home folder."""

    home: Path
    rules: Rules

    @property
    def names(self) -> list[str]:
        """The names of those that can be played now, in alphabetical order."""
        return [
            name for name in sorted(file.stem for file in self._folder.glob("*.yaml")) if self._is_sound(name)
        ]

    def data(self, name: str) -> Plain:
        """One of these. Raises `FileError`, `StorageError` where it cannot be read, or not be played."""
        if name != Path(name).name:
            raise FileError(name)
        data = parse_yaml(read_regular(self._folder / f"{name}.yaml"))
        for fault in scenario_faults(data, self.rules):
            raise FileError(fault, where=name)
        return data

    def save(self, data: dict[str, Plain]) -> Path:
        """Keep a scenario without faults, in place of one of that name; its file. Raises `StorageError`."""
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
