"""The page of the lobby: look at a game, play at once, play a friend, and the player's games and settings.

`lobby.js` fills it with the answers of `lobby_session.py`.
"""

from __future__ import annotations

from pbem.base.limits import MAIL_BYTES
from pbem.base.system import IN_BROWSER
from pbem.player.backup import LEAST_PASSPHRASE_CHARACTERS
from pbem.texts import LANGUAGES, Texts
from pbem.version import __version__
from pbem.web.html_file import html_file, to_html
from pbem.web.lobby_session import LobbySession, catalogue

tr = Texts("pbem")

SCRIPTS = (
    "texts.js",
    "dom.js",
    "transport.js",
    "lobby-dialogs.js",
    "departure.js",
    "opened-game.js",
    "scenario-form.js",
    "new-game.js",
    "lobby-games.js",
    "lobby-settings.js",
    "mail-form.js",
    "lobby.js",
)
STYLES = ("page.css", "lobby.css")


def lobby_page(lobby: LobbySession) -> bytes:
    """The HTML file of the page. Raises `PbemError` if the player's home cannot be read."""
    return html_file(
        tr("pbem: board wargames by mail"),
        _body(),
        scripts=SCRIPTS,
        styles=STYLES,
        data={
            "first": lobby.state_data(),
            "catalogue": catalogue(lobby.player.home),
            "limits": {"upload": MAIL_BYTES},
        },
        allowed=("connect-src 'self'",),
    )


def opening_page() -> bytes:
    """The lobby as shown until pbem has started: the same page without scripts and dialogs."""
    body = _header() + _main()
    return html_file(tr("pbem: board wargames by mail"), body, scripts=(), styles=STYLES, data={})


def _body() -> str:
    parts = (
        _header(),
        _main(),
        _opened_dialog(),
        _begin_dialog(),
        _scenario_dialog(),
        _departure_dialog(),
        _settings_dialog(),
    )
    return "".join(parts)


def _header() -> str:
    return f"""\
<header>
<h1>pbem</h1>
<p class="quiet">{to_html(tr("Two people, one signed file, no server."))}</p>
<p id="who"></p>
<button type="button" id="open-settings">{to_html(tr("Settings"))}</button>
</header>
<p id="alarm" class="verdict fails" role="alert" hidden></p>
"""


def _main() -> str:
    return f"""\
<main>
<form id="unlock" class="card" hidden>
<h2>{to_html(tr("Your key is locked"))}</h2>
<input autocomplete="username" value="pbem" hidden>
<p><label>{to_html(tr("Its passphrase:"))}
<input id="unlock-word" type="password" autocomplete="off" required></label>
<button class="first">{to_html(tr("Unlock"))}</button></p>
</form>
<section id="mine" hidden>
<h2>{to_html(tr("Your games"))}</h2>
<ul id="games" class="games"></ul>
<div id="offered" hidden><h3>{to_html(tr("Offers to you"))}</h3><ul id="offers" class="games"></ul></div>
<details id="finished" hidden><summary>{to_html(tr("Finished games"))}</summary>
<ul id="over" class="games"></ul></details>
</section>
<div id="ways">
<section class="card" id="look">
<h2>{to_html(tr("Look at a game"))}</h2>
<p>{to_html(tr("Has somebody sent you a game? Drop the file here, or paste the mail."))}</p>
<p><label class="button first" for="file">{to_html(tr("Choose a file"))}</label>
<input type="file" id="file" class="unseen"></p>
<p><label>{to_html(tr("Or paste the text that contains it:"))}
<textarea id="pasted" rows="2"></textarea></label></p>
<p class="quiet">\
{to_html(tr("pbem checks every signature and every draw. You do not need a name or a key."))}</p>
</section>
<section class="card" id="play-now">
<h2>{to_html(tr("Play now"))}</h2>
<p>{to_html(tr("Against the computer, now. A guide shows you your first turn in eight steps."))}</p>
<p><button type="button" id="begin-guided" class="first">{to_html(tr("Show me how to play"))}</button></p>
<p><button type="button" id="begin-practice">{to_html(tr("Choose a game"))}</button></p>
</section>
<section class="card" id="play-friend">
<h2>{to_html(tr("Play a friend"))}</h2>
<p>{to_html(tr("Choose a game and a side. pbem writes the file and the letter to send with it."))}</p>
<p><button type="button" id="begin-offer" class="first">{to_html(tr("Offer a game"))}</button></p>
</section>
</div>
</main>
<footer class="quiet"><p>pbem {to_html(__version__)} · <span id="folder"></span>{_contents_link()}</p>
</footer>
<div id="dropping" hidden><p>{to_html(tr("Drop the file to look at the game."))}</p></div>
"""


