"""What a game provides: its `Rules`, and a `View` of them. See docs/decisions/0001-engine.md.

A game of another distribution is found through the entry-point group `pbem.games` (see `pbem.games`); the
object named there is a `Rules`. Rules are pinned: every file names its `name/version`, and a change that
would alter any finished game needs a new version, beside the earlier ones (see `pbem.core.versions`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.requests import Orders, Plain, Question, Request, Tell
from pbem.core.sides import Side, unnamed
from pbem.messages import Said

if TYPE_CHECKING:  # only views need it
    from fractions import Fraction

    from pbem.core.card_table import CardTable
    from pbem.core.legend import Legend
    from pbem.core.scenario_form import ScenarioForm
    from pbem.core.traces import Trace

MOST_BEATS = 65_536
"""The largest number of beats in a game (FORMAT 4)."""

USUAL_PLAYOUTS = 2_000
"""The number of playouts in a report, unless a game says otherwise."""

OVER = "over"
"""The step of a state once the game has ended."""

Step: TypeAlias = Callable[[Any], Coroutine[Request[Any, Any], Any, Any]]
"""A step of the sequence of play: from frozen state to frozen state, pausing at requests."""


class Outcome(Struct, frozen=True):
    """The end of a game by its own rules: the winner's seat (None: a draw), why, and the rule."""

    winner: str | None
    reason: Said
    rule: str


class Odds(Struct, frozen=True):
    """An attack that may be ordered now, with its exact chance.

    `orders` is the list as it would be signed, `words` how to type it; `hit` is the chance of a hit with the
    cards or dice as they are, `why` the calculation in short, such as `5 AT against card +1 -1`. If `orders`
    contains other attacks, because they are compulsory too, `alone` is how to type this one; else it is
    empty.
    """

    orders: Orders
    words: str
    hit: Fraction
    why: str
    alone: str = ""


class Instruction(Struct, frozen=True):
    """What a player does next, after the orders so far, in plain words without the syntax of orders.

    `says` is a sentence or two, such as `1 of 2 activations left`; `due` lists what must still be ordered
    before signing, one item per line, an attack with its chance if that is already known.
    """

    says: str
    due: tuple[str, ...] = ()


class Overlay(Struct, frozen=True):
    """A layer over the map: a figure for each of some hexes, and lines of text about the rest.

    Figures are single characters; `meaning` explains them in the key.
    """

    figures: Mapping[str, str]
    meaning: str
    lines: tuple[str, ...] = ()


class Threat(Struct, frozen=True):
    """An attack the enemy may make on a unit: the exact chance of a hit, and its calculation, `why`.

    `at` is where the unit is; `by` are the attackers, which attack together, each with the hex it would
    attack from, empty if that is off the map.
    """

    unit: str
    at: str
    by: Mapping[str, str]
    hit: Fraction
    why: str


class Forecast(Struct, frozen=True):
    """The consequences of orders, in lines: the exact chances, and warnings about likely mistakes."""

    chances: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class Chooser(Protocol):
    """A source of random choices for a computer player; `random.Random` is one."""

    def random(self) -> float:
        """A number from 0 up to but not including 1."""

    def choice(self, seq: Sequence[Any], /) -> Any:
        """One member of a sequence."""

    def sample(self, population: Sequence[Any], k: int) -> list[Any]:
        """`k` different members of a sequence, in random order."""


Effort: TypeAlias = Iterable[object]
"""The budget of a computer player: it consumes an item for each playout, until none is left.

`range(400)` is the same on every computer, as studies and tests require. In play the effort ends by a clock,
which the computer player does not see. A player that does not search consumes nothing.
"""


class Player(Protocol):
    """A computer player: it answers a question, which has the public state, with legal orders."""

    def __call__(self, ask: Question, chooser: Chooser, effort: Effort = (), /) -> Orders:
        """A legal answer, immediately if there is no effort."""


WON, LOST, DRAWN = "w", "l", "d"
"""The letters of `Match.results`."""


class Match(Struct, frozen=True):
    """A match between two computer players, from which their ratings are computed.

    It is played in rounds, with `one` in either seat and each edition in turn. A player that searches makes
    `playouts` per answer. The seed of a round's games is its number, `seed` for the first. `results` has a
    letter for each game, from the view of `one`: won, lost or drawn.
    """

    one: str
    other: str
    playouts: int
    seed: int
    results: str


