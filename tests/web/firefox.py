"""A real Firefox, spoken to in WebDriver BiDi, which it understands without a further driver."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from systems import Posix, want


class Firefox:
    """A Firefox with one tab. `commands` is a WebSocket."""

    def __init__(self, commands: Any) -> None:
        self._commands = commands
        self._numbers = count(1)
        self.call("session.new", capabilities={})
        self._tab = self.call("browsingContext.create", type="tab")["context"]

    def call(self, method: str, **parameters: Any) -> Any:
        """Carry out a command of WebDriver BiDi; what comes back."""
        number = next(self._numbers)
        self._commands.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (answer := json.loads(self._commands.recv())).get("id") != number:
            pass  # an event
        assert answer["type"] == "success", answer
        return answer["result"]

    def open(self, path: Path) -> None:
        """Open a page, and wait until it is loaded."""
        self.go(path.as_uri())

    def go(self, address: str) -> None:
        """Go to an address, and wait until it is loaded."""
        self.call("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def press(self, css: str, to: str = "") -> None:
        """Click with the mouse on the middle of what a selector fits, or drag it to another."""
        move = [{"type": "pointerMove", "x": x, "y": y} for x, y in map(self._middle, (css, to or css))]
        down, up = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        mouse = {"type": "pointer", "id": "mouse", "actions": [move[0], down, *move[1:], up]}
        self.call("input.performActions", context=self._tab, actions=[mouse])

    def _middle(self, css: str) -> tuple[int, int]:
        """Where on the screen the middle of what a selector fits is."""
        found = self.run(
            f"(() => {{ const one = document.querySelector({json.dumps(css)});"
            "one.scrollIntoView({block: 'nearest'});"
            "const {x, y, width, height} = one.getBoundingClientRect();"
            "return JSON.stringify([Math.round(x + width / 2), Math.round(y + height / 2)]) })()"
        )
        x, y = json.loads(found)
        return x, y

    def run(self, expression: str) -> str:
        """The text that an expression gives in the page, or will have given."""
        target = {"context": self._tab}
        done = self.call("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert done["type"] == "success", done
        text: str = done["result"]["value"]
        return text


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """Start it with a profile of its own in a folder, and end it. Skips the test where there is none."""
    want(Posix.BROWSER)
    websocket = pytest.importorskip("websocket")
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if not program:
        pytest.skip("needs firefox (Debian: firefox-esr)")
    arguments = [program, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port=0"]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stderr is not None
            said = next(line for line in running.stderr if "WebDriver BiDi listening on" in line)
            address = re.search(r"ws://\S+", said)
            assert address is not None
            session = f"{address[0]}/session"
            commands = websocket.create_connection(session, suppress_origin=True, timeout=60)
            yield Firefox(commands)
            commands.close()
        finally:
            running.terminate()
