"""What a game gives to the program: its `Rules`, and a `View` of them. See docs/decisions/0001-engine.md.

Another distribution's game is found through the entry-point group `pbem.games` (see `pbem.games`); the object
named there is a `Rules`.
Rules are pinned: `name/version` stands in every file, and a change that would alter any finished
game needs a new version, beside those before it (see `pbem.core.versions`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from msgspec import Struct

from pbem.core.requests import Orders, Plain, Question, Request, Tell
from pbem.messages import Said

if TYPE_CHECKING:  # for views alone
    from fractions import Fraction

    from pbem.core.legend import Legend
    from pbem.core.traces import Trace

MOST_BEATS = 65_536
"""The most beats that one game may use (FORMAT section 4)."""

OVER = "over"
"""The step of a state in which the game has ended."""

Step: TypeAlias = Callable[[Any], Coroutine[Request[Any, Any], Any, Any]]
"""One step of the sequence of play: from frozen state to frozen state, pausing at requests."""


class Outcome(Struct, frozen=True):
    """How a game ended by its own rules: the winner's seat (None: a draw), why, and the rule."""

    winner: str | None
    reason: Said
    rule: str


class Odds(Struct, frozen=True):
    """The exact chance of one attack that may be ordered now.

    `orders` is the list as it would be signed, `words` how to type it; `hit` the chance of a hit with
    the cards or dice as they are, `why` the sum in short, such as `5 AT against card +1 -1`.
    """

    orders: Orders
    words: str
    hit: Fraction
    why: str


class Overlay(Struct, frozen=True):
    """What can be laid over the map: a figure for each of some hexes, and lines for what a figure cannot say.

    `meaning` explains the figures, of one character each, for the key.
    """

    figures: Mapping[str, str]
    meaning: str
    lines: tuple[str, ...] = ()


class Threat(Struct, frozen=True):
    """An attack that the enemy may make on a unit: the exact chance of a hit, and `why`, the sum in short.

    `at` is where the unit stands, `by` are the attackers, each with the hex that it would attack from; empty
    for what comes from off the map. Several attack together.
    """

    unit: str
    at: str
    by: Mapping[str, str]
    hit: Fraction
    why: str


class Forecast(Struct, frozen=True):
    """What orders come to, in lines: by chance, exactly reckoned; and what their giver may not mean."""

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
"""How hard a practice player may think: it takes an item for each playout, and answers when none is left.

`range(400)` is the same everywhere, as studies and tests need it. The desk's ends with the clock, which no
player sees. A player that does not search takes nothing.
"""


class Player(Protocol):
    """A practice player: the question (its state is public), a chooser and an effort, to a legal answer."""

    def __call__(self, ask: Question, chooser: Chooser, effort: Effort = (), /) -> Orders:
        """Without effort it answers at once."""


class Advice(Struct, frozen=True):
    """An answer, and what came of it in playouts: games played on from it, by a simple player on both sides.

    `won` of the `playouts` are its seat's, a draw counts half. `figures` are what the game's `View.why` puts
    into words, each the mean over the playouts, such as `exits`. `judged` says that playouts end before the
    game does, at a position whose worth is a guess: then nobody can say how sure `won` is.
    """

    orders: Orders
    playouts: int
    won: float
    figures: Mapping[str, float] = {}
    judged: bool = False


Adviser: TypeAlias = Callable[[Question, Chooser, Effort], Sequence[Advice]]
"""What a player that searches thinks of its answers, the best first; as it is asked itself."""


class ReadyPlan(Struct, frozen=True):
    """A ready-made plan of a game's own: what it does, for the player, and the lines of its steps."""

    says: str
    lines: tuple[str, ...]


