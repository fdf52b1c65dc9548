// Adds byte code to an archive of Python, made by the very Python that will run it: a start is a third shorter. Then asks
// the program in it for what the page around its pages is made with.
//   node compile.mjs IN.zip OUT.zip AROUND.json
import fs from "node:fs";
import { loadPyodide } from "pyodide";

const [, , from, to, around] = process.argv;
globalThis.pbemPrimitives = {}; // nothing is signed here
const python = await loadPyodide({
  jsglobals: globalThis,
  env: { PYTHONHASHSEED: "0" },
}); // the same bytes every time
python.FS.writeFile("/in.zip", fs.readFileSync(from));
python.runPython(`
import importlib._bootstrap_external as bootstrap, importlib.util, zipfile

BEGINNING = (1980, 1, 1, 0, 0, 0)
with zipfile.ZipFile("/in.zip") as old, zipfile.ZipFile("/out.zip", "w") as new:
    for name in old.namelist():
        data = old.read(name)
        new.writestr(zipfile.ZipInfo(name, BEGINNING), data)
        if name.endswith(".py"):
            code = compile(data, f"/lib/python3.14/site-packages/{name}", "exec", dont_inherit=True, optimize=0)
            # unchecked: the source lies beside it, and is never newer
            made = bootstrap._code_to_hash_pyc(code, importlib.util.source_hash(data), False)
            folder, _, file = name.rpartition("/")
            where = f"{folder}/__pycache__/" if folder else "__pycache__/"
            new.writestr(zipfile.ZipInfo(f"{where}{file[:-3]}.cpython-314.pyc", BEGINNING), made)
`);
const archive = python.FS.readFile("/out.zip");
fs.writeFileSync(to, archive);
python.unpackArchive(archive, "zip", {
  extractDir: "/lib/python3.14/site-packages",
});
fs.writeFileSync(around, python.pyimport("pbem.web.in_browser").page_around());
process.exit(0);
