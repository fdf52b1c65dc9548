"use strict";
/*
 * A game once more, entry by entry: slider, buttons and keys, the story beside the map, and what was known then.
 */

(() => {
  const { part } = board;
  const { said } = texts;
  const TICK = 1500;

  /** @type {Scene} */
  const scene = JSON.parse(part("scene").textContent);
  const frames = scene.frames;
  const last = frames.length - 1;
  const story = part("story");
  const places = new Map(scene.hexes.map(([number], index) => [number, index]));
  /** Whose counters come first; only where sides are shared. @type {any} */
  const first = document.getElementById("first");
  const quiet = matchMedia("(prefers-reduced-motion: reduce)");
  let now = last;
  let playing = 0;
  /** What has been proven of the page, once it is. @type {Proven} */
  let proven = proof.NOTHING;

  const shown = drawn.filled(frames);

  /** The traces of an entry, or of one event of it. @param {number} entry @param {number} [event] */
  function traces(entry, event) {
    const done = frames[entry].done ?? [];
    return event === undefined ? done.flat() : (done[event] ?? []);
  }

  /** Show the game as an entry left it, and what happened in it. @param {number} entry @param {number} [event] */
  function go(entry, event) {
    now = Math.min(Math.max(entry, 0), last);
    const there = inFront(shown[now]);
    board.show(there);
    board.trace(traces(now, event));
    part("when").value = String(now);
    const item = part(`entry-${now}`);
    part("when").setAttribute("aria-valuetext", said("entry {entry} of {last}", { entry: now, last }));
    part("now").textContent = said("Entry {entry} of {last}. {deed}", { entry: now, last, deed: deed(item) });
    part("owed").textContent = now === last ? "" : said("Then: {owed}", { owed: there.owed });
    part("figures").replaceChildren(...there.figures.map(figure));
    part("off").replaceChildren(
      ...there.off.map(([title, faces], index) => box([proven.titles[now]?.[index] ?? title, faces])),
    );
    signed();
    for (const other of story.querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
    item.setAttribute("aria-current", "step");
    reveal(item);
  }

  /** The position as it was signed, in the words of the game's schema. */
  function signed() {
    const found = proven.positions[now];
    part("signed").hidden = !found?.state;
    if (!found?.state) return;
    const [title, ...lines] = part("signed").children;
    title.textContent =
      found.entry === null
        ? said("The position, which nobody has signed yet")
        : said("The position as it was signed in entry {entry}", { entry: found.entry });
    for (const line of lines) line.remove();
    part("signed").append(...Object.entries(found.state).map(member));
  }

  /** @param {[string, any]} member */
  function member([name, value]) {
    const made = document.createElement("p");
    made.append(`${name}: ${plain(value)}`);
    return made;
  }

  /** Plain data on one line. @param {any} value @returns {string} */
  function plain(value) {
    if (Array.isArray(value)) return value.map(plain).join(" ");
    if (typeof value !== "object" || value === null) return String(value);
    return Object.entries(value)
      .map(([key, inner]) => `${key} ${plain(inner)}`)
      .join(", ");
  }

  /** The same with the counters of the commander who is chosen, if one is, before others. @param {Shown} there */
  function inFront(there) {
    const own = new Set(first?.value ? scene.staff?.[first.value] : []);
    if (!own.size) return there;
    /** @param {number[]} faces */
    const sorted = (faces) => [...faces].sort((one, other) => Number(own.has(other)) - Number(own.has(one)));
    const cells = Object.entries(there.cells).map(([hex, faces]) => [hex, sorted(faces)]);
    return {
      ...there,
      cells: Object.fromEntries(cells),
      off: there.off.map(([title, faces]) => /** @type {[string, number[]]} */ ([title, sorted(faces)])),
    };
  }

  /** What an entry does, without when. @param {HTMLElement} item */
  function deed(item) {
    const parts = [...(item.querySelector("p")?.childNodes ?? [])];
    return parts.map((node) => (node.nodeName === "TIME" ? "" : node.textContent)).join("");
  }

  /** @param {[string, string]} figure */
  function figure([name, value]) {
    const made = document.createElement("li");
    made.append(`${name}: ${value}`);
    return made;
  }

  /** Counters off the map. @param {[string, number[]]} off */
  function box([title, faces]) {
    const made = document.createElement("div");
    const head = document.createElement("p");
    head.append(title);
    made.append(head, ...faces.map(board.counter));
    return made;
  }

  /** Scroll the story to an entry where it has a place of its own; never the page. @param {HTMLElement} item */
  function reveal(item) {
    const place = part("told");
    if (place.scrollHeight <= place.clientHeight) return;
    const [from, to] = [item.offsetTop, item.offsetTop + item.offsetHeight];
    if (from < place.scrollTop || to > place.scrollTop + place.clientHeight) place.scrollTop = from - 60;
  }

  // Steps

  /** Whether the chosen step stops at an entry. @param {number} entry */
  function stops(entry) {
    const kinds = traces(entry).map(([kind]) => kind);
    if (part("pace").value === "turn") return kinds.includes("turn");
    return part("pace").value === "entry" || kinds.includes("shot");
  }

  /** Go to the next stop in that direction, or to the end. @param {1 | -1} by */
  function step(by) {
    let entry = now + by;
    while (entry > 0 && entry < last && !stops(entry)) entry += by;
    jump(entry);
  }

  /** Go to an entry, and say so in the address. @param {number} entry @param {number} [event] */
  function jump(entry, event) {
    go(entry, event);
    history.replaceState(null, "", `#${now}`);
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
    part("play").textContent = said("Play");
    part("now").setAttribute("aria-live", "polite");
  }

  function play() {
    if (now === last) jump(0);
    part("play").textContent = said("Pause");
    part("now").setAttribute("aria-live", "off"); // nobody could listen as fast
    playing = setInterval(
      () => {
        step(1);
        if (now === last) stop();
      },
      quiet.matches ? 2 * TICK : TICK,
    );
  }

  /** What the buttons and the keys do. @type {{[name: string]: () => void}} */
  const deeds = {
    "to-first": () => jump(0),
    back: () => step(-1),
    play: () => (playing ? stop() : play()),
    on: () => step(1),
    "to-last": () => jump(last),
  };
  /** @type {{[key: string]: string}} */
  const KEYS = { Home: "to-first", ArrowLeft: "back", " ": "play", ArrowRight: "on", End: "to-last" };

  for (const [id, deed] of Object.entries(deeds)) {
    part(id).onclick = () => {
      if (id !== "play") stop();
      deed();
    };
  }
  part("when").oninput = () => {
    stop();
    jump(Number(part("when").value));
  };
  addEventListener("keydown", (event) => {
    const busy =
      event.target instanceof Element && event.target.closest("button, input, select, summary, textarea");
    if (busy || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !KEYS[event.key]) return;
    event.preventDefault();
    part(KEYS[event.key]).click();
  });

  // The story

  /** Each number of a hex in the story is marked, so that it can be lit on the map. @param {Element} within */
  function mark(within) {
    const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
    /** @type {Text[]} */
    const texts = [];
    while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
    for (const text of texts) {
      const parts = text.data.split(/(?<!\w)(\d{4})(?!\w)/);
      if (parts.length > 1) text.replaceWith(...parts.map((word) => (places.has(word) ? hex(word) : word)));
    }
  }

  /** @param {string} number */
  function hex(number) {
    const made = document.createElement("span");
    made.className = "to-hex";
    made.append(number);
    return made;
  }

  /** The hexes that a line of the story names, or the one that is pointed at. @param {EventTarget | null} target */
  function named(target) {
    if (!(target instanceof Element)) return [];
    const found = target.matches(".to-hex") ? [target] : [...target.querySelectorAll(".to-hex")];
    return found.flatMap((each) => places.get(each.textContent ?? "") ?? []);
  }

  story.addEventListener("pointerover", (/** @type {Event} */ { target }) => {
    if (target instanceof Element && target.matches("p, .to-hex")) board.light(named(target));
  });
  story.addEventListener("pointerleave", () => board.light([]));
  story.addEventListener("click", (/** @type {MouseEvent} */ { target }) => {
    if (!(target instanceof Element) || target.closest("a")) return;
    const item = target.closest("li");
    if (!item) return;
    stop();
    const told = [...item.children].filter((child) => child.matches(".told"));
    const event = told.findIndex((child) => child.contains(target));
    jump(Number(item.value), event < 0 ? undefined : event);
    board.light(named(target));
  });
  mark(story);

  /** `#57` is entry 57. */
  function openAddress() {
    const found = /^#(\d{1,6})$/.exec(location.hash);
    if (found) go(Number(found[1]));
    return Boolean(found);
  }

  if (first) first.onchange = () => go(now);
  addEventListener("hashchange", openAddress);
  board.start(scene);
  if (!openAddress()) go(last);
  proved.then((found) => {
    proven = found;
    go(now);
  });
})();
