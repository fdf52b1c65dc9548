"""Messages: sentences that stay data until somebody reads them.

Rules, umpire and file format know nothing of languages. There, `tr("{unit} is out of range", unit=…)` makes a
`Message`: the English text from the code, and the values of its placeholders, which can be messages too.
`str` turns it into text in the current language of `pbem.texts`. Two messages are equal if they say the same
in every language.

    tr = Messages("pbem")

Code that addresses a person directly uses `pbem.texts.Texts` instead, which returns text at once.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any, TypeAlias

from pbem.texts import Texts


class Message:
    """A whole message of a package, with the values of its placeholders; `str` gives the text.

    It is not a msgspec Struct, so a JSON encoder needs `enc_hook=str` or `default=str` to turn it into text.
    """

    __slots__ = ("package", "places", "text")

    def __init__(self, package: str, text: str, places: Mapping[str, object]) -> None:
        self.package = package
        self.text = text
        self.places = places

    def __str__(self) -> str:
        return Texts(self.package)(self.text, **self.places)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._meaning() == other._meaning()

    def __hash__(self) -> int:
        return hash((self.package, self.text))

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._meaning()}"

    def _meaning(self) -> tuple[object, ...]:
        return self.package, self.text, self.places


class Counted(Message):
    """A message with a number as `{number}`: `text` is for 1, `many` for other numbers."""

    __slots__ = ("many", "number")

    def __init__(self, package: str, one: str, many: str, number: int, places: Mapping[str, object]) -> None:
        super().__init__(package, one, places)
        self.many = many
        self.number = number

    def __str__(self) -> str:
        return Texts(self.package).plural(self.text, self.many, self.number, **self.places)

    def _meaning(self) -> tuple[object, ...]:
        return *super()._meaning(), self.many, self.number


class InSense(Message):
    """A message whose English has several senses, and the sense meant here."""

    __slots__ = ("sense",)

    def __init__(self, package: str, sense: str, text: str, places: Mapping[str, object]) -> None:
        super().__init__(package, text, places)
        self.sense = sense

    def __str__(self) -> str:
        return Texts(self.package).sense(self.sense, self.text, **self.places)

    def _meaning(self) -> tuple[object, ...]:
        return *super()._meaning(), self.sense


class Typed(Message):
    """English words of orders, shown as the reader would type them."""

    __slots__ = ()

    def __str__(self) -> str:
        return " ".join(map(Texts(self.package).own, self.text.split()))


class Row(Message):
    """Messages and texts joined by one separator, such as names with commas."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Said, ...], between: str) -> None:
        super().__init__("", between, {})
        self.parts = parts

    def __str__(self) -> str:
        return self.text.join(map(str, self.parts))

    def _meaning(self) -> tuple[object, ...]:
        return self.text, self.parts


Said: TypeAlias = Message | str
"""A message, or a text that is the same in every language, such as a unit's name."""


class Messages:
    """Makes the messages of a package: `tr = Messages("pbem")`, called like `Texts`."""

    def __init__(self, package: str) -> None:
        self.package = package

    def __call__(self, message: str, /, **places: object) -> Message:
        """A message with the values of its placeholders."""
        return Message(self.package, message, places)

    def plural(self, one: str, many: str, number: int, /, **places: object) -> Message:
        """A message with a number as `{number}`; a language can have several plural forms."""
        return Counted(self.package, one, many, number, places)

    def sense(self, sense: str, message: str, /, **places: object) -> Message:
        """A message whose English has several senses: `tr.sense("of a card", "face")`."""
        return InSense(self.package, sense, message, places)

    def own(self, words: str) -> Message:
        """English words of orders, which readers see in their language."""
        return Typed(self.package, words, {})


tr = Messages("pbem")


def quoted(text: Said) -> Message:
    """A text between the quotation marks of the reader's language. A stranger's has `quote_name` instead."""
    return tr("'{text}'", text=text)


def message_data(said: object) -> Any:
    """A message as plain data, to be stored and read in another language; `message_from` restores it.

    Handles only what rules say about how a game ended: sentences, perhaps with a number or a sense.
    """
    match said:
        case Counted():
            kind: dict[str, Any] = {"many": said.many, "number": said.number}
        case InSense():
            kind = {"sense": said.sense}
        case _ if type(said) is Message:
            kind = {}
        case int():
            return said
        case _:
            return str(said)
    places = {name: message_data(value) for name, value in said.places.items()}
    return {"package": said.package, "text": said.text, "places": places, **kind}


def message_from(data: Any, packages: Container[str]) -> object:
    """The message from the data made by `message_data`. Raises `ValueError` for any other package."""
    if not isinstance(data, dict):
        return data
    if data["package"] not in packages:
        raise ValueError(data["package"])
    messages, text = Messages(data["package"]), data["text"]
    places = {name: message_from(value, packages) for name, value in data["places"].items()}
    if "many" in data:
        return messages.plural(text, data["many"], data["number"], **places)
    return messages.sense(data["sense"], text, **places) if "sense" in data else messages(text, **places)


def row(parts: Iterable[Said], between: str = ", ") -> Said:
    """Messages and texts joined by a separator; plain text if no message is among them."""
    items = tuple(parts)
    if all(isinstance(part, str) for part in items):
        return between.join(map(str, items))
    return Row(items, between)
