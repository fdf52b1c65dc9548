"""Orders as typed at the table, and as they are written back."""

from __future__ import annotations

import pytest

from pbem.core.phrases import split_orders
from pbem.core.requests import Orders, Plain, Question
from pbem.core.run import Position, Run
from pbem.errors import IllegalOrder, NotUnderstood, OrderError
from pbem.games.tabletop import RULES
from pbem.games.tabletop.view.typed_orders import read, write
from pbem.texts import speaking

SCENARIO: dict[str, Plain] = {
    "name": "verdun",
    "title": "Verdun",
    "sides": ["Allied Powers", "Central Powers"],
    "dice": {"nac": [2, 3, 3, 4, 4, 5], "battle": ["hit", "miss"]},
    "decks": {"cup": {"cards": "2 Hancock\nMeade"}},
    "tracks": {"VP": 10, "Allied war status": 0},
}


def asked() -> Question:
    """The first question, in a game of one's own scenario."""
    run = Run(RULES, Position(RULES.begin({"exchanges": 9}, SCENARIO)))
    assert run.pending is not None
    return run.pending  # type: ignore[return-value]


TYPED: list[tuple[str, Orders]] = [
    ("roll 2d6", [{"roll": "2d6"}]),
    ('ROLL 2D6 "Verdun, 3:1; +1"', [{"roll": "2d6", "for": "Verdun, 3:1; +1"}]),
    ('roll d6 "one" "two"', [{"roll": "d6", "for": "one"}, {"roll": "d6", "for": "two"}]),
    ("roll d6 Verdun, 3:1", [{"roll": "d6", "for": "Verdun, 3:1"}]),
    ("roll d6 for Verdun", [{"roll": "d6", "for": "Verdun"}]),
    ("roll 3nac “the\u00a0ridge”", [{"roll": "3nac", "for": "the ridge"}]),
    ("note „mud # everywhere“; end", [{"note": "mud # everywhere"}, {"end": True}]),
    ("note «barro; y más»", [{"note": "barro; y más"}]),
    ("draw 2 from cup", [{"draw": 2, "from": "cup"}]),
    ("draw cup", [{"draw": 1, "from": "cup"}]),
    ("set VP +3", [{"set": "VP", "to": 13}]),
    (
        "set VP +3; set VP -1; set VP 2",
        [{"set": "VP", "to": 13}, {"set": "VP", "to": 12}, {"set": "VP", "to": 2}],
    ),
    ("set VP to -3", [{"set": "VP", "to": -3}]),
    ("set Allied war status 2", [{"set": "Allied war status", "to": 2}]),
    ('set "allied war status" to 2', [{"set": "Allied war status", "to": 2}]),
    (
        'roll 2d6 "Verdun, 3:1, +1" "Ypres, 2:1"',
        [{"roll": "2d6", "for": "Verdun, 3:1, +1"}, {"roll": "2d6", "for": "Ypres, 2:1"}],
    ),
    ("roll d10+1", [{"roll": "d10+1"}]),
    ("roll d%", [{"roll": "d%"}]),
    ("draw 2 from cup for reserves", [{"draw": 2, "from": "cup", "for": "reserves"}]),
    ('play "Guns of August" for ops', [{"play": "Guns of August", "for": "ops"}]),
    ("play Guns of August for ops", [{"play": "Guns of August", "for": "ops"}]),
    ("discard Pleve", [{"discard": "Pleve"}]),
    ("remove Meade from cup", [{"remove": "Meade", "from": "cup"}]),
    ("return Mea", [{"return": "Meade"}]),
    ("shuffle cup", [{"shuffle": "cup"}]),
    ("set VP 5", [{"set": "VP", "to": 5}]),
    ('result "Allied Powers" for "14 VP"', [{"result": "Allied Powers", "for": "14 VP"}]),
    ("end", [{"end": True}]),
    ("result central for 14 VP", [{"result": "Central Powers", "for": "14 VP"}]),
    ("result tie", [{"result": "draw"}]),
    ('ask "retreat, or a step?"', [{"ask": "retreat, or a step?"}]),
    (f"note turn3.vlog sha256 {'0A' * 32}", [{"note": "turn3.vlog", "sha256": "0a" * 32}]),
]


@pytest.mark.parametrize(("line", "orders"), TYPED)
def test_read(line: str, orders: Orders) -> None:
    assert read(asked(), [line]) == orders


@pytest.mark.parametrize("orders", [orders for _, orders in TYPED])
@pytest.mark.parametrize("language", ["en", "es", "it", "de"])
def test_written_orders_are_read_back(orders: Orders, language: str) -> None:
    with speaking(language):
        assert read(asked(), write(orders)) == orders


