"""What a game provides: its `Rules`, and a `View` of them. See docs/decisions/0001-engine.md.

The game of another distribution is found through the entry-point group `pbem.games` (see `pbem.games`); the
object named there is a `Rules`.
Rules are pinned: `name/version` stands in every file, and a change that would alter any finished
game needs a new version, beside the earlier ones (see `pbem.core.versions`).
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

if TYPE_CHECKING:  # only for views
    from fractions import Fraction

    from pbem.core.card_table import CardTable
    from pbem.core.legend import Legend
    from pbem.core.scenario_form import ScenarioForm
    from pbem.core.traces import Trace

MOST_BEATS = 65_536
"""The most beats that a game may use (FORMAT section 4)."""

USUAL_PLAYOUTS = 2_000
"""The playouts of a report, unless a game says otherwise."""

OVER = "over"
"""The step of a state in which the game has ended."""

Step: TypeAlias = Callable[[Any], Coroutine[Request[Any, Any], Any, Any]]
"""A step of the sequence of play: from frozen state to frozen state, pausing at requests."""


class Outcome(Struct, frozen=True):
    """The end of a game by its own rules: the winner's seat (None: a draw), why, and the rule."""

    winner: str | None
    reason: Said
    rule: str


class Odds(Struct, frozen=True):
    """The exact chance of an attack that may be ordered now.

    `orders` is the list as it would be signed, `words` how to type it; `hit` the chance of a hit with
    the cards or dice as they are, `why` the calculation in short, such as `5 AT against card +1 -1`.
    Where `orders` has other attacks beside it, because they must be ordered too, `alone` is how to type this
    one; else it is empty.
    """

    orders: Orders
    words: str
    hit: Fraction
    why: str
    alone: str = ""


class Instruction(Struct, frozen=True):
    """What a player does next, after the orders so far, in ordinary words and without the syntax of orders.

    `says` is a sentence or two, such as `1 of 2 activations left`; `due` names what must still be ordered
    before the orders can be signed, one item a line, an attack with its chance if that is known already.
    """

    says: str
    due: tuple[str, ...] = ()


class Overlay(Struct, frozen=True):
    """A layer over the map: a figure for each of some hexes, and lines of text for the rest.

    `meaning` explains the figures, of one character each, for the key.
    """

    figures: Mapping[str, str]
    meaning: str
    lines: tuple[str, ...] = ()


class Threat(Struct, frozen=True):
    """An attack that the enemy may make on a unit: the exact chance of a hit, and `why`, its calculation.

    `at` is where the unit is, `by` are the attackers, each with the hex that it would attack from, which is
    empty off the map. Several attack together.
    """

    unit: str
    at: str
    by: Mapping[str, str]
    hit: Fraction
    why: str


class Forecast(Struct, frozen=True):
    """The consequences of orders, in lines: the exact chances, and warnings of what may not be intended."""

    chances: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class Chooser(Protocol):
    """The random choices of a practice player; `random.Random` is one."""

    def random(self) -> float:
        """A number from 0 up to but not including 1."""

    def choice(self, seq: Sequence[Any], /) -> Any:
        """One member of a sequence."""

    def sample(self, population: Sequence[Any], k: int) -> list[Any]:
        """`k` different members of a sequence, in random order."""


Effort: TypeAlias = Iterable[object]
"""The budget of a practice player: it takes an item for each playout, until none is left.

`range(400)` is the same everywhere, as studies and tests need it. In play the effort ends by a clock that the
practice player does not see. A player that does not search takes no item.
"""


class Player(Protocol):
    """A practice player: from a question (its state is public), a chooser and an effort to a legal answer."""

    def __call__(self, ask: Question, chooser: Chooser, effort: Effort = (), /) -> Orders:
        """A legal answer; without effort, at once."""


WON, LOST, DRAWN = "w", "l", "d"
"""The letters of `Match.results`."""


class Match(Struct, frozen=True):
    """A match between two practice players, from which their ratings follow.

    It is played in rounds, with `one` in either seat in each edition in turn. A player that searches makes
    `playouts` for an answer. The games of a round are seeded by its number; that of the first is `seed`.
    `results` has a letter for each game: `one` has won or lost, or it was drawn.
    """

    one: str
    other: str
    playouts: int
    seed: int
    results: str


