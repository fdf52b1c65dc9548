"""A player's own sealed orders: seal them, and later read them from the box in the file (FORMAT 8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pbem.core.requests import Orders, Plain
from pbem.core.run import public
from pbem.core.sealing import HEX, Open
from pbem.errors import FileError
from pbem.format.canonical import canonical_form
from pbem.format.encrypted_boxes import box_key, close_box, open_box, seal_digest
from pbem.format.entries import Accept, Play
from pbem.format.keys import PrivateKey, PublicKey
from pbem.format.yaml_reader import parse_yaml
from pbem.messages import Messages
from pbem.umpire.game_state import Game

tr = Messages("pbem")


def seal_orders(
    game: Game,
    key: PrivateKey,
    seat: str,
    orders: Orders,
    entropy: Callable[[int], bytes],
    parts: Sequence[dict[str, Plain]] = (),
) -> Orders:
    """The orders as signed: their seal, and the box in which their author can read them and their parts."""
    salt = entropy(32)
    seal = seal_digest(game.offer.game, seat, salt, canonical_form(orders))
    content = canonical_form(
        {"salt": salt.hex(), "orders": orders, **({"parts": list(parts)} if parts else {})}
    )
    return [{"seal": seal, "box": close_box(_box_key(game, key, seat), seal, content, entropy)}]


def open_seal(game: Game, key: PrivateKey, asked: Open[Any, Any]) -> Orders:
    """The order that opens the player's own seal. Raises `FileError`, as `seal_contents` does."""
    content = seal_contents(game, key, asked.seat, asked.seal)
    return [{"open": {"orders": content["orders"], "salt": content["salt"]}}]


def sealed_parts(game: Game, key: PrivateKey, asked: Open[Any, Any]) -> list[dict[str, Plain]]:
    """The commanders' signed parts under the player's own seal (FORMAT 11). Raises `FileError`."""
    parts: list[dict[str, Plain]] = seal_contents(game, key, asked.seat, asked.seal).get("parts", [])
    return parts


def unopened_seals(game: Game, key: PrivateKey) -> list[tuple[str, str]]:
    """The closed seals of this key's holder, each as its seat and the seal."""
    own = [name for name, seat in game.seats.items() if PublicKey.parse(seat.key) == key.public]
    position = canonical_form(public(game.rules, game.state.run.state, game.state.pending_question)).decode()
    return [(seat, seal) for seat, seal in _boxes(game) if seat in own and seal in position]


def seal_contents(game: Game, key: PrivateKey, seat: str, seal: str) -> dict[str, Plain]:
    """The content of the player's own seal: `{orders, salt}`, which match it, and `parts` of them, if any.

    A box is not verified, so it can contain anything. Raises `FileError` if the file has no box for the seal,
    or one that does not open with this key or does not contain what was sealed.
    """
    try:
        box = _boxes(game)[seat, seal]
        if box is None:
            raise FileError(tr("the file has no sealed message for them"))
        content: Plain = parse_yaml(open_box(_box_key(game, key, seat), seal, box))  # C(...) is YAML too
        match content:
            case {"salt": str(salt), "orders": list(orders), **rest} if HEX.fullmatch(
                salt
            ) and _holds_only_parts(rest):
                if seal_digest(game.offer.game, seat, bytes.fromhex(salt), canonical_form(orders)) == seal:
                    return {**content, "orders": orders, "salt": salt}
        raise FileError(tr("the sealed message does not contain what was sealed"))
    except FileError as error:
        raise FileError(
            tr(
                "the orders sealed as {seal} cannot be opened from this file: {reason}",
                seal=seal,
                reason=error,
            ),
            hint=tr("they were sealed by another program, which might have kept them"),
        ) from None


def _holds_only_parts(rest: Plain) -> bool:
    """Whether a box contains, besides salt and orders, nothing or parts of them."""
    return not rest or (set(rest) == {"parts"} and isinstance(rest["parts"], list))


def _boxes(game: Game) -> dict[tuple[str, str], str | None]:
    """The box of every seal in the log, by seat and seal; None if there is no box."""
    boxes: dict[tuple[str, str], str | None] = {}
    for entry in game.entries:
        body = entry.body
        if isinstance(body, (Accept, Play)):
            match body.orders:
                case [{"seal": str(seal), **rest}]:
                    box = rest.get("box")
                    boxes[body.by, seal] = box if isinstance(box, str) else None
    return boxes


def _box_key(game: Game, key: PrivateKey, seat: str) -> bytes:
    return box_key(key, bytes.fromhex(game.seats[seat].nonce), game.offer.game, seat)
