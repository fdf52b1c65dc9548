"""Make the browser edition of wheels and npm's packages: see `.ci/browser`, which fetches both.

    python build.py WHEELS FOLDER

Of the wheels it makes one archive, app.zip; of the scripts one classic worker; of all of it `FOLDER/folder`
and `FOLDER/pbem.html`. Every file in an archive has the same date, and nothing else depends on the clock.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
MODULES = HERE / "node_modules"
PYODIDE = MODULES / "pyodide"
MOST_BYTES = 14_000_000
"""The most bytes of pbem.html, so that it passes a mail limit of 20 MB."""

PACKAGES = (
    *("@noble/ciphers", "@noble/curves", "@noble/hashes", "@noble/post-quantum", "@scure/base"),
    *("age-encryption", "bcrypt-pbkdf", "tweetnacl", "pyodide"),
)
"""What the worker's script has of npm."""

FOLDER_LINKS = '<link rel="icon" href="icon.svg">\n<link rel="manifest" href="manifest.webmanifest">'
MANIFEST = {
    "name": "pbem",
    "description": "Board wargames by mail for two",
    "start_url": "./",
    "display": "standalone",
    "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"}],
}
"""By what a browser installs the folder as an app."""

BEGINNING = (1980, 1, 1, 0, 0, 0)
LEFT_OUT = ("_yaml/", "pbem/cli/", "pbem/__main__.py", "wcwidth/table_grapheme_overrides/_known_")
"""What needs a terminal, or C that is not there; wcwidth has a megabyte about single terminals."""


def sources(wheels: list[Path]) -> bytes:
    """One archive of the Python in wheels, without what a browser has no use for."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_STORED) as into:  # the whole is compressed afterwards
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as archive:
                for name in sorted(archive.namelist()):
                    foreign = name.endswith(".so") and "wasm32" not in wheel.name
                    if not (foreign or name.startswith(LEFT_OUT) or ".dist-info/" in name):
                        into.writestr(zipfile.ZipInfo(name, BEGINNING), archive.read(name))
    return found.getvalue()


def compiled(archive: bytes) -> tuple[bytes, dict[str, Any]]:
    """The archive with byte code, and what the program says that the page around its pages is made with."""
    with tempfile.TemporaryDirectory() as folder:
        source, ready, around = (Path(folder) / name for name in ("sources.zip", "app.zip", "around.json"))
        source.write_bytes(archive)
        subprocess.run(["node", HERE / "compile.mjs", source, ready, around], check=True)
        return ready.read_bytes(), json.loads(around.read_text("utf-8"))


def bundled_worker() -> bytes:
    """The worker's script with all that it imports.

    Chromium starts no module worker out of a `file:` page, so it is a classic one; Pyodide refuses those, but
    asks only whether `importScripts` is there.
    """
    command = [
        MODULES / ".bin/esbuild",
        "worker.js",
        "--bundle",
        "--format=iife",
        "--minify",
        "--log-level=error",
    ]
    command += ["--external:node:*", "--external:ws", "--legal-comments=none"]
    command += ["--banner:js=self.importScripts=undefined;"]
    return subprocess.run(command, cwd=HERE, check=True, capture_output=True).stdout


def contents(wheels: list[Path]) -> Iterator[dict[str, str]]:
    """Name, version and licence of everything in it, with the text of the licence."""
    for wheel in wheels:
        name, version, *_ = wheel.name.split("-")
        with zipfile.ZipFile(wheel) as archive:
            texts = [
                archive.read(path).decode("utf-8")
                for path in sorted(archive.namelist())
                if ".dist-info/" in path and "LICEN" in Path(path).name.upper()
            ]
        yield {"name": name, "version": version, "licence": "\n".join(texts)}
    for package in PACKAGES:
        said = json.loads((MODULES / package / "package.json").read_text("utf-8"))
        file = MODULES / package / "LICENSE"
        text = file.read_text("utf-8") if file.exists() else said["license"]
        yield {"name": package, "version": said["version"], "licence": text}
    with zipfile.ZipFile(PYODIDE / "python_stdlib.zip") as archive:
        texts = [
            archive.read(path).decode() for path in archive.namelist() if Path(path).name == "LICENSE.txt"
        ]
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))
    yield {
        "name": "CPython, in Pyodide",
        "version": lock["info"]["python"],
        "licence": "\n".join(texts) or "Python Software Foundation License 2",
    }


def policy(script: str, frame: str, style: str, around: dict[str, Any], beside: str) -> str:
    """What the page and those in it may do: run its own scripts, ask for what is in it or `beside`."""
    scripts = " ".join([hashed(script), hashed(frame), *around["scripts"], "'wasm-unsafe-eval'"])
    styles = " ".join([hashed(style), *around["styles"]])
    return (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; worker-src blob:{beside}; "
        f"connect-src blob: data:{beside}; img-src data: blob:{beside}; "
        f"{'manifest-src' + beside + '; ' if beside else ''}base-uri 'none'; form-action 'none'"
    )


def hashed(code: str) -> str:
    """The policy's source expression for a script or style within the page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'"


