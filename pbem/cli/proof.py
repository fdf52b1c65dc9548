"""Prove: `verify`, `draws`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli.arguments import File, Json
from pbem.cli.lazy import commands
from pbem.cli.session import desk, open_file
from pbem.cli.terminal import put, put_json
from pbem.draws import Preimage, explain_beat, explain_draw
from pbem.errors import FileError, OverBudget, PartRefused, VerificationError
from pbem.render.words import safe, wrap
from pbem.umpire import STEPS, Game
from pbem.umpire.facts import SHORT, counted, facts
from pbem.umpire.table import Beat

app = commands()


@app.command()
def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Game files.", show_default=False)],
    as_json: Json = False,
) -> None:
    """Check everything in game files, a line for each step; exit code 0 if all hold, 1 if not.

    Example: pbem verify mortain.yaml
    """
    reports = [examine(file) for file in files]
    if as_json:
        put_json(reports)
    else:
        for report in reports:
            put("\n".join(wrap(line, indent=5) for line in report_lines(report)))
    if not all(report["holds"] for report in reports):
        raise typer.Exit(1)


@app.command()
def draws(
    file: File,
    beat: Annotated[int, typer.Option("--beat", help="Only this beat, with all the bytes.")] = 0,
    as_json: Json = False,
) -> None:
    """Print every draw with the numbers that anyone can recompute; docs/VERIFY.md shows how.

    Example: pbem draws mortain.yaml --beat 3
    """
    mine = desk()
    game = open_file(mine, file).game
    completed = [one for one in game.table.beats if one.draws]
    beats = [one for one in completed if beat in (0, one.number)]
    if beat and not beats:
        raise FileError(f"found no completed beat {beat}, expected 1 to {len(completed)}", where=str(file))
    if as_json:
        put_json([_beat_as_data(game, one) for one in beats])
        return
    for one in beats:
        put("\n".join(_beat_lines(game, one, whole=bool(beat))))


def examine(file: Path) -> dict[str, Any]:
    """What the ten steps found in one file, as data."""
    mine = desk()
    try:
        game = open_file(mine, file).game
    except VerificationError as error:
        failed = {
            "step": error.step,
            "entry": error.entry,
            "expected": error.expected,
            "found": error.found,
            "problem": error.problem,
        }
        return {"file": str(file), "holds": False, "failed": failed, "hint": error.hint}
    except (FileError, OverBudget, PartRefused) as error:
        return {"file": str(file), "holds": False, "problem": str(error)}
    return {"file": str(file), "holds": True, **facts(game)}


def report_lines(report: dict[str, Any]) -> list[str]:
    """A report in lines: each step that holds, and the first that fails."""
    lines = [safe(report["file"])]
    if "problem" in report:
        return [*lines, f"  cannot be checked: {safe(report['problem'])}"]
    failed = report.get("failed")
    holding = STEPS[: failed["step"] - 1] if failed else STEPS
    lines += [f"  {step:>2} holds  {title}" for step, title in enumerate(holding, 1)]
    if not failed:
        log = f"{counted(report['entries'])}, head {report['head'][:SHORT]}"
        scenario = report["scenario"]
        lines += [f"  scenario: {scenario['text']}"] if scenario["own"] else []
        return [*lines, f"  verified: {log}; {safe(report['owed']['text'])}"]
    entry = "" if failed["entry"] is None else f" at log[{failed['entry']}]"
    lines.append(f"  {failed['step']:>2} FAILS  {STEPS[failed['step'] - 1]}{entry}")
    return [
        *lines,
        f"     {safe(failed['problem'])}",
        *([f"     {safe(report['hint'])}"] if report["hint"] else []),
    ]


def _beat_lines(game: Game, beat: Beat, *, whole: bool) -> list[str]:
    """A beat's seed and draws; `whole` adds the exact bytes that are hashed."""
    seed = explain_beat(game.offer.game, beat.number, beat.secrets)
    lines = [f"beat {beat.number}: seed {seed.digest.hex()}"]
    if whole:
        lines += [f"    sha256 of {len(seed.data)} bytes:", *(f"      {part}" for part in _parts(seed))]
    for draw in beat.draws:
        one = explain_draw(seed.digest, draw.j)
        many = len(draw.outcomes)
        number = int.from_bytes(one.digest, "big") % many
        lines.append(
            f"  draw {draw.j} ({draw.rule}): {safe(str(draw.outcome))}, number {number} of 0 to {many - 1}"
        )
        lines.append(f"    {one.digest.hex()} mod {many} = {number}")
        if whole:
            lines += [f"    sha256 of {len(one.data)} bytes:", *(f"      {part}" for part in _parts(one))]
            lines.append(wrap(f"    among: {safe(' '.join(map(str, draw.outcomes)))}", indent=6))
    return lines


def _parts(preimage: Preimage) -> list[str]:
    return [f"{part.meaning}: {part}" for part in preimage.parts]


def _beat_as_data(game: Game, beat: Beat) -> dict[str, Any]:
    seed = explain_beat(game.offer.game, beat.number, beat.secrets)
    return {
        "beat": beat.number,
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
