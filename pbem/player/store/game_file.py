"""The game file as pbem writes it, with status and map at its head; and the comparison of such a head.

The head shows people the state of the game (FORMAT section 3). pbem writes the same head for the same game,
word for word. So a head is right if pbem would write it in the language of either player, and false if it is
in pbem's words but states something else. Anything else is unclear, and pbem says that too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.legend import Legend
from pbem.errors import FileError
from pbem.format.document import cut_board
from pbem.format.yaml_reader import parse_yaml
from pbem.lookalikes import plain_letters
from pbem.render.ascii_picture import ascii_picture, join_parts, picture_contradicts, picture_parts
from pbem.render.safe_text import to_ascii, wrap
from pbem.render.story import commanders_in_file, next_duty_in_file
from pbem.texts import ENGLISH, LANGUAGES, Texts, speaking, spoken
from pbem.umpire.game_state import Game
from pbem.umpire.offered_scenario import own_scenario

if TYPE_CHECKING:
    from pbem.core.legend import Legend


tr = Texts("pbem")


def game_file_bytes(game: Game) -> bytes:
    """The bytes of the game's file."""
    from pbem.umpire.write import to_bytes  # under 1 ms, and comparing a file writes none

    legend = legend_of(game)
    return to_bytes(game, status_fields(game, legend), board_text(game, legend))


def legend_of(game: Game) -> Legend:
    """The position that status and map show, in the current language.

    Its counters off the map are counted without plurals: every release compares this head word for word.
    """
    return replace(game.rules.view.legend(game.state.run.state), amount=None)


def status_fields(game: Game, legend: Legend | None = None) -> dict[str, str]:
    """The status at the head of a file: the game, an own scenario, the tracks, the commanders, the next duty.

    Keys are English, for tools. Values are in the writer's language, in plain ASCII as the board is.
    Commanders are listed if a side is shared (FORMAT 11). `legend` is `legend_of` the game.
    """
    legend = legend or legend_of(game)
    keys = [name for name, _ in _english_legend(game, legend).figures]
    own = own_scenario(game)
    told = (
        {"game": Texts(game.rules.package)(game.rules.title)}
        | ({"scenario": own.text} if own else {})
        | {plain_letters(key): value for key, (_, value) in zip(keys, legend.figures, strict=True)}
        | ({"commanders": who} if (who := commanders_in_file(game)) else {})
        | {"next": next_duty_in_file(game.state)}
    )
    return {to_ascii(key): to_ascii(str(value)) for key, value in told.items()}


def board_text(game: Game, legend: Legend | None = None) -> str:
    """The map as the file shows it, and whose turn it is. `legend` is `legend_of` the game."""
    return f"{ascii_picture(legend or legend_of(game))}\n\n{next_move(game)}"


def next_move(game: Game) -> str:
    """The lines below the map: whose move it is."""
    return wrap(to_ascii(tr("Next: {waiting}", waiting=next_duty_in_file(game.state))), indent=6)


def _english_legend(game: Game, legend: Legend) -> Legend:
    """The position in English, the language of the status keys; `legend` is in the player's."""
    if spoken() == ENGLISH:
        return legend
    with speaking(ENGLISH):
        return legend_of(game)


Finding: TypeAlias = Literal["same", "false", "unclear"]
"""The verdict on a part of a head: right, false, or impossible to compare."""

_SENTENCES = {"game", "scenario", "commanders", "next"}
"""The keys of a status that are not tracks."""

_BESIDE_THE_LOG = re.compile(rb"[\r\n][^\s#-]")
"""The start of a key after the log; list items begin with a dash, their contents with a space."""


class Head(Struct, frozen=True):
    """The verdicts on the status and the map of a file; None for a part that the file lacks."""

    status: Finding | None = None
    map: Finding | None = None

    @property
    def is_right(self) -> bool:
        """Whether every part that the file has is right."""
        return {self.status, self.map} <= {"same", None}


def compare_head(game: Game, data: bytes) -> Head:
    """Compare the status and the map in a file's bytes with its game."""
    read = _read_head(data)
    status, lines = read.get("status") or None, _board_lines(read.get("board"))
    if status is None and lines is None:
        return Head()
    compared = []
    for language in dict.fromkeys((spoken(), *LANGUAGES)):
        with speaking(language):
            fit = _compare_in_language(game, status, lines)
        if fit.settled:
            return fit.head
        compared.append(fit)
    return max(compared, key=lambda fit: fit.equal).head  # the first of the best matches


