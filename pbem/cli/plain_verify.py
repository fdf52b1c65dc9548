"""Verify game files, and print the results.

A plain `verify FILE…` runs from here without Typer, which would take a fifth of its time (decision 12);
`verify` is the command with its options.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pbem.base import language
from pbem.cli.exit_codes import FAILED, run_and_exit, run_for_exit_code
from pbem.cli.session import head_of, local_player, open_file
from pbem.cli.terminal import put, put_json, warn
from pbem.correspondence.open_file import OpenedGame
from pbem.errors import FileError, OverBudget, SegmentRefused, StorageError, VerificationError
from pbem.player.local_player import LocalPlayer
from pbem.player.store.game_file import Head
from pbem.render.safe_text import quote_path, safe_text, wrap
from pbem.texts import Texts
from pbem.umpire.game_facts import SHOWN_ID_DIGITS, count_entries, facts
from pbem.umpire.verify import steps

tr = Texts("pbem")


def main() -> None:
    """Run `pbem verify FILE…` without options, and exit with its code."""
    run_and_exit(lambda: run_for_exit_code(lambda: _verify_typed(sys.argv[2:])), clears_up=False)


def _verify_typed(files: Sequence[str]) -> int:
    if unknown := language.settle():
        warn(unknown)
    return verify_files(files)


def verify_files(files: Sequence[str], *, as_json: bool = False, strict: bool = False) -> int:
    """Verify files, or the default game if none is named, and print the reports. Returns the exit code.

    With `strict`, a status or map that is not the game's, or that cannot be compared, fails too.
    """
    examined = [verify_file(file) for file in _expand_wildcards(files or [""])]
    reports = [result.report for result in examined]
    if as_json:
        put_json(reports)
    else:
        for report in reports:
            put("\n".join(wrap(line, indent=5) for line in report_lines(report)))
    good = all(result.report["holds"] and (result.head.is_right or not strict) for result in examined)
    return 0 if good else FAILED


def _expand_wildcards(files: Sequence[str]) -> Iterator[str]:
    """The files, with `*` expanded, which no shell does on Windows."""
    for file in files:
        if "*" in file and not Path(file).exists():
            from glob import glob  # under 1 ms, and most shells have done it

            yield from sorted(glob(file)) or [file]
        else:
            yield file


class VerifyResult(NamedTuple):
    """The report of the ten steps for one file, as data; and the comparison of its head if they pass."""

    report: dict[str, Any]
    head: Head = Head()


def verify_file(file: str) -> VerifyResult:
    """Verify one file. Raises `PbemError` if no file is named and no game is found."""
    player = local_player()
    try:
        opened = open_file(player, file)
    except VerificationError as error:
        failed = {
            "step": error.step,
            "entry": error.entry,
            "expected": str(error.expected),
            "found": str(error.found),
            "problem": str(error.problem),
            "told": str(error.told),
        }
        return VerifyResult({"file": file, "holds": False, "failed": failed, "hint": error.hint})
    except (FileError, OverBudget, SegmentRefused) as error:
        if not file:  # no game was named, so none fails
            raise
        hint = {"hint": error.hint} if error.hint else {}
        return VerifyResult({"file": file, "holds": False, "problem": str(error), **hint})
    head = head_of(opened)
    remarks = [
        *_relation_remarks(player, opened),
        *_head_remarks(head, f"pbem show {quote_path(opened.typed)}"),
    ]
    report = {
        "file": opened.typed,
        "holds": True,
        **({"remarks": remarks} if remarks else {}),
        **facts(opened.game),
    }
    return VerifyResult(report, head)


def _relation_remarks(player: LocalPlayer, opened: OpenedGame) -> Iterator[str]:
    """A remark on how a verified file relates to the player's own copy, if that matters."""
    try:
        _, told = player.standing(opened.game, opened.data)
    except StorageError as damaged:
        told = str(damaged)
    if told:
        yield told


def _head_remarks(head: Head, command: str) -> Iterator[str]:
    """Remarks on a status or map in the file that is not the game's, or cannot be compared."""
    if head.map == "false":
        yield tr("the map in this file is not the game's. To see the right one: {command}", command=command)
    if head.map == "unclear":
        yield tr(
            "pbem cannot compare the map in this file, because this version draws it differently. To see the "
            "right one: {command}",
            command=command,
        )
    if head.status == "false":
        yield tr(
            "the status in this file is not the game's. To see the right one: {command}", command=command
        )
    if head.status == "unclear":
        yield tr(
            "pbem cannot compare the status in this file, because this version words it differently. To "
            "see the right one: {command}",
            command=command,
        )


def report_lines(report: dict[str, Any]) -> list[str]:
    """The lines of a report: each step that passes, and the first that fails."""
    lines = [safe_text(report["file"]), *(f"  {safe_text(remark)}" for remark in report.get("remarks", ()))]
    if "problem" in report:
        hint = [f"  {safe_text(report['hint'])}"] if "hint" in report else []
        return [
            *lines,
            f"  {tr('cannot be checked: {problem}', problem=safe_text(report['problem']))}",
            *hint,
        ]
    failed = report.get("failed")
    if failed and failed["told"]:
        lines.append(f"  {safe_text(failed['told'])}")
    every = steps()
    holding = every[: failed["step"] - 1] if failed else every
    holds, fails = tr("passes"), tr("FAILS")
    lines += [f"  {step:>2} {holds}  {title}" for step, title in enumerate(holding, 1)]
    if not failed:
        scenario = report["scenario"]
        if scenario["own"]:
            lines.append(f"  {tr('scenario: {name}', name=scenario['text'])}")
        verified = tr(
            "verified: {entries}, head {head}; {owed}",
            entries=count_entries(report["entries"]),
            head=report["head"][:SHOWN_ID_DIGITS],
            owed=safe_text(str(report["owed"]["text"])),
        )
        return [*lines, f"  {verified}"]
    step = every[failed["step"] - 1]
    if failed["entry"] is not None:
        step = tr("{step} at {place}", step=step, place=f"log[{failed['entry']}]")
    return [
        *lines,
        f"  {failed['step']:>2} {fails}  {step}",
        f"     {safe_text(failed['problem'])}",
        *([f"     {safe_text(report['hint'])}"] if report["hint"] else []),
    ]
