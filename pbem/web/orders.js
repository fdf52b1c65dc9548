"use strict";
/*
 * Orders by clicks and in words: each list of orders goes to the program, which judges it and says as data what may be
 * ordered besides. Here no rule is known.
 */

(() => {
  const { part } = board;
  const { lay } = parts;
  const { refuse } = listing;

  /** Show how the game stands. @param {Situation} given */
  async function take(given) {
    const before = standing.now.bound === given.bound ? standing.places : null;
    standing.take(given);
    sessionStorage.setItem(given.bound, JSON.stringify(given.lines));
    replay.leave();
    board.show(given.shown);
    choices.beside();
    listing.tell(given, give);
    signing.ready(given);
    planning.refresh();
    past.follow(given.bound);
    part("next").hidden = !standing.toOrder().length;
    const last = given.ordered.at(-1) ?? [];
    const placed = before && last.length === 1 && standing.places.has(last[0]) && !before.has(last[0]);
    await clicking.pick(placed ? standing.waiting() : []); // units from beside the map are placed one after the other
  }

  /** Have a list of orders judged; it stands if it is legal. @param {string[]} lines @returns {Promise<boolean>} */
  async function judge(lines) {
    const answer = await desk.ask("look", wish(lines));
    refuse(answer.refused);
    if (answer.refused) standing.learn(answer.faces);
    else {
      part("together").checked = false;
      await settle(answer);
    }
    return !answer.refused;
  }

  /** The same after all that was asked for before. @param {string[]} lines */
  function give(lines) {
    return desk.guarded(() => judge(lines));
  }

  /** What every request says of the page. @param {string[]} [lines] */
  function wish(lines = standing.now.lines) {
    return { bound: standing.now.bound, lines, faces: standing.faces() };
  }

  /**
   * Take what the program says; where the game has gone on, say so. A question that comes back, because its answer was
   * undone, has the orders that were typed at it.
   * @param {Situation & Instead} answer
   */
  async function settle(answer) {
    const kept = answer.bound === standing.now.bound ? [] : unsigned(answer.bound);
    if (answer.bound !== standing.now.bound) standing.here = -1;
    await take(answer);
    desk.alarm(answer.stale ?? "");
    if (kept.length) await judge(kept);
  }

  /** The orders that were last in the list at a question. @param {string} bound @returns {string[]} */
  function unsigned(bound) {
    return JSON.parse(sessionStorage.getItem(bound) ?? "[]");
  }

  // Orders in words

  /** How the order that is being typed may go on. */
  async function complete() {
    const typed = part("line").value;
    const { bound, lines } = standing.now;
    const answer = typed ? await desk.ask("options", { bound, lines, typed }).catch(() => ({})) : {};
    if (part("line").value !== typed) return; // more has been typed
    lay(
      part("phrases"),
      (answer.typed ?? []).map((/** @type {string} */ words) => new Option(words)),
    );
  }

  /** Take the order that is typed into the list; whether the rules have nothing against it. */
  async function typed() {
    const words = part("line").value.trim();
    part("line").value = "";
    return !words || judge([...standing.now.lines, words]);
  }

  part("undo").onclick = () => desk.guarded(() => judge(standing.now.lines.slice(0, -1)));
  part("clear").onclick = () => give([]);
  part("next").onclick = () => desk.guarded(clicking.next);
  part("line").oninput = () => {
    part("finish").disabled = !standing.now.whole && !part("line").value.trim();
    return complete();
  };
  part("typed").onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    desk.guarded(typed);
  };

  // The board is taken into use

  board.start(standing.scene, (hex) =>
    replay.back() ? board.pick(hex) : desk.guarded(() => clicking.click(hex)),
  );
  choices.start({
    order: clicking.order,
    choose: clicking.choose,
    pick: (units) => desk.guarded(() => clicking.pick(units)),
    give,
  });
  clicking.start(judge);
  past.start({
    scene: standing.scene,
    learn: standing.learn,
    faces: standing.faces,
    due: () => standing.toOrder().flatMap((name) => standing.places.get(name) ?? []),
    present: () => {
      board.show(standing.now.shown);
      replay.figures(standing.now.shown);
      choices.point();
    },
  });
  dragging.start({
    from: (hex, touch) => {
      const there = replay.back() ? [] : standing.actors(hex);
      if (there.some((name) => standing.chosen.has(name))) return [...standing.chosen];
      return touch ? [] : there.slice(0, 1);
    },
    along: (name, touch) => (standing.chosen.has(name) ? [...standing.chosen] : touch ? [] : [name]),
    face: standing.face,
    drop: (units, hex) => desk.guarded(() => clicking.drop(units, hex)),
  });
  signing.start({ wish, settle, typed });
  planning.start({ bound: () => standing.now.bound, give });
  const first = standing.now;
  const kept = unsigned(first.bound); // when the page was loaded anew
  desk.guarded(async () => {
    await take(first);
    if (kept.length) await judge(kept);
  });
  desk.stay();
})();
