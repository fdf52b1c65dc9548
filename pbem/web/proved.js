"use strict";
/*
 * The page proves itself: it takes the log and what was said of its draws out of the page, has them checked, and shows
 * what came of it. The root element carries the verdict: data-proof is `holds`, `fails` or `unchecked`, and
 * data-failed the first entry that fails.
 */

(() => {
  /** The data in the script of that id. @param {string} id */
  const data = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "");

  /** @param {Proven} proven */
  function show(proven) {
    const root = document.documentElement;
    root.dataset.proof = proven.state;
    if (proven.failed !== null) {
      root.dataset.failed = String(proven.failed);
      document.getElementById(`entry-${proven.failed}`)?.classList.add("fails");
    }
    const place = document.getElementById("proof-found");
    if (place) recipes.show(place, proven);
    const line = document.getElementById("verdict");
    if (line) line.replaceChildren(recipes.verdict(proven));
    openTarget();
    document.dispatchEvent(new CustomEvent("proof", { detail: proven }));
  }

  /** A link to a recipe opens it. */
  function openTarget() {
    const target = document.getElementById(location.hash.slice(1));
    if (target instanceof HTMLDetailsElement) {
      target.open = true;
      target.scrollIntoView();
    }
  }

  addEventListener("hashchange", openTarget);
  /** @type {[any, any]} */
  let found;
  try {
    found = [data("log"), { ...data("draws"), positions: data("positions") }];
  } catch {
    found = [null, {}]; // no JSON any more: no log, which fails
  }
  proof.check(...found).then(show);
})();
