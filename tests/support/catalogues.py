"""The messages in the code, and the catalogues that translate them: docs/LANGUAGES.md.

    cd tests && python -m support.catalogues

writes today's messages into every pbem.po, compiles them, and lists those that need a translator.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, unescape, write_po
from msgspec import convert

from pbem.base.files import write_atomically
from pbem.format.yaml_reader import parse_yaml
from pbem.texts import TYPED
from pbem.web import html_file

ROOT = Path(__file__).parents[2]

HEADER = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"Plural-Forms: {plural_forms}\\n"
"Content-Type: text/plain; charset=utf-8\\n"

"""
"""The header that gettext requires. Dates and names are in the history of the file."""


TABLES = {"mail/providers.yaml": "password"}
"""Tables with text for the player, and the field of each item that has it."""


class SourceMessage(NamedTuple):
    """A message, or the two English forms of one with a number; and its sense, if English has several."""

    text: str | tuple[str, str]
    sense: str | None = None

    @property
    def forms(self) -> tuple[str, ...]:
        """The English text, in all its forms."""
        return (self.text,) if isinstance(self.text, str) else self.text


def packages() -> list[Path]:
    """The packages with catalogues: pbem, the games that ship with it, and the one of the tests."""
    folders = (folder for root in ("pbem", "tests") for folder in (ROOT / root).glob("**/locale"))
    return sorted(folder.parent for folder in folders)


def catalogues(package: Path) -> dict[str, Path]:
    """The catalogues of a package by their languages."""
    return {path.parts[-3]: path for path in sorted(package.glob("locale/*/LC_MESSAGES/pbem.po"))}


@cache
def messages(package: Path) -> dict[SourceMessage, set[str]]:
    """The messages in a package's code, with the modules they are in."""
    found: dict[SourceMessage, set[str]] = {}
    for path in sorted(package.rglob("*.py")):
        place = path.relative_to(package).as_posix()
        if package.name == "pbem" and place.startswith("games/") and place.count("/") > 1:
            continue  # a game has its own
        tree = ast.parse(path.read_text("utf-8"))
        for message in [
            *_messages_in_code(tree),
            *(_messages_in_help(tree) if place.startswith("cli/") else ()),
        ]:
            found.setdefault(message, set()).add(place)
    for place, field in TABLES.items():
        if (table := package / place).exists():
            for item in convert(parse_yaml(table.read_bytes()), list[dict[str, Any]]):
                found.setdefault(SourceMessage(item[field]), set()).add(place)
    for path in sorted(package.rglob("*.js")):
        for text in html_file.script_messages(path.read_text("utf-8")):
            found.setdefault(SourceMessage(text), set()).add(path.relative_to(package).as_posix())
    return found


def _messages_in_code(tree: ast.AST) -> Iterator[SourceMessage]:
    """The arguments of `tr` and similar, `TYPED`, `FOREIGN`, `Rules(title=…)` and `Meta(description=…)`."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="tr"), args=[ast.Constant(value=str(message))]):
                yield SourceMessage(message)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="tr"), attr="plural"), args=[one, many, _]):
                yield SourceMessage((ast.literal_eval(one), ast.literal_eval(many)))
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="tr"), attr="sense"),
                args=[sense, ast.Constant()] as args,
            ):
                yield SourceMessage(ast.literal_eval(args[1]), ast.literal_eval(sense))
            case ast.Assign(targets=[ast.Name(id="TYPED")], value=ast.Tuple() as words):
                yield from (SourceMessage(word, TYPED) for word in ast.literal_eval(words))
            case ast.Assign(targets=[ast.Name(id="FOREIGN")], value=ast.Tuple() as words):
                yield from map(SourceMessage, ast.literal_eval(words))
            case ast.Call(func=ast.Name(id="Rules"), keywords=keywords):
                yield from (
                    SourceMessage(ast.literal_eval(one.value)) for one in keywords if one.arg == "title"
                )
            case ast.Call(func=ast.Name(id="Meta") | ast.Attribute(attr="Meta"), keywords=keywords):
                yield from (
                    SourceMessage(ast.literal_eval(one.value)) for one in keywords if one.arg == "description"
                )


def _messages_in_help(tree: ast.AST) -> Iterator[SourceMessage]:
    """The messages in the help of commands: docstrings, `help` and `metavar`, the table of a group."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(decorator_list=[ast.Call(func=ast.Attribute(attr="command" | "callback"))]):
                yield SourceMessage(inspect.cleandoc(ast.get_docstring(node) or ""))
            case ast.keyword(arg="help", value=ast.Constant(value=str(text))):
                yield SourceMessage(text)
            case ast.Call(func=ast.Attribute(attr="Argument"), keywords=keywords):
                yield from (_message_of_metavar(one.value) for one in keywords if one.arg == "metavar")
            case ast.Call(func=ast.Attribute(attr="Option"), keywords=keywords):
                metavars = (ast.literal_eval(one.value) for one in keywords if one.arg == "metavar")
                words = (word for metavar in metavars for word in re.findall("[A-Z]{2,}", metavar))
                yield from (SourceMessage(word, "placeholder") for word in words)
            case ast.AnnAssign(target=ast.Name(id="table"), value=ast.Dict(values=lines)):
                yield from (SourceMessage(ast.literal_eval(line)[1]) for line in lines)
            case ast.AnnAssign(target=ast.Name(id="chapters"), value=ast.Dict(values=words)):
                yield from (SourceMessage(ast.literal_eval(word), "chapter of the help") for word in words)


