"""What the pages import: no package that a browser lacks, however it is reached."""

from __future__ import annotations

import subprocess
import sys

LACKING = {"filelock", "imapclient", "msal", "dns", "pyperclip", "prompt_toolkit", "pyrage", "psutil"}
"""What pyproject.toml leaves out for emscripten; for cryptography there is another backend."""

SCRIPT = f"""
import importlib, sys
class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {LACKING!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Lacking())
importlib.import_module("pbem.web.pages")
importlib.import_module("pbem.web.in_browser")
"""


def test_the_pages_can_be_imported() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
