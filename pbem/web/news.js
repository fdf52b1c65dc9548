"use strict";
/*
 * The game so far, at the board to play at: what the opponent did since the player last looked is drawn over the map, and
 * the controls of the replay step through it. Earlier entries are fetched when needed.
 */

/**
 * The program's answer on the game so far: frames from entry `at` on, with positions from `first` on, the story from
 * entry `told` on, and what a draw brought that the player completed after the last entry.
 * @typedef {{at: number, told: number, first: number, new: number, known: string, frames: Frame[], story: string,
 *   unlocked: Trace[], faces: Situation["faces"]}} News
 *
 * What the board provides: how it adds faces, how many it has, how it shows the game as it is now, and the hexes where
 * orders are due.
 * @typedef {{scene: Scene, learn: (faces: Situation["faces"]) => void, faces: () => number, present: () => void,
 *   due: () => number[]}} NewsContext
 */

const news = (() => {
  const { byId } = board;

  /** @type {NewsContext} */
  let table;
  /** @type {Frame[]} */
  let frames = [];
  /** The id of the last entry that the page has. */
  let known = "";
  /** The first entry with a position, and the first that the player had not seen. */
  let [first, fresh] = [Infinity, Infinity];
  let bound = "";
  /** Whether the player has gone on before what happened is there. */
  let busy = false;
  /** What no entry has yet. @type {Trace[]} */
  let unlocked = [];

  /** @param {NewsContext} given */
  function start(given) {
    table = given;
    byId("pace").value = "event";
    for (const kind of ["pointerdown", "keydown", "wheel"])
      addEventListener(kind, interrupt, { capture: true, passive: true });
    replay.start({ scene: given.scene, present: given.present, lacks, also: review.showEntry });
    byId("return").onclick = () => replay.go(replay.lastStep());
    byId("watch").onclick = () => {
      replay.go(fresh);
      replay.play(false);
    };
  }

  /** The player goes on: the map shows the game as it is now, and does not move under his hand. */
  function interrupt() {
    busy = true;
    if (turnAnimation.stop()) showNow();
  }

  function showNow() {
    replay.go(replay.lastStep());
    byId("traces").classList.add("faded");
  }

  /** The game has come to a question: take in what has happened, and play it once. @param {string} at */
  async function follow(at) {
    if (at === bound) return;
    bound = at;
    busy = false;
    await ask(false).catch(() => {}); // the orders go on without it
    if (at !== bound || busy) return; // the map does not move under a hand
    replay.go(replay.lastStep());
    board.frame(unseenTraces().length ? undefined : table.due());
    if (fresh > first) playOnce(at);
  }

  /** Play what is new, unless the player goes on, or this page has played it before it was loaded anew.
   *  @param {string} at the question that it led to */
  async function playOnce(at) {
    if (transport.kept("played") === known) return;
    transport.keep("played", known);
    const played = await turnAnimation.play(replay.playedEntries(fresh));
    if (played && at === bound && !replay.isBack()) showNow();
  }

  /** @param {boolean} whole */
  async function ask(whole) {
    const wish = { first: frames.length, known, whole, faces: table.faces() };
    /** @type {News} */
    const answer = await server.ask("past", wish);
    table.learn(answer.faces);
    frames = [...frames.slice(0, answer.at), ...answer.frames];
    for (const item of [...byId("story").children])
      if (Number(/** @type {HTMLLIElement} */ (item).value) >= answer.told) item.remove();
    const told = new DOMParser().parseFromString(`<ol>${answer.story}</ol>`, "text/html"); // by the program, all text escaped
    story.showLocalTimes(told);
    byId("story").append(...(told.querySelector("ol")?.children ?? []));
    first = answer.at ? Math.min(first, answer.first) : answer.first;
    if (!whole) fresh = answer.new;
    [known, unlocked] = [answer.known, answer.unlocked];
    byId("watch").hidden = fresh >= frames.length;
    replay.setFrames(frames);
  }

  /** Whether the page does not have the position of an entry; then it is asked for. @param {number} entry @param {number} [event] */
  function lacks(entry, event) {
    if (entry >= first) return false;
    server.enqueue(async () => {
      await ask(true);
      replay.go(entry, event);
    });
    return true;
  }

  /** What has happened since the player looked. */
  function unseenTraces() {
    return [...replay.tracesSince(fresh), ...unlocked];
  }

  return { start, follow, unseenTraces };
})();
