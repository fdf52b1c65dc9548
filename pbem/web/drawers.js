"use strict";
/*
 * The drawers beside the map; on a telephone they are below it, and one is open at a time. The browser remembers which
 * are open.
 */

const drawers = (() => {
  const NAME = "pbem-drawers";
  const narrow = matchMedia("(max-width: 999px)");
  const root = document.documentElement;
  const part = /** @type {HTMLElement} */ (document.getElementById("drawers"));
  const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".drawer")]);
  /** The tab of each drawer. @type {Map<HTMLElement, HTMLButtonElement>} */
  const tabs = new Map();

  /** The stored state: `+` and `-` before the names of drawers. */
  const readStored = () => (preferences.recall(NAME) ?? "").split(",");

  function store() {
    const words = all.map((one) => `${one.hidden ? "-" : "+"}${one.id}`);
    const others = readStored().filter((one) => one && !all.some(({ id }) => one.slice(1) === id));
    preferences.keep(NAME, [...words, ...others].join(","));
  }

  /** Open or close a drawer; on a telephone the others close. @param {HTMLElement} drawer @param {boolean} open */
  function setOpen(drawer, open) {
    if (open && narrow.matches) for (const other of all) other.hidden = true;
    drawer.hidden = !open;
    if (open && narrow.matches) part.scrollTop = 0; // not where the previous one was left
    for (const [one, tab] of tabs) tab.setAttribute("aria-expanded", String(!one.hidden));
    root.classList.toggle(
      "shut",
      all.every((one) => one.hidden || one.classList.contains("none")),
    );
  }

  /** Open the drawers that were open, or initially are: on a telephone one of them. */
  function openStored() {
    const before = readStored();
    const open = all.filter(
      ({ id, dataset }) => before.includes(`+${id}`) || (!before.includes(`-${id}`) && !("shut" in dataset)),
    );
    for (const one of all) setOpen(one, false);
    for (const one of narrow.matches ? open.slice(0, 1) : open) setOpen(one, true);
  }

  for (const drawer of all) {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.append(drawer.getAttribute("aria-label") ?? "");
    tab.setAttribute("aria-controls", drawer.id);
    tab.onclick = () => {
      setOpen(drawer, Boolean(drawer.hidden));
      if (!drawer.hidden) drawer.scrollIntoView({ block: "nearest" });
      if (!drawer.hidden) drawer.querySelector("#story > :is([aria-current], :last-child)")?.scrollIntoView();
      store();
    };
    tabs.set(drawer, tab);
    document.getElementById("tabs")?.append(tab);
  }

  /** A link to something in a drawer opens it. */
  function openTarget() {
    const drawer = document.getElementById(location.hash.slice(1))?.closest(".drawer");
    if (!(drawer instanceof HTMLElement)) return;
    if (drawer.hidden) setOpen(drawer, true);
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }

  /** Set whether there is a drawer with that id to open. @param {string} id @param {boolean} there */
  function setAvailable(id, there) {
    for (const [drawer, tab] of tabs) {
      if (drawer.id !== id) continue;
      tab.hidden = !there;
      drawer.classList.toggle("none", !there);
    }
  }

  /** Open the drawer with that id, which exists. @param {string} id */
  function open(id) {
    const drawer = all.find((one) => one.id === id);
    if (drawer) setOpen(drawer, true);
  }

  addEventListener("hashchange", openTarget);
  addEventListener("click", ({ target }) => {
    const link = target instanceof Element ? target.closest('a[href^="#"]') : null;
    if (link?.getAttribute("href") === location.hash) openTarget(); // again: the address does not change then
  });
  narrow.onchange = openStored;
  root.classList.add("table");
  openStored();
  openTarget();
  return { setAvailable, open };
})();
