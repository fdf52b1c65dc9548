"use strict";
/*
 * The page proves itself: it takes the log and what was said of its draws out of the page, has them checked, and shows
 * what came of it. The root element carries the verdict: data-proof is `holds`, `fails` or `unchecked`, and
 * data-failed the first entry that fails.
 */

/** What is proven of the page, once it is. @type {Promise<Proven>} */
const proved = (() => {
  /** @param {Proven} proven */
  function show(proven) {
    const place = document.getElementById("proof-found");
    if (place) recipes.show(place, proven, "here");
    const told = recipes.told(proven, true).map((words) => recipes.classed("unproven", "p", words));
    document.getElementById("not-proven")?.replaceChildren(...told);
    document.getElementById("players")?.replaceChildren(...recipes.head(proven));
    document.getElementById("verdict")?.replaceChildren(recipes.verdict(proven));
    const root = document.documentElement;
    root.dataset.proof = proven.state;
    if (proven.failed !== null) {
      root.dataset.failed = String(proven.failed);
      document.getElementById(`entry-${proven.failed}`)?.classList.add("fails");
    }
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
  /** The data in the script of that id; null where they are no JSON any more, which fails. @param {string} id */
  function found(id) {
    try {
      return JSON.parse(document.getElementById(id)?.textContent ?? "");
    } catch {
      return null;
    }
  }

  const beside = { ...found("draws"), positions: found("positions") };
  return proof.check(found("log"), beside).then((proven) => {
    const whole = drawn.check(proven, found("scene"));
    show(whole);
    return whole;
  });
})();
