"""A shell recipe by which anybody can check one draw without pbem: `draws FILE ENTRY --recipe`.

They are the lines of docs/VERIFY.md, which explains them, with this draw's values above them.
"""

from __future__ import annotations

import shlex
from pathlib import Path

from pbem.errors import FileError
from pbem.render.words import quote_path, safe_text
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.game_state import DrawResult

tr = Texts("pbem")

_ANNOUNCE = """\
echo "draw $draw of entry $entry in $file, one of ${#among[@]}"
"""

_READ_FILE = r"""
command -v sha256sum > /dev/null || sha256sum() { shasum -a 256; }
lines() { sed -n '/^log:/,$p' "$file" | tr -d '\r'; }
game=$(lines | sed -n 's/^    game: "\([0-9a-f]*\)".*/\1/p')
secrets=$(lines | awk '
    /^  - n: / {n = $3}
    /^    by: / {by = $2}
    /^    beat: / {beat = $2}
    /^      anchor: "/ {print by, 0, $2, n}
    /^    share: "/ {print by, beat, $2, n}' | tr -d '"')
anchors=$(awk '$2 == 0 {print $1, $3}' <<< "$secrets")
read by beat share other open theirs <<< "$(awk -v n=$entry '
    $4 < n {newest[$1] = $2; secret[$1] = $3}
    $4 == n {for (o in newest) if (newest[o] > newest[$1]) print $1, $2, $3, o, newest[o], secret[o]}
    ' <<< "$secrets")"
echo "game $game"
[ "$open" ] || echo "entry $entry completes no beat"
echo "entry $entry by $by completes beat $open, which $other opened"
echo "$other $open $theirs"
echo "$by $beat $share"
"""[1:]
"""Reads from the file the game, who completes which beat, and both shares. A Mac has `shasum`."""

_LINK = r"""
bytes() { printf "$(sed 's/../\\x&/g' <<< "$1")"; }
link() { { printf 'pbem/1 link\n%s\n%s\n' $game $1; bytes $2; } | sha256sum | cut -c 1-64; }
ours=$share
[ "$beat" = "$open" ] || ours=$(link $by $share)
echo "$by $open $ours"
"""[1:]
"""The completer's secret for this beat (FORMAT 5): one link below his share, if that opens the next."""

_ANCHORS = r"""
python3 - $game $open $other $theirs $by $ours $anchors <<'END'
from hashlib import sha256
from sys import argv
game, beat, *words = argv[1:]
pairs = list(zip(words[::2], words[1::2]))
for seat, secret in pairs[:2]:
    value = bytes.fromhex(secret)
    for _ in range(int(beat)):
        value = sha256(f"pbem/1 link\n{game}\n{seat}\n".encode() + value).digest()
    found = "the anchor" if (seat, value.hex()) in pairs[2:] else "NOT the anchor"
    print(seat, value.hex(), found)
END
"""[1:]
"""Checks that both secrets hash down to the anchors of entries 0 and 1."""

_DRAW = r"""
both=$(printf '%s %s\n' $by $ours $other $theirs | LC_ALL=C sort | cut -d ' ' -f 2 | tr -d '\n')
seed=$({ printf 'pbem/1 beat\n%s\n%s\n' $game $open; bytes $both; } | sha256sum | cut -c 1-64)
number=$({ printf 'pbem/1 draw\n'; bytes $seed; bytes $(printf %08x $draw); } | sha256sum | cut -c 1-64)
echo "seed $seed"
echo "draw $draw $number"
"""[1:]
"""Computes the beat's seed and the draw's number (FORMAT 5)."""

_OUTCOME = r"""
python3 - $number "${among[@]}" <<'END'
from sys import argv
among = argv[2:]
n = int(argv[1], 16) % len(among)
print(f"number {n} of {len(among)}, counted from 0: {among[n]}")
END
"""[1:]
"""Prints the outcome: the number modulo how many outcomes there are."""

STEPS = (_READ_FILE, _LINK, _ANCHORS, _DRAW, _OUTCOME)
"""The shell lines for any draw. They use the variables `file`, `entry`, `draw` and `among`."""


def recipe_values(file: Path, entry: int, drawn: DrawResult) -> str:
    """The shell lines that set the variables for one draw: file, entry, number in the beat, outcomes."""
    among = " ".join(shlex.quote(safe_text(str(outcome))) for outcome in drawn.outcomes)
    name = quote_path(file.as_posix(), windows=False)  # for bash, also on Windows
    return f"file={name}\nentry={entry}\ndraw={drawn.j}\namong=({among})\n{_ANNOUNCE}"


def shell_recipe(game: Game, data: bytes, file: Path, entry: int, drawn: DrawResult) -> str:
    """The shell recipe for one draw of the beat that an entry completes; `data` are the file's bytes.

    Raises `FileError` for a file of another program whose layout these lines cannot read.
    """
    lines = {line.rstrip() for line in data.decode("utf-8").splitlines()}
    by = game.entries[entry].body.by
    if not {f'    game: "{game.offer.game}"', f"  - n: {entry}", f"    by: {by}"} <= lines:
        problem = tr("is not laid out as pbem writes it, and the recipe reads it line by line")
        raise FileError(problem, where=str(file))
    return f"bash <<'RECIPE'\n{recipe_values(file, entry, drawn)}{''.join(STEPS)}RECIPE"
