"""A side's names take the form that a message asks for, in every language; without names its key serves."""

from __future__ import annotations

import pytest

from pbem.core.sides import unnamed
from pbem.games import load
from pbem.texts import Texts, speaking

pytestmark = pytest.mark.usefixtures("compiled")

tr = Texts("pbem")

CLOCK = "waiting since {time}, by the clock of {side}"
"""Whose clock it is: German takes the genitive, Spanish and Italian contract preposition and article."""


@pytest.mark.parametrize(
    ("game", "seat", "language", "said"),
    [
        ("mortain", "german", "en", "the Germans resign; The Germans; German; clock of the Germans"),
        ("rommel", "axis", "en", "the Axis resigns; The Axis; Axis; clock of the Axis"),
        ("mortain", "us", "de", "die Amerikaner resign; Die Amerikaner; US; Uhr der Amerikaner"),
        ("rommel", "axis", "de", "die Achse resigns; Die Achse; Achse; Uhr der Achse"),
        ("rommel", "axis", "es", "el Eje resigns; El Eje; Eje; reloj del Eje"),
        ("rommel", "axis", "it", "l'Asse resigns; L'Asse; Asse; orologio dell'Asse"),
        ("rommel", "allied", "it", "gli Alleati resign; Gli Alleati; Alleati; orologio degli Alleati"),
    ],
)
def test_forms(game: str, seat: str, language: str, said: str) -> None:
    side = load(game).side(seat)
    with speaking(language):
        told = tr(CLOCK, time="noon", side=side)
        begin, _, clock = said.rpartition("; ")
        assert f"{side} {side:resigns|resign}; {side:The}; {side:name}" == begin
        assert told.endswith(clock), told


def test_whom() -> None:
    with speaking("es"):
        asked = tr("{side} {side:is|are} not due to give orders now", side=load("rommel").side("axis"))
        assert asked == "al Eje no se le piden órdenes ahora"


@pytest.mark.parametrize(("language", "clock"), [("en", "of north"), ("de", "von north"), ("it", "di north")])
def test_a_side_without_names(language: str, clock: str) -> None:
    with speaking(language):
        north = unnamed("north")
        assert f"{north:The} {north:wins|win}" == "North wins"
        assert tr(CLOCK, time="noon", side=north).endswith(clock)


def test_a_form_that_there_is_not() -> None:
    """A catalogue that asks for one is answered in English (`Texts`)."""
    with pytest.raises(KeyError):
        f"{unnamed('north'):ablative}"


def test_as_plain_data() -> None:
    """What is kept of it is made again into the same names."""
    with speaking("it"):
        kept = load("rommel").side("axis").spoken()
    assert kept == {"name": "Asse", "the": "l'Asse", "of": "dell'Asse", "to": "all'Asse", "many": False}
