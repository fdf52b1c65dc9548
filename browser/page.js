"use strict";
/*
 * The page of the browser edition: it starts the program in a worker, shows its pages in a frame, and carries what they
 * ask. What the page holds stands in inert elements: base64 of gzip in the one file; nothing where the files lie beside
 * it. The address behind # is that of the page in the frame, so that the browser's own history leads through them.
 */
(() => {
  const CLOCK_SECONDS = 120; // after which the worker is ended: a game file is given up after 60
  const part = (/** @type {string} */ name) => /** @type {any} */ (document.getElementById(name));
  /** @type {Map<number, {done: (found: any) => void, fail: (fault: Error) => void}>} */
  const waiting = new Map();
  let last = 0;
  /** @type {Worker} */
  let worker;
  /** What this page says, in the language of the pages. @type {{[name: string]: string}} */
  let words = {};
  /** The page that the frame shows. */
  let shown = { path: "", fragment: "" };
  /** The page before it, to which its own history may not lead: it has an entry for each place in a page. */
  let before = "";

  const say = (/** @type {string} */ text) => (part("said").textContent = text);

  // The worker

  /** Call a function of the worker. @param {string} name @param {unknown[]} given @param {Transferable[]} [moved]
   *  @returns {Promise<any>} */
  const call = (name, given, moved = []) =>
    new Promise((done, fail) => {
      waiting.set(++last, { done, fail });
      worker.postMessage({ id: last, name, given }, moved);
    });

  /** The bytes of a part of the program. @param {string} name */
  async function bytesOf(name) {
    const text = part(name)?.textContent;
    if (!text) return (await fetch(name)).arrayBuffer();
    const packed = await (await fetch(`data:application/octet-stream;base64,${text}`)).blob();
    return new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  }

  /** Start the worker, with what the browser has stored. */
  async function startWorker() {
    const step = () => (part("progress").value += 1);
    const [script, wasm, stdlib, app] = await Promise.all(
      ["worker.js", "pyodide.asm.wasm", "python_stdlib.zip", "app.zip"].map(async (name) => {
        const bytes = await bytesOf(name);
        step();
        return bytes;
      }),
    );
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const started = new Worker(address);
    worker = started;
    worker.onerror = ({ message }) => endWorker(message);
    worker.onmessage = ({ data: { id, found, fault } }) => {
      if (worker !== started) return;
      const asked = waiting.get(id);
      waiting.delete(id);
      if (fault === undefined) asked?.done(found);
      else {
        asked?.fail(new Error(words.ended));
        endWorker(fault); // what it has in memory may be otherwise than what is stored
      }
    };
    const given = { wasm, stdlib, app, language: navigator.language };
    const problem = await call("start", [given], [wasm, stdlib, app]);
    step();
    words = JSON.parse(await call("begin", []));
    step();
    say(problem);
  }

  /** End the worker, and start another with what is stored. @param {string} why */
  function endWorker(why) {
    console.info(`pbem: ${why}`);
    worker.terminate();
    for (const { fail } of waiting.values()) fail(new Error(words.ended));
    waiting.clear();
    startWorker().catch(showFault);
  }

  const showFault = (/** @type {Error} */ fault) => say(`pbem does not start here: ${fault.message}`);

  // The pages

  /** Show the page that the address names. */
  async function show() {
    const [path, fragment = ""] = location.hash.slice(1).split("#");
    if (path !== shown.path) before = shown.path;
    shown = { path, fragment };
    const found = JSON.parse(await call("html", [path]));
    if (path !== shown.path) return; // the address has changed meanwhile
    words = found;
    document.documentElement.lang = words.language;
    part("back").textContent = words.back;
    if (found.refused) {
      say(found.refused);
      if (path) go("/");
      return;
    }
    const frame = document.createElement("iframe");
    frame.id = "game";
    // without an origin of its own: what the browser stores, the key too, is out of its scripts' reach
    frame.setAttribute("sandbox", "allow-scripts allow-forms allow-modals");
    frame.allow = "clipboard-write *";
    const given = JSON.stringify({ fragment, kept }).replaceAll("<", "\\u003c");
    const held = `<script type="application/json" id="given">${given}<\/script><script>${part("frame.js").textContent}<\/script>`;
    frame.srcdoc = found.html.replace("<head>", (/** @type {string} */ head) => head + held);
    document.title = /<title>(.*?)<\/title>/.exec(frame.srcdoc)?.[1] ?? "pbem";
    frame.title = document.title;
    part("back").hidden = !/\/./.test(path);
    part("game").replaceWith(frame);
    frame.focus();
  }

  /** Go to a page. @param {string} address from the one that is shown; empty: once more */
  function go(address) {
    const { pathname, hash } = new URL(address, `https://pbem.invalid/${shown.path}`);
    const place = `#${pathname.slice(1)}${hash}`;
    if ((location.hash || "#") === place) show();
    else location.hash = place;
  }

  /** What this tab keeps, whatever page it shows. @type {{[name: string]: string}} */
  const kept = JSON.parse(sessionStorage.getItem("pbem") ?? "{}");

  /** Have the browser save a file. @param {{name: string, data: string}} file its bytes in base64 */
  function save({ name, data }) {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  addEventListener("message", ({ source, data }) => {
    if (source !== part("game").contentWindow) return;
    if (data.ask !== undefined) carry(source, data);
    else if (data.go !== undefined) go(data.go);
    else if (data.save) save(data.save);
    else if (data.keep) {
      kept[data.keep[0]] = data.keep[1];
      sessionStorage.setItem("pbem", JSON.stringify(kept));
    } else if (data.fragment !== undefined) {
      shown.fragment = data.fragment.slice(1);
      history.replaceState(null, "", `#${shown.path}${data.fragment}`);
    }
  });

  /** Carry a request to the worker, and the answer back. @param {any} frame @param {{id: number, ask: string, body: string}} asked */
  async function carry(frame, { id, ask, body }) {
    const folder = shown.path.slice(0, shown.path.lastIndexOf("/") + 1);
    const clock = setTimeout(() => endWorker(`${ask}: ${CLOCK_SECONDS} s`), 1000 * CLOCK_SECONDS);
    try {
      const found = JSON.parse(await call("answer", [folder + ask, body]));
      frame.postMessage({ id, found }, "*");
    } catch (fault) {
      frame.postMessage({ id, fault: /** @type {Error} */ (fault).message }, "*");
    }
    clearTimeout(clock);
  }

  async function start() {
    const begun = performance.now();
    await startWorker();
    part("progress").hidden = true;
    await show();
    addEventListener("hashchange", show);
    document.documentElement.dataset.started = String(Math.round(performance.now() - begun));
  }

  part("back").onclick = () => go(`/${before}`);
  for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());
  start().catch(showFault);
})();
