"""Rules and positions: begin a game without files, judge orders, draw the map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from pbem import games
from pbem.core import rules as core
from pbem.core.requests import Ask, Chance, Orders, Plain, Tell
from pbem.core.requests import Question as Asked
from pbem.core.run import Position as Place
from pbem.core.run import Run, judged, public
from pbem.core.sealing import Open, Seal
from pbem.errors import FileError, OrderError
from pbem.format.canonical import digest
from pbem.render.ascii_picture import ascii_picture
from pbem.render.safe_text import safe_text
from pbem.render.svg import svg_picture
from pbem.texts import Texts

tr = Texts("pbem")


class Question(Struct, frozen=True):
    """A question of the rules: `seat` decides, `question` is its name, `rule` the number of the rule.

    `prompt` is the question in one line for people.
    """

    seat: str
    question: str
    rule: str
    prompt: str


class Answer(Struct, frozen=True):
    """A legal answer to a question: `orders` as signed, `words` as typed, one order per line."""

    orders: list[Any]
    words: tuple[str, ...]


class Attack(Struct, frozen=True):
    """An attack that may be ordered: `hit` is its exact chance, 0 to 1, `why` the calculation in short."""

    orders: list[Any]
    words: tuple[str, ...]
    hit: Fraction
    why: str


class Result(Struct, frozen=True):
    """A game's result: `winner` is a seat, None for a draw; `way` is `rules`, `resignation` or `agreement`.

    `reason` is one line for people.
    """

    winner: str | None
    way: str
    reason: str


_NOTHING: Mapping[str, Orders] = MappingProxyType({})


class Position:
    """A position of a game. It never changes: `apply`, `draw` and `decide` return the next one."""

    def __init__(
        self,
        rules: Rules,
        state: Any,
        pending: Asked | Chance[Any, Any] | None,
        place: Place | None,
        result: Result | None = None,
        told: Sequence[Tell] = (),
        sealed: Mapping[str, Orders] = _NOTHING,
    ) -> None:
        """Not to be called: use `Rules.begin`, `Game.at` or another position."""
        self._rules, self._state, self._pending, self._place = rules, state, pending, place
        self._result, self._told, self._sealed = result, tuple(told), sealed

    def __repr__(self) -> str:
        waits = self.asked
        next_ = f"{waits.seat}: {waits.question}" if waits else "chance" if self.outcomes else "nothing"
        return f"<Position of {self._rules.pin}, turn {self.turn}, waits for {next_}>"

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._rules

    @property
    def turn(self) -> int | None:
        """The number of the turn, from 1; None if the game has no turns."""
        turn = self._view.turn
        return turn(self._state) if turn else None

    @property
    def asked(self) -> Question | None:
        """The pending question; None if a card or die comes next, or the game is over."""
        ask = self._pending
        if not isinstance(ask, Ask):
            return None
        return Question(ask.seat, str(ask.question), ask.rule, self._view.prompt(ask))

    @property
    def outcomes(self) -> tuple[Any, ...]:
        """The equally likely cards or faces, one of which comes next; empty if no card or die does."""
        return self._pending.outcomes if isinstance(self._pending, Chance) else ()

    @property
    def result(self) -> Result | None:
        """The result; None while the game is in progress."""
        return self._result

    @property
    def story(self) -> tuple[str, ...]:
        """The events since the previous position, one per line."""
        return tuple(safe_text(self._view.story(tell)) for tell in self._told)

    def answers(self) -> list[Answer]:
        """Legal answers to the question: those that the prompt offers; there can be others."""
        ask = self._pending
        if not isinstance(ask, Ask) or isinstance(ask, Open):
            return []
        write = self._view.write_words
        return [Answer(orders, tuple(write(orders))) for orders in self._rules._rules.offers(ask)]

    def attacks(self) -> list[Attack]:
        """The attacks that may be ordered now, with their chances."""
        ask = self._pending
        if not isinstance(ask, Ask) or isinstance(ask, Open):
            return []
        attacks = self._view.odds(ask)
        return [
            Attack(attack.orders, tuple(attack.words.splitlines()), attack.hit, attack.why)
            for attack in attacks
        ]

    def odds(self, order: str | Sequence[str] | list[dict[str, Any]]) -> Fraction | None:
        """The exact chance, from 0 to 1, that an attack hits; None for an order that is not an attack.

        Orders are typed lines, or plain data as signed. Raises `OrderError` if they are illegal.
        """
        orders = self.read(order)
        return next((attack.hit for attack in self.attacks() if attack.orders == orders), None)

    @property
    def chance(self) -> Fraction | None:
        """The chance, from 0 to 1, that the attack awaiting cards or dice hits; None if there is none."""
        return self._view.chance(self._state)

    def read(self, orders: str | Sequence[str] | list[dict[str, Any]]) -> list[Any]:
        """Orders as signed, from typed lines or from such data, judged by the rules.

        Raises `NotUnderstood` for words that are not orders, `IllegalOrder`, which names the rule, for orders
        that a rule forbids, and `OrderError` if there is no question.
        """
        ask = self._pending
        if not isinstance(ask, Ask):
            raise OrderError(tr("there are no orders to give here"))
        if isinstance(orders, str):
            orders = orders.splitlines()
        typed = [line for line in orders if isinstance(line, str)]
        plain = self._view.read_words(ask, typed) if typed else list(orders)
        judged(self._rules._rules, ask.read, plain)
        return plain

    def apply(self, orders: str | Sequence[str] | list[dict[str, Any]]) -> Position:
        """The position after these orders: at the next question, card or die, or the end of the game.

        Orders that both sides must seal are kept, and opened when the rules require it. Raises as `read`
        does, and `OrderError` if a game's file is at a chance or an end, which no orders can follow.
        """
        plain, run = self.read(orders), self._run()
        ask, sealed = run.pending, dict(self._sealed)
        if isinstance(ask, Seal):
            seal = f"{len(sealed):064x}"
            sealed[seal] = plain
            plain = [{"seal": seal}]
        run.answer(plain)
        while isinstance(run.pending, Open) and run.pending.seal in sealed:
            run.answer([{"open": {"salt": "0" * 64, "orders": sealed[run.pending.seal]}}])
        return self._next(run, sealed)

    def draw(self, chooser: Random) -> Position:
        """The position after one card or die, drawn by `chooser`; the position itself if none comes next."""
        if not isinstance(self._pending, Chance):
            return self
        return self.decide(chooser.randrange(len(self.outcomes)))

    def decide(self, number: int) -> Position:
        """The position after one of `outcomes`, counted from 0. Raises `IndexError` for any other number."""
        if not 0 <= number < len(self.outcomes):
            raise IndexError(number)
        run = self._run()
        run.decide(number)
        return self._next(run, self._sealed)

    def choose(self, player: str, chooser: Random, playouts: int = 0) -> list[Any]:
        """The orders of a computer player of `Rules.players`; `chooser` makes its random choices.

        A player that searches makes this many `playouts`. Raises `OrderError` if there is no question,
        `FileError` if the game has no such player.
        """
        if not isinstance(self._pending, Ask):
            raise OrderError(tr("there are no orders to give here"))
        players = self._rules._rules.players
        if player not in players:
            there = ", ".join(players)
            raise FileError(tr("must be one of {names}, not '{found}'", found=player, names=there))
        orders: list[Any] = players[player](self._pending, chooser, range(playouts))
        return orders

    def public(self) -> dict[str, Any]:
        """The public position as plain data (FORMAT 7), described by the game's schema in `schemas/`."""
        asked = self._pending if isinstance(self._pending, Ask) else None
        return public(self._rules._rules, self._state, asked)

    def digest(self) -> str:
        """The digest of the position, which players sign (FORMAT 7): 64 hexadecimal digits."""
        return digest(self.public(), b"pbem/1 position\n")

    def map(self) -> str:
        """The position in ASCII, at most 78 columns wide: figures, map, key and lists of counters."""
        return ascii_picture(self._view.legend(self._state))

    def svg(self, title: str = "") -> str:
        """The position as an SVG file, which loads nothing and suits a light or dark screen.

        Screen readers read its `title`, by default the title of the game.
        """
        return svg_picture(self._view.legend(self._state), title or self._rules.title)

    def _repr_svg_(self) -> str:
        """The position as a picture, for notebooks."""
        return self.svg()

    @property
    def _view(self) -> core.View:
        return self._rules._rules.view

    def _run(self) -> Run:
        """A run of the rules from here."""
        if self._place is None:
            raise OrderError(tr("you cannot give orders here: the file already contains what happened next"))
        run = Run(self._rules._rules, self._place)
        run.told.clear()
        return run

    def _next(self, run: Run, sealed: Mapping[str, Orders]) -> Position:
        outcome = run.state.outcome if run.pending is None else None
        result = Result(outcome.winner, "rules", f"{outcome.rule}: {outcome.reason}") if outcome else None
        return Position(self._rules, run.state, run.pending, run.position, result, run.told, sealed)


