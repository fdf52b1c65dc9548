// Checks the built browser edition in WebAssembly under node: the vectors of the primitives, `verify` of every example,
// and a random game of each kind that has computer players.
//   node check.mjs FOLDER REPOSITORY            FOLDER is the one for web servers
//   node check.mjs FOLDER REPOSITORY ROUNDS     only verifies the examples this often; prints each round's processor time
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { loadPyodide } from "pyodide";
import { primitives } from "./primitives.js";

const [, , folder, repository, rounds] = process.argv;
globalThis.pbemPrimitives = primitives;
const part = (name) =>
  zlib.gunzipSync(fs.readFileSync(path.join(folder, `${name}.packed`)));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "pbem-"));
const library = path.join(scratch, "python_stdlib.zip");
fs.writeFileSync(library, part("python_stdlib.zip"));
const python = await loadPyodide({
  stdLibURL: library,
  jsglobals: globalThis,
  env: { HOME: "/home", PBEM_LANG: "en" },
});
fs.rmSync(scratch, { recursive: true });
python.unpackArchive(new Uint8Array(part("app.zip")), "zip", {
  extractDir: "/lib/python3.14/site-packages",
});
python.FS.mkdirTree("/tests/support");
python.FS.mkdirTree("/tests/vectors");
python.FS.mkdirTree("/examples");
const put = (from, to) =>
  python.FS.writeFile(to, fs.readFileSync(path.join(repository, from)));
for (const name of ["primitive_vectors.py", "random_game.py"])
  put(`tests/support/${name}`, `/tests/support/${name}`);
put("tests/vectors/primitives.json", "/tests/vectors/primitives.json");
const examples = fs
  .readdirSync(path.join(repository, "examples"))
  .filter((name) => name.endsWith(".yaml"));
for (const name of examples) put(`examples/${name}`, `/examples/${name}`);
if (rounds) {
  const verifyAll = python.runPython(`
from pathlib import Path
from pbem.umpire.verify import open_game

files = [path.read_bytes() for path in sorted(Path("/examples").glob("*.yaml"))]
lambda: [open_game(data) for data in files] and None
`);
  for (let round = 0; round < Number(rounds); round++) {
    const before = process.cpuUsage();
    verifyAll();
    const { user, system } = process.cpuUsage(before);
    console.log((user + system) / 1e6);
  }
  process.exit(0);
}
const failed = python.runPython(`
import json, sys, time
from pathlib import Path

sys.path.insert(0, "/tests")
from random import SystemRandom
from support.primitive_vectors import FILE, disagreements
from support.random_game import random_game_file
from pbem.errors import VerificationError
from pbem.umpire.verify import open_game

vectors = json.loads(FILE.read_text("utf-8"))
wrong = [*disagreements(vectors)]
for line in wrong:
    print("otherwise than the vectors:", line)
passed = sum(map(len, vectors.values())) - len(wrong)
for path in sorted(Path("/examples").glob("*.yaml")):
    data, before = path.read_bytes(), time.monotonic()
    game = open_game(data)
    print(f"{path.name}: {len(game.entries)} entries verified in {time.monotonic() - before:.2f} s")
    passed += 1
    at = data.rindex(b'sig: "') + 6
    altered = data[:at] + (b"B" if data[at:at + 1] == b"A" else b"A") + data[at + 1:]
    try:
        open_game(altered)
    except VerificationError:
        passed += 1
    else:
        wrong.append(path.name)
        print(f"{path.name}: an altered signature holds")
for name in ("mortain", "rommel"):
    seed, before = SystemRandom().randrange(10**9), time.monotonic()
    print(f"a random game of {name}, seed {seed}: ", end="")
    game = open_game(random_game_file(name, seed))
    print(f"{len(game.entries)} entries in {time.monotonic() - before:.2f} s")
    passed += 1
print(f"{passed} passed, {len(wrong)} failed")
len(wrong)
`);
process.exit(failed ? 1 : 0);