class Advice(Struct, frozen=True):
    """An answer, with its results in playouts: games continued from it by a simple player on both sides.

    Its seat won `won` of the `playouts`; a draw counts half. `figures` are means over the playouts, such as
    `exits`, which the game's `View.why` explains. `judged` means that playouts stop before the end of the
    game, at a position whose value is an estimate: then the error of `won` is unknown.
    """

    orders: Orders
    playouts: int
    won: float
    figures: Mapping[str, float] = {}
    judged: bool = False


Adviser: TypeAlias = Callable[[Question, Chooser, Effort], Sequence[Advice]]
"""An evaluation of answers for a person, the strong player's own first; called like a player."""


class ReadyPlan(Struct, frozen=True):
    """A ready-made plan of a game: a description for the player, and the lines of its steps."""

    says: str
    lines: tuple[str, ...]


def on_demand(module: str, name: str) -> Callable[..., Any]:
    """The function `name` of a module, which is imported at its first call.

    Views use it for what only some commands and pages need (decision 12).
    """

    def call(*arguments: Any, **named: Any) -> Any:
        return getattr(import_module(module), name)(*arguments, **named)

    return call


class View(Struct, frozen=True, kw_only=True):
    """How a game speaks to people, in the player's language. The rules need none of these functions.

    They are pure except for the language, which they take from `pbem.texts`.
    """

    read_words: Callable[[Question, Sequence[str]], Orders]
    """From orders as typed (`move 2SS-A 1803`), one per line, to plain orders. Raises `OrderError`."""
    write_words: Callable[[Orders], list[str]]
    """From plain orders to orders as typed: the inverse of `read_words`. Never raises on plain data."""
    typed: Collection[str] = ()
    """The English words of orders that translations can replace; the English ones remain valid."""
    prompt: Callable[[Question], str]
    """The question and its possible answers, in one line."""
    instruct: Callable[[Question, Orders], Instruction] | None = None
    """What to do next after legal or unfinished orders, for the board. None: the board shows the prompt."""
    story: Callable[[Tell], str]
    """An event in one line."""
    legend: Callable[[Any], Legend]
    """The position as data for the renderer."""
    mails: int = 0
    """About how many mails a whole game takes, from both players together; 0 if unknown."""
    odds: Callable[[Question], list[Odds]]
    """The attacks that a question allows, with their exact chances."""
    chance: Callable[[Any], Fraction | None]
    """The exact chance of the attack awaiting cards or dice in a state; None if there is none."""
    further_odds: Callable[[Question, Orders], list[Odds]] | None = None
    """The further attacks that may follow the orders so far, with the chances these orders leave unchanged.

    None: no chance is known before all the orders are complete.
    """
    setups: Callable[[Question], Sequence[str]] | None = None
    """The names of the ready-made set-ups that answer a question, if any. None: the game has none."""
    reach: Callable[[Question, str], Mapping[str, str]] | None = None
    """The hexes where a unit of the side to move may stop now, each with its distance (`3`), for a map.

    Empty if the unit may not move in answer to the question. Raises `IllegalOrder` for a unit of the other
    side. None: the game has no such map.
    """
    further: Callable[[Question, Orders], Iterable[str]] | None = None
    """Orders as typed that can follow legal or unfinished ones, as suggestions for a player who types.

    They need not be all legal ones; empty if nothing more makes sense. None: `Rules.offers` is enough.
    """
    meant: Callable[[Question, Sequence[str], str], Iterable[str]] | None = None
    """What a player may mean by pointing at some of their units (or none) and at a hex (or none).

    Orders as typed, the likeliest first. The rules may refuse them, which shows the player why. None:
    pointing gives no orders.
    """
    after: Callable[[Question, Orders], Any] | None = None
    """The state after unfinished orders, for the map of the player who is typing them.

    None: the map shows orders only once they are complete.
    """
    routes: Callable[[Question, str], Mapping[str, Orders]] | None = None
    """For each hex that `reach` gives for a unit, the orders that move it there, and others they require.

    None if `reach` is None.
    """
    sight: Callable[[Any, str], Overlay] | None = None
    """The hexes in sight from a hex in a state, and what blocks the rest. None: the game has none."""
    zones: Callable[[Any], Overlay] | None = None
    """The zones of control in a state. None: the game has none."""
    supply: Callable[[Any], Overlay] | None = None
    """The hexes where units are in supply in a state. None: the game has no supply."""
    turn: Callable[[Any], int] | None = None
    """The number of the turn in a state, from 1. None: the game has no turns."""
    combat: Callable[[Tell], bool] | None = None
    """Whether an event is the result of an attack, hit or miss. None: the game has no attacks."""
    threats: Callable[[Any, str], list[Threat]] | None = None
    """The attacks a seat's opponent may make on its units, now or at the opponent's next decision."""
    threatening: Callable[[], str] = lambda: ""
    """One sentence about what `threats` includes and what it leaves out."""
    drawn: Callable[[Sequence[Plain]], str] = lambda outcomes: ", ".join(map(str, outcomes))
    """One or several outcomes of a draw, worded for a sentence: `9 of spades`, `3`."""
    editions: Callable[[], Mapping[str, str]] = dict
    """A description of each edition, by its name: `the German booklet`."""
    reconstruction: Callable[[], str] = lambda: ""
    """Which parts of the shipped scenario are reconstructed, in one sentence for a new game."""
    aim: Callable[[Any], list[str]] | None = None
    """The victory conditions under the game's options, and each side's progress in a state, one per line.

    Empty when the game is over. None: only the rulebook has them.
    """
    numbers: Callable[[Any], Mapping[str, int]] = lambda state: {}
    """The numbers in the game's HOWTO.md that depend on options or scenario, by their names there."""
    forecast: Callable[[Question, Orders], Forecast] | None = None
    """The forecast of orders before they are signed, besides their story up to the first card or die.

    Raises `OrderError`. None: the story and `chance` are enough.
    """
    allows: Callable[[Question], Mapping[str, Plain]] | None = None
    """Facts about a question beyond the public state, each a word or a number, for the conditions of plans.

    For example, the `colour` and `allowance` of the card being answered. None: there are none.
    """
    plans: Callable[[], Mapping[str, ReadyPlan]] = dict
    """The game's own ready-made plans by name, in addition to those for every game."""
    why: Callable[[Question, Advice], Sequence[str]] | None = None
    """The reasons for an answer, from the figures of an `Advice`, one per line. None: there is no adviser."""
    traces: Callable[[Tell], list[Trace]] | None = None
    """The traces of an event on the map, for replays and luck statistics. None: there are none."""
    scenario_form: ScenarioForm | None = None
    """The form for a player's own scenario. None: players edit the file of a shipped one."""
    card_table: Callable[[Any, Question | None, Orders], CardTable] | None = None
    """The table that pages draw instead of a map. None: the game has a map, or nothing to click on.

    Its arguments: a state, the question if it is the reader's, and the reader's orders so far, legal or none.
    """