def _contents_link() -> str:
    """In a browser, a link to the list of everything in the one file, with its licences."""
    return f' · <a href="contents">{to_html(tr("Contents and licences"))}</a>' if IN_BROWSER else ""


def _opened_dialog() -> str:
    """The dialog of an opened game: what it is, its ten checks, and what to do with it."""
    return f"""\
<dialog id="opened" aria-labelledby="opened-title">
<h2 id="opened-title"></h2>
<p id="opened-verdict" class="verdict"></p>
<ul id="opened-lines" class="plain"></ul>
<blockquote id="opened-says" hidden></blockquote>
<p id="opened-state"></p>
<ul id="opened-notes"></ul>
<form id="join" hidden>
<h3>{to_html(tr("Take the other side"))}</h3>
<p><label>{to_html(tr("Your name:"))} <input id="join-name" maxlength="64" required></label></p>
<p><label>{to_html(tr("A message to your opponent:"))}
<textarea id="join-say" rows="1"></textarea></label></p>
<p id="join-scenario" hidden><label><input type="checkbox" id="join-agreed"> <span></span></label></p>
<p><button class="first">{to_html(tr("Join"))}</button></p>
</form>
<form id="take" hidden>
<ul id="take-why" class="plain"></ul>
<p><button class="first" id="take-on"></button></p>
</form>
<img id="opened-map" alt="{to_html(tr("The map"))}" hidden>
<details id="opened-checks"><summary>{to_html(tr("The ten checks"))}</summary><ol></ol></details>
<p class="problem" role="alert" hidden></p>
<p class="buttons"><a class="button" id="opened-look" target="_blank">{to_html(tr("View"))}</a>
<button type="button" class="shut">{to_html(tr("Close"))}</button></p>
</dialog>
"""


def _begin_dialog() -> str:
    """The dialog that begins a game, against the computer or a friend."""
    rating = tr("The number is its rating. A player with 200 points more wins about 3 games in 4.")
    return f"""\
<dialog id="begin" aria-labelledby="begin-title">
<form id="begin-form">
<h2 id="begin-title"></h2>
<p id="begin-why" class="quiet"></p>
<p><label>{to_html(tr("Your name:"))} <input id="begin-name" maxlength="64" required></label></p>
<p class="choice"><label>{to_html(tr("Game:"))} <select id="begin-game"></select></label></p>
<p id="begin-scenarios" class="choice"><label>{to_html(tr("Scenario:"))}
<select id="begin-scenario"></select></label>
<button type="button" id="begin-own" hidden>{to_html(tr("Make or edit your own"))}</button></p>
<fieldset class="choice"><legend>{to_html(tr("Your side:"))}</legend><div id="begin-seat"></div></fieldset>
<p id="begin-levels" class="choice"><label>{to_html(tr("The computer plays:"))}
<select id="begin-level"></select></label>
<br><span id="begin-ratings" class="quiet">{to_html(rating)}</span></p>
<p class="friend"><label>{to_html(tr("A message to your opponent:"))}
<textarea id="begin-say" rows="1"></textarea></label></p>
<details class="choice"><summary>{to_html(tr("Edition and options"))}</summary>
<p><label>{to_html(tr("Edition:"))} <select id="begin-edition"></select></label></p>
<div id="begin-options"></div>
<p id="begin-note" class="quiet"></p>
<div class="friend">
<p><label>{to_html(tr("Your mail address, for the reply:"))}
<input id="begin-mail" type="email" autocomplete="off"></label></p>
<p><label>{to_html(tr("Time for a move, such as 7d:"))} <input id="begin-deadline" size="6"></label></p>
<p><label>{to_html(tr("Only the holder of this key can join:"))} <input id="begin-to"></label></p>
</div>
</details>
<p class="problem" role="alert" hidden></p>
<p class="buttons"><button class="first" id="begin-go"></button>
<button type="button" class="shut">{to_html(tr("Not now"))}</button></p>
</form>
</dialog>
"""


