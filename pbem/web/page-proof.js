"use strict";
/*
 * The page's own proof: it reads the log and the data of its draws from the page, has them checked, and shows the result.
 * The root element carries the verdict: data-proof is `holds`, `fails` or `unchecked`, and data-failed the first entry
 * that fails.
 */

/** What is proven of the page, once it is. @type {Promise<Proven>} */
const pageProof = (() => {
  /** @param {Proven} proven */
  function show(proven) {
    const place = document.getElementById("proof-found");
    if (place) proofView.show(place, proven, "here");
    const told = proofView
      .unproven(proven, true)
      .map((words) => proofView.createWithClass("unproven", "p", words));
    document.getElementById("not-proven")?.replaceChildren(...told);
    document.getElementById("players")?.replaceChildren(...proofView.summaryItems(proven));
    document.getElementById("verdict")?.replaceChildren(proofView.verdict(proven));
    const root = document.documentElement;
    root.dataset.proof = proven.state;
    if (proven.failed !== null) {
      root.dataset.failed = String(proven.failed);
      document.getElementById(`entry-${proven.failed}`)?.classList.add("fails");
    }
    if (proven.state === "fails") warn(proven);
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
  /** The data in the script with that id; null if it is not valid JSON, which fails. @param {string} id */
  function readData(id) {
    try {
      return JSON.parse(document.getElementById(id)?.textContent ?? "");
    } catch {
      return null;
    }
  }

  /** Disable all styles except the page's own, whose digest its first script has. */
  async function removeStyles() {
    for (const sheet of [...document.styleSheets]) {
      const digest = await formulas.hash(sheet.ownerNode?.textContent ?? "");
      sheet.disabled = formulas.hex(digest) !== /** @type {any} */ (globalThis).OWN.style;
    }
    for (const one of document.querySelectorAll("[style]")) one.removeAttribute("style");
  }

  /** Say that the page fails above everything else in it, since anything could cover the line that says so.
   *  @param {Proven} proven */
  function warn(proven) {
    const [bar, link] = [document.createElement("p"), proofView.create("a", proofView.verdict(proven))];
    link.setAttribute("href", "#proof");
    bar.append(link);
    bar.role = "alert";
    bar.popover = "manual";
    bar.style.cssText =
      "all: initial; position: fixed; inset: 0 0 auto; z-index: 9; padding: 8px; border-left: 6px solid; " +
      "font: bold 16px/1.4 system-ui, sans-serif; color-scheme: light dark; " +
      "color: light-dark(#a80f1c, #ff8f8f); background: light-dark(#fde7e7, #3b1518)";
    link.style.color = "inherit";
    document.documentElement.append(bar);
    bar.showPopover?.();
    const room = () => document.body.style.setProperty("padding-top", `${bar.offsetHeight}px`);
    new ResizeObserver(room).observe(bar);
    document.getElementById("verdict-line")?.setAttribute("hidden", "");
  }

  const beside = { ...readData("draws"), positions: readData("positions") };
  return proof.check(readData("log"), beside).then(async (proven) => {
    // nothing is added to the page after that
    if (document.readyState !== "complete") await new Promise((done) => addEventListener("load", done));
    if (globalThis.crypto?.subtle) await removeStyles();
    const whole = mapCheck.check(proven, readData("scene"));
    show(whole);
    return whole;
  });
})();