@pytest.mark.parametrize(
    "marks",
    [
        '"{}"',
        "\u201c{}\u201d",
        "\u201e{}\u201c",
        "\u201e{}\u201d",
        "\u00ab{}\u00bb",
        "\u00bb{}\u00ab",
        "\u00ab\u202f{}\u202f\u00bb",
        "\u201d{}\u201d",
        "\uff02{}\uff02",
    ],
)
def test_quotation_marks_as_telephones_write_them(marks: str) -> None:
    """English, German, Polish, Spanish and Italian, German books, French, Swedish, and wide ones."""
    line = "; ".join(f"{verb} {marks.format('one; two # three, 3:1')}" for verb in ("note", "ask"))
    text = "one; two # three, 3:1"
    assert read(asked(), split_orders(line)) == [{"note": text}, {"ask": text}]


SPOKEN = [
    ("es", "tirar 2d6 «Verdún»; roba 2 de cup; jugar Hancock para ops; pregunta «¿retirada?»"),
    ("es", "lanza 2d6 «Verdún»; robar 2 de cup; juega Hancock para ops; preguntar ¿retirada?"),
    ("it", "tira 2d6 «Verdun»; pescare 2 da cup; gioca Hancock per ops; chiedi «ritirata?»"),
    ("de", "würfle 2w6 „Verdun“; ziehe 2 aus cup; spiele Hancock für ops; frage „Rückzug?“"),
    ("de", "WUERFELN 2W6 „Verdun“; ziehen 2 aus cup; spielen Hancock fuer ops; fragen „Rückzug?“"),
]


@pytest.mark.parametrize(("language", "line"), SPOKEN)
def test_in_the_words_of_each_language(language: str, line: str) -> None:
    with speaking(language):
        roll, draw, play, ask = read(asked(), split_orders(line))
    assert (roll["roll"], draw) == ("2d6", {"draw": 2, "from": "cup"})
    assert play == {"play": "Hancock", "for": "ops"}
    assert ask["ask"].endswith("?")


def test_german_dice() -> None:
    with speaking("de"):
        assert read(asked(), ["würfeln 2W6 „Verdun“"]) == [{"roll": "2d6", "for": "Verdun"}]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("frobnicate", "not an order"),
        ("draw 2 from bag", "not a deck"),
        ("set morale 3", "not a track"),
        ("set VP lots", "not a number"),
        ("set VP", "the order is incomplete"),
        ("result Neutral Powers", "not one of the sides"),
        ("end now", "already complete"),
    ],
)
def test_not_understood(line: str, why: str) -> None:
    with pytest.raises(OrderError, match=why) as refused:
        read(asked(), [line])
    assert isinstance(refused.value, NotUnderstood)


@pytest.mark.parametrize(
    ("orders", "rule", "why"),
    [
        ([{"roll": "21d6"}], "T4", "dice such as"),
        ([{"roll": "2battle+1"}], "T4", "dice such as"),
        ([{"roll": "d1"}], "T4", "dice such as"),
        ([{"roll": "d6", "for": 'a "b"'}], "T4", "without quotation marks"),
        ([{"roll": "d6", "for": "a\u202eb"}], "T4", "a text of one line"),
        ([{"end": True}, {"note": "x"}], "T4", "nothing may come after end"),
        ([{"note": "x" * 200}] * 30, "T4", "bytes: at most 5,000"),
        ([{"note": "x"}] * 101, "T4", "101 orders are too many"),
        ([{"draw": 4, "from": "cup"}], "T5", "only 3 cards"),
        ([{"agree": True}], "T4", "you cannot order agree now"),
        ([{"play": "Meade"}], "T6", "cannot be in your hand"),
        ([{"set": "VP", "to": 10_000}], "T4", "a number from"),
        ([{"note": "log", "sha256": "0" * 63}], "T4", "a SHA-256"),
    ],
)
def test_refused(orders: Orders, rule: str, why: str) -> None:
    with pytest.raises(IllegalOrder, match=why) as refused:
        asked().read(orders)
    assert refused.value.rule == rule


def test_sixty_dice_cost_one_answer() -> None:
    """Thirty combats with two dice each fit one answer, and so one mail."""
    rolls = [{"roll": "2d6", "for": f"combat {n}, 3:1, +1 for the ridge"} for n in range(1, 31)]
    assert len(asked().read([*rolls, {"end": True}])) == 31


def test_a_side_whose_name_begins_the_other() -> None:
    scenario: dict[str, Plain] = {**SCENARIO, "sides": ["Red", "Reds"]}
    run = Run(RULES, Position(RULES.begin({"exchanges": 9}, scenario)))
    for side in ("Red", "Reds"):
        orders: Orders = [{"result": side}]
        assert read(run.pending, write(orders)) == orders  # type: ignore[arg-type]


def test_french_marks_with_blanks_inside() -> None:
    assert read(asked(), ["note «\u00a0pluie\u00a0»"]) == [{"note": "pluie"}]
