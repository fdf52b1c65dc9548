/*
 * Python in a worker: it answers {id, name, given} with {id, found} or {id, fault}. The functions are those of
 * pbem/web/in_browser.py, and `start`. An answer is sent only after the browser has stored what the function wrote;
 * otherwise it is a fault, or has `full`.
 */
import { Decrypter, Encrypter } from "age-encryption";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import { loadPyodide } from "pyodide/pyodide.mjs";
import { version } from "pyodide/package.json";
import { info } from "pyodide/pyodide-lock.json";
import { primitives } from "./primitives.js";

const FOLDER = "/pbem";
const ARCHIVE = "/tmp/archive"; // as in_browser.py has it
const WORK_FACTOR = 18; // of scrypt: the least that an installed pbem accepts
const SITE = "/lib/python3.14/site-packages";
const LOCAL_HEADER = 0x04034b50; // before each file of a zip archive
const NOWHERE = "https://none.invalid/"; // Pyodide requires addresses for files it will never fetch
globalThis.pbemPrimitives = primitives;

let python;
let program;
/** Whether the browser lets this page store anything. */
let stores = true;

/** A part of pbem before it was packed. @param {Uint8Array} part @param {string} [type] */
const unpacked = (part, type = "application/octet-stream") =>
  new Response(new Blob([part]).stream().pipeThrough(new DecompressionStream("gzip")), {
    headers: { "Content-Type": type },
  });

/** Tell the page that a step of the start is done. */
const step = () => postMessage({ step: true });

/** @param {{ wasm: Uint8Array, library: Uint8Array, app: Uint8Array, language: string, site: string }} given */
async function start({ wasm, library, app, language, site }) {
  const archive = unpacked(app).arrayBuffer(); // while Python starts
  const fetched = globalThis.fetch;
  globalThis.fetch = async (what, ...more) => {
    const address = String(what?.url ?? what);
    if (address === `${NOWHERE}pyodide.asm.wasm`) return unpacked(wasm, "application/wasm");
    if (address === `${NOWHERE}python_stdlib.zip`) return unpacked(library);
    return fetched(what, ...more);
  };
  python = await loadPyodide({
    createPyodideModule,
    indexURL: NOWHERE,
    lockFileContents: {
      info: { ...info, version },
      packages: {},
    },
    packageBaseUrl: NOWHERE,
    env: { HOME: FOLDER, PBEM_HOME: `${FOLDER}/home`, LANG: language, PBEM_SITE: site },
    jsglobals: globalThis,
  });
  step();
  layOut(new Uint8Array(await archive));
  python.FS.mkdirTree(FOLDER);
  storeAllOrNothing(python.FS.filesystems.IDBFS);
  try {
    python.FS.mount(python.FS.filesystems.IDBFS, {}, FOLDER);
    await synced(true);
  } catch (fault) {
    console.info(`pbem: ${fault}`);
    stores = false;
  }
  step();
  program = python.pyimport("pbem.web.in_browser");
  step();
  return stores;
}

/**
 * What one answer has written is stored as a whole, and is on disk before the answer is sent. IDBFS would keep the files
 * that still found room, and a browser may report "stored" for data that a power cut destroys.
 */
function storeAllOrNothing(IDBFS) {
  const begin = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (names, mode) {
    return begin.call(this, names, mode, { durability: mode === "readwrite" ? "strict" : "default" });
  };
  const whole = (store, wish, done) => {
    wish.onsuccess = () => done(null);
    wish.onerror = () => {
      done(wish.error);
      store.transaction.abort();
    };
  };
  IDBFS.storeRemoteEntry = (store, path, entry, done) => whole(store, store.put(entry, path), done);
  IDBFS.removeRemoteEntry = (store, path, done) => whole(store, store.delete(path), done);
}

/** Unpack the files of an uncompressed archive without copying: Python's own `zipfile` would take a fifth of a second.
 *  @param {Uint8Array} archive */
function layOut(archive) {
  const view = new DataView(archive.buffer);
  const text = new TextDecoder();
  for (let at = 0; view.getUint32(at, true) === LOCAL_HEADER;) {
    const size = view.getUint32(at + 22, true);
    const nameEnds = at + 30 + view.getUint16(at + 26, true);
    const begins = nameEnds + view.getUint16(at + 28, true);
    const path = `${SITE}/${text.decode(archive.subarray(at + 30, nameEnds))}`;
    at = begins + size;
    if (path.endsWith("/")) continue;
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, archive.subarray(begins, at), { canOwn: true });
  }
}

/** Read from the browser's store (`read`), or write to it. */
const synced = (read) =>
  new Promise((done, fail) => python.FS.syncfs(read, (fault) => (fault ? fail(fault) : done())));

async function answered(name, given) {
  if (name === "start") return { found: await start(...given) };
  const found = await (name === "answer" ? answer(...given) : program[name](...given));
  if (!stores) return { found };
  try {
    await synced(false);
    return { found };
  } catch (fault) {
    // A page to look at, and a copy for the player, are sent all the same: the next store includes what they wrote.
    // Nothing else is sent before that.
    if (name !== "answer" || given[0] === "backup") return { found, full: true };
    throw Object.assign(new Error(String(fault)), { unstored: true });
  }
}

/** Python cannot wait for a promise: the age package runs before or after Python's part. */
async function answer(path, body) {
  if (path === "backup") {
    const { passphrase, refused } = JSON.parse(program.pack(body));
    if (refused) return JSON.stringify({ refused });
    const age = new Encrypter();
    age.setScryptWorkFactor(WORK_FACTOR);
    age.setPassphrase(passphrase);
    python.FS.writeFile(ARCHIVE, await age.encrypt(python.FS.readFile(ARCHIVE)));
    return program.packed(passphrase);
  }
  if (path === "restore") {
    const { data, passphrase } = JSON.parse(body);
    const age = new Decrypter();
    age.addPassphrase(passphrase);
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    python.FS.writeFile(ARCHIVE, await age.decrypt(bytes).catch(() => new Uint8Array()));
    return program.restore();
  }
  return program.answer(path, body);
}

let last = Promise.resolve();
globalThis.onmessage = ({ data: { id, name, given } }) => {
  last = last
    .then(() => answered(name, given))
    .then(
      (answer) => postMessage({ id, ...answer }),
      (fault) =>
        postMessage({ id, fault: String(fault?.message ?? fault), unstored: fault?.unstored ?? false }),
    );
};
