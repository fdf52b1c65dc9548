"""FORMAT 13: results by the rules."""

from __future__ import annotations

import pytest

from pbem.errors import VerificationError
from pbem.format.entries import sign_entry
from pbem.format.keys import PrivateKey
from pbem.format.yaml_text import Plain
from pbem.umpire.verify import open_game
from support.simulator import KEYS as HEX_KEYS
from support.simulator import Log, file_of, log_of, offer_game
from support.tabletop_games import KEYS, begun


def offer_with(needs: list[Plain] | None, log: Log, key: PrivateKey) -> bytes:
    """The file of an offer that names these extensions."""
    raw: dict[str, Plain] = {name: value for name, value in log[0].items() if name not in ("needs", "sig")}
    if needs is not None:
        raw["needs"] = needs
    return file_of([sign_entry(raw, key.sign).raw])


def test_an_offer_of_such_a_game_names_it() -> None:
    assert begun("dice").offer.needs == ["results"]


@pytest.mark.parametrize("needs", [None, [], ["bound", "retract"]])
def test_without_the_name_it_fails(needs: list[Plain] | None) -> None:
    with pytest.raises(VerificationError, match="must name results") as refused:
        open_game(offer_with(needs, log_of(begun("dice")), KEYS["first"]))
    assert refused.value.step == 2


def test_another_game_may_not_name_it() -> None:
    game = offer_game()
    key = HEX_KEYS[game.offer.by]
    with pytest.raises(VerificationError, match="must not name results") as refused:
        open_game(offer_with(["results"], log_of(game), key))
    assert refused.value.step == 2


def test_a_proposed_draw_fails() -> None:
    game = begun("dice")
    head: dict[str, Plain] = {
        "n": 2,
        "by": "first",
        "kind": "propose",
        "prev": game.ids[-1],
        "what": {"draw": True},
    }
    entry = sign_entry(head, KEYS["first"].sign)
    with pytest.raises(VerificationError, match="a draw cannot be proposed") as refused:
        open_game(file_of([*log_of(game), entry.raw]))
    assert refused.value.step == 6
