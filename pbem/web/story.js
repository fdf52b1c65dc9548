"use strict";
/*
 * The story beside the map: a line of it lights its hexes, a hex its lines, and a click on a line shows what it tells.
 */

/**
 * What the story lies beside: where hexes lie by their numbers, whether the map is lit for orders, which is not to be
 * disturbed, and how the game is shown as an entry, or an event of it, left it.
 * @typedef {object} StoryContext
 * @property {Map<string, number>} places
 * @property {() => boolean} lit
 * @property {(entry: number, event?: number) => void} jump
 */

const story = (() => {
  const { byId } = board;

  /** @type {StoryContext} */
  let table;

  /** @param {StoryContext} given */
  function start(given) {
    table = given;
    bindEvents();
  }

  /** Mark each number of a hex in the story, so that it can be lit on the map. */
  function markHexes() {
    const walker = document.createTreeWalker(byId("story"), NodeFilter.SHOW_TEXT);
    /** @type {Text[]} */
    const texts = [];
    while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
    for (const text of texts) {
      if (text.parentElement?.className === "to-hex") continue;
      const parts = text.data.split(/(?<!\w)(\d{4})(?!\w)/);
      if (parts.length > 1)
        text.replaceWith(...parts.map((word) => (table.places.has(word) ? hexSpan(word) : word)));
    }
  }

  /** @param {string} number */
  function hexSpan(number) {
    const made = document.createElement("span");
    made.className = "to-hex";
    made.append(number);
    return made;
  }

  /** The hexes that a line of the story names, or the one that is pointed at. @param {EventTarget | null} target */
  function hexesNamed(target) {
    if (!(target instanceof Element)) return [];
    const found = target.matches(".to-hex") ? [target] : [...target.querySelectorAll(".to-hex")];
    return found.flatMap((each) => table.places.get(each.textContent ?? "") ?? []);
  }

  /** @param {number[]} hexes */
  function showHexes(hexes) {
    board.lightHexes(hexes);
    board.follow(hexes);
  }

  /** A line of the story lights its hexes, a hex its lines; a click on a line shows it. */
  function bindEvents() {
    const all = byId("story");
    all.addEventListener("pointerover", (/** @type {PointerEvent} */ { target }) => {
      if (target instanceof Element && target.matches("p, .to-hex") && !table.lit())
        showHexes(hexesNamed(target));
    });
    all.addEventListener("pointerleave", () => table.lit() || board.lightHexes([]));
    all.addEventListener("click", (/** @type {MouseEvent} */ { target }) => {
      if (!(target instanceof Element) || target.closest("a")) return;
      const item = target.closest("li");
      if (!item) return;
      const told = [...item.children].filter((child) => child.matches(".told"));
      const event = told.findIndex((child) => child.contains(target));
      table.jump(Number(item.value), event < 0 ? undefined : event);
      showHexes(hexesNamed(target));
    });
    byId("map").addEventListener("pointerover", (/** @type {PointerEvent} */ { target }) => {
      const at = board.hexOf(target);
      for (const line of all.querySelectorAll(".tells")) line.classList.remove("tells");
      if (at < 0) return;
      for (const one of all.querySelectorAll(".to-hex"))
        if (table.places.get(one.textContent ?? "") === at) one.classList.add("tells");
    });
  }

  /** Mark what is told of an entry, or of one event of it, and nothing else. @param {number} [entry] @param {number} [event] */
  function markCurrent(entry, event) {
    for (const other of byId("story").querySelectorAll("[aria-current]"))
      other.removeAttribute("aria-current");
    if (entry === undefined) return;
    const item = byId(`entry-${entry}`);
    item.setAttribute("aria-current", "step");
    const line = event === undefined ? undefined : [...item.querySelectorAll(".told")][event];
    line?.setAttribute("aria-current", "true");
    reveal(line instanceof HTMLElement ? line : item);
  }

  /** What an entry does, without when. @param {number} entry */
  function describeEntry(entry) {
    const parts = [...(byId(`entry-${entry}`).querySelector("p")?.childNodes ?? [])];
    return parts.map((node) => (node.nodeName === "TIME" ? "" : node.textContent)).join("");
  }

  /** Go to where the story ends. */
  function scrollToEnd() {
    const item = byId("story").lastElementChild;
    if (item) reveal(item);
  }

  /** Scroll the story to a line of it where it has a place of its own; never the page. @param {HTMLElement} item */
  function reveal(item) {
    const place = [byId("told"), byId("drawers")].find(
      (one) => getComputedStyle(one).overflowY === "auto" && one.scrollHeight > one.clientHeight,
    );
    if (!place) return;
    const [box, found] = [place.getBoundingClientRect(), item.getBoundingClientRect()];
    if (found.top < box.top + 40 || found.bottom > box.bottom) place.scrollTop += found.top - box.top - 60;
  }

  /** Show each time by this computer's clock, as its language writes it. @param {ParentNode} place */
  function showLocalTimes(place) {
    const { lang } = document.documentElement;
    for (const time of place.querySelectorAll("time")) {
      time.dateTime = time.textContent ?? "";
      time.textContent = new Date(time.dateTime).toLocaleString(lang, {
        dateStyle: "medium",
        timeStyle: "short",
      });
    }
  }

  return { start, showLocalTimes, markHexes, markCurrent, describeEntry, scrollToEnd };
})();
