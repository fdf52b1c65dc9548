"use strict";
/*
 * The review of the game by the computer: it is requested piece by piece, and a bar shows the progress. Then a chart
 * leads to each entry, and the entry shown gets the chances before and after it, and the computer's own orders, which can
 * be drawn on the map.
 */

/**
 * The orders the computer would have given, in words and on the map.
 * @typedef {{words: string, shown: Shown, traces: Trace[]}} OtherOrders
 *
 * How much is reviewed, from 0 to 1, and then the results: for the whole game, or for an entry.
 * @typedef {object} Reviewed
 * @property {number} done
 * @property {string} chart
 * @property {string} moves
 * @property {string[]} lines
 * @property {OtherOrders[]} others
 * @property {string} note
 * @property {Situation["faces"] | null} faces
 */

const review = (() => {
  const { byId } = board;
  const { setContent, paragraph, button } = dom;
  const { tr } = texts;
  const DRAWER = "chances";

  /** The state of the reviewed game; empty before the review. */
  let bound = "";
  /** Whether the player has asked for it in the lobby, whose link leads here. */
  let isAsked = location.hash === "#look-over";
  /** Whether all of it is reviewed, which the review of an entry needs. */
  let isWhole = false;
  /** The entry shown, to be reviewed. */
  let wanted = -1;

  /** The page is ready: the review begins only when the player asks, here or in the lobby. */
  function start() {
    byId("look-over").onclick = begin;
    byId(DRAWER).addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
      if (!link) return;
      event.preventDefault(); // the address stays: the same entry can be chosen again
      replay.go(Number(link.getAttribute("href")?.slice(1)));
    });
  }

  /** Take in what can be reviewed now: once a game continues, earlier results are outdated. @param {Situation} given */
  function follow(given) {
    if (given.bound === bound) return;
    bound = "";
    isWhole = false;
    wanted = -1;
    drawers.setAvailable(DRAWER, false);
    byId("look-over").hidden = !given.review;
    if (given.review && isAsked) begin();
    isAsked = false;
  }

  /** Elements from HTML that pbem has written, with every text escaped. @param {string} html */
  function elements(html) {
    return [...new DOMParser().parseFromString(html, "text/html").body.children];
  }

  /** Review the whole game. */
  async function begin() {
    bound = tableState.now.bound;
    byId("look-over").hidden = true;
    for (const id of ["look-chart", "looked", "look-others", "look-note", "look-moves"])
      setContent(byId(id), []);
    drawers.setAvailable(DRAWER, true);
    drawers.open(DRAWER);
    const at = bound;
    const found = await lookOver(
      {},
      () => at === bound,
      tr("The computer plays the game out many times from each moment."),
    );
    if (!found) return;
    setContent(byId("look-chart"), elements(found.chart));
    setContent(byId("look-moves"), elements(found.moves));
    byId("report").hidden = false;
    isWhole = true;
    if (wanted >= 0) await lookAtEntry(wanted);
    else byId("looking").textContent = tr("Choose an entry in the chart, the story or the replay.");
  }

  /** Review the entry shown. @param {number} entry */
  async function showEntry(entry) {
    if (!bound || entry === wanted) return;
    wanted = entry;
    if (isWhole) await lookAtEntry(entry);
  }

  /** @param {number} entry */
  async function lookAtEntry(entry) {
    for (const id of ["looked", "look-others", "look-note"]) setContent(byId(id), []);
    const at = bound;
    const found = await lookOver(
      { entry },
      () => entry === wanted && at === bound,
      tr("The computer is looking at entry {entry}.", { entry }),
    );
    if (!found) return;
    if (found.faces) tableState.addFaces(found.faces);
    byId("looking").textContent = "";
    setContent(byId("looked"), found.lines.map(paragraph));
    byId("look-note").textContent = found.note;
    setContent(
      byId("look-others"),
      found.others.map((other) => otherButton(entry, other)),
    );
  }

  /**
   * Request pieces until all are done; null if it is no longer wanted, or is refused.
   * @param {{entry?: number}} what
   * @param {() => boolean} holds
   * @param {string} words
   * @returns {Promise<Reviewed | null>}
   */
  async function lookOver(what, holds, words) {
    byId("looking").textContent = words;
    const bar = byId("look-share");
    bar.hidden = false;
    bar.value = 0;
    try {
      while (holds()) {
        /** @type {Reviewed & Instead} */
        const found = await server.ask("review", { ...what, faces: tableState.faces() });
        if (!holds()) return null;
        if (found.refused) throw new Error(found.refused.error);
        bar.value = found.done;
        if (found.done < 1) continue;
        bar.hidden = true;
        return found;
      }
    } catch (fault) {
      bar.hidden = true;
      byId("looking").textContent = "";
      server.showAlarm(fault instanceof Error ? fault.message : String(fault));
    }
    return null;
  }

  /** A button that draws other orders on the map before the entry, and then the actual orders again.
   *  @param {number} entry @param {OtherOrders} other */
  function otherButton(entry, { words, shown, traces: drawn }) {
    const labels = [tr("Show the computer's orders"), tr("Show what was ordered")];
    const made = button(labels[0], () => {
      const draws = made.textContent === labels[0];
      made.textContent = labels[Number(draws)];
      if (!draws) return replay.go(entry);
      board.show({ ...shown, ground: { ...tableState.scene.base, ...shown.ground } });
      traces.show(drawn);
      board.frame();
      byId("now").textContent = words;
    });
    return made;
  }

  return { start, follow, showEntry };
})();