class Rules:
    """One version of a game's rules. Get it from `pbem.rules` or a `Game`."""

    def __init__(self, rules: core.Rules) -> None:
        """Not to be called: use `pbem.rules`."""
        self._rules = rules

    def __repr__(self) -> str:
        return f"<Rules {self.pin}>"

    @property
    def name(self) -> str:
        """The game's name, such as `mortain`."""
        return self._rules.name

    @property
    def pin(self) -> str:
        """Name and version, as in files: `mortain/1`."""
        return self._rules.pin

    @property
    def title(self) -> str:
        """The title of the game."""
        return self._rules.title

    @property
    def seats(self) -> tuple[str, str]:
        """The names of the two seats."""
        return self._rules.seats

    @property
    def editions(self) -> dict[str, dict[str, Any]]:
        """The editions by name, each with the value of every option; the first is the default."""
        return {name: dict(options) for name, options in self._rules.editions.items()}

    @property
    def scenarios(self) -> tuple[str, ...]:
        """The names of the shipped scenarios; the first is the default."""
        return self._rules.scenarios.names

    @property
    def players(self) -> tuple[str, ...]:
        """The computer players, weakest first: `random`, `sensible`, and others."""
        return tuple(self._rules.players)

    def begin(
        self,
        edition: str = "",
        scenario: str = "",
        options: Mapping[str, Any] | None = None,
        own: Plain = None,
    ) -> Position:
        """The first position of a game, without files or keys.

        `options` override the edition's; `own` is the data of a scenario that does not ship with the game.
        Raises `FileError` if the game has no such edition, scenario or option.
        """
        editions = self.editions
        name = edition or next(iter(editions))
        if name not in editions:
            there = ", ".join(editions)
            raise FileError(tr("must be one of {names}, not '{found}'", found=name, names=there))
        booklet = self._rules.scenarios
        data = booklet.data(scenario or booklet.names[0]) if own is None else own
        place = Place(self._rules.begin({**editions[name], **(options or {})}, data))
        run = Run(self._rules, place)
        return Position(self, run.state, run.pending, run.position, None, run.told)


def rules(name: str) -> Rules:
    """The newest rules of a game, `mortain`, or one version, `mortain/1`. Raises `FileError` if unknown."""
    return Rules(games.load(name))
