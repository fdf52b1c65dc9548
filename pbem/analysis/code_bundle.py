"""The code a cluster needs besides its tasks: pbem's fingerprint, and the code of an added game."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module, invalidate_caches
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from socket import gethostname
from tempfile import TemporaryDirectory
from threading import Lock

from msgspec import Struct

from pbem import games
from pbem.base.worker_pool import same_program_hint
from pbem.core.rules import Rules
from pbem.core.versions import versions
from pbem.errors import FileError
from pbem.render.safe_text import safe_text
from pbem.texts import Texts
from pbem.umpire.code_fingerprint import code_fingerprint

tr = Texts("pbem")

GAME_CODE = ("core", "games", "analysis")
"""The packages of pbem that decide the course of a game."""

_unpack_lock = Lock()
_folders: list[TemporaryDirectory[str]] = []
"""The folders of unpacked bundles, which are kept until the process ends."""


class CodeBundle(Struct, frozen=True):
    """Pbem's fingerprint; for an added game, also the `module:name` of its rules and its zipped code."""

    program: str
    rules: str = ""
    archive: bytes = b""


def bundle_code(name: str) -> CodeBundle:
    """The bundle for a game. Raises `FileError` if its code cannot be found."""
    value, program = games.source(name), code_fingerprint(GAME_CODE)
    return CodeBundle(program, value, _zip_package(value.partition(":")[0])) if value else CodeBundle(program)


def check_program(other: str, parts: Sequence[str] = GAME_CODE) -> None:
    """Raise `FileError` if the sender of a task has different code in these packages and modules."""
    if other != code_fingerprint(parts):
        raise program_mismatch()


def program_mismatch() -> FileError:
    """The error of a worker whose code is different from the sender's."""
    words = tr("the worker on {host} has a different version of this program", host=safe_text(gethostname()))
    return FileError(words, hint=same_program_hint())


def load_bundled_rules(bundle: CodeBundle) -> Mapping[str, Rules]:
    """All versions of the rules in a bundle, by pin; loaded once per process."""
    with _unpack_lock:  # a worker can have several threads
        return _unpack_and_load(bundle)


@cache
def _unpack_and_load(bundle: CodeBundle) -> Mapping[str, Rules]:
    module, _, name = bundle.rules.partition(":")
    folder = TemporaryDirectory(prefix="pbem-study-", ignore_cleanup_errors=True)
    _folders.append(folder)
    with zipfile.ZipFile(io.BytesIO(bundle.archive)) as archive:
        archive.extractall(folder.name)
    top = module.partition(".")[0]
    for loaded in [each for each in sys.modules if each.partition(".")[0] == top]:
        del sys.modules[loaded]  # another version of the game
    sys.path.insert(0, folder.name)
    invalidate_caches()
    return versions(attrgetter(name)(import_module(module)))


@cache
def _zip_package(module: str) -> bytes:
    """A zip file of the package that contains a module, or of the module itself if it is in no package."""
    top = module.partition(".")[0]
    spec = find_spec(top)
    if spec is None or not (spec.submodule_search_locations or spec.origin):
        raise FileError(
            tr("the code of '{package}' cannot be found, so it cannot be sent to the cluster", package=top)
        )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        if spec.submodule_search_locations:
            root = Path(next(iter(spec.submodule_search_locations)))
            for path in sorted(root.rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    archive.writestr(f"{top}/{path.relative_to(root).as_posix()}", path.read_bytes())
        else:
            archive.writestr(f"{top}.py", Path(str(spec.origin)).read_bytes())
    return buffer.getvalue()
