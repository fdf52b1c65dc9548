"""pbem in a browser: the functions that the browser edition's worker calls (browser/worker.js, decision 50).

It serves the answers of `pages.py`, as `board_server.py` does for an installed pbem. Each function takes
plain values from JavaScript, and returns JSON as text. Nothing here prints, and no content of a file raises.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import msgspec

from pbem.base import language
from pbem.base.files import write_atomically
from pbem.base.home import home
from pbem.errors import FileError, PbemError
from pbem.player.local_player import LocalPlayer
from pbem.render.safe_text import safe_text
from pbem.render.svg_style import style_sheet
from pbem.texts import LANGUAGES, Texts, speaking, spoken
from pbem.version import __version__
from pbem.web import board_page, game_page, lobby_page
from pbem.web.html_file import policy_sources
from pbem.web.lobby_data import PassphraseRequest
from pbem.web.pages import Pages

tr = Texts("pbem")

FOLDER = Path("/pbem")
"""What the browser stores: the player's home, their game files, and the passphrase of their backups."""

FILES, PASSPHRASE = FOLDER / "games", FOLDER / "backup-passphrase"

ARCHIVE = Path("/tmp/archive")
"""The path of a backup while the worker encrypts or decrypts it, with a package Python cannot wait for."""

_opened: list[Pages] = []


def begin() -> str:
    """Open the player's pages, in the language of their settings or the browser's."""
    language.settle()
    FILES.mkdir(parents=True, exist_ok=True)
    os.chdir(FILES)
    _opened[:] = [Pages(LocalPlayer(home()), FILES)]
    return json.dumps({"language": spoken()})


def _answer(function: Callable[..., Any]) -> Callable[..., str]:
    """The result of a page function as JSON, in the pages' language; or the reason it refuses."""

    @wraps(function)
    def answer_as_json(*given: Any) -> str:
        [pages] = _opened
        with speaking(pages.language):
            try:
                found = function(pages, *given)
            except PbemError as error:
                words = {"error": safe_text(str(error)), "hint": safe_text(error.hint)}
                found = {"refused": {**words, "number": "", "rule": ""}}
            return json.dumps(msgspec.to_builtins(found, enc_hook=str))

    return answer_as_json


@_answer
def html(pages: Pages, path: str) -> dict[str, str]:
    """The page with this path, and its language."""
    if not pages.has(path):
        raise PbemError(tr("there is nothing here"))
    return {"html": pages.html(path).decode(), "language": spoken()}


@_answer
def answer(pages: Pages, path: str, body: str) -> Any:
    """The answer of the function with this path to a request in JSON."""
    data, function = body.encode(), pages.function(path)
    if function is None or len(data) > function.most_bytes:
        raise PbemError(tr("there is nothing here"))
    return pages.answer(path, data)


class BackupRequest(PassphraseRequest, frozen=True, forbid_unknown_fields=True):
    """A request for a backup; `again`: only with the passphrase of the previous one, which the player has."""

    again: bool = False


@_answer
def pack(pages: Pages, body: str) -> dict[str, str]:
    """Pack a backup into `ARCHIVE`. Returns the passphrase to encrypt it with.

    If nobody has typed one, it is that of the previous backup, which is stored beside the key, unless the key
    itself is protected by a passphrase.
    """
    request = msgspec.json.decode(body, type=BackupRequest)
    protected = pages.lobby.player.is_key_protected
    before = PASSPHRASE.read_text("utf-8") if PASSPHRASE.exists() and not protected else ""
    if request.again and not before:
        raise PbemError(tr("the passphrase of the previous backup is not here"))
    archive, passphrase = pages.lobby.pack(PassphraseRequest(request.passphrase or before))
    ARCHIVE.write_bytes(archive)
    if protected:
        PASSPHRASE.unlink(missing_ok=True)
    elif not request.passphrase:
        write_atomically(PASSPHRASE, passphrase.encode(), private=True)
    return {"passphrase": passphrase}


@_answer
def packed(pages: Pages, passphrase: str) -> Any:
    """The encrypted backup in `ARCHIVE`, as a file to save."""
    return pages.lobby.describe_backup(_take_archive(), passphrase)


@_answer
def restore(pages: Pages) -> Any:
    """Restore the decrypted backup in `ARCHIVE`, if possible."""
    archive = _take_archive()
    if not archive:
        raise FileError(tr("the passphrase does not open it, or the file is damaged"), where=tr("the backup"))
    told = pages.lobby.restore_archive(archive)
    _opened[:] = [Pages(pages.lobby.player, FILES)]
    return told


def _take_archive() -> bytes:
    data = ARCHIVE.read_bytes()
    ARCHIVE.unlink()
    return data


def page_around() -> str:
    """The parts of the surrounding page: version, texts, openings, and what its policy must allow.

    A page in a frame is bound by that policy too, so it has the digests of all their scripts and styles.
    """
    drawing = style_sheet()
    kinds = (
        (lobby_page.SCRIPTS, lobby_page.STYLES, ""),
        (board_page.SCRIPTS, board_page.STYLES, drawing),
        (game_page.PAGE_SCRIPTS, game_page.PAGE_STYLES, drawing),
    )
    all_scripts: set[str] = set()
    all_styles: set[str] = set()
    words, openings = {}, {}
    for name in LANGUAGES:
        with speaking(name):
            words[name] = _words()
            openings[name] = lobby_page.opening_page().decode()
            for kind in kinds:
                scripts, style = policy_sources(*kind)
                all_scripts |= set(scripts)
                all_styles.add(style)
    made = {"scripts": sorted(all_scripts), "styles": sorted(all_styles), "words": words}
    made["openings"] = openings
    return json.dumps({"version": __version__, **made})


def _words() -> dict[str, str]:
    """The texts of the surrounding page in the current language; it fills in the places in braces."""
    return {
        "back": tr("Back"),
        "starts": tr("pbem is starting."),
        "fails": tr("pbem cannot start in this browser: {reason}", reason="{reason}"),
        "ended": tr("pbem had to restart. Only the last thing you did is lost: do it again."),
        "elsewhere": tr("pbem is open in another tab. Close that tab, and pbem opens here."),
        "full": tr("This browser could not store that, so nothing was done. Free some space and try again."),
        "no_room": tr(
            "This browser has no space left, so you cannot sign anything. Save everything, and "
            "free some space."
        ),
        "slow": tr(
            "This took more than {seconds} seconds, so pbem stopped it and restarted. Nothing is "
            "lost. If it was a file somebody sent you, do not open it again.",
            seconds="{seconds}",
        ),
        "forgets": tr("This browser does not store anything: save everything before you close this page."),
        "lost": tr(
            "pbem had to restart, and this browser had stored nothing. Restore what you have "
            "saved: Settings, Restore a backup."
        ),
        "save": tr("Save everything"),
        "only_here": tr("Your newest moves are only in this browser, which has not promised to keep them."),
        "only_here_kept": tr("Your newest moves are only in this browser."),
        "copied": tr("{file} has your newest moves as well.", file="{file}"),
        "saved": tr(
            "{file} has your key and your games. Write this down, because nobody can open the file without "
            "its passphrase: {passphrase}",
            file="{file}",
            passphrase="{passphrase}",
        ),
    }
