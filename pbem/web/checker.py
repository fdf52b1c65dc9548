"""The checker: the same proof with no game in it. It opens pages and game files and runs nothing of them."""

from __future__ import annotations

from pbem import __version__
from pbem.web.document import document, text
from pbem.web.page import PROOF, STYLES

SCRIPTS = (*PROOF, "yaml.js", "checker.js")

_BODY = """\
<header>
<h1>Check a game</h1>
<p>{about}</p>
<p><label>Pages and game files: <input type="file" id="files" multiple></label> or drop them here.</p>
</header>
<main id="checked" aria-live="polite"></main>
"""

_ABOUT = (
    "This is the checker of pbem {version}, with no game in it. Give it a page that pbem page wrote, or a "
    "game file: it reads the signed log out of it as data, runs nothing of it, sends nothing anywhere, "
    "and shows what it can prove. Its SHA-256 tells which checker this is: pbem page --checker prints "
    "that of its own, and a release names it."
)


def checker() -> bytes:
    """The HTML file: the same bytes with every copy of this version."""
    body = _BODY.format(about=text(_ABOUT.format(version=__version__)))
    return document("Check a game", body, scripts=SCRIPTS, styles=STYLES, data={})
