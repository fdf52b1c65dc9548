/*
 * Python in a worker: it answers {id, name, given} with {id, found} or {id, fault}. The functions are those of
 * pbem/web/in_browser.py. An answer goes out only after the browser has stored what the function wrote.
 */
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import { loadPyodide } from "pyodide/pyodide.mjs";
import { version } from "pyodide/package.json";
import { info } from "pyodide/pyodide-lock.json";
import { primitives } from "./primitives.js";

const FOLDER = "/pbem";
const SITE = "/lib/python3.14/site-packages";
const NOWHERE = "https://none.invalid/"; // Pyodide wants addresses of what it is never to fetch
globalThis.pbemPrimitives = primitives;

let python;
let program;

/** @param {{ wasm: ArrayBuffer, stdlib: ArrayBuffer, app: ArrayBuffer, language: string }} parts */
async function start({ wasm, stdlib, app, language }) {
  const fetched = globalThis.fetch;
  globalThis.fetch = (what, ...more) =>
    String(what?.url ?? what).endsWith("pyodide.asm.wasm")
      ? Promise.resolve(new Response(wasm, { headers: { "Content-Type": "application/wasm" } }))
      : fetched(what, ...more);
  python = await loadPyodide({
    createPyodideModule,
    indexURL: NOWHERE,
    stdLibURL: URL.createObjectURL(new Blob([stdlib])),
    lockFileContents: {
      info: { ...info, version },
      packages: {},
    },
    packageBaseUrl: NOWHERE,
    env: { HOME: FOLDER, PBEM_HOME: `${FOLDER}/home`, LANG: language },
    jsglobals: globalThis,
  });
  python.unpackArchive(app, "zip", { extractDir: SITE });
  python.FS.mkdirTree(FOLDER);
  let problem = "";
  try {
    python.FS.mount(python.FS.filesystems.IDBFS, {}, FOLDER);
    await synced(true);
  } catch (fault) {
    problem = String(fault?.message ?? fault);
  }
  program = python.pyimport("pbem.web.in_browser");
  return problem;
}

/** From the browser's store (`read`), or to it. */
const synced = (read) =>
  new Promise((done, fail) => python.FS.syncfs(read, (fault) => (fault ? fail(fault) : done())));

async function answered(name, given) {
  if (name === "start") return start(...given);
  const found = program[name](...given);
  await synced(false);
  return found;
}

let last = Promise.resolve();
globalThis.onmessage = ({ data: { id, name, given } }) => {
  last = last
    .then(() => answered(name, given))
    .then(
      (found) => postMessage({ id, found }),
      (fault) => postMessage({ id, fault: String(fault?.message ?? fault) }),
    );
};