class Advice(Struct, frozen=True):
    """An answer, and its results in playouts: games continued from it by a simple player on both sides.

    Its seat won `won` of the `playouts`; a draw counts half. `figures`, which the game's `View.why` explains,
    are means over the playouts, such as `exits`. `judged` says that playouts stop before the end of the game,
    at a position whose value is an estimate: then nobody can say how reliable `won` is.
    """

    orders: Orders
    playouts: int
    won: float
    figures: Mapping[str, float] = {}
    judged: bool = False


Adviser: TypeAlias = Callable[[Question, Chooser, Effort], Sequence[Advice]]
"""A searching player's evaluation of its answers, the best first; called like the player itself."""


class ReadyPlan(Struct, frozen=True):
    """A ready-made plan of a game: a description for the player, and the lines of its steps."""

    says: str
    lines: tuple[str, ...]


def on_demand(module: str, name: str) -> Callable[..., Any]:
    """The function `name` of a module, which is imported when it is first called.

    A view has what only some surfaces use (decision 12).
    """

    def call(*arguments: Any, **named: Any) -> Any:
        return getattr(import_module(module), name)(*arguments, **named)

    return call


class View(Struct, frozen=True, kw_only=True):
    """How a game talks to people, in the player's language. The rules need none of these functions.

    They are pure except for that language, which `Texts` determines.
    """

    read_words: Callable[[Question, Sequence[str]], Orders]
    """Orders as typed (`move 2SS-A 1803`), one line each, to plain orders. Raises `OrderError`."""
    write_words: Callable[[Orders], list[str]]
    """Plain orders as one would type them: the inverse of `read_words`. Never raises on plain data."""
    typed: Collection[str] = ()
    """The English words of orders for which a language may have its own; the English ones remain valid."""
    prompt: Callable[[Question], str]
    """The question and its possible answers, in one line for the player."""
    instruct: Callable[[Question, Orders], Instruction] | None = None
    """What is to be done after legal or unfinished orders, for the board. None: it shows the prompt."""
    story: Callable[[Tell], str]
    """An event in one line."""
    legend: Callable[[Any], Legend]
    """The position as data for the renderer."""
    mails: int = 0
    """About how many mails a whole game takes, both players' together; 0 where nobody has counted."""
    odds: Callable[[Question], list[Odds]]
    """The attacks that a question allows, with their exact chances."""
    chance: Callable[[Any], Fraction | None]
    """The exact chance of the attack that waits for cards or dice in a state; None if none does."""
    further_odds: Callable[[Question, Orders], list[Odds]] | None = None
    """The attacks that may follow the orders so far, with the chances that these do not change.

    None: after other orders no chance is known before all are complete.
    """
    setups: Callable[[Question], Sequence[str]] | None = None
    """The names of the ready-made set-ups that answer a question, empty if none does; None without any."""
    reach: Callable[[Question, str], Mapping[str, str]] | None = None
    """The hexes where a unit of the side to move may stop now, each with its distance (`3`), for a map.

    Empty if the unit may not move in answer to the question. Raises `IllegalOrder` if it is not of that side.
    None: the game has no such map.
    """
    further: Callable[[Question, Orders], Iterable[str]] | None = None
    """The orders that may be added to legal or unfinished ones, as typed, to suggest to a player who types.

    They need not be all legal ones; empty if nothing more makes sense. None: the simple offers are enough.
    """
    meant: Callable[[Question, Sequence[str], str], Iterable[str]] | None = None
    """The possible meanings when a player points at units of his (or none) and at a hex (or none).

    Orders as typed, the likeliest first. The rules may refuse them: then he learns why. None: he learns that
    nothing can be ordered.
    """
    after: Callable[[Question, Orders], Any] | None = None
    """The state after unfinished orders, as far as they go, for the map of the player who types them.

    None: the map shows orders only once they are complete.
    """
    routes: Callable[[Question, str], Mapping[str, Orders]] | None = None
    """The orders that bring the unit of `reach` to each of its hexes, including necessary others.

    None where `reach` is None.
    """
    sight: Callable[[Any, str], Overlay] | None = None
    """The hexes in sight from a hex in a state, and what blocks the rest. None: the game has none."""
    zones: Callable[[Any], Overlay] | None = None
    """The zones of control in a state. None: the game has none."""
    supply: Callable[[Any], Overlay] | None = None
    """The hexes in which units are in supply in a state. None: the game has no supply."""
    turn: Callable[[Any], int] | None = None
    """The number of the turn in a state, from 1. None: the game has no turns."""
    combat: Callable[[Tell], bool] | None = None
    """Whether an event settles an attack, hit or miss. None: nobody attacks in the game."""
    threats: Callable[[Any, str], list[Threat]] | None = None
    """The attacks that the enemy of a seat may make on its units, now or as soon as it is asked."""
    threatening: Callable[[], str] = lambda: ""
    """What `threats` includes and what it leaves out, in one sentence for the player."""
    drawn: Callable[[Sequence[Plain]], str] = lambda outcomes: ", ".join(map(str, outcomes))
    """One or several outcomes of a draw as they stand in a sentence: `9 of spades`, `3`."""
    editions: Callable[[], Mapping[str, str]] = dict
    """The editions in words, by their names: `the German booklet`."""
    reconstruction: Callable[[], str] = lambda: ""
    """What of the shipped scenario is not the authors', in a sentence for whoever begins a game."""
    aim: Callable[[Any], list[str]] | None = None
    """The victory conditions by the game's options, and each side's progress in a state, one line each.

    Empty when the game is over. None: only the game's pages say it.
    """
    numbers: Callable[[Any], Mapping[str, int]] = lambda state: {}
    """The numbers in the game's HOWTO.md that depend on options and scenario, by their names there."""
    forecast: Callable[[Question, Orders], Forecast] | None = None
    """The forecast of orders before they are signed, beside their story up to the first card or die.

    Raises `OrderError`. None: the story and `chance` are enough.
    """
    allows: Callable[[Question], Mapping[str, Plain]] | None = None
    """Facts about a question beyond the public state, each a word or a number, for plans: `colour` and
    `allowance` of the card that it answers. None: there are none.
    """
    plans: Callable[[], Mapping[str, ReadyPlan]] = dict
    """The game's ready-made plans by their names, beside those for every game."""
    why: Callable[[Question, Advice], Sequence[str]] | None = None
    """The reasons for an answer, by the figures of an `Advice`, a line each. None: there is no adviser."""
    traces: Callable[[Tell], list[Trace]] | None = None
    """The traces of an event on the map, for replays and the statistics of luck; None: there are none."""
    scenario_form: ScenarioForm | None = None
    """The form in which a player makes a scenario of his own. None: he changes the file of a shipped one."""
    card_table: Callable[[Any, Question | None, Orders], CardTable] | None = None
    """The table that pages draw in place of a map: of a state, the question if the reader is to answer it,
    and his orders so far, which are legal or none. None: the game has a map, or nothing to be clicked on.
    """


