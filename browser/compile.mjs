// Compiles two archives of Python, with the very Python that will run them: if it had to compile them itself, a start
// would take twice as long. Then asks pbem for the parts of the page around its pages.
//   node compile.mjs FOLDER    FOLDER has app.zip and python_stdlib.zip, and receives around.json
import fs from "node:fs";
import path from "node:path";
import { loadPyodide } from "pyodide";

const [, , folder] = process.argv;
const at = (name) => path.join(folder, name);
globalThis.pbemPrimitives = {}; // nothing is signed here
const python = await loadPyodide({
  jsglobals: globalThis,
  env: { PYTHONHASHSEED: "0" },
}); // the same bytes every time
python.runPython(`
import importlib._bootstrap_external as bootstrap, importlib.util, zipfile

BEGINNING = (1980, 1, 1, 0, 0, 0)


def compile_archive(file, where, optimize):
    """Put byte code in the place of the source, which a fault would not show to anybody."""
    with zipfile.ZipFile(file) as old, zipfile.ZipFile("/out.zip", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith(".py"):
                code = compile(data, f"{where}/{name}", "exec", dont_inherit=True, optimize=optimize(name))
                data, name = bootstrap._code_to_hash_pyc(code, importlib.util.source_hash(data), False), f"{name}c"
            new.writestr(zipfile.ZipInfo(name, BEGINNING), data)
`);
/** @param {string} name @param {string} where it is laid out @param {string} optimize a function of Python, of a file's name */
function compileArchive(name, where, optimize) {
  python.FS.writeFile("/in.zip", fs.readFileSync(at(name)));
  python.runPython(`compile_archive("/in.zip", "${where}", ${optimize})`);
  const archive = python.FS.readFile("/out.zip");
  fs.writeFileSync(at(name), archive);
  return archive;
}
// Pyodide reads its own docstrings; nobody reads the others
compileArchive(
  "python_stdlib.zip",
  "/lib/python314.zip",
  'lambda name: 0 if "pyodide" in name else 2',
);
const site = "/lib/python3.14/site-packages";
const app = compileArchive("app.zip", site, "lambda name: 0");
python.unpackArchive(app, "zip", { extractDir: site });
fs.writeFileSync(
  at("around.json"),
  python.pyimport("pbem.web.in_browser").page_around(),
);
process.exit(0);
