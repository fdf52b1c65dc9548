"""The checker: the same proof without a game. It opens pages and game files and runs nothing in them."""

from __future__ import annotations

from pbem import __version__
from pbem.texts import Texts
from pbem.web.document import html_file, to_html
from pbem.web.page import PROOF_SCRIPTS

tr = Texts("pbem")

CHECKER_SCRIPTS = (*PROOF_SCRIPTS, "map-check.js", "yaml.js", "checker.js")


def checker_page() -> bytes:
    """The HTML file: in each language the same bytes from every copy of this version."""
    body = f"""\
<header>
<h1>{to_html(tr("Check a game"))}</h1>
<p>{to_html(_note_on_checker())}</p>
<p><label>{to_html(tr("Pages and game files:"))} <input type="file" id="files" multiple></label>
{to_html(tr("or drop them here."))}</p>
</header>
<main id="checked" aria-live="polite"></main>
"""
    return html_file(tr("Check a game"), body, scripts=CHECKER_SCRIPTS, styles=("page.css",), data={})


def _note_on_checker() -> str:
    return tr(
        "This is the checker of pbem {version}, with no game in it. Give it a page that pbem page wrote, or "
        "a game file: it reads the signed log out of it as data, runs nothing of it, sends nothing anywhere, "
        "and shows what it can prove. Its SHA-256 tells which checker this is: pbem page --checker prints "
        "that of its own, and a release names it.",
        version=__version__,
    )
