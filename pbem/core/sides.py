"""The names of a side, in the forms needed by sentences.

A side fills a placeholder of a message: `tr("{side} {side:wins|win}", side=rules.side(seat))`. The format
after the colon chooses the form, so that each language uses its own case and number:

    {side}           the Germans        die Deutschen     el Eje       as subject or object
    {side:The}       The Germans        Die Deutschen     El Eje       the same, to begin a sentence
    {side:of}        of the Germans     der Deutschen     del Eje      whose; with its preposition
    {side:to}        to the Germans     den Deutschen     al Eje       to whom; with its preposition
    {side:name}      German             Deutsche          Eje          bare, before a colon or in a list
    {side:wins|win}  win                gewinnen          gana         the first for one, the second for many

A capital in the format gives a capital: `{side:Of}`. A game's `Rules.sides` has the names of its sides,
translated by its own catalogue. A side without names is called by its key.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.messages import Messages, Said

tr = Messages("pbem")


class Side(Struct, frozen=True, kw_only=True):
    """The names of a side; `many`: its verbs are plural, as in "the Germans win", but "the Axis wins"."""

    name: Said
    the: Said
    of: Said
    to: Said
    many: bool = False

    def __str__(self) -> str:
        return str(self.the)

    def __format__(self, form: str) -> str:
        """The side in the form given by the format. Raises `KeyError` for an unknown form."""
        one, either, many = form.partition("|")
        if either:
            return many if self.many else one
        said = str({"name": self.name, "the": self.the, "of": self.of, "to": self.to}[form.lower() or "the"])
        return said[:1].upper() + said[1:] if form[:1].isupper() else said

    def spoken(self) -> dict[str, str | bool]:
        """The fields as plain data, in the reader's language, for files and for the scripts of pages."""
        names = {"name": self.name, "the": self.the, "of": self.of, "to": self.to}
        return {form: str(said) for form, said in names.items()} | {"many": self.many}


def unnamed(seat: str) -> Side:
    """A side without names, called by its key."""
    return Side(
        name=seat,
        the=seat,
        of=tr.sense("a side by its key", "of {side}", side=seat),
        to=tr.sense("a side by its key", "to {side}", side=seat),
    )
