"""Proof: `verify` with options, and `draws`, with a shell recipe that checks one draw without pbem.

The lines of the recipe are those of docs/VERIFY.md, which explains them, after the draw's values. A `verify`
without options is run by `plain_verify`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli.arguments import File, Json, complete_with
from pbem.cli.command_groups import commands
from pbem.cli.plain_verify import verify_files
from pbem.cli.session import local_player, open_to_read, split_off_game
from pbem.cli.terminal import put, put_json
from pbem.correspondence.open_file import OpenedGame
from pbem.errors import FileError
from pbem.format.draws import Preimage, explain_beat, explain_draw
from pbem.render.safe_text import cut, quote_path, safe_text, wrap
from pbem.texts import Texts
from pbem.umpire.game_facts import SHOWN_ID_DIGITS
from pbem.umpire.game_state import Beat, DrawResult, Game

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
"""Reads the game, who completes which beat, and both shares from the file. A Mac has `shasum`."""

_LINK = r"""
bytes() { printf "$(sed 's/../\\x&/g' <<< "$1")"; }
link() { { printf 'pbem/1 link\n%s\n%s\n' $game $1; bytes $2; } | sha256sum | cut -c 1-64; }
ours=$share
[ "$beat" = "$open" ] || ours=$(link $by $share)
echo "$by $open $ours"
"""[1:]
"""The completer's secret for this beat (FORMAT 5): one link below their share, if that opens the next."""

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
"""Prints the outcome: the number modulo the number of outcomes."""

STEPS = (_READ_FILE, _LINK, _ANCHORS, _DRAW, _OUTCOME)
"""The shell lines for any draw. They use the variables `file`, `entry`, `draw` and `among`."""


def recipe_values(file: Path, entry: int, drawn: DrawResult) -> str:
    """The shell lines that set the variables for one draw: file, entry, number in the beat, outcomes."""
    among = " ".join(shlex.quote(safe_text(str(outcome))) for outcome in drawn.outcomes)
    name = quote_path(file.as_posix(), windows=False)  # bash, also on Windows
    return f"file={name}\nentry={entry}\ndraw={drawn.j}\namong=({among})\n{_ANNOUNCE}"


def shell_recipe(game: Game, data: bytes, file: Path, entry: int, drawn: DrawResult) -> str:
    """The shell recipe for one draw of the beat that an entry completes; `data` are the file's bytes.

    Raises `FileError` for a file of another program whose layout these lines cannot read.
    """
    lines = {line.rstrip() for line in data.decode("utf-8").splitlines()}
    by = game.entries[entry].body.by
    if not {f'    game: "{game.offer.game}"', f"  - n: {entry}", f"    by: {by}"} <= lines:
        problem = tr("is not laid out as pbem writes it, and the recipe reads the file line by line")
        raise FileError(problem, where=str(file))
    return f"bash <<'RECIPE'\n{recipe_values(file, entry, drawn)}{''.join(STEPS)}RECIPE"


app = commands()


@app.command()
def verify(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="file…",
            help="Games: files, mails or ids (default: the one that is waiting for you).",
            autocompletion=complete_with("games"),
        ),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Also fail if the status or the map in a file is not the game's, or cannot be compared.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Check everything in game files, with a line for each step; exit code 0 if all steps pass, 1 if not.

    Example: pbem verify mortain.yaml
    """
    raise typer.Exit(verify_files(files or [], as_json=as_json, strict=strict))


@app.command()
def draws(
    file: File = "",
    entry: Annotated[
        str,
        typer.Argument(metavar="entry", help="Print only the draws of this entry, with all their bytes."),
    ] = "",
    draw: Annotated[int, typer.Option("--draw", min=0, help="The draw that the recipe is for.")] = 0,
    recipe: Annotated[
        bool,
        typer.Option("--recipe", help="Print shell commands that check a draw of that entry without pbem."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Print every draw with its numbers, so that anyone can recompute it; docs/VERIFY.md shows how.

    Example: pbem draws mortain.yaml 4 --recipe
    """
    player = local_player()
    named, words = split_off_game(player, file, *([entry] if entry else []))
    n = _parse_entry(words)
    if recipe and n is None:
        problem = tr("name the entry that has the draw")
        raise typer.BadParameter(problem, param_hint=tr("entry"))
    opened = open_to_read(player, named)
    completed = {
        n: replayed.beat
        for n, replayed in enumerate(opened.game.replayed_entries)
        if replayed.beat and replayed.beat.draws
    }
    found = {at: beat for at, beat in completed.items() if n in (None, at)}
    if n is not None and not found:
        raise FileError(_describe_missing_draw(completed, n), where=opened.typed)
    if recipe and n is not None:
        _put_recipe(opened, n, found[n], draw)
    elif as_json:
        put_json([_beat_as_data(opened.game, at, beat) for at, beat in found.items()])
    else:
        for at, beat in found.items():
            put("\n".join(_beat_lines(opened.game, at, beat, whole=n is not None)))