class View(Struct, frozen=True, kw_only=True):
    """What a game tells and shows people, in the player's language. The rules need none of these functions.

    They are pure but for that language, which they learn from `Texts`.
    """

    read_words: Callable[[Question, Sequence[str]], Orders]
    """Orders as typed (`move 2SS-A 1803`), one line each, to plain orders. Raises `OrderError`."""
    write_words: Callable[[Orders], list[str]]
    """Plain orders as one would type them: the inverse of `read_words`. Never raises on plain data."""
    typed: Collection[str] = ()
    """The English words of orders that a language may have others for, beside which the English ones hold."""
    prompt: Callable[[Question], str]
    """One line for the player: what is asked, and what the answer may be."""
    story: Callable[[Tell], str]
    """An event in one line."""
    legend: Callable[[Any], Legend]
    """The position as data for the renderer."""
    odds: Callable[[Question], list[Odds]]
    """The attacks that a question allows, with their exact chances."""
    chance: Callable[[Any], Fraction | None]
    """The exact chance of the attack that waits for cards or dice in a state; None if none does."""
    setups: Callable[[Question], Sequence[str]] | None = None
    """The names of the ready-made set-ups that answer a question, empty if none does; None without any."""
    reach: Callable[[Question, str], Mapping[str, str]] | None = None
    """The hexes where a unit of the asked side may stop now, each with how far it is (`3`), for a map of it.

    Empty if it may not move in answer to the question. Raises `IllegalOrder` if it is not the side's. None
    where a game has no such map.
    """
    further: Callable[[Question, Orders], Iterable[str]] | None = None
    """What may be ordered beside legal or unfinished orders, each as typed, for whoever types it now.

    It need not be all that is legal; nothing, if nothing more makes sense. None: the simple offers will do.
    """
    meant: Callable[[Question, Sequence[str], str], Iterable[str]] | None = None
    """What a player may mean who points at units of his (or at none) and at a hex (or at none).

    Orders as typed, the likeliest first, which the rules may refuse: so he is told why. None: he is told that
    nothing can be ordered.
    """
    after: Callable[[Question, Orders], Any] | None = None
    """The state that unfinished orders leave as far as they go, for the map of whoever types them now.

    None: the map shows them when they are whole.
    """
    routes: Callable[[Question, str], Mapping[str, Orders]] | None = None
    """For the same unit and hexes as `reach`, the orders that take it there, if need be with others.

    None where `reach` is.
    """
    sight: Callable[[Any, str], Overlay] | None = None
    """What is seen from a hex in a state, and what blocks the rest. None: the game has no lines of sight."""
    zones: Callable[[Any], Overlay] | None = None
    """The zones of control in a state. None: the game has none."""
    supply: Callable[[Any], Overlay] | None = None
    """Where units are in supply in a state. None: the game has no supply."""
    turn: Callable[[Any], int] | None = None
    """Which turn it is in a state, from 1. None: the game has no turns."""
    combat: Callable[[Tell], bool] | None = None
    """Whether an event settles an attack, hit or miss. None: nobody attacks in the game."""
    threats: Callable[[Any, str], list[Threat]] | None = None
    """The attacks that the enemy of a seat may make on its units, now or as soon as it is asked."""
    threatening: Callable[[], str] = lambda: ""
    """What `threats` covers, and what it leaves out, in one sentence for the player."""
    drawn: Callable[[Sequence[Plain]], str] = lambda outcomes: ", ".join(map(str, outcomes))
    """Outcomes of a draw as a sentence names them, one or several: `9 of spades`, `3`."""
    editions: Callable[[], Mapping[str, str]] = dict
    """What the editions are called in words, by their names: `the German booklet`."""
    aim: Callable[[Any], list[str]] | None = None
    """What wins the game by its options and how far each side is from it in a state, one line each.

    Empty when the game is over. None: the game's pages must say it.
    """
    numbers: Callable[[Any], Mapping[str, int]] = lambda state: {}
    """The numbers of the game's HOWTO.md that options and scenario give, by the names they have there."""
    forecast: Callable[[Question, Orders], Forecast] | None = None
    """What orders come to before they are signed, beside what their story tells up to the first card or die.

    Raises `OrderError`. None where the story and `chance` say it all.
    """
    allows: Callable[[Question], Mapping[str, Plain]] | None = None
    """What is said of a question in a word or a number beside the public state, for plans: `colour` and
    `allowance` of the card that it answers. None: nothing is.
    """
    plans: Callable[[], Mapping[str, ReadyPlan]] = dict
    """The game's own ready-made plans by their names, beside those that serve in every game."""
    why: Callable[[Question, Advice], Sequence[str]] | None = None
    """What speaks for an answer by the figures of an `Advice`, a line each. None: the game has no adviser."""
    traces: Callable[[Tell], list[Trace]] | None = None
    """What an event leaves on the map, for a replay of the game and for its luck; None if nothing is said."""


