"""Real browsers that open pages: Chromium through Selenium, and Firefox through WebDriver BiDi, without a
driver.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

from support.markers import Posix, skip_without
from support.processes import wait_until

DONE = """
const done = arguments[0];
const found = document.getElementById("proof-found");
if (found.childElementCount) done(); else document.addEventListener("proof", () => done());
"""

VERDICT = """
const {proof, failed} = document.documentElement.dataset;
return [proof, failed ?? null, document.getElementById("verdict").textContent];
"""

CHECK = """
const [files, done] = arguments;
(async () => {
  const answers = [];
  for (const file of files) {
    try {
      const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
      const {state, failed, step, problem} = await proof.check(yaml.read(bytes).log);
      answers.push([state, failed, step, problem]);
    } catch (fault) {
      answers.push(["unread", null, fault.step ?? null, fault.message]);
    }
  }
  done(answers);
})();
"""


LOADING = """
const [address] = arguments;
return document.readyState !== "complete"
  || document.querySelector("meta[http-equiv=refresh]") !== null
  || (location.href === "about:blank") !== (address === "about:blank");
"""
"""Whether the page at an address is not there yet.

The driver's own wait can end with the page before it, about:blank, or with one that redirects to it.
"""


class Verdict(NamedTuple):
    """A page's own verdict: the two attributes of its root, and its words."""

    proof: str
    failed: str | None
    words: str


class Browser:
    """A Chromium, with one window."""

    def __init__(self, driver: Any, downloads: Path) -> None:
        self.driver = driver
        self.downloads = downloads
        self.touched = False

    def saved_by(self, deed: Callable[[], None]) -> Path:
        """The file a page saves during `deed`."""
        folder = {"behavior": "allow", "downloadPath": str(self.downloads)}
        # again each time: its tab might be closed
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", folder)
        return saved_into(self.downloads, deed)

    def set_width(self, width: int, height: int = 850) -> None:
        """Give the window this many CSS pixels; below a width of 500 it emulates a telephone."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    @contextmanager
    def as_telephone(self) -> Iterator[None]:
        """Emulate a telephone of 390 by 844 pixels, operated only by fingers."""
        metrics = {"width": 390, "height": 844, "deviceScaleFactor": 3, "mobile": True}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        touch = "Emulation.setTouchEmulationEnabled"
        self.driver.execute_cdp_cmd(touch, {"enabled": True, "maxTouchPoints": 5})
        self.touched = True
        try:
            yield
        finally:
            self.touched = False
            self.driver.execute_cdp_cmd(touch, {"enabled": False})

    @contextmanager
    def reading(self, languages: str) -> Iterator[None]:
        """A browser whose user reads these languages, as it tells pages."""
        change = "Network.setUserAgentOverride"
        agent = {"userAgent": self.run("return navigator.userAgent")}
        self.driver.execute_cdp_cmd(change, {**agent, "acceptLanguage": languages})
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd(change, {**agent, "acceptLanguage": "en-US"})

    def go(self, address: str) -> None:
        """Go to an address, and on to the page it redirects to."""
        self.driver.get(address)
        assert wait_until(lambda: not self.run(LOADING, address)), f"not there: {address}"

    def find(self, css: str) -> Any:
        """The first element that matches a selector."""
        return self.driver.find_element("css selector", css)

    def choose_file(self, css: str, file: Path) -> None:
        """Choose a file on disk in a form."""
        self.find(css).send_keys(str(file))

    def press(self, element: Any, *, shift: bool = False) -> None:
        """Click on an element with the mouse; `shift` holds the shift key."""
        from selenium.webdriver import ActionChains, Keys

        if shift:
            actions = ActionChains(self.driver, duration=0)
            actions.key_down(Keys.SHIFT).click(element).key_up(Keys.SHIFT).perform()
        else:
            element.click()

    def drag(self, element: Any, to: Any) -> None:
        """Drag an element to another one with the mouse."""
        from selenium.webdriver import ActionChains

        actions = ActionChains(self.driver, duration=50)
        actions.click_and_hold(element).move_to_element(to).release().perform()

    def escape(self) -> None:
        """Press the Escape key."""
        from selenium.webdriver.common.keys import Keys

        self.find("body").send_keys(Keys.ESCAPE)

    def finger(self, *points: tuple[float, float]) -> None:
        """A finger comes down at the first point, moves over the others, and goes up; one point is a tap."""
        for kind, at in (("touchStart", points[0]), *(("touchMove", point) for point in points[1:])):
            place = [{"x": at[0], "y": at[1]}]
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": place})
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def middle(self, element: Any) -> tuple[float, float]:
        """The centre of an element on the screen."""
        script = (
            "const {x, y, width, height} = arguments[0].getBoundingClientRect();"
            "return [x + width / 2, y + height / 2]"
        )
        x, y = self.run(script, element)
        return x, y

    def enter_frame(self, css: str) -> None:
        """Work in the frame that matches a selector from now on."""
        self.driver.switch_to.frame(self.find(css))

    def leave_frame(self) -> None:
        """Work in the page around the frames from now on."""
        self.driver.switch_to.default_content()

    def run(self, script: str, *arguments: Any) -> Any:
        """The value a script returns in the page."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, script: str, *arguments: Any) -> Any:
        """The value a script passes to its last argument, a callback."""
        return self.driver.execute_async_script(script, *arguments)

    def open(self, path: Path) -> Verdict:
        """Open a page and let it prove itself."""
        self.go(path.as_uri())
        self.wait(DONE)
        return Verdict(*self.run(VERDICT))

    def complaints(self) -> list[str]:
        """The browser's complaints since the last call, such as a violated policy."""
        return [line["message"] for line in self.driver.get_log("browser")]

    def check(self, files: list[bytes]) -> list[Any]:
        """The result of the open checker for game files: state, entry, step and problem of each."""
        answers: list[Any] = self.wait(CHECK, [b64encode(file).decode() for file in files])
        return answers


