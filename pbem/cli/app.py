"""The `pbem` command: its table of commands, its own options, and the report of usage errors."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any, ClassVar

import typer

from pbem.base import language
from pbem.cli.command_groups import LazyGroup, rephrase_usage_error
from pbem.cli.exit_codes import FAILED, USAGE, report_interrupt, run_and_exit, run_for_exit_code
from pbem.cli.terminal import put_stderr, warn
from pbem.texts import Texts

tr = Texts("pbem")

INTERRUPTED = 130
"""Typer's exit code for an interrupt outside a question."""


class _Main(LazyGroup):
    """The group `pbem`."""

    table: ClassVar = {
        "new": ("new", "Start a game and its file; join one you were offered."),
        "join": ("new", "Start a game and its file; join one you were offered."),
        "show": ("show", "Check a game; show what happened and what to do next."),
        "moves": ("legal_moves", "List your legal orders with chances; suggest the best."),
        "hint": ("legal_moves", "List your legal orders with chances; suggest the best."),
        "move": ("move", "Give your orders, typed or by clicking in a browser."),
        "play": ("play", "Give your orders, typed or by clicking in a browser."),
        "plan": ("plan", "Plan orders ahead; draft them for your lead."),
        "orders": ("commanders", "Plan orders ahead; draft them for your lead."),
        "setup": ("legal_moves", "Write out the orders of a ready-made set-up."),
        "propose": ("move", "Propose a draw, or a take-back; answer a proposal."),
        "answer": ("move", "Propose a draw, or a take-back; answer a proposal."),
        "undo": ("move", "Undo a move nobody else has seen; resign the game."),
        "resign": ("move", "Undo a move nobody else has seen; resign the game."),
        "say": ("move", "Add a message; it goes with your next orders."),
        "rules": ("rules", "Explain how to play a game, or print one of its rules."),
        "games": ("games", "List your games, whose move it is; make a club's table."),
        "club": ("club", "List your games, whose move it is; make a club's table."),
        "demo": ("demo", "Watch two computer players play a whole game."),
        "log": ("review", "Print the story of a game; step through it on screen."),
        "replay": ("review", "Print the story of a game; step through it on screen."),
        "report": ("review", "Show what decided a game: chances, luck, decisions."),
        "page": ("page", "Export a self-proving page of a game; draw its map."),
        "picture": ("page", "Export a self-proving page of a game; draw its map."),
        "send": ("mail_send", "Mail a game; set up your mail and fetch games from it."),
        "mail": ("mail_group", "Mail a game; set up your mail and fetch games from it."),
        "key": ("new", "Make or show your key; protect it with a passphrase."),
        "backup": ("backup", "Back up everything you have here; restore it."),
        "restore": ("backup", "Back up everything you have here; restore it."),
        "verify": ("verify", "Verify everything in a game; print draws to recompute."),
        "draws": ("verify", "Verify everything in a game; print draws to recompute."),
        "scenario": ("scenario", "Check or write a scenario; try how fair one is."),
        "study": ("study", "Check or write a scenario; try how fair one is."),
    }
    chapters: ClassVar = {
        "new": "Play",
        "rules": "Look",
        "send": "Mail",
        "verify": "Proof",
        "scenario": "Make",
    }

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, with all commands on one screen."""
        if "lang" not in ctx.params:  # options that were typed, such as --help, are handled before defaults
            language.settle()
        formatter.write(
            tr(
                "Usage: pbem COMMAND ...     (just pbem: whose move it is and what to type)\n"
                "       pbem COMMAND --help, pbem --version, --lang es, --install-completion"
            )
        )
        formatter.write("\n\n" + "".join(f"{line}\n" for line in self.table_lines()))
        formatter.write(tr("FILE can be the start of a game's id; omit it if only one game is waiting."))
        formatter.write("\n")


app = typer.Typer(
    name="pbem",
    cls=_Main,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _set_language(context: typer.Context, typed: str) -> str:
    """Set the player's language before anything else is read or printed."""
    unknown = language.settle(typed)
    if unknown and not context.resilient_parsing:  # a warning would spoil the shell's completions
        warn(unknown)
    return typed


@app.callback()
def options(
    context: typer.Context,
    lang: Annotated[
        str,
        typer.Option(
            language.OPTION, help="Your language: en, es, it or de.", is_eager=True, callback=_set_language
        ),
    ] = "",
    version: Annotated[
        bool, typer.Option("--version", help="Print the versions of program, rules and files.", is_eager=True)
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The versions as JSON.")] = False,
) -> None:
    """Play board wargames by e-mail: one signed file, the full rules, draws that both can verify."""
    if version:
        from pbem.cli.version import put_version  # 12 ms: it loads every game

        put_version(as_json=as_json)
        raise typer.Exit
    if as_json:
        raise typer.BadParameter(
            tr("use it with --version, or with a command that has this option"), param_hint="--json"
        )
    if context.invoked_subcommand is None:
        from pbem.cli.games import start  # 41 ms: no command needs it

        start()


def main() -> None:
    """Run the command and exit with its code. No input causes a traceback."""
    run_and_exit(_run_from_argv)


def _run_from_argv() -> int:
    if os.environ.get("_PBEM_COMPLETE") == "complete_bash":
        from pbem.cli.completion import rejoin_bash_words  # under 1 ms: no command needs it

        with rejoin_bash_words():
            run([])
    return run(sys.argv[1:])


def run(arguments: list[str]) -> int:
    """Run the command with these arguments and print errors to standard error. Returns the exit code."""
    if arguments[:1] == ["help"]:  # `pbem help move` is `pbem move --help`
        arguments = [*arguments[1:], "--help"]
    return run_for_exit_code(lambda: _run_command(arguments))


def _run_command(arguments: list[str]) -> int:
    try:
        code = app(arguments, prog_name="pbem", standalone_mode=False)
    except typer.Abort:  # an interrupt at a question, or the end of standard input
        put_stderr(tr("error: stopped"))
        return FAILED
    except Exception as error:
        # Typer's own usage errors: their classes are private, their interface is not.
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        said, context = message(), getattr(error, "ctx", None)
        misplaced = said.startswith(f"No such option: {language.OPTION}")
        if misplaced:
            said, _, _ = said.partition(" (")  # similar options, which Typer suggests, are rarely of use
        put_stderr(f"{tr('error')}: {rephrase_usage_error(said)}")
        if misplaced:
            right = tr("put it before the command: {command}", command="pbem --lang es ...")
            put_stderr(tr("hint: {hint}", hint=right))
            return USAGE
        command = f"{context.command_path if context else 'pbem'} --help"
        put_stderr(tr("hint: for help, type: {command}", command=command))
        return USAGE
    if code == INTERRUPTED:
        return report_interrupt()
    return code if isinstance(code, int) else 0
