"use strict";
/*
 * The story beside the map: a line highlights its hexes, a hex its lines, and a click on a line shows its event.
 */

/**
 * The map beside the story: the hexes by their numbers, whether hexes are highlighted for orders, which must not be
 * disturbed, and how to show the game after an entry, or an event of it.
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

  /** Mark each hex number in the story, so that it can be highlighted on the map. */
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

  /** The hexes a line of the story names, or the one pointed at. @param {EventTarget | null} target */
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

  /** A line of the story highlights its hexes, a hex its lines; a click on a line shows it. */
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

  /** Mark the lines about an entry, or about one of its events, and nothing else.
   *  @param {number} [entry] @param {number} [event] */
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

  /** An entry's orders, without the time. @param {number} entry */
  function describeEntry(entry) {
    const parts = [...(byId(`entry-${entry}`).querySelector("p")?.childNodes ?? [])];
    return parts.map((node) => (node.nodeName === "TIME" ? "" : node.textContent)).join("");
  }

  /** Scroll to the end of the story. */
  function scrollToEnd() {
    const item = byId("story").lastElementChild;
    if (item) reveal(item);
  }

  /** Scroll the story to one of its lines if it scrolls separately; never the page. @param {HTMLElement} item */
  function reveal(item) {
    const place = [byId("told"), byId("drawers")].find(
      (one) => getComputedStyle(one).overflowY === "auto" && one.scrollHeight > one.clientHeight,
    );
    if (!place) return;
    const [box, found] = [place.getBoundingClientRect(), item.getBoundingClientRect()];
    if (found.top < box.top + 40 || found.bottom > box.bottom) place.scrollTop += found.top - box.top - 60;
  }

  /** Show each time by this computer's clock, in its language's format. @param {ParentNode} place */
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