def page(
    around: dict[str, Any], held: dict[str, str], made_of: list[dict[str, str]], beside: str = ""
) -> str:
    """The page, with what it holds as inert texts."""
    head, script, frame, style = (
        (HERE / name).read_text("utf-8") for name in ("page.html", "page.js", "frame.js", "page.css")
    )
    words = {"version": around["version"], **around["words"]}
    texts = {
        "frame.js": frame,
        "words": json.dumps(words),
        "contents": json.dumps(made_of).replace("<", "\\u003c"),
        **held,
    }
    # a text in a page must not contain the end of its element, not even in a string
    assert not any("</script" in text for text in (script, *texts.values()))
    parts = {
        "<!--policy-->": policy(script, frame, style, around, beside),
        "<!--style-->": f"<style>{style}</style>",
        "<!--script-->": f"<script>{script}</script>",
        "<!--links-->": FOLDER_LINKS if beside else '<link rel="icon" href="data:,">',
    }
    for place, part in parts.items():
        head = head.replace(place, part)
    # of it and of what the page holds the page makes an invitation, which has an offer in the last of these
    texts |= {"skeleton": json.dumps(head).replace("<", "\\u003c"), "offer": ""}
    inert = "".join(
        f'<script type="text/plain" id="{name}">{text}</script>\n' for name, text in texts.items()
    )
    return head.replace("<!--held-->\n", inert)


def offline(folder: Path) -> str:
    """The service worker that stores the files of a folder, under a digest of them all."""
    names = sorted(file.name for file in folder.iterdir())
    digest = hashlib.sha256(b"".join((folder / name).read_bytes() for name in names)).hexdigest()
    said = f"const FILES = {json.dumps(['./', *names])};\nconst DIGEST = {json.dumps(digest)};\n"
    return said + (HERE / "offline.js").read_text("utf-8")


def main(wheels: Path, into: Path) -> None:
    """Make both."""
    shutil.rmtree(into, ignore_errors=True)
    folder = into / "folder"
    folder.mkdir(parents=True)
    files = sorted(wheels.glob("*.whl"))
    archive, around = compiled(sources(files))
    parts = {
        "worker.js": bundled_worker(),
        "pyodide.asm.wasm": (PYODIDE / "pyodide.asm.wasm").read_bytes(),
        "python_stdlib.zip": (PYODIDE / "python_stdlib.zip").read_bytes(),
        "app.zip": archive,
    }
    made_of = list(contents(files))
    for name, data in parts.items():
        (folder / name).write_bytes(data)
    (folder / "index.html").write_text(page(around, {}, made_of, " 'self'"), "utf-8")
    (folder / "manifest.webmanifest").write_text(json.dumps(MANIFEST), "utf-8")
    shutil.copy(HERE / "icon.svg", folder)
    (folder / "offline.js").write_text(offline(folder), "utf-8")
    packed = {
        name: base64.b64encode(gzip.compress(data, 9, mtime=0)).decode("ascii")
        for name, data in parts.items()
    }
    whole = page(around, packed, made_of).encode("utf-8")
    (into / "pbem.html").write_bytes(whole)
    for name, data in parts.items():
        sys.stdout.write(f"{name:20} {len(data):12,} bytes, {len(packed[name]):12,} in the page\n")
    sys.stdout.write(f"{'pbem.html':20} {len(whole):12,} bytes\n")
    if len(whole) > MOST_BYTES:
        sys.exit(f"pbem.html has more than {MOST_BYTES:,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