def _parse_entry(words: list[str]) -> int | None:
    """The typed number of an entry, if there is one."""
    if not words:
        return None
    if len(words) > 1 or not re.fullmatch("[0-9]{1,5}", words[0]):
        found = cut(" ".join(words), 40)
        problem = tr("'{found}' is not the number of an entry", found=found)
        raise typer.BadParameter(problem, param_hint=tr("entry"))
    return int(words[0])


def _describe_missing_draw(completed: Iterable[int], entry: int) -> str:
    """The message that an entry has no draw, with the five nearest entries that have one."""
    near = sorted(sorted(completed, key=lambda n: abs(n - entry))[:5])
    if not near:
        return tr("entry {entry} has no draw, nor has any other", entry=entry)
    return tr(
        "entry {entry} has no draw; entry {near} has one",
        entry=entry,
        near=", ".join(map(str, near)),
    )


def _put_recipe(opened: OpenedGame, entry: int, beat: Beat, draw: int) -> None:
    """Print the shell recipe for one draw of the beat that an entry completes."""

    if opened.source:
        write = f"pbem games {opened.game.ids[0][:SHOWN_ID_DIGITS]} --write {quote_path(opened.file)}"
        raise FileError(
            tr("the recipe reads a game file, but this game is in another kind of file"),
            where=str(opened.source),
            hint=tr("write its file first: {command}", command=write),
        )
    if draw >= len(beat.draws):
        last = len(beat.draws) - 1
        problem = tr("entry {entry} has no draw {found}: 0 to {last}", found=draw, last=last, entry=entry)
        raise typer.BadParameter(problem, param_hint="--draw")
    put(shell_recipe(opened.game, opened.data, opened.file, entry, beat.draws[draw]))


def _beat_lines(game: Game, entry: int, beat: Beat, *, whole: bool) -> list[str]:
    """The lines about a beat's seed and draws; `whole` adds the exact bytes that are hashed."""
    seed = explain_beat(game.offer.game, beat.number, beat.secrets)
    lines = [
        tr("entry {entry}, beat {beat}:", entry=entry, beat=beat.number),
        f"  {tr('seed {seed}', seed=seed.digest.hex())}",
    ]
    if whole:
        lines += _preimage_lines(seed)
    for draw in beat.draws:
        preimage = explain_draw(seed.digest, draw.j)
        many = len(draw.outcomes)
        number = int.from_bytes(preimage.digest, "big") % many
        told = tr(
            "draw {draw} ({rule}): {outcome}, number {number} of 0 to {last}",
            draw=draw.j,
            rule=draw.rule,
            outcome=safe_text(str(draw.outcome)),
            number=number,
            last=many - 1,
        )
        lines.append(f"  {told}")
        lines.append(f"    {preimage.digest.hex()} mod {many} = {number}")
        if whole:
            among = tr("among: {outcomes}", outcomes=safe_text(" ".join(map(str, draw.outcomes))))
            lines += [*_preimage_lines(preimage), wrap(f"    {among}", indent=6)]
    return lines


def _preimage_lines(preimage: Preimage) -> list[str]:
    """The lines about the hashed data, part by part."""
    said = tr("sha256 of {number} bytes:", number=len(preimage.data))
    return [f"    {said}", *(f"      {part.meaning()}: {part}" for part in preimage.parts)]


def _beat_as_data(game: Game, entry: int, beat: Beat) -> dict[str, Any]:
    seed = explain_beat(game.offer.game, beat.number, beat.secrets)
    return {
        "beat": beat.number,
        "entry": entry,
        "secrets": {seat: secret.hex() for seat, secret in sorted(beat.secrets.items())},
        "hashed": seed.data.hex(),
        "seed": seed.digest.hex(),
        "draws": [
            {
                "j": draw.j,
                "rule": draw.rule,
                "hashed": explain_draw(seed.digest, draw.j).data.hex(),
                "digest": explain_draw(seed.digest, draw.j).digest.hex(),
                "outcomes": list(draw.outcomes),
                "outcome": draw.outcome,
            }
            for draw in beat.draws
        ],
    }
