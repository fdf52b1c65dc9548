"""A real Chromium that opens pages from files, as a reader's browser does."""

from __future__ import annotations

import os
import shutil
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from systems import Posix, skip_without

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


class Verdict(NamedTuple):
    """What a page says of itself: the two attributes of its root, and its words."""

    proof: str
    failed: str | None
    words: str


class Browser:
    """A Chromium, with one window."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        self.touched = False

    def set_width(self, width: int, height: int = 850) -> None:
        """Give the window so many CSS pixels; below a width of 500 it is a telephone."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    @contextmanager
    def as_telephone(self) -> Iterator[None]:
        """A telephone of 390 by 844 pixels, on which nothing but fingers points."""
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

    def go(self, address: str) -> None:
        """Go to an address."""
        self.driver.get(address)

    def find(self, css: str) -> Any:
        """The first element that a selector fits."""
        return self.driver.find_element("css selector", css)

    def press(self, element: Any, *, shift: bool = False) -> None:
        """Click with the mouse on an element, if need be with the shift key held."""
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
        """A finger comes down at the first point, moves over the others, and goes up; one point: a tap."""
        for kind, at in (("touchStart", points[0]), *(("touchMove", point) for point in points[1:])):
            place = [{"x": at[0], "y": at[1]}]
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": place})
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def middle(self, element: Any) -> tuple[float, float]:
        """The middle of an element on the screen."""
        script = (
            "const {x, y, width, height} = arguments[0].getBoundingClientRect();"
            "return [x + width / 2, y + height / 2]"
        )
        x, y = self.run(script, element)
        return x, y

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script returns in the page."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, script: str, *arguments: Any) -> Any:
        """What a script hands to its last argument, a function, sooner or later."""
        return self.driver.execute_async_script(script, *arguments)

    def open(self, path: Path) -> Verdict:
        """Open a page and let it prove itself."""
        self.driver.get(path.as_uri())
        self.wait(DONE)
        return Verdict(*self.run(VERDICT))

    def complaints(self) -> list[str]:
        """What the browser has complained of since it was last asked, such as a policy not kept."""
        return [line["message"] for line in self.driver.get_log("browser")]

    def check(self, files: list[bytes]) -> list[Any]:
        """What the checker, which is open, finds in game files: state, entry, step and problem of each."""
        answers: list[Any] = self.wait(CHECK, [b64encode(file).decode() for file in files])
        return answers


def run_chromium() -> Iterator[Browser]:
    """Start it, and end it. The test is skipped where it or its driver is not installed."""
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
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with webdriver.Chrome(options=options, service=Service(driver)) as running:
        running.set_script_timeout(300)  # a machine may have much else to do
        yield Browser(running)
