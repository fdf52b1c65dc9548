"""Make the example games: from fixed keys, nonces and times, so that the bytes are always the same.

    python examples/make.py [FOLDER]

Each game is played through the real umpire: with the orders that its file has, since finished games stay as
they are while practice players learn; where there is no such file yet, by practice players. Beside
`NAME.yaml`, the file that was mailed, it writes `NAME.txt`: the story as `pbem log` tells it, and the last
map. See examples/README.md.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256, shake_256
from itertools import count
from pathlib import Path
from typing import Literal

from pbem.core.requests import Orders, Plain, Question
from pbem.core.rules import Rules
from pbem.core.sealing import Open
from pbem.format.document import parse_document
from pbem.format.entries import BOUND, RETRACT, Play
from pbem.format.keys import PrivateKey
from pbem.format.yaml_reader import parse_yaml
from pbem.games import load
from pbem.games.tabletop.rules.hands import hand_of
from pbem.player.store.game_file import board_text, status_fields
from pbem.render.story import story
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game, is_computed
from pbem.umpire.verify import open_game
from pbem.umpire.write import Claim, Entropy, Person, Terms

FOLDER = Path(__file__).parent

BEGIN = datetime(2026, 3, 1, 19, 30, tzinfo=UTC)
BETWEEN = timedelta(hours=7, minutes=41)
"""When each game begins, and how long each entry takes its writer."""

MOST_TRIES = 1000
"""How many numbers are tried for a game that ends as it is meant to."""


@dataclass(frozen=True)
class Deed:
    """What a player does instead of a move, at the first chance from entry `n` on, and the reply."""

    n: int
    what: Literal["takeback", "retract", "draw", "resign"]
    words: str
    granted: bool = False
    reply: str = ""


@dataclass(frozen=True)
class Example:
    """A game: who takes which seat (the offerer first), and what has to come of it.

    `number` is where the search for the game begins; `main` prints the one that it took. `faces` is added to
    every attack (M5.7). `ships` names a scenario that is not the first one. `lines` are the orders of a
    game without practice players, one for each answer, where `{card}` is the first card of the hand.
    """

    name: str
    edition: str
    people: Mapping[str, str]
    fits: Callable[[Game], bool]
    number: int = 1
    game: str = "mortain"
    player: str = "sensible"
    faces: str = ""
    options: Mapping[str, Plain] = field(default_factory=dict)
    scenario: Plain = None
    invites: bool = False
    extensions: tuple[str, ...] = ()
    words: Mapping[int, str] = field(default_factory=dict)
    deeds: tuple[Deed, ...] = ()
    ships: str = ""
    lines: tuple[str, ...] = ()

    @property
    def rules(self) -> Rules:
        """The rules of its game."""
        return load(self.game)


class Match:
    """One example under one number, while it is played."""

    def __init__(self, example: Example, number: int) -> None:
        self.example = example
        self.label = f"{example.name} {number}"
        self.chooser = random.Random(self.label)
        self.deeds = list(example.deeds)
        self.lines = list(example.lines)
        self.rests: list[int] = []

    def play(self) -> Game:
        """The whole game."""
        game = self.begun()
        while not game.state.ending:
            if game.state.open_beat or game.state.is_beat_due:
                game = self.moved(game)
                continue
            self.rests.append(len(game.entries) - 1)
            if self.deeds and len(game.entries) >= self.deeds[0].n:
                game = self.done(game, self.deeds.pop(0))
            else:
                game = self.moved(game)
        return game

    def begun(self) -> Game:
        """The offer and the accept."""
        example = self.example
        own = example.scenario
        rules = example.rules
        options = {**rules.editions[example.edition], **example.options}
        terms = Terms(rules, options, own["name"] if own else example.ships or rules.scenarios.names[0], own)
        (seat, offerer), (_, other) = example.people.items()
        game = write.offer(
            person(offerer),
            seat,
            terms,
            entropy(f"{self.label} offer"),
            to=str(person(other).key.public) if example.invites else "",
            extensions=example.extensions,
            claim=self.claim(0),
        )
        return write.accept(game, person(other), entropy(f"{self.label} accept"), claim=self.claim(1))

    def moved(self, game: Game) -> Game:
        """The next `play`, with all that its writer can put into it."""
        key = self.writer(game)
        asked = permissions.unlock_state(game, key).pending_question
        orders = None
        rules = self.example.rules
        if (
            asked
            and asked.seat == game.state.writer
            and not (isinstance(asked, Open) or is_computed(rules, asked))
        ):
            if is_kept(self.example):
                orders = kept_orders(self.example.name, len(game.entries))
            elif self.lines:
                orders = rules.view.read_words(asked, [self.with_card(asked)])
            else:
                player = rules.players[self.example.player]
                orders = self.with_faces(player(asked, self.chooser))
        n = len(game.entries)
        claim = self.claim(n) if orders is not None else Claim()
        return write.play(game, key, orders, claim=claim, entropy=entropy(f"{self.label} entry {n}"))

    def with_card(self, asked: Question) -> str:
        """The next line, with the first card of the hand of whoever is asked."""
        hands = asked.state.setting.own_decks(asked.seat)
        cards = hand_of(asked.state, hands[0]) if hands else None
        return self.lines.pop(0).replace("{card}", cards[0] if cards else "")

    def with_faces(self, orders: Orders) -> Orders:
        """The orders, with what the example's players say of face cards in every attack."""
        attacks = ("fire", "artillery", "air")
        if not self.example.faces:
            return orders
        return [
            {**order, "faces": self.example.faces} if any(way in order for way in attacks) else order
            for order in orders
        ]

    def done(self, game: Game, deed: Deed) -> Game:
        """A resignation, or a proposal with its answer.

        A take-back goes to the last rest before this one, a retraction to the writer's newest orders.
        """
        key, n = self.writer(game), len(game.entries)
        if deed.what == "resign":
            return write.resign(game, key, claim=self.claim(n, deed.words))
        what: dict[str, Plain] = {"draw": True}
        if deed.what == "takeback":
            what = {"takeback": self.rests[-2]}
        elif deed.what == "retract":
            own = (entry.body.n for entry in game.entries if entry.body.by == game.state.writer)
            what = {"retract": max(filter(game.state.may_retract, own))}
        game = write.propose(game, key, what, claim=self.claim(n, deed.words))
        return write.answer(game, self.writer(game), deed.granted, claim=self.claim(n + 1, deed.reply))

    def writer(self, game: Game) -> PrivateKey:
        """The key of whoever writes next."""
        assert game.state.writer is not None
        return person(self.example.people[game.state.writer]).key

    def claim(self, n: int, words: str = "") -> Claim:
        """The clock of whoever writes entry n, and his words."""
        at = (BEGIN + n * BETWEEN).strftime("%Y-%m-%dT%H:%M:%SZ")
        return Claim(at, words or self.example.words.get(n, ""))


