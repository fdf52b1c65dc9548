"""Proof: `verify` with options, and `draws`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from pbem.cli.arguments import File, Json, complete_with
from pbem.cli.lazy import commands
from pbem.cli.plain_verify import verify_files
from pbem.cli.session import local_player, open_to_read, split_off_game
from pbem.cli.terminal import put, put_json
from pbem.correspondence.open_file import OpenedGame
from pbem.errors import FileError
from pbem.format.draws import Preimage, explain_beat, explain_draw
from pbem.render.words import cut, quote_path, safe_text, wrap
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.game_facts import SHOWN_ID_DIGITS
from pbem.umpire.game_state import Beat

app = commands()
tr = Texts("pbem")


@app.command()
def verify(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="file…",
            help="Games: files, mails or ids; if left out, the one that waits for you.",
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
    """Check everything in game files, a line for each step; exit code 0 if all hold, 1 if not.

    Example: pbem verify mortain.yaml
    """
    raise typer.Exit(verify_files(files or [], as_json=as_json, strict=strict))


@app.command()
def draws(
    file: File = "",
    entry: Annotated[
        str,
        typer.Argument(metavar="entry", help="Only what came with this entry, with all the bytes."),
    ] = "",
    draw: Annotated[int, typer.Option("--draw", min=0, help="Which draw the recipe is for.")] = 0,
    recipe: Annotated[
        bool, typer.Option("--recipe", help="Write shell lines that check a draw of that entry without pbem.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Print every draw with the numbers that anyone can recompute; docs/VERIFY.md shows how.

    Example: pbem draws mortain.yaml 4 --recipe
    """
    mine = local_player()
    file, words = split_off_game(mine, file, *([entry] if entry else []))
    n = _parse_entry(words)
    if recipe and n is None:
        problem = tr("name the entry that the draw came with")
        raise typer.BadParameter(problem, param_hint=tr("entry"))
    opened = open_to_read(mine, file)
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
    """The number of the entry that is typed, if one is."""
    if not words:
        return None
    if len(words) > 1 or not re.fullmatch("[0-9]{1,5}", words[0]):
        found = cut(" ".join(words), 40)
        problem = tr("'{found}' is not the number of an entry", found=found)
        raise typer.BadParameter(problem, param_hint=tr("entry"))
    return int(words[0])


def _describe_missing_draw(completed: Iterable[int], entry: int) -> str:
    """The message that no draw came with an entry, with the five nearest entries that have one."""
    near = sorted(sorted(completed, key=lambda n: abs(n - entry))[:5])
    if not near:
        return tr("no draw came with entry {entry}, nor with any other", entry=entry)
    return tr(
        "no draw came with entry {entry}; one came with {near}",
        entry=entry,
        near=", ".join(map(str, near)),
    )


def _put_recipe(opened: OpenedGame, entry: int, beat: Beat, draw: int) -> None:
    """Print the shell recipe for one draw of the beat that an entry completes."""
    from pbem.cli.recipe import shell_recipe  # here, because nothing else needs it

    if opened.source:
        write = f"pbem games {opened.game.ids[0][:SHOWN_ID_DIGITS]} --write {quote_path(opened.file)}"
        raise FileError(
            tr("the recipe reads a game file, and this game is in something else"),
            where=str(opened.source),
            hint=tr("write its file first: {command}", command=write),
        )
    if draw >= len(beat.draws):
        last = len(beat.draws) - 1
        problem = tr(
            "there is no draw {found} with entry {entry}: 0 to {last}", found=draw, last=last, entry=entry
        )
        raise typer.BadParameter(problem, param_hint="--draw")
    put(shell_recipe(opened.game, opened.data, opened.file, entry, beat.draws[draw]))


def _beat_lines(game: Game, entry: int, beat: Beat, *, whole: bool) -> list[str]:
    """The lines on a beat's seed and draws; `whole` adds the exact bytes that are hashed."""
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
    """The lines on the hashed data, part by part."""
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
