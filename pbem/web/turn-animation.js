"use strict";
/*
 * The events since the player last looked, replayed: counters slide to their hexes, attacks and their results follow one
 * after the other, and the story highlights the line. Any touch, key or click ends it.
 */

/**
 * An entry to play: the game before it, and the traces of each of its events.
 * @typedef {{entry: number, before: Shown, events: Trace[][]}} PlayedEntry
 */

const turnAnimation = (() => {
  const { byId } = board;
  /** How long an event is shown, and all of them at most, in milliseconds. */
  const [EVENT, MOST] = [900, 15000];
  /** Milliseconds from one roll to the next, as in card-table.css. */
  const FALL = 350;
  /** An event shorter than this cannot be followed, so only the last events are played. */
  const SHORTEST = 250;
  const reduced = matchMedia("(prefers-reduced-motion: reduce)");

  /** Ends the running animation. @type {(() => void) | undefined} */
  let end;

  /** Play these entries; true once all has been shown. Nothing is played for users who prefer reduced motion.
   *  @param {PlayedEntry[]} entries @returns {Promise<boolean>} */
  async function play(entries) {
    stop();
    const events = listEvents(entries).slice(-Math.floor(MOST / SHORTEST));
    if (reduced.matches || !events.length) return false;
    let running = true;
    end = () => (running = false);
    document.documentElement.classList.add("playing");
    if (events[0].before.table) return (await letDiceFall(events)) && running && stop();
    const each = Math.max(Math.min(EVENT, MOST / events.length), SHORTEST);
    let shownEntry = -1;
    /** @type {Trace[]} */
    let soFar = [];
    for (const [number, { entry, index, before, all }] of events.entries()) {
      if (entry !== shownEntry) {
        board.show(before);
        [shownEntry, soFar] = [entry, []];
      }
      const later = events.slice(number + 1).flatMap((one) => one.all);
      soFar = [...soFar, ...all];
      traces.show(soFar, later);
      board.follow();
      story.markCurrent(entry, index);
      await Promise.all([pause(each), ...all.map((trace) => slide(trace, each * 0.8))]);
      if (!running) return false;
    }
    return stop();
  }

  /** Dice fall on a table, one roll after the other: all places are reserved from the start, so that nothing moves under
   *  a hand.
   *  @param {{all: Trace[]}[]} events */
  async function letDiceFall(events) {
    const all = events.flatMap((one) => one.all);
    traces.show(all);
    await pause(Math.min(all.length * FALL + EVENT, MOST));
    return true;
  }

  /** The events with traces on the map, in order. @param {PlayedEntry[]} entries */
  function listEvents(entries) {
    return entries.flatMap(({ entry, before, events }) =>
      events.flatMap((all, index) =>
        all.some(([kind]) => kind !== "turn") ? [{ entry, index, before, all }] : [],
      ),
    );
  }

  /** @param {number} time in milliseconds */
  function pause(time) {
    return new Promise((resolve) => setTimeout(resolve, time));
  }

  /** A counter moves along its path and stays at its end; a lost one fades.
   *  @param {Trace} trace @param {number} duration in milliseconds */
  async function slide(trace, duration) {
    if (trace[0] === "loss")
      return board.counterOf(trace[2])?.animate({ opacity: [1, 0] }, { duration, fill: "forwards" }).finished;
    if (trace[0] !== "way") return undefined;
    const [, hexes, , unit] = trace;
    const counter = board.counterOf(unit);
    if (hexes.length < 2) return comeOrGo(unit, hexes[0], duration);
    if (!counter) return undefined;
    byId("counters").append(counter); // over the others
    const places = hexes.map((hex, index) =>
      index
        ? { x: board.hexCentre(hex)[0], y: board.hexCentre(hex)[1], size: 1 }
        : board.counterPlace(hex, unit),
    );
    const transform = places.map(({ x, y, size }) => `translate(${x}px, ${y}px) scale(${size})`);
    return counter.animate({ transform }, { duration, easing: "ease-in-out", fill: "forwards" }).finished;
  }

  /** A counter appears in a hex, or disappears from it.
   *  @param {string} unit @param {number} hex @param {number} duration */
  async function comeOrGo(unit, hex, duration) {
    const leaves = board.counterOf(unit);
    const face = board.faceOf(unit);
    if (!leaves && face < 0) return undefined;
    const [x, y] = board.hexCentre(hex);
    const counter =
      leaves ?? board.draw("use", { href: `#f${face}`, transform: `translate(${x} ${y})` }, byId("counters"));
    counter.dataset.counter = unit;
    const opacity = leaves ? [1, 0] : [0, 1];
    return counter.animate({ opacity }, { duration, fill: "forwards" }).finished;
  }

  /** End the running animation. Returns whether there was one. */
  function stop() {
    const was = Boolean(end);
    end?.();
    end = undefined;
    document.documentElement.classList.remove("playing");
    return was;
  }

  return { play, stop };
})();
