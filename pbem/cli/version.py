"""`pbem --version`: the versions of pbem, of the rules, and of the file format."""

from __future__ import annotations

from pbem import games
from pbem.base.home import LAYOUT
from pbem.cli.terminal import put, put_json, warn
from pbem.errors import FileError
from pbem.texts import Texts
from pbem.version import FILE_VERSION, __version__

tr = Texts("pbem")


def put_version(*, as_json: bool) -> None:
    """Print the versions in three lines, or as JSON: `pbem`, `rules`, `file` (FORMAT 1) and `home`."""
    rules = _every_rules_version()
    if as_json:
        put_json({"pbem": __version__, "rules": rules, "file": FILE_VERSION, "home": LAYOUT})
        return
    put(f"pbem {__version__}")
    put(tr("Rules: {rules}", rules=", ".join(rules)))
    put(tr("Game files: version {version}", version=FILE_VERSION))


def _every_rules_version() -> list[str]:
    """Every version of the rules of every installed game. Warns about a game that cannot be loaded."""
    found: list[str] = []
    for name in games.names():
        try:
            found += games.pins(name)
        except FileError as error:
            warn(str(error))
    return found
