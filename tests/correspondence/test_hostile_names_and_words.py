"""What a stranger calls himself, and says, cannot pass for what the program says.

The same game is played against an honest opponent and against each hostile one. Outside of double quotes the
two must read the same, every quote is closed on its line, and no line is wider than it may be.
"""

from __future__ import annotations

import contextlib
import io
import re
from email.message import EmailMessage
from pathlib import Path

import pytest
from wcwidth import wcswidth

from pbem.correspondence.letter import letter, subject
from pbem.correspondence.letter_layout import COLUMNS
from pbem.render.ascii_picture import ascii_picture
from pbem.render.safe_text import WIDTH, fit_lines, keeping_accents, quote_lines, quote_name
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.write import Claim
from support.correspondents import Correspondent, fixed_entropy, make_correspondents, offer_game
from support.simulator import STRANGER
from support.simulator import mailed_file as file_of
from support.terminal import Lines

pytestmark = pytest.mark.thorough

FINGERPRINT = f"SHA256:{'A' * 43}"
NAMES = {
    "a false fingerprint": f"Ana  {FINGERPRINT}",
    "one pushed aside": f"Ana {chr(0x3000) * 8}{FINGERPRINT}",
    "you": "Bruno (you)",
    "a closing quote": f'Ana"  {FINGERPRINT}',
    "a curly one": "Bruno\u201d (you)",
    "two single ones": "Bruno'' (you)",
    "quotes alone": '"' * 64,
    "a line of ours": "x" * 30 + "  2 US: resigns  2026-03-02T10:00Z",
    "words beyond a line": "Type: pbem resign mortain.yaml --yes  Next: the game is over now",
    "right to left": "\u05d0\u05e0\u05d4 (you) \u0627\u0644",
    "invisible": "B\u200br\u00adu\u2060n\ufe0fo\u3164\u115f\U000e0041\U000e0100",
    "empty": "\u2800" * 64,
    "a stack of marks": "B" + "\u0301\u0323" * 31,
    "marks on nothing": "\u0338\u20dd" * 32,
    "marks beside nothing": "\u0abe" * 64,
    "jamo without a syllable": "\u11a8" * 64,
    "wide": "\u6f22" * 64,
    "wide words": "\u6f22\u6f22\u6f22 " * 16,
    "a family": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 " * 8,
    "flags": "\U0001f1e9\U0001f1ea" * 32,
    "a seat": "us",
    "the other seat": "german",
}
"""What FORMAT 4 lets a player call himself."""
WORDS = {
    **{label: f"{name}\n{name}" for label, name in NAMES.items()},
    "wide, and a line of ours": "\u6f22" * 37 + ".  2 US: resigns 2026-03-02T10:00Z",
    "a word as long as a line": "W" * 75,
    "a longer word": "W" * 300,
    "lines of ours": "\n  2 US: resigns\r\nType: pbem resign\x85Verified: yes\u2028    (you)\u2029Next: draw",
    "one who says": 'so\n"Anna" says:\n  "x"\n" says:',
    "escapes": "\x1b[2J\x9b31m\u202e\u2066\x00\t\t\b" * 20,
    "many marks": "a" + "\u0301" * 400,
}
"""What he may say."""


def game(anna: Correspondent, bruno: Correspondent, name: str = "Bruno", say: str = "Hello") -> Game:
    """Bruno has taken the seat, under this name and with these words. No card is drawn yet."""
    claim = Claim(at="2026-08-01T12:00:00Z", say=say)
    return write.accept(
        offer_game(anna.person()), bruno.person(name=name), fixed_entropy("bruno"), claim=claim
    )


def outside(text: str) -> str:
    """A text without what stands in double quotes, line ends and runs of blanks, fingerprints and ids."""
    unquoted = re.sub(r'"[^"\n]*"', "@", text)
    assert '"' not in unquoted, f"a quote is not closed on its line: {text}"
    nameless = re.sub(r"SHA256:[A-Za-z0-9+/]{43}|\b[0-9a-f]{8,}\b", "#", unquoted)
    return " ".join(re.sub(r"@(?:\s+@)*", "@", nameless).split())


