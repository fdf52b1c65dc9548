"use strict";
/*
 * Orders by clicks and in words: each list of orders goes to the program, which judges it and says as data what may be
 * ordered besides. Here no rule is known.
 */

(() => {
  const { part } = board;
  const { lay } = dom;
  const { refuse } = orderList;

  /** Show how the game stands. @param {Situation} given */
  async function take(given) {
    const before = tableState.now.bound === given.bound ? tableState.places : null;
    tableState.take(given);
    sessionStorage.setItem(given.bound, JSON.stringify(given.lines));
    replay.leave();
    board.show(given.shown);
    choices.beside();
    orderList.tell(given, give);
    signing.ready(given);
    planning.refresh();
    news.follow(given.bound);
    part("next").hidden = !tableState.toOrder().length;
    const last = given.ordered.at(-1) ?? [];
    const placed = before && last.length === 1 && tableState.places.has(last[0]) && !before.has(last[0]);
    await clicking.pick(placed ? tableState.waiting() : []); // units from beside the map are placed one after the other
  }

  /** Have a list of orders judged; it stands if it is legal. @param {string[]} lines @returns {Promise<boolean>} */
  async function judge(lines) {
    const answer = await server.ask("look", wish(lines));
    refuse(answer.refused);
    if (answer.refused) tableState.learn(answer.faces);
    else {
      part("together").checked = false;
      await settle(answer);
    }
    return !answer.refused;
  }

  /** The same after all that was asked for before. @param {string[]} lines */
  function give(lines) {
    return server.guarded(() => judge(lines));
  }

  /** What every request says of the page. @param {string[]} [lines] */
  function wish(lines = tableState.now.lines) {
    return { bound: tableState.now.bound, lines, faces: tableState.faces() };
  }

  /**
   * Take what the program says; where the game has gone on, say so. A question that comes back, because its answer was
   * undone, has the orders that were typed at it.
   * @param {Situation & Instead} answer
   */
  async function settle(answer) {
    const kept = answer.bound === tableState.now.bound ? [] : unsigned(answer.bound);
    if (answer.bound !== tableState.now.bound) tableState.here = -1;
    await take(answer);
    server.alarm(answer.stale ?? "");
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
    const { bound, lines } = tableState.now;
    const answer = typed ? await server.ask("options", { bound, lines, typed }).catch(() => ({})) : {};
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
    return !words || judge([...tableState.now.lines, words]);
  }

  part("undo").onclick = () => server.guarded(() => judge(tableState.now.lines.slice(0, -1)));
  part("clear").onclick = () => give([]);
  part("next").onclick = () => server.guarded(clicking.next);
  part("line").oninput = () => {
    part("finish").disabled = !tableState.now.whole && !part("line").value.trim();
    return complete();
  };
  part("typed").onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    server.guarded(typed);
  };

  // The board is taken into use

  board.start(tableState.scene, (hex) =>
    replay.back() ? board.pick(hex) : server.guarded(() => clicking.click(hex)),
  );
  choices.start({
    order: clicking.order,
    choose: clicking.choose,
    pick: (units) => server.guarded(() => clicking.pick(units)),
    give,
  });
  clicking.start(judge);
  news.start({
    scene: tableState.scene,
    learn: tableState.learn,
    faces: tableState.faces,
    due: () => tableState.toOrder().flatMap((name) => tableState.places.get(name) ?? []),
    present: () => {
      board.show(tableState.now.shown);
      replay.figures(tableState.now.shown);
      choices.point();
    },
  });
  dragging.start({
    from: (hex, touch) => {
      const there = replay.back() ? [] : tableState.actors(hex);
      if (there.some((name) => tableState.chosen.has(name))) return [...tableState.chosen];
      return touch ? [] : there.slice(0, 1);
    },
    along: (name, touch) => (tableState.chosen.has(name) ? [...tableState.chosen] : touch ? [] : [name]),
    face: tableState.face,
    drop: (units, hex) => server.guarded(() => clicking.drop(units, hex)),
  });
  signing.start({ wish, settle, typed });
  planning.start({ bound: () => tableState.now.bound, give });
  const first = tableState.now;
  const kept = unsigned(first.bound); // when the page was loaded anew
  server.guarded(async () => {
    await take(first);
    if (kept.length) await judge(kept);
  });
  server.stay();
})();