def _scenario_dialog() -> str:
    """The form of a player's own scenario, whose fields depend on the game."""
    return f"""\
<dialog id="scenario-form" aria-labelledby="scenario-title">
<form id="scenario-made">
<h2 id="scenario-title">{to_html(tr("A scenario of your own"))}</h2>
<div id="scenario-fields"></div>
<p class="problem" role="alert" hidden></p>
<p class="buttons"><button class="first">{to_html(tr("Save"))}</button>
<button type="button" class="shut">{to_html(tr("Not now"))}</button></p>
</form>
</dialog>
"""


def _departure_dialog() -> str:
    """The dialog that sends a game: as a file with a letter, with the mail program, or through an account."""
    return f"""\
<dialog id="departure" aria-labelledby="departure-title">
<h2 id="departure-title">{to_html(tr("Send it"))}</h2>
<ol>
<li><p>{to_html(tr("Save the file: this is what you send."))}
<button type="button" id="departure-invite" class="first" hidden>{to_html(tr("Save an invitation"))}</button>
<button type="button" id="departure-save" class="first">{to_html(tr("Save the file"))}</button></p>
<p class="quiet" id="departure-place"></p>
<p class="quiet" id="departure-invites" hidden>{to_html(_about_invitations())}</p></li>
<li><p>{to_html(tr("Send it any way you like, with this letter:"))}
<button type="button" id="departure-copy">{to_html(tr("Copy the letter"))}</button></p>
<textarea id="departure-letter" rows="6" readonly aria-label="{to_html(tr("The letter"))}"></textarea></li>
</ol>
<form id="departure-mail">
<h3>{to_html(tr("Or by mail"))}</h3>
<p><label>{to_html(tr("Your opponent's address:"))}
<input id="departure-to" type="email" autocomplete="off" required></label></p>
<p><button id="departure-server">{to_html(tr("Send it"))}</button>
<button type="button" id="departure-program">{to_html(tr("Open my mail program"))}</button></p>
</form>
<p id="departure-done" role="status"></p>
<p class="problem" role="alert" hidden></p>
<p class="buttons"><a class="button" id="departure-board">{to_html(tr("To the board"))}</a>
<button type="button" class="shut">{to_html(tr("Done"))}</button></p>
</dialog>
"""


def _about_invitations() -> str:
    return tr(
        "An invitation is pbem with your offer in it, 13 MB: your friend opens it, types a name, and plays. "
        "The file alone will do for a friend who has pbem."
    )


