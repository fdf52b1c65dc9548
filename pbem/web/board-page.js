"use strict";
/*
 * The page to play at. Orders are given by clicks and in words: each list of orders goes to the program, which judges it
 * and answers with the possible further orders. No rules are known here.
 */

(() => {
  const { byId } = board;
  const { setContent } = dom;
  const { showRefusal } = orderList;
  /** What a player does at his move. @type {Set<Act>} */
  const DECISIONS = new Set(["orders", "share", "yes", "no"]);

  /** Show how the game stands. @param {Situation} given */
  async function showSituation(given) {
    const before = tableState.now.bound === given.bound ? tableState.places : null;
    tableState.update(given);
    transport.keep(given.bound, JSON.stringify(given.lines));
    replay.leave();
    board.show(given.shown);
    choices.showOffMap();
    orderList.show(given, submit);
    signing.refresh(given);
    planning.refresh();
    thisGame.show(given.ending);
    review.follow(given);
    news.follow(given.bound);
    byId("next").hidden = !tableState.unitsToOrder().length;
    const last = given.ordered.at(-1) ?? [];
    const placed = before && last.length === 1 && tableState.places.has(last[0]) && !before.has(last[0]);
    await clicking.chooseUnits(placed ? tableState.nextWaiting() : []); // units from beside the map are placed one after the other
  }

  /** Have a list of orders judged; it stands if it is legal. @param {string[]} lines @returns {Promise<boolean>} */
  async function judge(lines) {
    const answer = await server.ask("look", request(lines));
    showRefusal(answer.refused);
    if (answer.refused) tableState.addFaces(answer.faces);
    else {
      byId("together").checked = false;
      await settle(answer);
    }
    return !answer.refused;
  }

  /** The same after all that was asked for before. @param {string[]} lines */
  function submit(lines) {
    return server.enqueue(() => judge(lines));
  }

  /** What every request says of the page. @param {string[]} [lines] */
  function request(lines = tableState.now.lines) {
    return { bound: tableState.now.bound, lines, faces: tableState.faces() };
  }

  /**
   * Take what the program says; where the game has gone on, say so. A question that comes back, because its answer was
   * undone, has the orders that were typed at it.
   * @param {Situation & Instead} answer
   */
  async function settle(answer) {
    const kept =
      answer.bound === tableState.now.bound || answer.lines.length ? [] : unsignedOrders(answer.bound);
    if (answer.bound !== tableState.now.bound) tableState.here = -1;
    await showSituation(answer);
    server.showAlarm(answer.stale ?? "");
    if (kept.length) await judge(kept);
  }

  /** The stored game may have gone on: where it has, show it, and say so if the player is to move. */
  function lookForMove() {
    return server.enqueue(async () => {
      const { stale } = await server.ask("options", { bound: tableState.now.bound, lines: [] });
      if (!stale) return; // it is what this page has written itself
      /** @type {Situation} */
      const answer = await server.ask("look", request([]));
      if (answer.bound === tableState.now.bound) return;
      await settle({ ...answer, stale: "" });
      if (answer.acts.some((act) => DECISIONS.has(act))) yourMove.announce();
    });
  }

  /** The orders that were last in the list at a question. @param {string} bound @returns {string[]} */
  function unsignedOrders(bound) {
    return JSON.parse(transport.kept(bound) ?? "[]");
  }

  // Orders in words

  /** How the order that is being typed may go on. */
  async function complete() {
    const typed = byId("line").value;
    const { bound, lines } = tableState.now;
    const answer = typed ? await server.ask("options", { bound, lines, typed }).catch(() => ({})) : {};
    if (byId("line").value !== typed) return; // more has been typed
    setContent(
      byId("phrases"),
      (answer.typed ?? []).map((/** @type {string} */ words) => new Option(words)),
    );
  }

  /** Take the order that is typed into the list; whether the rules have nothing against it. */
  async function addTyped() {
    const words = byId("line").value.trim();
    byId("line").value = "";
    return !words || judge([...tableState.now.lines, words]);
  }

  byId("undo").onclick = () => server.enqueue(() => judge(tableState.now.lines.slice(0, -1)));
  byId("clear").onclick = () => submit([]);
  byId("next").onclick = () => server.enqueue(clicking.chooseNext);
  byId("line").oninput = () => {
    byId("finish").disabled = !tableState.now.whole && !byId("line").value.trim();
    return complete();
  };
  byId("typed").onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    server.enqueue(addTyped);
  };

  // The board is taken into use

  board.start(tableState.scene, (hex) => {
    if (replay.isBack()) return board.pick(hex);
    const done = server.enqueue(() => clicking.click(hex));
    planning.refresh();
    return done;
  });
  choices.start({
    order: clicking.giveOrder,
    choose: clicking.toggleUnit,
    pick: (units) => server.enqueue(() => clicking.chooseUnits(units)),
    submit,
  });
  clicking.start(judge);
  news.start({
    scene: tableState.scene,
    learn: tableState.addFaces,
    faces: tableState.faces,
    due: () => tableState.unitsToOrder().flatMap((name) => tableState.places.get(name) ?? []),
    present: () => {
      board.show(tableState.now.shown);
      replay.showFigures(tableState.now.shown);
      choices.show();
    },
  });
  dragging.start({
    from: (hex, touch) => {
      const there = replay.isBack() ? [] : tableState.actors(hex);
      if (there.some((name) => tableState.chosen.has(name))) return [...tableState.chosen];
      return touch ? [] : there.slice(0, 1);
    },
    along: (name, touch) => (tableState.chosen.has(name) ? [...tableState.chosen] : touch ? [] : [name]),
    face: tableState.face,
    drop: (units, hex) => server.enqueue(() => clicking.dropUnits(units, hex)),
  });
  if (tableState.now.shown.table) tableOrders.start({ lines: () => tableState.now.lines, judge });
  signing.start({ request, settle, addTyped });
  planning.start({
    bound: () => tableState.now.bound,
    lines: () => tableState.now.lines,
    hex: () => tableState.here,
    submit,
  });
  const first = tableState.now;
  const kept = first.lines.length ? [] : unsignedOrders(first.bound); // when the page was loaded anew
  server.enqueue(async () => {
    await showSituation(first);
    if (kept.length) await judge(kept);
  });
  guide.start();
  yourMove.start();
  review.start();
  transport.watch(server.showAlarm, lookForMove);
})();
