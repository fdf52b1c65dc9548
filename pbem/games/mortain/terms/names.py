"""The names of the sides."""

from __future__ import annotations

from pbem.core.sides import Side
from pbem.games.mortain.terms.setting import GERMAN, US
from pbem.messages import Messages

tr = Messages("pbem.games.mortain")

SIDES = {
    GERMAN: Side(
        name=tr.sense("name of a side", "German"),
        the=tr("the Germans"),
        of=tr("of the Germans"),
        to=tr("to the Germans"),
        many=True,
    ),
    US: Side(
        name=tr.sense("name of a side", "US"),
        the=tr("the Americans"),
        of=tr("of the Americans"),
        to=tr("to the Americans"),
        many=True,
    ),
}
"""The name of each side as it stands in sentences (M1)."""