def run_chromium() -> Iterator[Browser]:
    """Start Chromium, and end it. Skips the test if it or its driver is not installed."""
    skip_without(Posix.BROWSER)
    webdriver = pytest.importorskip("selenium.webdriver")
    from selenium.webdriver.chrome.service import Service

    driver = shutil.which("chromedriver")
    program = shutil.which("chromium")
    if not driver or not program:
        pytest.skip("needs chromium and chromedriver (Debian: chromium, chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    options.add_argument("--headless=new")
    options.add_argument("--disable-dev-shm-usage")
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with (
        TemporaryDirectory() as downloads,
        webdriver.Chrome(options=options, service=Service(driver)) as running,
    ):
        running.set_script_timeout(300)  # the machine might be very busy
        running.command_executor.client_config.timeout = 330  # longer than any script; 120 without this
        yield Browser(running, Path(downloads))


def saved_into(folder: Path, deed: Callable[[], None]) -> Path:
    """The one file a page saves into a download folder during `deed`."""
    for before in folder.iterdir():
        before.unlink()
    deed()
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = list(folder.iterdir())
        if len(found) == 1 and found[0].suffix not in UNFINISHED and found[0].stat().st_size:
            return found[0]
        time.sleep(0.05)
    raise AssertionError(f"nothing was saved, or not one file: {list(folder.iterdir())}")


UNFINISHED = (".crdownload", ".part", ".tmp")


FIREFOX_SETTINGS = """\
user_pref("browser.download.folderList", 2);
user_pref("browser.download.dir", {folder});
user_pref("browser.download.alwaysOpenPanel", false);
user_pref("intl.accept_languages", "{languages}");
"""


ITS_OWN = re.compile(r"/favicon\.ico|/life was interrupted while the page was loading")
"""What Firefox complains of by itself; the second only in older versions, such as 140."""

SHIFT, ESCAPE = "\ue008", "\ue00c"

MIDDLE = """
const {x, y, width, height} = arguments[0].getBoundingClientRect();
return [x + width / 2, y + height / 2];
"""


class Firefox:
    """A Firefox with one tab, with the interface of `Browser`. `commands` is a WebSocket."""

    touched = False

    def __init__(self, commands: Any, downloads: Path) -> None:
        self._commands = commands
        self.downloads = downloads
        self._numbers = count(1)
        self._complaints: list[str] = []
        self.call("session.new", capabilities={})
        self.requests: list[str] = []
        self._window = self._tab = self.call("browsingContext.create", type="tab")["context"]
        self.call("session.subscribe", events=["log.entryAdded"])

    def call(self, method: str, **parameters: Any) -> Any:
        """Run a WebDriver BiDi command. Returns its result."""
        number = next(self._numbers)
        self._commands.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (answer := json.loads(self._commands.recv())).get("id") != number:
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self._complaints.append(answer["params"]["text"])
            if answer.get("method") == "network.beforeRequestSent":
                self.requests.append(answer["params"]["request"]["url"])
        assert answer["type"] == "success", answer
        return answer["result"]

    def saved_by(self, deed: Callable[[], None]) -> Path:
        """The file a page saves during `deed`."""
        return saved_into(self.downloads, deed)

    def complaints(self) -> list[str]:
        """The browser's complaints, without those about icons and heartbeats, which no page can avoid."""
        return [words for words in self._complaints if not ITS_OWN.search(words)]

    def set_width(self, width: int) -> None:
        """Give the window this many CSS pixels."""
        size = {"width": width, "height": 850}
        self.call("browsingContext.setViewport", context=self._tab, viewport=size)

    def open(self, path: Path) -> None:
        """Open a page, and wait until it is loaded."""
        self.go(path.as_uri())

    def go(self, address: str) -> None:
        """Go to an address, and on to the page it redirects to."""
        self.leave_frame()
        self.call("browsingContext.navigate", context=self._tab, url=address, wait="complete")
        assert wait_until(lambda: not self.run(LOADING, address)), f"not there: {address}"

    def enter_frame(self, css: str) -> None:
        """Work in the frame that matches a selector from now on."""
        script = "return document.querySelector(arguments[0]).contentWindow"
        self._tab = self.run(script, css)["context"]

    def leave_frame(self) -> None:
        """Work in the page around the frames from now on."""
        self._tab = self._window

    def find(self, css: str) -> Any:
        """The first element that matches a selector."""
        found = self.run("return document.querySelector(arguments[0])", css)
        assert found, css
        return found

    def choose_file(self, css: str, file: Path) -> None:
        """Choose a file on disk in a form."""
        self.call("input.setFiles", context=self._tab, element=self.find(css), files=[str(file)])

    def press(self, element: Any, *, shift: bool = False) -> None:
        """Click on the centre of an element with the mouse; `shift` holds the shift key."""
        if shift:
            self._keys({"type": "keyDown", "value": SHIFT})
        self._mouse([self.middle(element)])
        if shift:
            self._keys({"type": "keyUp", "value": SHIFT})

    def drag(self, element: Any, to: Any) -> None:
        """Drag an element to another one with the mouse."""
        self._mouse([self.middle(element), self.middle(to)])

    def escape(self) -> None:
        """Press the Escape key."""
        self._keys({"type": "keyDown", "value": ESCAPE}, {"type": "keyUp", "value": ESCAPE})

    def finger(self, *_points: tuple[float, float]) -> None:
        """Not supported here."""
        raise NotImplementedError

    def middle(self, element: Any) -> tuple[float, float]:
        """The centre of an element on the screen."""
        x, y = self.run(MIDDLE, element)
        return x, y

    def _mouse(self, points: list[tuple[float, float]]) -> None:
        """Press the mouse at the first point, and release it at the last."""
        first, *others = [{"type": "pointerMove", "x": round(x), "y": round(y)} for x, y in points]
        down, up = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        self._act({"type": "pointer", "id": "mouse", "actions": [first, down, *others, up]})

    def _keys(self, *presses: dict[str, Any]) -> None:
        self._act({"type": "key", "id": "keys", "actions": list(presses)})

    def _act(self, source: dict[str, Any]) -> None:
        self.call("input.performActions", context=self._tab, actions=[source])

    def run(self, script: str, *arguments: Any) -> Any:
        """The value a script returns in the page; an element stands for itself."""
        return self._function(f"function() {{ {script} }}", arguments)

    def wait(self, script: str, *arguments: Any) -> Any:
        """The value a script passes to its last argument, a callback."""
        body = f"function() {{ {script} }}"
        return self._function(
            f"(...given) => new Promise((done) => ({body}).call(null, ...given, done))", arguments
        )

    def _function(self, code: str, arguments: Iterable[Any]) -> Any:
        done = self.call(
            "script.callFunction",
            functionDeclaration=code,
            arguments=[_given(one) for one in arguments],
            target={"context": self._tab},
            awaitPromise=True,
        )
        assert done["type"] == "success", done
        return _plain(done["result"])


def _given(value: Any) -> Any:
    """Plain data, or an element, in the form BiDi requires."""
    match value:
        case {"sharedId": _} | {"type": _}:
            return value
        case bool():
            return {"type": "boolean", "value": value}
        case int() | float():
            return {"type": "number", "value": value}
        case str():
            return {"type": "string", "value": value}
        case list() | tuple():
            return {"type": "array", "value": [_given(one) for one in value]}
    raise TypeError(value)


def _plain(value: dict[str, Any]) -> Any:
    """Plain data, or an element, from BiDi's form."""
    match value["type"]:
        case "window":
            return value["value"]
        case "node":
            return {"sharedId": value["sharedId"]}
        case "array":
            return [_plain(one) for one in value["value"]]
        case "object":
            return {name: _plain(one) for name, one in value["value"]}
        case "null" | "undefined":
            return None
    return value["value"]


@contextmanager
def run_firefox(folder: Path, languages: str = "en-US, en") -> Iterator[Firefox]:
    """Start Firefox with its own profile in a folder, and end it. Skips the test if it is not installed.

    `languages` are those its user reads, as a browser tells pages.
    """
    skip_without(Posix.BROWSER)
    websocket = pytest.importorskip("websocket")
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if not program:
        pytest.skip("needs firefox (Debian: firefox-esr)")
    downloads = folder / "downloads"
    downloads.mkdir(parents=True, exist_ok=True)
    settings = FIREFOX_SETTINGS.format(folder=json.dumps(str(downloads)), languages=languages)
    (folder / "user.js").write_text(settings)
    arguments = [program, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port=0"]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stderr is not None
            said = next(line for line in running.stderr if "WebDriver BiDi listening on" in line)
            address = re.search(r"ws://\S+", said)
            assert address is not None
            session = f"{address[0]}/session"
            commands = websocket.create_connection(session, suppress_origin=True, timeout=60)
            with closing(commands):
                yield Firefox(commands, downloads)
        finally:
            running.terminate()
