"use strict";
/*
 * The game so far, on the board: the opponent's actions since the player last looked are drawn over the map, and the
 * controls of the replay step through them. Earlier entries are fetched when needed.
 */

/**
 * pbem's answer about the game so far: frames from entry `at` on, with positions from `first` on, the story from
 * entry `told` on, and the traces of a draw that the player completed after the last entry.
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
  /** The id of the page's last entry. */
  let known = "";
  /** The first entry with a position, and the first that the player had not seen. */
  let [first, fresh] = [Infinity, Infinity];
  let bound = "";
  /** Whether the player did something before the news arrived. */
  let busy = false;
  /** The traces that are in no entry yet. @type {Trace[]} */
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

  /** The player continues: the map shows the present game, and does not move under their hand. */
  function interrupt() {
    busy = true;
    if (turnAnimation.stop()) showNow();
  }

  function showNow() {
    replay.go(replay.lastStep());
    byId("traces").classList.add("faded");
  }

  /** The game has reached a question: fetch the news, and play it once. @param {string} at */
  async function follow(at) {
    if (at === bound) return;
    bound = at;
    busy = false;
    await ask(false).catch(() => {}); // orders work without it
    if (at !== bound || busy) return; // the map must not move under a hand
    replay.go(replay.lastStep());
    board.frame(unseenTraces().length ? undefined : table.due());
    if (fresh > first) playOnce(at);
  }

  /** Play the news, unless the player continues, or this page played it before it was reloaded.
   *  @param {string} at the question after it */
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
    const told = new DOMParser().parseFromString(`<ol>${answer.story}</ol>`, "text/html"); // from pbem, with all text escaped
    story.showLocalTimes(told);
    byId("story").append(...(told.querySelector("ol")?.children ?? []));
    first = answer.at ? Math.min(first, answer.first) : answer.first;
    if (!whole) fresh = answer.new;
    [known, unlocked] = [answer.known, answer.unlocked];
    byId("watch").hidden = fresh >= frames.length;
    replay.setFrames(frames);
  }

  /** Whether the page lacks the position of an entry, which it then requests.
   *  @param {number} entry @param {number} [event] */
  function lacks(entry, event) {
    if (entry >= first) return false;
    server.enqueue(async () => {
      await ask(true);
      replay.go(entry, event);
    });
    return true;
  }

  /** The events since the player last looked. */
  function unseenTraces() {
    return [...replay.tracesSince(fresh), ...unlocked];
  }

  return { start, follow, unseenTraces };
})();