def person(name: str) -> Person:
    """A player of the examples. Everybody can compute his key."""
    return Person(name, PrivateKey(sha256(f"pbem example key of {name}".encode()).digest()))


def entropy(label: str) -> Entropy:
    """Bytes that look random, always the same for the same label."""
    calls = count()
    return lambda size: shake_256(f"{label} {next(calls)}".encode()).digest(size)


def kept_orders(name: str, n: int) -> Orders | None:
    """The orders of entry n of a game as it is kept here: the player who chose them is no more.

    Sealed ones stand in the first entry of that seat that opens some.
    """
    bodies = [entry.body for entry in kept(name).entries]
    body = bodies[n]
    assert isinstance(body, Play)
    if not body.orders or "seal" not in body.orders[0]:
        return body.orders
    found: Orders = next(
        one.orders[0]["open"]["orders"]
        for one in bodies[n:]
        if isinstance(one, Play) and one.by == body.by and one.orders and "open" in one.orders[0]
    )
    return found


def is_kept(example: Example) -> bool:
    """Whether the game has been played already; to have another one, take its file away."""
    return (FOLDER / f"{example.name}.yaml").exists()


@cache
def kept(name: str) -> Game:
    """A game as it is kept here."""
    return open_game((FOLDER / f"{name}.yaml").read_bytes())


def written(example: Example, game: Game) -> bytes:
    """The file of a game. One that is kept has the status and the map that it was mailed with."""
    if not is_kept(example):
        return write.to_bytes(game, status_fields(game), board_text(game))
    document = parse_document(parse_yaml((FOLDER / f"{example.name}.yaml").read_bytes()))
    return write.to_bytes(game, document.status, str(document.board).rstrip("\n"))


def find(example: Example) -> tuple[int, Game]:
    """The game that is kept, or the first that fits, and its number."""
    for number in range(example.number, example.number + MOST_TRIES):
        match = Match(example, number)
        if is_kept(example) and match.begun().ids[0] != kept(example.name).ids[0]:
            continue
        game = match.play()
        if not match.deeds and example.fits(game):
            return number, game
    sys.exit(f"{example.name}: no game fits, from number {example.number} on")


def ended(*words: str) -> Callable[[Game], bool]:
    """Games that end as all these words say."""
    return lambda game: (
        game.state.ending is not None
        and all(word in f"{game.state.ending.winner} {game.state.ending.reason}" for word in words)
    )