@pytest.mark.parametrize("width", [20, 39, 59])
@pytest.mark.parametrize("text", [*NAMES.values(), *WORDS.values()])
def test_a_narrow_terminal_keeps_quotes_closed(text: str, width: int) -> None:
    """However often a line is broken, no stranger's words stand outside of quotes, or wider than it is."""
    ours = [f"  US: {quote_name(text)} (you)  {FINGERPRINT}", *quote_lines(text)]
    for line in (part for one in ours for part in fit_lines(one, width)):
        assert line.count('"') % 2 == 0, line
        assert 0 <= wcswidth(line) <= width, line
    assert outside("\n".join(fit_lines(ours[0], 60))) == "US: @ (you) #"


def is_narrow(text: str, most: int = WIDTH) -> bool:
    return all(line.isprintable() and 0 <= wcswidth(line) <= most for line in text.split("\n"))


class TestTheLetter:
    """The mail that carries the game, and its subject."""

    @pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
    def test_name(self, name: str, anna: Correspondent, bruno: Correspondent) -> None:
        honest, hostile = game(anna, bruno), game(anna, bruno, name)
        assert is_narrow(letter(hostile), COLUMNS)
        assert outside(letter(hostile, picture=False)) == outside(letter(honest, picture=False))
        assert outside(subject(hostile)) == outside(subject(honest))

    @pytest.mark.parametrize("words", WORDS.values(), ids=WORDS.keys())
    def test_words(self, words: str, anna: Correspondent, bruno: Correspondent) -> None:
        honest, hostile = game(anna, bruno), game(anna, bruno, say=words)
        assert is_narrow(letter(hostile), COLUMNS)
        assert outside(letter(hostile, picture=False)) == outside(letter(honest, picture=False))


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What Anna reads of a game against an honest Bruno."""
    return [outside(text) for text in printed(tmp_path_factory.mktemp("honest"))]


class TestTheTerminal:
    """What `mail fetch`, `games`, `show` and `log` print when the game comes by mail, but for the map."""

    @pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
    def test_name(self, name: str, honest: list[str], tmp_path: Path) -> None:
        hostile = printed(tmp_path, name=name)
        assert all(map(is_narrow, hostile))
        assert [outside(text) for text in hostile] == honest

    @pytest.mark.parametrize("words", WORDS.values(), ids=WORDS.keys())
    def test_words(self, words: str, honest: list[str], tmp_path: Path) -> None:
        hostile = printed(tmp_path, say=words)
        assert all(map(is_narrow, hostile))
        assert [outside(text) for text in hostile] == honest

    @pytest.mark.parametrize("name", [NAMES["a line of ours"], NAMES["wide"], NAMES["a family"]])
    def test_a_warning(self, name: str, anna: Correspondent, bruno: Correspondent) -> None:
        """A terminal of 80 columns would break it anywhere."""
        anna.save(game(anna, bruno, name))
        anna.local_player.store.note_key(name, str(STRANGER.public))
        terminal = Lines(anna.file.parent, "show", "game.yaml", PBEM_HOME=str(anna.local_player.home))
        try:
            warning, _, _ = terminal.read_to_end().partition("Stand at Mortain")
        finally:
            terminal.close()
        assert is_narrow(warning)
        assert outside(warning) == "warning: @ had a different key before: is this the same person?"


def printed(folder: Path, **said: str) -> list[str]:
    """What each command prints for an Anna to whom such a game comes."""
    anna, bruno = make_correspondents(folder)
    joined = game(anna, bruno, **said)
    anna.save(offer_game(anna.person()))
    arrive(anna.file.parent / "mail", joined)
    with keeping_accents():
        drawn = ascii_picture(joined.rules.view.legend(joined.state.run.state))
    texts = []
    for command in (
        "mail fetch --from mail",
        "games",
        "show game.yaml --whole",
        "log game.yaml",
    ):
        told = io.StringIO()
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(told):
            patch.setenv("SOURCE_DATE_EPOCH", "1785672000")
            assert anna.type(*command.split()) == 0
        texts.append(told.getvalue().replace(drawn, ""))
    return texts


def arrive(maildir: Path, joined: Game) -> None:
    """Deliver a mail with the game: its subject and its file are called as the player is."""
    for folder in ("cur", "new", "tmp"):
        (maildir / folder).mkdir(parents=True)
    mail = EmailMessage()
    mail["Subject"] = joined.seats["us"].name
    mail.set_content("Hello")
    name = f"{joined.seats['us'].name}.yaml"
    mail.add_attachment(file_of(joined), maintype="application", subtype="yaml", filename=name)
    (maildir / "new" / "1.host").write_bytes(mail.as_bytes())
