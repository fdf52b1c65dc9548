"""Faults planted in any Python started with this folder on its PYTHONPATH: the process that judges mails.

A mail with the words `planted: loop` causes an endless loop in C, and so on: see `FAULTS`.
"""

from __future__ import annotations

import ctypes
import importlib.util
import itertools
import os
import re
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

READER = "pbem.mail.parse_mail"
"""The module whose `unsearched_mail` receives a mail's bytes before anything else does."""


def _loop() -> None:
    all(itertools.repeat(True))


def _allocate() -> None:
    bytearray(10 * 2**30)


def _crash() -> None:
    ctypes.string_at(0)


class _Endless:
    def __repr__(self) -> str:
        return repr([self])


def _recurse() -> None:
    sys.setrecursionlimit(2**31 - 1)
    repr(_Endless())


def _exit() -> None:
    os._exit(3)


def _raise() -> None:
    raise KeyError("Falaise")


def _write() -> None:
    with open(os.environ["PLANTED_FILE"], "wb") as file:
        file.write(b"x")
        file.flush()


FAULTS: dict[bytes, Callable[[], None]] = {
    b"loop": _loop,
    b"allocation": _allocate,
    b"crash": _crash,
    b"recursion": _recurse,
    b"exit": _exit,
    b"exception": _raise,
    b"write": _write,
}


def _plant(module: ModuleType) -> None:
    received: Callable[[bytes, str], object] = vars(module)["unsearched_mail"]

    def meet(data: bytes, label: str) -> object:
        if found := re.search(rb"planted: (\w+)", data):
            FAULTS[found[1]]()
        return received(data, label)

    vars(module)["unsearched_mail"] = meet


class _Finder:
    """Finds the reader's module once, with the faults in it."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        if name != READER:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        assert spec
        assert spec.loader
        execute = spec.loader.exec_module

        def execute_and_plant(module: ModuleType) -> None:
            execute(module)
            _plant(module)

        spec.loader.exec_module = execute_and_plant  # type: ignore[method-assign]
        return spec


sys.meta_path.insert(0, _Finder())