class Sharing(Struct, frozen=True):
    """How a side can be shared among commanders (FORMAT 11), and the rule that allows or forbids it.

    `groups` are the groups of each seat, none if its side cannot be shared. `ordered` gives the groups whose
    units an order commands in a state, none if it names no unit; it never raises on plain data. `most` is the
    largest number of commanders, on both sides together, with its rule; None: as many as FORMAT 11 allows.
    """

    rule: str
    groups: Mapping[str, tuple[str, ...]] = {}
    ordered: Callable[[Any, Plain], frozenset[str]] = lambda state, order: frozenset()
    most: tuple[int, str] | None = None


class Booklet(Protocol):
    """The scenarios of a game."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the shipped scenarios; the first is the default."""

    def data(self, name: str) -> Plain:
        """The data of a shipped scenario, as its digest covers it. Raises `FileError` for an unknown name."""

    def text(self, name: str) -> str:
        """The YAML file of a shipped scenario, with comments for players who make their own."""

    def check(self, data: Plain) -> list[Said]:
        """Every fault of a player's own scenario, with its path; empty if the scenario is playable."""


class Rules(Struct, frozen=True, kw_only=True, eq=False):
    """One version of the rules of one game. All functions are pure.

    Two modules of the game's package are imported only when needed: `view` has the `VIEW`, `players` the
    `PLAYERS`. If versions differ in these, the modules have functions `view_of` and `players_of` instead.
    """

    name: str
    """The game's name in files and commands, such as `mortain`."""
    version: int
    """The version of these rules, from 1."""
    title: str
    """The game's title for people, the same in every language."""
    package: str
    """The package that contains `view` and `players`."""
    seats: tuple[str, str]
    """The two seats, as named in files; chances and charts are those of the first."""
    editions: Mapping[str, Mapping[str, Plain]]
    """Presets that set every option; the first is the default for languages without their own."""
    scenarios: Booklet
    """The shipped scenarios, and checks of players' own; usually a `pbem.core.scenarios.Scenarios`."""
    sequence: Mapping[str, Step]
    """The sequence of play by name: a state's attribute `step` names the next step, or is `OVER`.

    Its attribute `outcome` is the `Outcome` of the game, None until it is over.
    """
    begin: Callable[[Mapping[str, Plain], Plain], Any]
    """The state before the first step, from options and scenario. Raises `FileError` if they are faulty."""
    beats: Callable[[Mapping[str, Plain], Plain], int]
    """Twice the most beats that a game with these options and scenario can use (FORMAT 4)."""
    public: Callable[[Any], dict[str, Plain]]
    """The public state (FORMAT 7), without `asks`, which the run adds."""
    offers: Callable[[Question], Iterator[Orders]]
    """The simple legal answers to a question, at least one; each has passed `ask.read`."""
    sides: Mapping[str, Side] = {}
    """The names of the seats' sides in sentences; a side missing here is called by its key."""
    sharing: Sharing = Sharing("")
    """How a seat's player may share command with others."""
    named_sides: Callable[[Plain], Mapping[str, Side]] | None = None
    """The names of the sides in the data of a scenario that `begin` accepts. None: always `sides`."""
    known: Callable[[Any, Mapping[str, Orders]], Any] | None = None
    """The state as a player with sealed orders knows it: from a state, and those orders by seal.

    It differs from the state only in what `public` leaves out. Its questions may refuse what would contradict
    the player's own seals; any orders they accept must be legal in the public state too, where both players
    judge them. None: a seal hides nothing that its owner needs before opening it.
    """
    computed: Callable[[Question, bytes], Orders | None] | None = None
    """The orders pbem computes for a player with nothing to decide; None if the player decides.

    From a question, and 32 bytes derived from the player's key, the game and the log, which nobody else
    knows: so two computers of one player answer alike. None: the game has no such questions.
    """
    settles_results: bool = False
    """Whether the rules alone decide how a game ends, so that nobody can propose a draw (FORMAT 13)."""
    compares_scenarios: bool = True
    """Whether a player's own scenario is described by its changes from a shipped one, value by value.

    False: shipped ones are examples, and players usually make their own.
    """
    earlier: Mapping[int, Callable[[Rules], Rules]] = {}
    """All earlier versions, each derived from the next one (`pbem.core.versions`); only in the newest."""
    later: Rules | None = None
    """The next version, or None for the newest."""

    @property
    def pin(self) -> str:
        """`name/version`, as in files."""
        return f"{self.name}/{self.version}"

    @property
    def called(self) -> str:
        """The name of these rules in commands: the game's name, or for an earlier version its pin."""
        return self.pin if self.later else self.name

    def side(self, seat: str) -> Side:
        """The names of a seat's side, for messages."""
        return self.sides.get(seat) or unnamed(seat)

    def with_sides_of(self, scenario: Plain) -> Rules:
        """These rules with the names of the sides from a scenario, if it names them."""
        return replace(self, sides=self.named_sides(scenario)) if self.named_sides else self

    def edition(self, language: str) -> str:
        """The default edition for a language: the one with its name, such as `de`, or else the first."""
        return language if language in self.editions else next(iter(self.editions))

    @property
    def view(self) -> View:
        """The game's `View`."""
        module = import_module(f"{self.package}.view")
        view: View = module.view_of(self) if hasattr(module, "view_of") else module.VIEW
        return view

    @property
    def players(self) -> Mapping[str, Player]:
        """The computer players, weakest first: `random` (any legal orders), `sensible`, and others.

        Empty if the package has no module `players`: then only people can play the game.
        """
        if (module := self._players_module) is None:
            return {}
        players: Mapping[str, Player]
        players = module.players_of(self) if hasattr(module, "players_of") else module.PLAYERS
        return players

    @property
    def searching(self) -> Collection[str]:
        """The players that search: to the others an effort means nothing. `SEARCHING` beside them, if any."""
        names: Collection[str] = getattr(self._players_module, "SEARCHING", ())
        return names

    @property
    def playouts(self) -> int:
        """The default number of playouts for `pbem report`: about what two idle cores make in 20 seconds.

        A game with slow players sets `PLAYOUTS` in its module `players`; the default is `USUAL_PLAYOUTS`.
        """
        usual: int = getattr(self._players_module, "PLAYOUTS", USUAL_PLAYOUTS)
        return usual

    @property
    def matches(self) -> Sequence[Match]:
        """The matches that rate the computer players: `MATCHES` of their module, if any.

        In each, a player meets one rated by an earlier match, or `easy`, whose rating is the starting point.
        """
        matches: Sequence[Match] = getattr(self._players_module, "MATCHES", ())
        return matches

    @property
    def adviser(self) -> Adviser | None:
        """The adviser, which evaluates answers for people: `ADVISER` of the module `players`, if any."""
        adviser: Adviser | None = getattr(self._players_module, "ADVISER", None)
        return adviser

    @property
    def _players_module(self) -> ModuleType | None:
        name = f"{self.package}.players"
        return import_module(name) if find_spec(name) else None
