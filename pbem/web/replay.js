"use strict";
/*
 * A game replayed entry by entry or event by event: slider, buttons and keys, the story beside the map, and the figures
 * of the time. On the board, the present game with the orders so far comes after the last entry.
 */

/**
 * What the page provides.
 * @typedef {object} ReplayContext
 * @property {Scene} scene
 * @property {() => void} [present]  show the present game; without it the last entry is the end
 * @property {(entry: number, event?: number) => boolean} [lacks]  whether an entry is missing; it is then fetched and shown
 * @property {(entry: number) => void} [also]  show other data about an entry
 * @property {(entry: number, box: number) => string | undefined} [title]  the title of a box beside the map
 */

const replay = (() => {
  const { byId } = board;
  const { tr } = texts;
  /** An entry, and the number of one of its events; without that, all of it.
   *  @typedef {[entry: number, event?: number]} Stop */

  /** @type {ReplayContext} */
  let table;
  /** @type {Frame[]} */
  let frames = [];
  /** @type {Shown[]} */
  let shown = [];
  let now = 0;
  /** The event shown, if it is a single one. @type {number | undefined} */
  let only;
  let playing = 0;
  const quiet = matchMedia("(prefers-reduced-motion: reduce)");

  /** Start with a game. @param {ReplayContext} given */
  function start(given) {
    table = given;
    bindControls();
    story.start({
      places: new Map(given.scene.hexes.map(([number], index) => [number, index])),
      lit: () => Boolean(table.present) && !isBack(),
      jump: (entry, event) => {
        stop();
        jump(entry, event);
      },
    });
  }

  /** Replace the frames of the game, and stay at the present entry; new frames are at the end. @param {Frame[]} given */
  function setFrames(given) {
    const atEnd = now === lastStep();
    frames = given;
    shown = mapCheck.fillFrames(frames);
    byId("when").max = String(lastStep());
    story.markHexes();
    if (atEnd) now = lastStep();
    byId("when").value = String(now);
  }

  /** The last step of the replay: the last entry, or after it the present game. */
  function lastStep() {
    return Math.max(frames.length - (table.present ? 0 : 1), 0);
  }

  /** Whether an earlier time is shown. */
  function isBack() {
    return Boolean(table?.present) && now < lastStep();
  }

  /** The traces of an entry, or of one of its events. @param {number} entry @param {number} [event] */
  function tracesOf(entry, event) {
    const done = frames[entry]?.done ?? [];
    return event === undefined ? done.flat() : (done[event] ?? []);
  }

  /** The events since an entry, as traces. @param {number} entry */
  function tracesSince(entry) {
    return frames.slice(entry).flatMap(({ done }) => done?.flat() ?? []);
  }

  /** The events after an event of an entry, or after all of it. @param {number} entry @param {number} [event] */
  function tracesAfter(entry, event) {
    const rest = event === undefined ? [] : (frames[entry]?.done ?? []).slice(event + 1).flat();
    return [...rest, ...tracesSince(entry + 1)];
  }

  /** The entries from one on that can be played: those whose previous position the page has.
   *  @param {number} first @returns {PlayedEntry[]} */
  function playedEntries(first) {
    return frames.slice(Math.max(first, 1)).map(({ done = [] }, index) => {
      const entry = Math.max(first, 1) + index;
      return { entry, before: shown[entry - 1], events: done };
    });
  }

  // What is shown

  /** Show the game as an entry left it, and its events. @param {number} entry @param {number} [event] */
  function go(entry, event) {
    if (table.lacks?.(Math.max(entry, 0), event)) return;
    const was = isBack();
    now = Math.min(Math.max(entry, 0), lastStep());
    only = event;
    byId("when").value = String(now);
    document.documentElement.classList.toggle("back", isBack());
    story.markCurrent();
    for (const chart of document.querySelectorAll(".chart")) moveCursor(chart);
    if (table.present && now === lastStep()) return present(table.present);
    const there = withCommanderFirst(shown[now]);
    if (table.present && !was) board.clear();
    board.show(there);
    traces.show(tracesOf(now, event), tracesAfter(now, event));
    board.follow();
    byId("when").setAttribute(
      "aria-valuetext",
      tr("entry {entry} of {last}", { entry: now, last: frames.length - 1 }),
    );
    byId("now").textContent = tr("Entry {entry} of {last}. {deed}", {
      entry: now,
      last: frames.length - 1,
      deed: story.describeEntry(now),
    });
    showFigures(there);
    byId("off").replaceChildren(
      ...there.off.map(([title, faces], index) => offMapBox([table.title?.(now, index) ?? title, faces])),
    );
    table.also?.(now);
    story.markCurrent(now, event);
  }

  /** The present game is now shown by others. */
  function leave() {
    stop();
    if (isBack()) board.clear();
    now = lastStep();
    only = undefined;
    byId("when").value = String(now);
    byId("now").textContent = "";
    document.documentElement.classList.remove("back");
  }

  /** Show the present game. @param {() => void} show */
  function present(show) {
    byId("when").setAttribute("aria-valuetext", tr("now"));
    byId("now").textContent = "";
    story.scrollToEnd();
    board.clear();
    show();
  }

  /** Show the figures and the cards beside the map. @param {Shown} there */
  function showFigures(there) {
    const hands = there.figures.map(([, value]) => cards.cardsIn(value));
    const deck = hands.find((codes) => codes.length > 1) ?? [];
    byId("figures").replaceChildren(
      ...there.figures.flatMap((one, index) =>
        hands[index].length > 1 ? [] : [cards.figureItem(one, hands[index])],
      ),
    );
    const before = frames.slice(0, now).flatMap((frame) => frame.drawn ?? []);
    cards.show(frames[now]?.drawn ?? [], before, deck);
  }

  /** Counters off the map. @param {[string, number[]]} off */
  function offMapBox([title, faces]) {
    const [made, head] = [document.createElement("div"), document.createElement("p")];
    head.append(title);
    made.append(head, ...faces.map(board.counterIcon));
    return made;
  }

  /** Move the line of a chart to the entry shown. @param {Element} chart */
  function moveCursor(chart) {
    const line = chart.querySelector(".cursor");
    if (!(line instanceof SVGElement)) return;
    const [from, wide, most] = (line.dataset.scale ?? "").split(" ").map(Number);
    line.setAttribute("transform", `translate(${from + (wide * Math.min(now, most)) / (most || 1)} 0)`);
  }

  /** The frame with the counters of the chosen commander, if any, before others. @param {Shown} there */
  function withCommanderFirst(there) {
    /** @type {any} */
    const first = document.getElementById("first"); // only if sides are shared
    const own = new Set(first?.value ? table.scene.staff?.[first.value] : []);
    if (!own.size) return there;
    /** @param {number[]} faces */
    const sortFaces = (faces) =>
      [...faces].sort((one, other) => Number(own.has(other)) - Number(own.has(one)));
    const cells = Object.entries(there.cells).map(([hex, faces]) => [hex, sortFaces(faces)]);
    return {
      ...there,
      cells: Object.fromEntries(cells),
      off: there.off.map(([title, faces]) => /** @type {[string, number[]]} */ ([title, sortFaces(faces)])),
    };
  }

  // Steps

  /** The stops of the chosen steps, in order, always including the first and last. @returns {Stop[]} */
  function listStops() {
    const pace = byId("pace").value;
    /** @type {Stop[]} */
    const found = [];
    for (let entry = 0; entry <= lastStep(); entry += 1) {
      const events = frames[entry]?.done ?? [];
      const kinds = events.flat().map(([kind]) => kind);
      const seen = events.flatMap((each, index) => (each.some(([kind]) => kind !== "turn") ? [index] : []));
      const end = entry === 0 || entry === lastStep();
      if (pace === "event" && seen.length > 1)
        found.push(...seen.map((event) => /** @type {Stop} */ ([entry, event])));
      else if (pace === "turn" ? kinds.includes("turn") : pace !== "combat" || kinds.includes("shot"))
        found.push([entry]);
      else if (end) found.push([entry]);
    }
    return found;
  }

  /** Go to the next stop in this direction, or to the end. @param {1 | -1} by */
  function step(by) {
    const from = only ?? (by > 0 ? Infinity : -1); // an entry that is shown whole
    const next = listStops()
      .filter(([entry, event = 0]) => (entry - now || event - (from < 0 ? 0 : from)) * by > 0)
      .at(by > 0 ? 0 : -1);
    if (next) jump(...next);
  }

  /** Go to an entry, and put it into the address. @param {number} entry @param {number} [event] */
  function jump(entry, event) {
    go(entry, event);
    if (!table.present) history.replaceState(null, "", `#${now}`);
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
    labelPlayButton("▶", tr("Play"));
    byId("now").setAttribute("aria-live", "polite");
  }

  /** @param {string} sign @param {string} words what the button does now */
  function labelPlayButton(sign, words) {
    byId("play").textContent = sign;
    byId("play").setAttribute("aria-label", words);
  }

  /** Play to the end, or through one turn. @param {boolean} turn */
  function play(turn) {
    if (now === lastStep()) jump(0);
    labelPlayButton("❚❚", tr("Pause"));
    byId("now").setAttribute("aria-live", "off"); // nobody could listen that fast
    playing = setInterval(
      () => {
        step(1);
        if (now === lastStep() || (turn && tracesOf(now, only).some(([kind]) => kind === "turn"))) stop();
      },
      Number(byId("speed").value) * (quiet.matches ? 2 : 1),
    );
  }

  /** The actions of the buttons and keys. @type {{[name: string]: () => void}} */
  const ACTIONS = {
    "to-first": () => jump(0),
    back: () => step(-1),
    play: () => (playing ? stop() : play(false)),
    "play-turn": () => (playing ? stop() : play(true)),
    on: () => step(1),
    "to-last": () => jump(lastStep()),
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

  function bindControls() {
    for (const [id, deed] of Object.entries(ACTIONS)) {
      byId(id).onclick = () => {
        if (!id.startsWith("play")) stop();
        deed();
      };
    }
    byId("when").oninput = () => {
      stop();
      jump(Number(byId("when").value));
    };
    byId("speed").onchange = () => {
      if (playing) {
        stop();
        play(false);
      }
    };
    const first = document.getElementById("first");
    if (first) first.onchange = () => go(now, only);
    addEventListener("keydown", (event) => {
      const busy = event.target instanceof Element && event.target.closest("button, input, summary, dialog");
      if (busy || board.isTyping(event.target) || !KEYS[event.key]) return;
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      byId(KEYS[event.key]).click();
    });
    addEventListener("hashchange", openAddress);
  }

  /** `#57` is entry 57. */
  function openAddress() {
    const found = /^#(\d{1,6})$/.exec(location.hash);
    if (found) go(Number(found[1]));
    return Boolean(found);
  }

  return {
    start,
    setFrames,
    go,
    leave,
    play,
    openAddress,
    isBack,
    tracesSince,
    playedEntries,
    showFigures,
    lastStep,
  };
})();
