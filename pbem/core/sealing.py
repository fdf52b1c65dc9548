"""Sealed decisions: `Seal` now, `Open` later (FORMAT 8).

When both sides decide in secret, the first to write signs `[{seal: hex, box: base64}]`, a commitment that
reveals nothing, and later `[{open: {salt: hex, orders: […]}}]`. Rules await a `Seal`, keep the seal in their
public state, and await an `Open` with it. `read` judges the hidden orders, before they are sealed and when
they are opened, so offers, odds and typed words work as for any question. The form of both is checked here;
the umpire, who knows the hash, checks that an opening matches its seal.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from pbem.core.requests import A, Ask, Orders, Plain, S
from pbem.errors import IllegalOrder
from pbem.messages import Messages, Said

tr = Messages("pbem")

MOST_BOX = 64 * 1024
"""The largest size of a box, in bytes."""

HEX = re.compile(r"[0-9a-f]{64}")
"""A seal or a salt: 32 bytes."""


class Opening(NamedTuple):
    """The content of a seal: the salt, in hex, and the hidden orders."""

    salt: str
    orders: Orders


class Seal(Ask[S, str], frozen=True):
    """A decision that the opponent must not see yet; the answer is its seal.

    `form` is the number of the rule cited for orders of the wrong form. `foresee` turns the result of `read`
    into the state after those orders, which only the player who seals them may see.
    """

    read: Callable[[Orders], Any]
    form: str
    foresee: Callable[[Any], S] | None = None

    def take(self, orders: Orders) -> str:
        """The seal, from the orders as signed. Raises `IllegalOrder`."""
        sealed = _single_order(orders, "seal", ("seal", "box"), self.form)
        seal = sealed["seal"]
        if not isinstance(seal, str) or not HEX.fullmatch(seal):
            _refuse(self.form, tr("seal is not 64 digits 0-9 a-f"))
        if "box" in sealed:
            _check_box(sealed["box"], self.form)
        return seal


class Open(Ask[S, A], frozen=True):
    """A sealed decision to be revealed: `seal` is its commitment."""

    seal: str
    form: str

    def take(self, orders: Orders) -> A:
        """The decision, from the orders as signed. Raises `OrderError`."""
        return self.read(self.opening(orders).orders)

    def opening(self, orders: Plain) -> Opening:
        """The salt and hidden orders, from the orders as signed. Raises `IllegalOrder` for a wrong form."""
        opened = _single_order(orders, "open", ("open",), self.form)["open"]
        if not isinstance(opened, dict) or set(opened) != {"salt", "orders"}:
            _refuse(self.form, tr("open is not a mapping with salt and orders"))
        if not isinstance(opened["salt"], str) or not HEX.fullmatch(opened["salt"]):
            _refuse(self.form, tr("the salt is not 64 digits 0-9 a-f"))
        if not isinstance(opened["orders"], list):
            _refuse(self.form, tr("the opened orders are not a list"))
        return Opening(opened["salt"], opened["orders"])


def _single_order(orders: Plain, verb: str, keys: tuple[str, ...], form: str) -> dict[str, Plain]:
    """The only order of a list, with `verb` and no keys but `keys`. Raises `IllegalOrder`, citing `form`."""
    if not isinstance(orders, list) or len(orders) != 1:
        _refuse(form, tr("give only one order, {verb}", verb=verb))
    order = orders[0]
    if not isinstance(order, dict) or verb not in order or not set(order) <= set(keys):
        _refuse(form, tr("{verb} must be the only order", verb=verb))
    return order


def _check_box(box: Plain, form: str) -> None:
    try:
        data = b64decode(box, validate=True) if isinstance(box, str) else b""
    except (NotBase64, ValueError):
        data = b""
    if not data or b64encode(data).decode() != box or len(data) > MOST_BOX:
        _refuse(form, tr("the sealed message is not base64 for at most {most} bytes", most=MOST_BOX))


def _refuse(form: str, facts: Said) -> NoReturn:
    raise IllegalOrder(form, facts)
