"""What the system refuses is said in the reader's language, whatever the system's is."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.errors import system_reason
from pbem.texts import ENGLISH, LANGUAGES, speaking
from support.markers import WINDOWS, Posix, requires

pytestmark = pytest.mark.usefixtures("compiled")


def refused_connection(_: Path) -> None:
    """Call a port of this computer where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        socket.create_connection(taken.getsockname()[:2], timeout=5)


REFUSED: dict[str, Callable[[Path], object]] = {
    "missing": lambda folder: (folder / "none").read_bytes(),
    "exists": lambda folder: folder.mkdir(),
    "not a folder": lambda folder: os.listdir(folder / "file"),
    "not empty": lambda folder: folder.rmdir(),
    "nobody listens": refused_connection,
}
"""What the system refuses, in a folder with one file."""


@pytest.mark.parametrize(
    "refused",
    [pytest.param(one, marks=requires(Posix.ERRORS)) if one == "not a folder" else one for one in REFUSED],
)
def test_said_in_every_language(refused: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OSError, match=r"\w") as caught:
        REFUSED[refused](tmp_path)
    said = {}
    for language in LANGUAGES:
        with speaking(language):
            said[language] = str(system_reason(caught.value))
    assert len(set(said.values())) == len(LANGUAGES), said
    assert WINDOWS or said[ENGLISH] == caught.value.strerror


def test_what_players_do_not_meet_is_left_to_the_system() -> None:
    assert system_reason(OSError("no number")) == "no number"
