"""Compiles the catalogues while the program is built or installed, also as `pip install -e`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Catalogues(BuildHookInterface):
    """Writes `pbem.mo` beside each `pbem.po`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it gathers the files."""
        for path in Path(self.root).glob("pbem/**/locale/*/LC_MESSAGES/pbem.po"):
            with path.open("rb") as source, path.with_suffix(".mo").open("wb") as ready:
                write_mo(ready, read_po(source, locale=path.parts[-3]))
