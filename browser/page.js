"use strict";
/*
 * The page of the browser edition: it starts the program in a worker, hands it files, and shows what it answers. What
 * the page holds stands in inert elements: base64 of gzip in the one file; nothing where the files lie beside it.
 */
(() => {
  const part = (name) => document.getElementById(name);
  const waiting = new Map();
  let last = 0;
  let worker;

  /** Call a function of the worker. */
  const ask = (name, ...args) =>
    new Promise((done, fail) => {
      waiting.set(++last, { done, fail });
      worker.postMessage({ id: last, name, args });
    });

  /** Call a function of the program, which answers in JSON. */
  async function call(name, ...args) {
    const { found, refused } = JSON.parse(await ask(name, ...args));
    if (refused) throw new Error([refused.error, refused.hint].filter(Boolean).join("\n"));
    return found;
  }

  /** The bytes of a part of the program. */
  async function bytesOf(name) {
    const text = part(name)?.textContent;
    if (!text) return (await fetch(name)).arrayBuffer();
    const packed = await (await fetch(`data:application/octet-stream;base64,${text}`)).blob();
    return new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  }

  async function start() {
    const step = () => (part("progress").value += 1);
    const begun = performance.now();
    const script = new Blob([await bytesOf("worker.js")], { type: "text/javascript" });
    worker = new Worker(URL.createObjectURL(script));
    worker.onerror = (fault) => say(`The program does not start here: ${fault.message}`);
    worker.onmessage = ({ data: { id, found, fault } }) => {
      const { done, fail } = waiting.get(id);
      waiting.delete(id);
      fault === undefined ? done(found) : fail(new Error(fault));
    };
    step();
    const names = { wasm: "pyodide.asm.wasm", stdlib: "python_stdlib.zip", app: "app.zip" };
    const parts = { language: navigator.language.slice(0, 2) };
    for (const [name, file] of Object.entries(names)) parts[name] = await bytesOf(file);
    step();
    const problem = await ask("start", parts);
    step();
    const words = await call("begin");
    step();
    document.documentElement.lang = words.language;
    part("version").textContent = words.version;
    part("open-words").textContent = words.open;
    part("drop").textContent = words.drop;
    part("open").hidden = false;
    part("progress").hidden = true;
    say(problem);
    part("file").onchange = () => open(part("file").files[0], words);
    addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length) open(event.dataTransfer.files[0], words);
    });
    document.documentElement.dataset.started = String(Math.round(performance.now() - begun));
  }

  async function open(file, words) {
    document.body.ariaBusy = "true";
    part("game").hidden = true;
    try {
      const { summary, page } = await call("open_file", new Uint8Array(await file.arrayBuffer()));
      say(`${summary}\n${words.holds}`);
      part("game").srcdoc = page;
      part("game").hidden = false;
    } catch (fault) {
      say(`${file.name}: ${fault.message}`);
    }
    document.body.ariaBusy = "false";
  }

  const say = (words) => (part("said").textContent = words);

  addEventListener("dragover", (event) => event.preventDefault());
  const contents = JSON.parse(part("contents").textContent);
  part("licences").textContent = contents
    .map(({ name, version, licence }) => `${name} ${version}\n\n${licence}`)
    .join("\n\n----\n\n");
  start().catch((fault) => say(`The program does not start here: ${fault.message}`));
})();
