"use strict";
/*
 * A game once more, entry by entry or event by event: slider, buttons and keys, the story beside the map, and what was
 * known then. At the board to play at, after the last entry comes the game as it is now, with the orders so far.
 */

/**
 * What the page gives for it.
 * @typedef {object} Replayed
 * @property {Scene} scene
 * @property {() => void} [present]  show the game as it is now; without it the last entry is the end
 * @property {(entry: number, event?: number) => boolean} [lacks]  whether an entry is not there yet; it is fetched, and shown then
 * @property {(entry: number) => void} [also]  show what else is known of an entry
 * @property {(entry: number, box: number) => string | undefined} [title]  what a box beside the map is called
 */

const replay = (() => {
  const { part } = board;
  const { said } = texts;
  /** An entry, and the number of an event of it; without one, all of it. @typedef {[entry: number, event?: number]} Stop */

  /** @type {Replayed} */
  let table;
  /** @type {Frame[]} */
  let frames = [];
  /** @type {Shown[]} */
  let shown = [];
  let now = 0;
  /** The event that is shown, where one is. @type {number | undefined} */
  let only;
  let playing = 0;
  const quiet = matchMedia("(prefers-reduced-motion: reduce)");

  /** Take a game into use. @param {Replayed} given */
  function start(given) {
    table = given;
    steer();
    story.start({
      places: new Map(given.scene.hexes.map(([number], index) => [number, index])),
      lit: () => Boolean(table.present) && !back(),
      jump: (entry, event) => {
        stop();
        jump(entry, event);
      },
    });
  }

  /** Take the frames of a game, and stay where one is; what is new stands at the end. @param {Frame[]} given */
  function feed(given) {
    const atEnd = now === last();
    frames = given;
    shown = mapCheck.filled(frames);
    part("when").max = String(last());
    story.mark();
    if (atEnd) now = last();
    part("when").value = String(now);
  }

  /** Where the replay ends: with the last entry, or after it with the game as it is now. */
  function last() {
    return Math.max(frames.length - (table.present ? 0 : 1), 0);
  }

  /** Whether an earlier time is shown than the game is at. */
  function back() {
    return Boolean(table?.present) && now < last();
  }

  /** The traces of an entry, or of one event of it. @param {number} entry @param {number} [event] */
  function tracesOf(entry, event) {
    const done = frames[entry]?.done ?? [];
    return event === undefined ? done.flat() : (done[event] ?? []);
  }

  /** What has happened since an entry, as traces. @param {number} entry */
  function since(entry) {
    return frames.slice(entry).flatMap(({ done }) => done?.flat() ?? []);
  }

  // What is shown

  /** Show the game as an entry left it, and what happened in it. @param {number} entry @param {number} [event] */
  function go(entry, event) {
    if (table.lacks?.(Math.max(entry, 0), event)) return;
    const was = back();
    now = Math.min(Math.max(entry, 0), last());
    only = event;
    part("when").value = String(now);
    document.documentElement.classList.toggle("back", back());
    story.point();
    for (const chart of document.querySelectorAll(".chart")) cursor(chart);
    if (table.present && now === last()) return present(table.present);
    const there = inFront(shown[now]);
    if (table.present && !was) board.clear();
    board.show(there);
    traces.show(tracesOf(now, event));
    board.follow();
    part("when").setAttribute(
      "aria-valuetext",
      said("entry {entry} of {last}", { entry: now, last: frames.length - 1 }),
    );
    part("now").textContent = said("Entry {entry} of {last}. {deed}", {
      entry: now,
      last: frames.length - 1,
      deed: story.deed(now),
    });
    figures(there);
    part("off").replaceChildren(
      ...there.off.map(([title, faces], index) => box([table.title?.(now, index) ?? title, faces])),
    );
    table.also?.(now);
    story.point(now, event);
  }

  /** The game is shown as it is now, by others. */
  function leave() {
    stop();
    if (back()) board.clear();
    now = last();
    only = undefined;
    part("when").value = String(now);
    part("now").textContent = "";
    document.documentElement.classList.remove("back");
  }

  /** The game as it is now. @param {() => void} show */
  function present(show) {
    part("when").setAttribute("aria-valuetext", said("now"));
    part("now").textContent = "";
    story.end();
    board.clear();
    show();
  }

  /** What is known beside the map: figures, and the cards. @param {Shown} there */
  function figures(there) {
    const hands = there.figures.map(([, value]) => cards.within(value));
    const deck = hands.find((codes) => codes.length > 1) ?? [];
    part("figures").replaceChildren(
      ...there.figures.flatMap((one, index) =>
        hands[index].length > 1 ? [] : [cards.figure(one, hands[index])],
      ),
    );
    const before = frames.slice(0, now).flatMap((frame) => frame.drawn ?? []);
    cards.show(frames[now]?.drawn ?? [], before, deck);
  }

  /** Counters off the map. @param {[string, number[]]} off */
  function box([title, faces]) {
    const [made, head] = [document.createElement("div"), document.createElement("p")];
    head.append(title);
    made.append(head, ...faces.map(board.counter));
    return made;
  }

  /** Put the line of a chart to the entry that is shown. @param {Element} chart */
  function cursor(chart) {
    const line = chart.querySelector(".cursor");
    if (!(line instanceof SVGElement)) return;
    const [from, wide, most] = (line.dataset.scale ?? "").split(" ").map(Number);
    line.setAttribute("transform", `translate(${from + (wide * Math.min(now, most)) / (most || 1)} 0)`);
  }

  /** The same with the counters of the commander who is chosen, if one is, before others. @param {Shown} there */
  function inFront(there) {
    /** @type {any} */
    const first = document.getElementById("first"); // only where sides are shared
    const own = new Set(first?.value ? table.scene.staff?.[first.value] : []);
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

  // Steps

  /** Where the chosen steps stop, in order: at the first and the last in any case. @returns {Stop[]} */
  function stops() {
    const pace = part("pace").value;
    /** @type {Stop[]} */
    const found = [];
    for (let entry = 0; entry <= last(); entry += 1) {
      const events = frames[entry]?.done ?? [];
      const kinds = events.flat().map(([kind]) => kind);
      const seen = events.flatMap((each, index) => (each.some(([kind]) => kind !== "turn") ? [index] : []));
      const end = entry === 0 || entry === last();
      if (pace === "event" && seen.length > 1)
        found.push(...seen.map((event) => /** @type {Stop} */ ([entry, event])));
      else if (pace === "turn" ? kinds.includes("turn") : pace !== "combat" || kinds.includes("shot"))
        found.push([entry]);
      else if (end) found.push([entry]);
    }
    return found;
  }

  /** Go to the next stop in that direction, or to the end. @param {1 | -1} by */
  function step(by) {
    const from = only ?? (by > 0 ? Infinity : -1); // an entry that is shown whole
    const next = stops()
      .filter(([entry, event = 0]) => (entry - now || event - (from < 0 ? 0 : from)) * by > 0)
      .at(by > 0 ? 0 : -1);
    if (next) jump(...next);
  }

  /** Go to an entry, and say so in the address. @param {number} entry @param {number} [event] */
  function jump(entry, event) {
    go(entry, event);
    if (!table.present) history.replaceState(null, "", `#${now}`);
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
    shows("▶", said("Play"));
    part("now").setAttribute("aria-live", "polite");
  }

  /** @param {string} sign @param {string} words what the button does now */
  function shows(sign, words) {
    part("play").textContent = sign;
    part("play").setAttribute("aria-label", words);
  }

  /** Play on to the end, or through one turn. @param {boolean} turn */
  function play(turn) {
    if (now === last()) jump(0);
    shows("❚❚", said("Pause"));
    part("now").setAttribute("aria-live", "off"); // nobody could listen as fast
    playing = setInterval(
      () => {
        step(1);
        if (now === last() || (turn && tracesOf(now, only).some(([kind]) => kind === "turn"))) stop();
      },
      Number(part("speed").value) * (quiet.matches ? 2 : 1),
    );
  }

  /** What the buttons and the keys do. @type {{[name: string]: () => void}} */
  const deeds = {
    "to-first": () => jump(0),
    back: () => step(-1),
    play: () => (playing ? stop() : play(false)),
    "play-turn": () => (playing ? stop() : play(true)),
    on: () => step(1),
    "to-last": () => jump(last()),
  };
  /** As on lichess. @type {{[key: string]: string}} */
  const KEYS = {
    Home: "to-first",
    ArrowUp: "to-first",
    ArrowLeft: "back",
    " ": "play",
    ArrowRight: "on",
    ArrowDown: "to-last",
    End: "to-last",
  };

  function steer() {
    for (const [id, deed] of Object.entries(deeds)) {
      part(id).onclick = () => {
        if (!id.startsWith("play")) stop();
        deed();
      };
    }
    part("when").oninput = () => {
      stop();
      jump(Number(part("when").value));
    };
    part("speed").onchange = () => {
      if (playing) {
        stop();
        play(false);
      }
    };
    const first = document.getElementById("first");
    if (first) first.onchange = () => go(now, only);
    addEventListener("keydown", (event) => {
      const busy = event.target instanceof Element && event.target.closest("button, input, summary, dialog");
      if (busy || board.typing(event.target) || !KEYS[event.key]) return;
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      part(KEYS[event.key]).click();
    });
    addEventListener("hashchange", openAddress);
  }

  /** `#57` is entry 57. */
  function openAddress() {
    const found = /^#(\d{1,6})$/.exec(location.hash);
    if (found) go(Number(found[1]));
    return Boolean(found);
  }

  return { start, feed, go, leave, play, openAddress, back, since, figures, last };
})();