class Sharing(Struct, frozen=True):
    """How a side may be shared among commanders (FORMAT 11), and the rule that says so, or that it may not.

    `groups` are those of each seat, none where a side is one player's. `ordered` gives the groups whose units
    an order commands in a state: none, if it names no unit. It never raises on plain data. `most` is how many
    commanders a game has, both sides together, and the rule that says so; None: as many as FORMAT 11 allows.
    """

    rule: str
    groups: Mapping[str, tuple[str, ...]] = {}
    ordered: Callable[[Any, Plain], frozenset[str]] = lambda state, order: frozenset()
    most: tuple[int, str] | None = None


class Booklet(Protocol):
    """The scenarios of a game."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of those that ship; the first is the default."""

    def data(self, name: str) -> Plain:
        """The data of one that ships, as its digest covers them. Raises `FileError` for another name."""

    def text(self, name: str) -> str:
        """A scenario that ships as its YAML file, with the comments for players who make their own."""

    def check(self, data: Plain) -> list[Said]:
        """Everything wrong with a player's own, each with its path; empty if it is playable."""


class Rules(Struct, frozen=True, kw_only=True, eq=False):
    """One version of the rules of one game. All functions are pure.

    What the rules do not need is in two modules of the game's package, imported when it is wanted: `view` has
    the `VIEW`, `players` the `PLAYERS`. Where versions differ in them, `view_of` and `players_of` there give
    what belongs to a version.
    """

    name: str
    version: int
    title: str
    package: str
    """The package in which `view` and `players` are."""
    seats: tuple[str, str]
    editions: Mapping[str, Mapping[str, Plain]]
    """Presets that state every option; the first is the default where nobody's language has one."""
    scenarios: Booklet
    """The scenarios, those that ship and those of players; `pbem.core.scenarios.Scenarios` is one such."""
    sequence: Mapping[str, Step]
    """The sequence of play: a state's attribute `step` names the step that comes next, or is `OVER`.

    Its attribute `outcome` is the `Outcome` of the game, and None while it goes on.
    """
    begin: Callable[[Mapping[str, Plain], Plain], Any]
    """The state before the first step, from options and scenario. Raises `FileError` where they are wrong."""
    beats: Callable[[Mapping[str, Plain], Plain], int]
    """FORMAT section 4: twice the most beats that one game with these options and scenario can use."""
    public: Callable[[Any], dict[str, Plain]]
    """FORMAT section 7: the public state (without `asks`, which the run adds)."""
    offers: Callable[[Question], Iterator[Orders]]
    """Legal answers to a question, the simple ones: each has passed `ask.read`, at least one comes."""
    sharing: Sharing = Sharing("")
    """Who may command what beside the player of a seat."""
    earlier: Mapping[int, Callable[[Rules], Rules]] = {}
    """Of the newest version: every one before it, made of the one after it (see `pbem.core.versions`)."""
    later: Rules | None = None
    """The version after this one, where there is one."""

    @property
    def pin(self) -> str:
        """`name/version`, as files have it."""
        return f"{self.name}/{self.version}"

    @property
    def called(self) -> str:
        """How a player names these rules in a command: by the game, unless there is a later version."""
        return self.pin if self.later else self.name

    def edition(self, language: str) -> str:
        """The edition for whoever reads a language: the one called as it, `de`; else the first."""
        return language if language in self.editions else next(iter(self.editions))

    @property
    def view(self) -> View:
        """What the game tells and shows people."""
        module = import_module(f"{self.package}.view")
        view: View = module.view_of(self) if hasattr(module, "view_of") else module.VIEW
        return view

    @property
    def players(self) -> Mapping[str, Player]:
        """The practice players, the weakest first: `random` (any legal orders), `sensible`, and others."""
        module = import_module(f"{self.package}.players")
        players: Mapping[str, Player]
        players = module.players_of(self) if hasattr(module, "players_of") else module.PLAYERS
        return players

    @property
    def adviser(self) -> Adviser | None:
        """What weighs answers for a person, `ADVISER` beside the players; None where a game has none."""
        adviser: Adviser | None = getattr(import_module(f"{self.package}.players"), "ADVISER", None)
        return adviser
