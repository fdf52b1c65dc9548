"""Yes and no as people write them: what counts, and what is asked again."""

from __future__ import annotations

import pytest

from pbem.player.actions.agreement import read_agreement

CARLA = frozenset({"carla", "bruno"})

YES = [
    "yes",
    "Yes!",
    "y",
    "Y.",
    "ok",
    "OK!",
    "Okay, thanks",
    "\U0001f44d",
    "\U0001f44d\U0001f3fd",
    "\u2714\ufe0f",
    "sí",
    "Sí, por favor",
    "s",
    "sì",
    "Sì grazie, Carla",
    "va bene",
    "d\u2019accordo",
    "ja",
    "Ja, bitte!",
    "passt",
    "in Ordnung",
    "de acuerdo",
    "vale",
    "Hi Bruno,\n\nyes",
    "Yes, do it. C.",
    "answer yes",
    "Yes\n\nCarla Rossi",
    "Yes\nCarla Rossi\nVia Roma 1901, Torino\nTel. +39 011 1901 1902",
    "Yes\n\nCarla Rossi\nPanzer GmbH\nNo printing, please.",
    "Yes\n\nEnvoyé de mon iPhone",
    "yes\n\nThis e-mail is confidential. If you are not the intended recipient, delete it.",
]
NO = ["no", "No, thanks!", "n", "Nein danke", "\U0001f44e", "no, grazie\n\nCarla Rossi"]
UNCERTAIN = [
    "yes\nbut not before Sunday",
    "Yes, but not before Sunday",
    "ok for me, or what do you think?",
    "yes and no",
    "no problem",
    "Ja\naber erst am Sonntag",
    "sí, si no llueve",
    "yes\n\nWait, I have to think again.",
    "yes enter DF 1901",
]
NEITHER = ["", "Thanks", "Hi Bruno,", "pass", "enter DF 1901\nyes", "eyes", "I say yes", "Carla"]


@pytest.mark.parametrize("words", YES)
def test_yes(words: str) -> None:
    found = read_agreement(words, CARLA)
    assert found
    assert (found.answer, found.is_certain) == ("yes", True)


@pytest.mark.parametrize("words", NO)
def test_no(words: str) -> None:
    found = read_agreement(words, CARLA)
    assert found
    assert (found.answer, found.is_certain) == ("no", True)


@pytest.mark.parametrize("words", UNCERTAIN)
def test_uncertain(words: str) -> None:
    found = read_agreement(words, CARLA)
    assert found
    assert not found.is_certain


@pytest.mark.parametrize("words", NEITHER)
def test_neither(words: str) -> None:
    assert read_agreement(words, CARLA) is None
