"use strict";
/*
 * The page of the board. Orders are given by clicks and in words: each list of orders goes to pbem, which judges it and
 * answers with the possible further orders. No rules are known here.
 */

(() => {
  const { byId } = board;
  const { setContent } = dom;
  const { showRefusal } = orderList;
  /** The acts that decide something. @type {Set<Act>} */
  const DECISIONS = new Set(["orders", "share", "yes", "no"]);

  /** Show the state of the game. @param {Situation} given */
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
    await clicking.chooseUnits(placed ? tableState.nextWaiting() : []); // off-map units are placed one after the other
  }

  /** Have a list of orders judged; it becomes the list if it is legal.
   *  @param {string[]} lines @returns {Promise<boolean>} */
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

  /** The same, after all earlier requests. @param {string[]} lines */
  function submit(lines) {
    return server.enqueue(() => judge(lines));
  }

  /** The part of every request that describes the page. @param {string[]} [lines] */
  function request(lines = tableState.now.lines) {
    return { bound: tableState.now.bound, lines, faces: tableState.faces() };
  }

  /**
   * Take in pbem's answer; if the game has continued, say so. A question that returns because its answer was undone has
   * the orders that were typed for it.
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

  /** Check whether the stored game has continued; if so, show it, and say so if the player is to move. */
  function lookForMove() {
    return server.enqueue(async () => {
      const { stale } = await server.ask("options", { bound: tableState.now.bound, lines: [] });
      if (!stale) return; // this page wrote it
      /** @type {Situation} */
      const answer = await server.ask("look", request([]));
      if (answer.bound === tableState.now.bound) return;
      await settle({ ...answer, stale: "" });
      if (answer.acts.some((act) => DECISIONS.has(act))) yourMove.announce();
    });
  }

  /** The last orders in the list at a question. @param {string} bound @returns {string[]} */
  function unsignedOrders(bound) {
    return JSON.parse(transport.kept(bound) ?? "[]");
  }

  // Orders in words

  /** Suggest completions of the order being typed. */
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

  /** Add the typed order to the list. Returns whether the rules allow it. */
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

  // Start the board

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
  const kept = first.lines.length ? [] : unsignedOrders(first.bound); // after the page was reloaded
  server.enqueue(async () => {
    await showSituation(first);
    if (kept.length) await judge(kept);
  });
  guide.start();
  yourMove.start();
  review.start();
  transport.watch(server.showAlarm, lookForMove);
})();