class Sharing(Struct, frozen=True):
    """How sides are shared among commanders (FORMAT 11), and the rule that allows or forbids it.

    `groups` are those of each seat, none where a side cannot be shared. `ordered` gives the groups whose
    units an order commands in a state: none if it names no unit. It never raises on plain data. `most` is the
    largest number of commanders, both sides together, with its rule; None: as many as FORMAT 11 allows.
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
        """The data of a shipped one, as its digest covers them. Raises `FileError` for another name."""

    def text(self, name: str) -> str:
        """The YAML file of a shipped one, with comments for players who make their own."""

    def check(self, data: Plain) -> list[Said]:
        """Every fault of a player's own scenario, each with its path; empty if it is playable."""


class Rules(Struct, frozen=True, kw_only=True, eq=False):
    """One version of the rules of one game. All functions are pure.

    Two modules of the game's package are imported only when needed: `view` has the `VIEW`, `players` the
    `PLAYERS`. Where versions differ in them, `view_of` and `players_of` there return those of a version.
    """

    name: str
    version: int
    title: str
    package: str
    """The package in which `view` and `players` are."""
    seats: tuple[str, str]
    editions: Mapping[str, Mapping[str, Plain]]
    """Presets that state every option; the first is the default for languages without their own."""
    scenarios: Booklet
    """The scenarios, shipped ones and players' own, such as a `pbem.core.scenarios.Scenarios`."""
    sequence: Mapping[str, Step]
    """The sequence of play: a state's attribute `step` names the next step, or is `OVER`.

    Its attribute `outcome` is the `Outcome` of the game, None until it is over.
    """
    begin: Callable[[Mapping[str, Plain], Plain], Any]
    """The state before the first step, from options and scenario. Raises `FileError` for faults in them."""
    beats: Callable[[Mapping[str, Plain], Plain], int]
    """FORMAT section 4: twice the most beats that a game with these options and scenario can use."""
    public: Callable[[Any], dict[str, Plain]]
    """FORMAT section 7: the public state (without `asks`, which the run adds)."""
    offers: Callable[[Question], Iterator[Orders]]
    """The simple legal answers to a question, at least one; each has passed `ask.read`."""
    sides: Mapping[str, Side] = {}
    """The names of the seats' sides in sentences; a side missing here is called by its key."""
    sharing: Sharing = Sharing("")
    """The commands that a seat's player may share with others."""
    named_sides: Callable[[Plain], Mapping[str, Side]] | None = None
    """The names of the sides, by the data of a scenario that `begin` accepts; None: `sides` in every game."""
    known: Callable[[Any, Mapping[str, Orders]], Any] | None = None
    """The state as a player knows it who holds seals: from a state, and the orders under his seals, by seal.

    It differs from the state only in what `public` leaves out. A reader may refuse its owner what would
    contradict his own seals; what it accepts, it must accept in the public state too, where both judge it.
    None: a seal hides nothing that its owner needs to see before he opens it.
    """
    computed: Callable[[Question, bytes], Orders | None] | None = None
    """The orders that a player's program gives by itself; None where the player decides.

    From a question, and 32 bytes that follow from his key, the game and the log, and that nobody else knows:
    so two computers of a player answer alike. None: no question of the game is of that kind.
    """
    settles_results: bool = False
    """Whether the rules alone settle how a game ends: then nobody proposes a draw (FORMAT 13)."""
    compares_scenarios: bool = True
    """Whether a player's own scenario is told value by value as changes of a shipped one.

    False: shipped ones are examples, and own ones the usual case.
    """
    earlier: Mapping[int, Callable[[Rules], Rules]] = {}
    """All earlier versions, only in the newest, each derived from the one after it (`pbem.core.versions`)."""
    later: Rules | None = None
    """The version after this one, where there is one."""

    @property
    def pin(self) -> str:
        """`name/version`, as files have it."""
        return f"{self.name}/{self.version}"

    @property
    def called(self) -> str:
        """The name of these rules in commands: the game's, unless there is a later version."""
        return self.pin if self.later else self.name

    def side(self, seat: str) -> Side:
        """The names of a seat's side."""
        return self.sides.get(seat) or unnamed(seat)

    def with_sides_of(self, scenario: Plain) -> Rules:
        """These rules with the names of the sides in a scenario, where it names them."""
        return replace(self, sides=self.named_sides(scenario)) if self.named_sides else self

    def edition(self, language: str) -> str:
        """The default edition for a language: the one named like it, `de`; else the first."""
        return language if language in self.editions else next(iter(self.editions))

    @property
    def view(self) -> View:
        """The game's `View`."""
        module = import_module(f"{self.package}.view")
        view: View = module.view_of(self) if hasattr(module, "view_of") else module.VIEW
        return view

    @property
    def players(self) -> Mapping[str, Player]:
        """The practice players, the weakest first: `random` (any legal orders), `sensible`, and others.

        Empty where the package has no module `players`: then people play the game with people only.
        """
        if (module := self._players_module) is None:
            return {}
        players: Mapping[str, Player]
        players = module.players_of(self) if hasattr(module, "players_of") else module.PLAYERS
        return players

    @property
    def playouts(self) -> int:
        """The default playouts of `pbem report`: about as many as two idle cores make in 20 seconds.

        They are `PLAYOUTS` of the players' module, for a game with slow players, else `USUAL_PLAYOUTS`.
        """
        usual: int = getattr(self._players_module, "PLAYOUTS", USUAL_PLAYOUTS)
        return usual

    @property
    def matches(self) -> Sequence[Match]:
        """The matches that rate the practice players: `MATCHES` beside them, if any.

        In each a player meets one that is rated by an earlier match, or `easy`, with which ratings begin.
        """
        matches: Sequence[Match] = getattr(self._players_module, "MATCHES", ())
        return matches

    @property
    def adviser(self) -> Adviser | None:
        """The adviser, which evaluates answers for a person: `ADVISER` beside the players, if any."""
        adviser: Adviser | None = getattr(self._players_module, "ADVISER", None)
        return adviser

    @property
    def _players_module(self) -> ModuleType | None:
        name = f"{self.package}.players"
        return import_module(name) if find_spec(name) else None