def _message_of_metavar(metavar: ast.expr) -> SourceMessage:
    match metavar:
        case ast.Call(func=ast.Name(id="NameInContext"), args=[sense, name]):
            return SourceMessage(ast.literal_eval(name), ast.literal_eval(sense))
        case _:
            return SourceMessage(ast.literal_eval(metavar))


def read_catalogue(path: Path) -> Catalog:
    """A catalogue as it is, with the English that fuzzy translations were made from."""
    with path.open("rb") as file:
        catalogue = read_po(file, locale=path.parts[-3], domain="pbem", abort_invalid=True)
    for message in [*catalogue, *catalogue.obsolete.values()]:
        before = " ".join(line[2:] for line in message.user_comments if line.startswith("| "))
        message.user_comments = [line for line in message.user_comments if not line.startswith("|")]
        parts = [part for part in before.partition(" msgid_plural ")[::2] if part]
        message.previous_id = [_unquote(part) for part in parts] if message.fuzzy else []
    return catalogue


def _unquote(text: str) -> str:
    """A text that Babel has written into a comment, and reads like any other: `msgid "" "a " "b"`."""
    return "".join(unescape(part) for part in re.findall(r'"(?:[^"\\]|\\.)*"', text))


def renew_catalogue(path: Path) -> bytes:
    """A catalogue with today's messages, as Babel updates it.

    A new message has the translation of the one most like it, marked as fuzzy and with that one's English
    beside it, or none. Messages no longer in the code are kept until nothing needs a translator.
    """
    template = Catalog()
    for (text, sense), places in messages(path.parents[3]).items():
        template.add(text, context=sense, locations=[(place, 0) for place in sorted(places)])
    catalogue = read_catalogue(path)
    before = {(str(one.id), one.context): one.previous_id for one in catalogue}
    catalogue.update(template, update_creation_date=False)
    for one in catalogue:  # an update forgets the notes of an earlier one
        one.previous_id = one.previous_id or before.get((str(one.id), one.context), [])
    if not messages_to_translate(catalogue):
        catalogue.obsolete.clear()
    written = BytesIO()
    write_po(
        written,
        catalogue,
        width=100,
        omit_header=True,
        include_lineno=False,
        include_previous=True,
        sort_output=True,
    )
    header = HEADER.format(language=path.parts[-3], plural_forms=catalogue.plural_forms)
    return header.encode() + written.getvalue()


def messages_to_translate(catalogue: Catalog) -> list[Message]:
    """The messages that need a translator: without a translation, or with one of another English."""
    return [one for one in catalogue if one.id and (one.fuzzy or not all(_forms(one.string)))]


def lines_to_translate(path: Path) -> Iterator[str]:
    """One or more lines for each message of a catalogue that needs a translator."""
    for one in messages_to_translate(read_catalogue(path)):
        yield f"{path}: {' | '.join(_forms(one.id))}"
        if one.fuzzy:
            yield f"    was: {' | '.join(one.previous_id)}"
            yield f"    {path.parts[-3]}:  {' | '.join(_forms(one.string))}"


def _forms(said: str | Sequence[str] | None) -> Sequence[str]:
    """The forms of a text; an empty one if there is none."""
    if not said:
        return [""]
    return [said] if isinstance(said, str) else said


def compile_catalogue(catalogue: Catalog) -> bytes:
    """The compiled form, for gettext."""
    written = BytesIO()
    write_mo(written, catalogue)
    return written.getvalue()


def compile_all() -> None:
    """Compile every catalogue that is newer than its compiled form."""
    for path in (path for package in packages() for path in catalogues(package).values()):
        ready = path.with_suffix(".mo")
        if not ready.exists() or ready.stat().st_mtime < path.stat().st_mtime:
            # several tests might run at once
            write_atomically(ready, compile_catalogue(read_catalogue(path)))


if __name__ == "__main__":
    for one in (path for package in packages() for path in catalogues(package).values()):
        one.write_bytes(renew_catalogue(one))
    compile_all()
    for one in (path for package in packages() for path in catalogues(package).values()):
        sys.stdout.writelines(f"{line}\n" for line in lines_to_translate(one))