def deck_ran_out(game: Game) -> bool:
    """Games whose last turn ended with the last card (M7.3)."""
    last = {"turn": game.offer.options["turns"]}
    return any(tell.event == "deck_out" and tell.facts == last for tell in game.replayed_entries[-1].events)


def went_on(game: Game) -> bool:
    """Games that were not decided in eleven turns (R8.3)."""
    turns = [
        tell.facts["turn"] for one in game.replayed_entries for tell in one.events if tell.event == "weather"
    ]
    return bool(turns[-1] > game.offer.options["turns"])


def asked_about_faces(game: Game) -> bool:
    """Games in which a player was asked whether to draw again (M5.7)."""
    bodies = (entry.body for entry in game.entries)
    return any(
        "faces" in order and len(order) == 1
        for body in bodies
        if isinstance(body, Play)
        for order in body.orders or []
    )


def hill_country() -> Plain:
    """A scenario of a player's own: the shipped one, with hills that also give cover."""
    data = deepcopy(load("mortain").scenarios.data("mortain"))
    data |= {"name": "mortain-hills", "title": "Stand at Mortain, hills give cover"}
    data["map"]["modifiers"]["hill"] = {"value": 1, "status": "reconstruction", "source": "ours"}
    return data


EXAMPLES = (
    Example(
        "mortain-it-exits",
        "it",
        {"german": "Nicolò Bianchi", "us": "Andrea D'Errico"},
        ended("german", "M8.3", "exited"),
        number=70,
        words={
            0: "Ciao Andrea! Prendo io i tedeschi: cinque uscite e ho vinto, no? Così poche…",
            1: "D'accordo, accetto. Però la collina 314 è mia!",
            20: "Perché non sei già più in là? Così non va…",
        },
    ),
    Example(
        "mortain-es-no-germans-left",
        "es",
        {"german": "Iñaki Peña", "us": "Begoña Muñoz"},
        ended("us", "M8.3"),
        number=6,
        words={
            0: "¡Hola! ¿Jugamos una partida? Yo llevo a los alemanes.",
            1: "¡Claro que sí! Mañana te mando el despliegue… digo, hoy.",
            30: "¡Qué mala suerte, otra vez un rey! ¿Tú también lo ves así?",
        },
    ),
    Example(
        "mortain-de-takebacks",
        "de",
        {"german": "Jürgen Weiß", "us": "Käthe Öztürk"},
        ended("M8."),
        words={
            0: "Grüß dich! Die Regeln auf Deutsch, wie immer?",
            1: "Natürlich. Ich wünsche uns viel Spaß, möge die bessere Strategie gewinnen.",
        },
        deeds=(
            Deed(
                40,
                "takeback",
                "Entschuldige, ich habe mich im Feld geirrt. Darf ich zurück?",
                granted=True,
                reply="Aber natürlich, kein Problem. Die nächsten Karten sind ja ohnehin andere.",
            ),
            Deed(
                70,
                "takeback",
                "Schon wieder vertan – noch einmal zurück?",
                reply="Nein, diesmal nicht. Einmal genügt, das weißt du selbst. Tschüß!",
            ),
        ),
    ),
    Example(
        "mortain-en-orders-taken-back",
        "en",
        {"german": "Owen Price", "us": "Ada Novak"},
        ended("M8."),
        options={"turns": 2},
        extensions=(BOUND, RETRACT),
        words={
            0: "My offer. You set up, then I start the first draw.",
            1: "Gladly. So neither of us can pick the first card.",
        },
        deeds=(
            Deed(
                20,
                "retract",
                "I read the wrong hex. May I give those orders again?",
                granted=True,
                reply="Of course. The card you had stays the card you have.",
            ),
            Deed(40, "takeback", "And this one – with its card, too?", reply="No: that card has been seen."),
        ),
    ),
    Example(
        "mortain-en-deck-runs-out",
        "en",
        {"us": "Zoë Fitzgerald", "german": "Siân Llŷr"},
        deck_ran_out,
        number=428,
        words={0: "Fancy a game? I take the Americans - naïve, I know.", 1: "With pleasure."},
    ),
    Example(
        "mortain-it-draw",
        "it",
        {"us": "Niccolò Forlì", "german": "Aurora Zancanò"},
        ended("a draw was agreed"),
        words={0: "Gli americani li prendo io, se per te va bene.", 1: "Va benissimo, è quello che volevo."},
        deeds=(
            Deed(
                60,
                "draw",
                "Patta? Si è fatto tardi…",
                reply="No, è troppo presto: non c'è ancora stato niente.",
            ),
            Deed(
                90,
                "draw",
                "E adesso? Più di così non succederà.",
                granted=True,
                reply="Sì, patta. Alla prossima, però!",
            ),
        ),
    ),
    Example(
        "mortain-es-resigns",
        "es",
        {"german": "Ángel Ibáñez", "us": "Jesús Núñez"},
        ended("resigned"),
        number=2,
        words={0: "¿Te atreves?", 1: "¡Por supuesto! Aquí están mis cinco fichas… en cuanto me toque."},
        deeds=(
            Deed(80, "resign", "Abandono: así no llego ni al año que viene. ¡Enhorabuena, muy bien jugado!"),
        ),
    ),
    Example(
        "mortain-de-own-scenario",
        "de",
        {"german": "Björn Größl", "us": "Märta Åkesson"},
        ended("M8."),
        scenario=hill_country(),
        invites=True,
        options={"los_edge": "either_blocks"},
        words={
            0: "Nach meiner Karte geben Hügel Deckung: +1. Nur für dich, Märta.",
            1: "Gute Idee – los geht's!",
        },
    ),
    Example(
        "mortain-en-solitaire",
        "en",
        {"german": "Alone", "us": "Alone"},
        asked_about_faces,
        player="random",
        faces="ask",
        options={"turns": 2, "east_column": "open"},
        words={0: "One key, two seats, and orders at random: whatever the rules allow comes up here."},
    ),
    Example(
        "rommel-allied-wins",
        "nac",
        {"axis": "Íñigo Núñez", "allied": "Begoña Muñoz"},
        ended("allied", "R8.1"),
        number=11,
        game="rommel/1",
        words={
            0: "¿Te atreves con El Alamein? Yo soy el Zorro del Desierto…",
            1: "¡Y yo llevo trescientos Sherman! Bueno, tres fichas.",
            50: "¡Estas minas no se acaban nunca! ¿Cuántas has puesto, zorro?",
        },
    ),
    Example(
        "rommel-axis-wins",
        "nac",
        {"allied": "Jürgen Weiß", "axis": "Aurora Zancanò"},
        ended("axis", "R8.2"),
        number=31,
        game="rommel/1",
        words={
            0: "Fünf Siegpunkte, elf Tage: das müsste zu schaffen sein. Du hältst dagegen?",
            1: "Volentieri. Però le mie fortezze non le vedi prima che le abbia aperte io!",
        },
    ),
    Example(
        "rommel-goes-on",
        "nac",
        {"axis": "Siân Llŷr", "allied": "Zoë Fitzgerald"},
        went_on,
        number=7,
        game="rommel/1",
        options={"after_last_turn": "continue", "last_turn": 14, "air_subturns": 2},
        words={0: "Two air sub-turns, and no draw on day eleven: we fight on until one of us wins. Naïve?"},
    ),
    Example(
        "tabletop-hands-opened",
        "standard",
        {"first": "Käthe Öztürk", "second": "Nicolò Bianchi"},
        ended("first", "T8", "4 VP"),
        game="tabletop/1",
        ships="cards",
        words={0: "Die Karte liegt bei mir auf dem Tisch; Würfel und Karten hier?", 4: "Los geht’s."},
        lines=(
            'draw 3 from red; roll 2d6 "river crossing, 3:1" "flank, 1:1, +1 for the ridge"; end',
            'draw 3 from blue; note "the flank retreats to the wood"; end',
            'play "{card}" for ops; set VP +2; ask "do you evade, or stand?"',
            'note "stands"; end',
            'roll d10 "barrage at the wood"; end',
            'discard "{card}"; roll 3d6 "counter-attack, 2:1"; set turn +1; end',
            "shuffle red",
            'draw 1 from red; play "{card}" for the second front; end',
            'draw 1 from blue; note "reserves come up"; end',
            'set VP 4; result Reds for "4 VP"',
            "decline",
            'roll d6 "last stand in the wood"; end',
            'play "{card}"; end',
            'result Reds for "4 VP"',
            "agree",
        ),
    ),
)
"""All games, all editions, all ways to end, both seats as the first."""


def main(folder: Path) -> None:
    """Write every example, checked from its bytes on, and the number it was made with."""
    for example in EXAMPLES:
        number, game = find(example)
        data = written(example, game)
        text = f"{story(open_game(data), None)}\n\n{board_text(game)}\n"
        (folder / f"{example.name}.yaml").write_bytes(data)
        (folder / f"{example.name}.txt").write_text(text, "utf-8", newline="\n")
        sys.stdout.write(f"{example.name}: number {number}, {len(game.entries)} entries\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