def _settings_dialog() -> str:
    """The dialog of settings, with passphrase, backup and restore."""
    named = "".join(f'<option value="{key}">{to_html(name)}</option>' for key, name in LANGUAGES.items())
    least = LEAST_PASSPHRASE_CHARACTERS
    return f"""\
<dialog id="settings" aria-labelledby="settings-title">
<h2 id="settings-title">{to_html(tr("Settings"))}</h2>
<form id="settings-form">
<p><label>{to_html(tr("Your name:"))} <input id="settings-name" maxlength="64"></label></p>
<p><label>{to_html(tr("Language:"))} <select id="settings-lang">
<option value="">{to_html(tr("same as this computer"))}</option>{named}</select></label></p>
<p><label>{to_html(tr("Where a friend can get pbem, for the letter with an offer:"))}
<input id="settings-get" maxlength="200"></label></p>
<p><button class="first">{to_html(tr("Save"))}</button></p>
</form>
{_mail_form()}
<details><summary>{to_html(tr("Passphrase of your key"))}</summary>
<form id="protect">
<input autocomplete="username" value="pbem" hidden>
<p>{to_html(tr("With a passphrase, nobody else can sign for you. pbem asks for it each time you play."))}</p>
<p><label>{to_html(tr("New passphrase (leave it empty for none):"))}
<input id="protect-word" type="password" autocomplete="new-password"></label></p>
<p><label>{to_html(tr("Again:"))}
<input id="protect-again" type="password" autocomplete="new-password"></label></p>
<p><button>{to_html(tr("Change it"))}</button></p>
</form></details>
<details><summary>{to_html(tr("Backup"))}</summary>
<form id="backup">
<p>{to_html(tr("One file with your key, games and settings. Nobody can open it without its passphrase."))}</p>
<p><label>{to_html(tr("Passphrase (leave it empty, and pbem makes one):"))}
<input id="backup-word" minlength="{least}" autocomplete="off"></label></p>
<p><button>{to_html(tr("Save a backup"))}</button></p>
</form></details>
<details><summary>{to_html(tr("Restore a backup"))}</summary>
<form id="restore">
<p><label>{to_html(tr("The file:"))} <input id="restore-file" type="file" required></label></p>
<p><label>{to_html(tr("Its passphrase:"))} <input id="restore-word" autocomplete="off" required></label></p>
<p><button>{to_html(tr("Restore"))}</button></p>
</form></details>
<div id="settings-done" role="status"></div>
<p class="problem" role="alert" hidden></p>
<p class="buttons"><button type="button" class="shut">{to_html(tr("Close"))}</button></p>
</dialog>
"""


def _mail_form() -> str:
    """Mail through the player's own account: the steps of `mail setup`, and checking mail automatically."""
    return f"""\
<details id="mail"><summary>{to_html(tr("Mail through your own account"))}</summary>
<p id="mail-account"></p>
<form id="mail-find">
<p><label>{to_html(tr("Your mail address:"))}
<input id="mail-address" type="email" autocomplete="email" maxlength="254" required></label></p>
<p><button>{to_html(tr("Find the servers"))}</button></p>
</form>
<form id="mail-save" hidden>
<ul id="mail-found" class="plain"></ul>
<p><label>{to_html(tr("Server for reading (IMAP), such as imap.example.org:"))}
<input id="mail-imap" maxlength="260" autocomplete="off" required></label></p>
<p><label>{to_html(tr("Server for sending (SMTP), such as smtp.example.org:587:"))}
<input id="mail-smtp" maxlength="260" autocomplete="off" required></label></p>
<p><label>{to_html(tr("Your name on the server (login):"))}
<input id="mail-user" maxlength="254" autocomplete="username" required></label></p>
<div id="mail-secret">
<p id="mail-advice" class="quiet"></p>
<p><label>{to_html(tr("Password:"))}
<input id="mail-password" type="password" autocomplete="off"></label></p>
</div>
<div id="mail-code" hidden>
<p>{to_html(tr("Open this page in any browser, even on a phone, and type the code there:"))}</p>
<p><a id="mail-page" target="_blank" rel="noreferrer"></a></p>
<p class="word" id="mail-word"></p>
<p class="quiet" id="mail-minutes"></p>
</div>
<p><button class="first">{to_html(tr("Log in and save"))}</button></p>
</form>
<div id="mail-done" role="status"></div>
<div id="mail-watch" hidden>
<h3>{to_html(tr("Let pbem check your mail by itself"))}</h3>
<ul id="mail-watch-told" class="plain"></ul>
<pre id="mail-watch-lines"></pre>
<p><button type="button" id="mail-install">{to_html(tr("Install it"))}</button>
<button type="button" id="mail-remove">{to_html(tr("Remove it"))}</button></p>
</div>
</details>
"""
