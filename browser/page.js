"use strict";
/*
 * The page of the browser edition: it starts pbem in a worker, shows its pages in a frame, and passes their requests on.
 * In the one file, its parts are in inert elements, as base64 of gzip; otherwise they are files beside it, packed with
 * gzip. The address after # is that of the page in the frame, so that the browser's own history moves between them.
 */
(() => {
  const PARTS = ["pyodide.asm.wasm", "python_stdlib.zip", "app.zip"]; // the worker starts with these
  const SIGNS = new Set(["sign", "undo", "begin", "join", "take", "restore"]); // after these a copy is out of date
  const part = (/** @type {string} */ name) => /** @type {any} */ (document.getElementById(name));
  const held = (/** @type {string} */ name) => JSON.parse(part(name).textContent);

  /** The texts of this page, by language. @type {{[language: string]: {[name: string]: string}}} */
  const inEveryLanguage = held("words");
  let words = inEveryLanguage.en;

  /** What the browser does with stored data: it has it, it has promised to keep it, or it stores nothing.
   *  @type {"stored" | "kept" | "lost"} */
  let storage = "stored";

  /** Use this language from now on. @param {string} language */
  function speak(language) {
    words = inEveryLanguage[language] ?? inEveryLanguage.en;
    document.documentElement.lang = language in inEveryLanguage ? language : "en";
    for (const [name, text] of [
      ["back", words.back],
      ["save", words.save],
      ["only-here", { stored: words.only_here, kept: words.only_here_kept, lost: words.forgets }[storage]],
    ])
      part(name).textContent = text;
  }

  const say = (/** @type {string} */ text) => (part("said").textContent = text);
  const showFault = (/** @type {Error} */ { message }) => say(words.fails.replace("{reason}", message));

  // The worker

  /** @type {Worker} */
  let worker;
  /** Settles when the worker has started; every request waits for it. @type {Promise<void>} */
  let ready;
  /** @type {Map<number, {done: (found: any) => void, fail: (fault: Error) => void}>} */
  const waiting = new Map();
  let last = 0;

  /** Call a function of the worker. @param {string} name @param {unknown[]} given @param {Transferable[]} [moved]
   *  @returns {Promise<any>} */
  const call = (name, given, moved = []) =>
    new Promise((done, fail) => {
      waiting.set(++last, { done, fail });
      worker.postMessage({ id: last, name, given }, moved);
    });

  /** Call a function of pbem, which answers in JSON and may refuse, within a time limit: page.html gives the seconds, and
   *  a test can set fewer there.
   *  @param {string} name @param {string[]} given */
  async function ask(name, ...given) {
    await ready;
    const asked = worker;
    const seconds = document.documentElement.dataset.clockSeconds ?? "";
    const slow = words.slow.replace("{seconds}", seconds);
    const clock = setTimeout(
      () => worker === asked && endWorker(`${given[0]}: ${seconds} s`, slow),
      1000 * Number(seconds),
    );
    try {
      return JSON.parse(await call(name, given));
    } finally {
      clearTimeout(clock);
    }
  }

  /** The bytes of a part of pbem, packed with gzip. @param {string} name @returns {Promise<Uint8Array>} */
  async function packed(name) {
    const text = part(name)?.textContent;
    return text ? fromBase64(text) : new Uint8Array(await (await fetch(`${name}.packed`)).arrayBuffer());
  }

  /** @param {string} text */
  function fromBase64(text) {
    const letters = atob(text);
    const bytes = new Uint8Array(letters.length);
    for (let at = 0; at < bytes.length; at++) bytes[at] = letters.charCodeAt(at);
    return bytes;
  }

  /** Start the worker with the browser's stored data. Its script comes first: the browser parses it meanwhile. */
  async function startWorker() {
    part("progress").value = 0;
    part("progress").hidden = false;
    const step = () => (part("progress").value += 1);
    const script = new Blob([await packed("worker.js")])
      .stream()
      .pipeThrough(new DecompressionStream("gzip"));
    const typed = { headers: { "Content-Type": "text/javascript" } };
    const started = new Worker(URL.createObjectURL(await new Response(script, typed).blob()));
    step();
    worker = started;
    worker.onerror = ({ message }) => endWorker(message, words.ended);
    worker.onmessage = ({ data: { id, found, fault, unstored, full, step: done } }) => {
      if (worker !== started) return;
      if (done) return step();
      // its memory is not what is stored
      if (fault !== undefined) return endWorker(fault, unstored ? words.full : words.ended);
      if (full) say(words.no_room);
      else if (part("said").textContent === words.no_room) say("");
      waiting.get(id)?.done(found);
      waiting.delete(id);
    };
    const [wasm, library, app] = await Promise.all(PARTS.map(packed));
    step();
    const site = part("app.zip") ? "" : new URL(".", location.href).href;
    const given = { wasm, library, app, language: navigator.language, site };
    if (!(await call("start", [given], [wasm.buffer, library.buffer, app.buffer]))) storage = "lost";
    speak(JSON.parse(await call("begin", [])).language);
    step();
    part("progress").hidden = true;
    say("");
    if (storage === "lost") showUnsaved(true);
  }

  /** End the worker, and start another with the stored data. @param {string} why @param {string} told  shown to the player */
  function endWorker(why, told) {
    console.info(`pbem: ${why}`);
    worker.terminate();
    const fault = new Error(storage === "lost" ? words.lost : told);
    const starting = !part("progress").hidden;
    for (const { fail } of waiting.values()) fail(starting ? new Error(why) : fault);
    waiting.clear();
    if (starting) return;
    ready = startWorker();
    ready.catch(showFault);
  }

  // The pages

  /** The offer in an invitation. @type {{name: string, game: string, data: string} | null} */
  const brought = part("offer").textContent ? held("offer") : null;
  /** The page in the frame. */
  let shown = { path: "", fragment: "" };
  /** The page before it, which its own history must not lead back to: it has an entry for each place in a page. */
  let before = "";
  /** Data that this tab keeps, whatever page it shows. @type {{[name: string]: string}} */
  const kept = JSON.parse(recall("sessionStorage", "pbem") ?? "{}");
  /** The user's preferences, for every page and permanently. @type {{[name: string]: string}} */
  const preferred = JSON.parse(recall("localStorage", "pbem-preferred") ?? "{}");

  /** Show the page in the address. */
  async function show() {
    const [path, fragment = ""] = location.hash.slice(1).split("#");
    if (path !== shown.path) before = shown.path;
    shown = { path, fragment };
    part("contents-shown").hidden = path !== "contents";
    part("back").hidden = !/(^|\/)[a-z]+$/.test(path);
    part("game").hidden = path === "contents";
    if (path === "contents") return part("contents-shown").focus();
    const found = await ask("html", path);
    if (path !== shown.path) return; // the address has changed meanwhile
    if (found.refused) {
      say(found.refused.error);
      if (path) go("/");
      return;
    }
    speak(found.language);
    store("localStorage", "pbem-language", found.language);
    const invites = Boolean(part("app.zip"));
    const given = JSON.stringify({
      fragment,
      kept,
      preferred,
      invites,
      brought: path ? null : brought,
    }).replaceAll("<", "\\u003c");
    const first = `<script type="application/json" id="given">${given}<\/script><script>${part("frame.js").textContent}<\/script>`;
    const html = found.html.replace("<head>", (/** @type {string} */ head) => head + first);
    place(html).focus();
  }

  /** Put a page into the frame. @param {string} html */
  function place(html) {
    const frame = document.createElement("iframe");
    frame.id = "game";
    // no origin of its own: its scripts cannot reach what the browser stores, the key included
    frame.setAttribute("sandbox", "allow-scripts allow-forms allow-modals");
    frame.allow = "clipboard-write *";
    frame.srcdoc = html;
    document.title = /<title>(.*?)<\/title>/.exec(html)?.[1] ?? "pbem";
    frame.title = document.title;
    part("game").replaceWith(frame);
    return frame;
  }

  /** Go to a page. @param {string} address  relative to the page shown; empty: reload */
  function go(address) {
    const { pathname, hash } = new URL(address, `https://pbem.invalid/${shown.path}`);
    const place = `#${pathname.slice(1)}${hash}`;
    if ((location.hash || "#") === place) show().catch(showFault);
    else location.hash = place;
  }

  addEventListener("message", ({ source, data }) => {
    if (source !== part("game").contentWindow) return;
    if (data.ask !== undefined) carry(source, data);
    else if (data.go !== undefined) go(data.go);
    else if (data.save) saveFile(data.save);
    else if (data.invite) saveInvitation(data.invite);
    else if (data.keep) {
      kept[data.keep[0]] = data.keep[1];
      store("sessionStorage", "pbem", JSON.stringify(kept));
    } else if (data.prefer) {
      preferred[data.prefer[0]] = data.prefer[1];
      store("localStorage", "pbem-preferred", JSON.stringify(preferred));
    } else if (data.fragment !== undefined) {
      shown.fragment = data.fragment.slice(1);
      history.replaceState(null, "", `#${shown.path}${data.fragment}`);
    }
  });

  /** Pass a request to the worker, and the answer back.
   *  @param {any} frame @param {{id: number, ask: string, body: string}} asked */
  async function carry(frame, { id, ask: what, body }) {
    const folder = shown.path.slice(0, shown.path.lastIndexOf("/") + 1);
    try {
      const found = await ask("answer", folder + what, body);
      if (found.mail) found.copied = await openMail(found.mail);
      if (!found.refused && SIGNS.has(what)) {
        changes += 1;
        showUnsaved(true);
      }
      if (!found.refused && what === "backup") showUnsaved(false);
      frame.postMessage({ id, found }, "*"); // after the bar, which moves the page: nobody clicks beside a button
      scheduleCopy();
    } catch (fault) {
      frame.postMessage({ id, fault: /** @type {Error} */ (fault).message }, "*");
    }
  }

  // Saving outside the browser

  /** A browser can refuse a page its stores, and even the names of them: nothing is kept then.
   *  @param {"localStorage" | "sessionStorage"} where @param {string} name */
  function recall(where, name) {
    try {
      return window[where].getItem(name);
    } catch {
      return null;
    }
  }

  /** @param {"localStorage" | "sessionStorage"} where @param {string} name @param {string} value */
  function store(where, name, value) {
    try {
      window[where].setItem(name, value);
    } catch {
      // as above
    }
  }

  /** Offer to save everything, as long as it is unsaved. @param {boolean} unsaved */
  function showUnsaved(unsaved) {
    store("localStorage", "pbem-unsaved", unsaved ? "yes" : "");
    part("save").hidden = !unsaved;
    part("only-here").hidden = !unsaved && storage !== "lost";
  }

  /** Have the mail program write a mail, into which the player pastes the copied text, which is too long for a link.
   *  Returns whether the browser allowed copying.
   *  @param {{to: string, subject: string, text: string}} mail */
  async function openMail({ to, subject, text }) {
    const copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    location.href = `mailto:${encodeURIComponent(to)}?subject=${encodeURIComponent(subject)}`;
    return copied;
  }

  /** Save this page with an offer in it, as pbem/web/invitation.py also does.
   *  @param {{name: string, game: string, data: string}} offer */
  function saveInvitation({ name, game, data }) {
    const inert = [...document.querySelectorAll('script[type="text/plain"]')].map(({ id, textContent }) => {
      const text = id === "offer" ? JSON.stringify({ name, game, data }) : textContent;
      return `<script type="text/plain" id="${id}">${text}<\/script>\n`;
    });
    const whole = held("skeleton").replace("<!" + "--held-->\n", () => inert.join(""));
    saveBlob("invitation.html", new Blob([whole], { type: "text/html" }));
  }

  /** Have the browser save a file. @param {{name: string, data: string}} file its bytes in base64 */
  function saveFile({ name, data }) {
    saveBlob(name, new Blob([fromBase64(data)], { type: "application/octet-stream" }));
  }

  /** Pass a file to the share sheet of a touch device, otherwise to the downloads.
   *  @param {string} name @param {Blob} blob */
  function saveBlob(name, blob) {
    const text = /\.(yaml|html)$/.test(name);
    const file = new File([blob], name.replace(/yaml$/, "yaml.txt"), {
      type: blob.type === "text/html" ? blob.type : "text/plain",
    });
    if (!text || !matchMedia("(pointer: coarse)").matches || !navigator.canShare?.({ files: [file] }))
      return download(name, blob);
    navigator.share({ files: [file] }).catch((fault) => {
      if (fault.name !== "AbortError") download(name, blob); // otherwise the player has cancelled
    });
  }

  /** @param {string} name @param {Blob} blob */
  function download(name, blob) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  /** Save everything after a click: into the chosen file if the browser supports that, otherwise as a download. */
  async function saveEverything() {
    part("save").disabled = true;
    try {
      const chosen = await chooseCopy();
      const { file, passphrase, refused } = await ask("answer", "backup", '{"passphrase": ""}');
      if (refused) return say(refused.error);
      if (chosen) await writeCopy(chosen, file.data);
      else saveFile(file);
      showUnsaved(false);
      const name = chosen?.name ?? file.name;
      say(words.saved.replace("{file}", name).replace("{passphrase}", passphrase));
    } catch (fault) {
      if (/** @type {Error} */ (fault).name !== "AbortError") throw fault; // the player has cancelled
    } finally {
      part("save").disabled = false;
    }
  }

  // A copy of everything, kept up to date automatically in a file that the player has chosen once

  const COPY_SECONDS = 5; // without a request, since a backup keeps the worker busy for a second or two
  /** The file, if there is one. @type {any} */
  let copy = null;
  /** Counts the changes that make it out of date. */
  let changes = 0;
  let due = 0;

  /** Use the browser's store for that file.
   *  @param {"readonly" | "readwrite"} mode
   *  @param {(store: IDBObjectStore) => IDBRequest} deed @returns {Promise<any>} */
  const withCopies = (mode, deed) =>
    new Promise((done, fail) => {
      const opening = indexedDB.open("pbem-copy", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("files");
      opening.onerror = () => fail(opening.error);
      opening.onsuccess = () => {
        const wish = deed(opening.result.transaction("files", mode).objectStore("files"));
        wish.onsuccess = () => done(wish.result);
        wish.onerror = () => fail(wish.error);
      };
    });

  /** The file for the copy, which the player chooses if they have not yet; null if the browser does not support that. */
  async function chooseCopy() {
    const { showSaveFilePicker } = /** @type {any} */ (window);
    if (!showSaveFilePicker) return null;
    if ((await copy?.requestPermission({ mode: "readwrite" })) === "granted") return copy;
    try {
      copy = await showSaveFilePicker({ suggestedName: "pbem.age" });
    } catch (fault) {
      if (/** @type {Error} */ (fault).name === "AbortError") throw fault;
      return null;
    }
    await withCopies("readwrite", (store) => store.put(copy, "copy")).catch(() => {}); // then only until the page is closed
    return copy;
  }

  /** The old content stays until all of the new content is written. @param {any} file @param {string} data in base64 */
  async function writeCopy(file, data) {
    const into = await file.createWritable();
    await into.write(Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)));
    await into.close();
  }

  /** Bring the copy up to date, if necessary, once there has been no request for some time. */
  function scheduleCopy() {
    clearTimeout(due);
    if (copy && !part("save").hidden)
      due = setTimeout(() => updateCopy().catch(console.info), 1000 * COPY_SECONDS);
  }

  async function updateCopy() {
    if ((await copy.queryPermission({ mode: "readwrite" })) !== "granted") return; // a click asks for it
    const before = changes;
    const { file, refused } = await ask("answer", "backup", '{"passphrase": "", "again": true}');
    if (refused) return;
    await writeCopy(copy, file.data);
    if (changes !== before) return scheduleCopy();
    showUnsaved(false);
    say(words.copied.replace("{file}", copy.name));
  }

  // Start

  /** Be the only tab that writes: others wait until this one is closed. */
  async function alone() {
    const hold = (/** @type {() => void} */ go) => () => {
      go();
      return new Promise(() => {}); // held as long as the tab is open
    };
    await new Promise((done) => {
      const first = (/** @type {Lock | null} */ lock) => {
        if (lock) return hold(() => done(undefined))();
        say(words.elsewhere);
        navigator.locks.request(
          "pbem",
          hold(() => done(undefined)),
        );
      };
      // a browser that refuses a page its stores might refuse locks too: no tab writes then
      navigator.locks.request("pbem", { ifAvailable: true }, first).catch(() => done(undefined));
    });
  }

  /** @param {boolean} keeps whether the browser keeps what is stored even where its disk is full */
  function promised(keeps) {
    if (keeps && storage === "stored") storage = "kept";
    speak(document.documentElement.lang);
  }

  async function start() {
    const begun = performance.now();
    const language = recall("localStorage", "pbem-language") ?? navigator.language.slice(0, 2);
    speak(language);
    say(words.starts);
    // the lobby as it will be, at once; nothing answers its requests yet
    if (!location.hash.slice(1)) place(held("openings")[document.documentElement.lang]).inert = true;
    await alone();
    say(words.starts);
    navigator.storage?.persist?.().then(promised, () => {}); // Firefox asks the player, which may take time
    ready = startWorker();
    await show();
    showUnsaved(recall("localStorage", "pbem-unsaved") === "yes");
    copy = (await withCopies("readonly", (store) => store.get("copy")).catch(() => null)) ?? null;
    scheduleCopy();
    addEventListener("hashchange", () => show().catch(showFault));
    document.documentElement.dataset.started = String(Math.round(performance.now() - begun));
  }

  part("contents-shown").textContent = held("contents")
    .map((/** @type {{name: string, version: string, licence: string}} */ { name, version, licence }) =>
      [`${name} ${version}`, licence].join("\n\n"),
    )
    .join("\n\n----\n\n");
  // files on a web server are stored, so that everything works without the network from then on
  if (!part("app.zip")) navigator.serviceWorker?.register("offline.js").catch(() => {});
  part("back").onclick = () => go(`/${before}`);
  part("save").onclick = () => saveEverything().catch(showFault);
  for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());
  start().catch(showFault);
})();
