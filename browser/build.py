"""Make the browser edition from wheels and npm packages: see `.ci/browser`, which fetches both.

    python build.py WHEELS FOLDER

It makes one archive of the wheels, app.zip, and another of Python's own library, both as byte code; one
classic worker from the scripts; and from all of these `FOLDER/folder` and `FOLDER/pbem.html`. Every file in
an archive has the same date, and nothing else depends on the clock.
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
from collections.abc import Iterable, Iterator
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
"""The npm packages in the worker's script."""

FOLDER_LINKS = '<link rel="icon" href="icon.svg">\n<link rel="manifest" href="manifest.webmanifest">'
MANIFEST = {
    "name": "pbem",
    "description": "Board wargames by mail for two",
    "start_url": "./",
    "display": "standalone",
    "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"}],
}
"""The manifest with which a browser installs the folder as an app."""

BEGINNING = (1980, 1, 1, 0, 0, 0)
LEFT_OUT = ("_yaml/", "pbem/cli/", "pbem/__main__.py", "wcwidth/table_grapheme_overrides/_known_")
"""Modules that need a terminal or a C library; and a megabyte of wcwidth about particular terminals."""

LEFT_OUT_OF_PYTHON = (
    *("_pyrepl/", "bdb.", "cProfile.", "doctest.", "pdb.", "pickletools.", "pstats.", "pydoc.", "unittest/"),
    *("ctypes/", "ftplib.", "imaplib.", "mailbox.", "optparse.", "sqlite3/", "wsgiref/", "xml/", "xmlrpc/"),
)
"""The larger parts of Python's own library that are useless in a browser: debuggers, tests, servers."""


def archive_of(files: Iterable[tuple[str, bytes]]) -> bytes:
    """An uncompressed archive, since the whole is compressed later."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name, BEGINNING), data)
    return made.getvalue()


def program(wheels: list[Path]) -> Iterator[tuple[str, bytes]]:
    """The files of wheels, except those useless in a browser."""
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in sorted(archive.namelist()):
                foreign = name.endswith(".so") and "wasm32" not in wheel.name
                if not (foreign or name.startswith(LEFT_OUT) or ".dist-info/" in name):
                    yield name, archive.read(name)


def library() -> Iterator[tuple[str, bytes]]:
    """The files of Python's own library, except those useless in a browser."""
    with zipfile.ZipFile(PYODIDE / "python_stdlib.zip") as archive:
        for name in sorted(archive.namelist()):
            if not name.startswith(LEFT_OUT_OF_PYTHON):
                yield name, archive.read(name)


def compiled(wheels: list[Path]) -> tuple[dict[str, bytes], dict[str, Any]]:
    """Both archives as byte code, and pbem's data for the page around its pages."""
    sources = {"python_stdlib.zip": archive_of(library()), "app.zip": archive_of(program(wheels))}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for archive, data in sources.items():
            (folder / archive).write_bytes(data)
        subprocess.run(["node", HERE / "compile.mjs", folder], check=True)
        around = json.loads((folder / "around.json").read_text("utf-8"))
        return {archive: (folder / archive).read_bytes() for archive in sources}, around


def bundled_worker() -> bytes:
    """The worker's script with everything it imports.

    It is a classic worker, since Chromium starts no module worker from a `file:` page. Pyodide refuses
    classic ones, but only checks whether `importScripts` is there.
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
    """The name, version and licence of everything in it, with the text of the licence."""
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
    """What the page and those in it may do: run its own scripts, load its own content or `beside`."""
    scripts = " ".join([hashed(script), hashed(frame), *around["scripts"], "'wasm-unsafe-eval'"])
    styles = " ".join([hashed(style), *around["styles"]])
    return (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; worker-src blob:{beside}; "
        f"connect-src blob: data:{beside}; img-src data: blob:{beside}; "
        f"{'manifest-src' + beside + '; ' if beside else ''}base-uri 'none'; form-action 'none'"
    )


def hashed(code: str) -> str:
    """The policy's source expression for a script or style in the page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'"


def page(
    around: dict[str, Any], held: dict[str, str], made_of: list[dict[str, str]], beside: str = ""
) -> str:
    """The page, with its parts as inert texts."""
    head, script, frame, style = (
        (HERE / name).read_text("utf-8") for name in ("page.html", "page.js", "frame.js", "page.css")
    )
    words = {"version": around["version"], **around["words"]}
    texts = {
        "frame.js": frame,
        "words": json.dumps(words),
        "openings": inert_json(around["openings"]),
        "contents": inert_json(made_of),
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
    # from this and its parts, the page makes an invitation, with an offer in the last of these
    texts |= {"skeleton": inert_json(head), "offer": ""}
    inert = "".join(
        f'<script type="text/plain" id="{name}">{text}</script>\n' for name, text in texts.items()
    )
    return head.replace("<!--held-->\n", inert)


def inert_json(value: Any) -> str:
    """The value as JSON that cannot end the element around it."""
    return json.dumps(value).replace("<", "\\u003c")


def offline(folder: Path) -> str:
    """The service worker that stores the files of a folder, under a digest of all of them."""
    names = sorted(file.name for file in folder.iterdir())
    digest = hashlib.sha256(b"".join((folder / name).read_bytes() for name in names)).hexdigest()
    said = f"const FILES = {json.dumps(['./', *names])};\nconst DIGEST = {json.dumps(digest)};\n"
    return said + (HERE / "offline.js").read_text("utf-8")


def main(wheels: Path, into: Path) -> None:
    """Make the file and the folder."""
    shutil.rmtree(into, ignore_errors=True)
    folder = into / "folder"
    folder.mkdir(parents=True)
    files = sorted(wheels.glob("*.whl"))
    archives, around = compiled(files)
    parts = {
        "worker.js": bundled_worker(),
        "pyodide.asm.wasm": (PYODIDE / "pyodide.asm.wasm").read_bytes(),
        **archives,
    }
    made_of = list(contents(files))
    packed = {name: gzip.compress(data, 9, mtime=0) for name, data in parts.items()}
    for name, data in packed.items():
        # a server might say of a .gz that the browser should unpack it
        (folder / f"{name}.packed").write_bytes(data)
    (folder / "index.html").write_text(page(around, {}, made_of, " 'self'"), "utf-8")
    (folder / "manifest.webmanifest").write_text(json.dumps(MANIFEST), "utf-8")
    shutil.copy(HERE / "icon.svg", folder)
    (folder / "offline.js").write_text(offline(folder), "utf-8")
    held = {name: base64.b64encode(data).decode("ascii") for name, data in packed.items()}
    whole = page(around, held, made_of).encode("utf-8")
    (into / "pbem.html").write_bytes(whole)
    for name, data in parts.items():
        sys.stdout.write(f"{name:20} {len(data):12,} bytes, {len(held[name]):12,} in the page\n")
    sys.stdout.write(f"{'pbem.html':20} {len(whole):12,} bytes\n")
    if len(whole) > MOST_BYTES:
        sys.exit(f"pbem.html has more than {MOST_BYTES:,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
