"""Compiles the catalogues while the program is built or installed, also as `pip install -e`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NEVER = datetime(2026, 1, 1, tzinfo=UTC)
"""When each catalogue was made, as it says: the hour of building would make each wheel another."""


class Catalogues(BuildHookInterface):
    """Writes `pbem.mo` beside each `pbem.po`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it gathers the files."""
        for path in Path(self.root).glob("pbem/**/locale/*/LC_MESSAGES/pbem.po"):
            ready = path.with_suffix(".mo")
            with path.open("rb") as source:
                catalogue = read_po(source, locale=path.parts[-3])
            catalogue.creation_date = catalogue.revision_date = NEVER
            with NamedTemporaryFile(dir=ready.parent, delete=False) as compiled:
                write_mo(compiled, catalogue)
            Path(compiled.name).chmod(0o644)
            Path(compiled.name).replace(ready)  # a program that runs reads the old one or the new one
