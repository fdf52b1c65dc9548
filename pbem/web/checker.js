"use strict";
/*
 * The checker: it reads pages and game files as data, runs nothing in them, and shows the result of proof.js. From a page
 * it takes the log, the draws and the positions, and the map with its data, as map-check.js does in the page itself; from
 * a game file the log, through yaml.js.
 */

(() => {
  const { tr } = texts;
  const MOST_BYTES = 32 * 1024 * 1024;
  const KEYS = ["pbem", "status", "board", "log"];

  /** The data in the only script with that id in the text of a page. @param {string} page @param {string} id */
  function dataOf(page, id) {
    const found = [
      ...page.matchAll(new RegExp(`<script type="application/json" id="${id}">([^<]*)<\\/script>`, "g")),
    ];
    demand(
      found.length === 1,
      1,
      tr('the data "{id}" must appear in the page once, not {number} times', {
        number: found.length,
        id,
      }),
    );
    try {
      return JSON.parse(found[0][1]);
    } catch {
      throw new Fault(1, tr('the data "{id}" in the page is not JSON', { id }));
    }
  }

  /** The log in a game file. @param {Uint8Array} bytes */
  function logOf(bytes) {
    const file = yaml.read(bytes);
    demand(
      typeof file === "object" && file !== null && file.pbem === 1,
      2,
      tr("this is not a game file of version 1"),
    );
    demand(!("after" in file), 2, tr("this is only part of a game: you need the whole file"));
    for (const key of Object.keys(file))
      demand(KEYS.includes(key), 2, tr("the key {key} is not allowed here", { key: JSON.stringify(key) }));
    return file.log;
  }

  /** Check a page or a game file. @param {Uint8Array} bytes @param {boolean} isPage @returns {Promise<Proven>} */
  async function check(bytes, isPage) {
    try {
      if (!isPage) return await proof.check(logOf(bytes));
      const text = new TextDecoder().decode(bytes);
      const beside = { ...dataOf(text, "draws"), positions: dataOf(text, "positions") };
      const proven = await proof.check(dataOf(text, "log"), beside);
      const page = document.createElement("template"); // nothing runs or loads in a template, and no style applies
      page.innerHTML = text;
      return mapCheck.check(proven, dataOf(text, "scene"), page.content);
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      return { ...proof.NOTHING, state: "fails", step: fault.step, problem: fault.message };
    }
  }

  /** Whether a file begins like a page. @param {Uint8Array} bytes */
  const looksLikeAPage = (bytes) =>
    /^\ufeff?\s*<!doctype html>/i.test(new TextDecoder().decode(bytes.slice(0, 100)));

  /** @param {Iterable<File>} files */
  async function checkFiles(files) {
    for (const file of files) {
      const article = proofView.create(
        "article",
        proofView.create("h2", proofView.create("bdi", proofView.safeText(file.name, 100))),
      );
      const found = proofView.create("div", tr("It is being checked."));
      article.append(found);
      document.getElementById("checked")?.prepend(article);
      if (file.size > MOST_BYTES) {
        const most = { bytes: MOST_BYTES };
        found.replaceChildren(
          tr("It has more than {bytes} bytes: that is too large for a page or a game file.", most),
        );
        continue;
      }
      const bytes = new Uint8Array(await file.arrayBuffer());
      const isPage = looksLikeAPage(bytes);
      const proven = await check(bytes, isPage);
      proofView.show(found, proven, isPage ? "page" : "file");
      article.dataset.proof = proven.state;
      if (proven.failed !== null) article.dataset.failed = String(proven.failed);
    }
  }

  const input = document.getElementById("files");
  input?.addEventListener("change", () => input instanceof HTMLInputElement && checkFiles(input.files ?? []));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    checkFiles(event.dataTransfer?.files ?? []);
  });
})();