def _read_head(data: bytes) -> dict[str, Any]:
    """The keys of a document; without the log if that is last, where pbem puts it."""
    above, log, below = data.partition(b"\nlog:")
    if log and not _BESIDE_THE_LOG.search(below):
        try:
            return _mapping(parse_yaml(above + b"\n"))
        except FileError:  # that line was part of a text
            pass
    return _mapping(parse_yaml(data))


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _board_lines(board: Any) -> list[str] | None:
    """The lines of a board; None for an empty one."""
    lines = [line.rstrip() for line in str(board or "").strip("\n").split("\n")]
    return lines if any(lines) else None


class _LanguageFit(NamedTuple):
    """How well a head matches the one pbem would write in one language.

    `equal` is the number of matching status values; `settled`: the head is in that language.
    """

    head: Head
    equal: int
    settled: bool


def _compare_in_language(game: Game, status: Any, lines: list[str] | None) -> _LanguageFit:
    """Compare a head with pbem's own in the current language."""

    legend = legend_of(game)
    ours = status_fields(game, legend)
    values = _mapping(status)
    equal = sum(value == ours.get(key) for key, value in values.items())
    shown = None if status is None else _compare_status(game, values, ours)
    if lines is None:
        return _LanguageFit(Head(shown), equal, shown == "same")
    drawn, below = _compare_board(game, lines, ours, legend)
    return _LanguageFit(Head(_worst_finding(shown, below), drawn or "unclear"), equal, drawn is not None)


def _compare_status(game: Game, values: dict[str, Any], ours: dict[str, str]) -> Finding:
    """The verdict on a status: false if a track has other numbers, or the turn is another side's."""
    others = {key: str(value) for key, value in values.items() if value != ours.get(key)}
    if values and not others:
        return "same"
    tracks = others.keys() & ours.keys() - _SENTENCES
    if any(_has_other_numbers(others[key], ours[key]) for key in tracks):
        return "false"
    return _compare_next(game, others["next"]) if "next" in others else "unclear"


def _compare_board(
    game: Game, lines: list[str], status: dict[str, Any], legend: Legend
) -> tuple[Finding | None, Finding | None]:
    """The verdicts on a board, given the right status: on its map, and on the line below it.

    That line says whose turn it is. None for a map that is not in pbem's words in the current language, and
    for a missing line.
    """

    ours = picture_parts(legend)
    picture, right = join_parts(ours), next_move(game)
    if lines == _board_lines(cut_board(status, f"{picture}\n\n{right}")):
        return "same", None
    above = picture.split("\n")
    if lines[: len(above)] != above:
        contradicted = picture_contradicts(lines, ours, legend)
        return (contradicted if contradicted is None else "false" if contradicted else "unclear"), None
    below = " ".join(" ".join(lines[len(above) :]).split())
    if not below or below == " ".join(right.split()):
        return "same", None
    return "same", _compare_next(game, below.removeprefix(to_ascii(tr("Next: {waiting}", waiting=""))))


def _compare_next(game: Game, waiting: str) -> Finding:
    """The verdict on a "next" that is not pbem's: false if it begins with a side that does not write next."""
    side, colon, _ = waiting.partition(":")
    idle = [seat for seat in game.rules.seats if seat != game.state.writer]
    sides = {seat: game.rules.side(seat) for seat in idle}
    names = {
        to_ascii(name)
        for seat, side_names in sides.items()
        for name in (seat, str(side_names), f"{side_names:name}")
    }
    return "false" if colon and side.strip() in names else "unclear"


def _has_other_numbers(shown: str, right: str) -> bool:
    """Whether two texts have equally many numbers but different ones, in any order: languages vary that."""
    numbers, right_numbers = (sorted(re.findall(r"\d+", text)) for text in (shown, right))
    return len(numbers) == len(right_numbers) and numbers != right_numbers


def _worst_finding(*findings: Finding | None) -> Finding | None:
    """The worst of several verdicts; None if there are none."""
    return max(filter(None, findings), key=("same", "unclear", "false").index, default=None)
