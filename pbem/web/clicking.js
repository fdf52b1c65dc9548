"use strict";
/*
 * The effect of a click on the map or a counter: an order, a chosen unit, orders to choose from, or the reason why there
 * are none. Dropping a unit on a hex sends it there, like a click.
 */

const clicking = (() => {
  const { byId } = board;
  const { showRefusal } = orderList;
  /** Milliseconds the mouse rests on a hex before the page says why it is forbidden, or shows the path there. */
  const REST = 200;

  /** Has a list of orders judged; it becomes the list if it is legal. @type {(lines: string[]) => Promise<boolean>} */
  let judge;
  /** Whether the key is held that adds a unit to those chosen. */
  let adding = false;

  /** @param {typeof judge} given */
  function start(given) {
    judge = given;
    addEventListener(
      "click",
      (event) => {
        adding = event.shiftKey || event.ctrlKey || event.metaKey;
      },
      true,
    );
    addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || byId("confirm").open) return;
      tableState.here = -1;
      showRefusal();
      server.enqueue(() => chooseUnits([]));
    });
    startPreviews();
  }

  /**
   * A hex is clicked: give the order of the chosen units, if there is exactly one; otherwise choose the units there, or
   * show several orders to choose from; otherwise say why there is none.
   * @param {number} hex
   */
  async function click(hex) {
    const { chosen, may } = tableState;
    tableState.here = hex;
    showRefusal();
    const there = may.options.filter((one) => one[2].includes(hex));
    const alone = there.filter((one) => one[1].length === chosen.size);
    const others = tableState.actors(hex).filter((name) => !chosen.has(name));
    if (choosesSeveral() && continuesPath(hex)) return extendPath(hex);
    if (chosen.size && !choosesSeveral()) {
      if (alone.length === 1) return giveOrder(alone[0], may);
      if (there.length) return choices.show(there);
      const group = chosen.size > 1 && tableState.now.placing.length; // a group goes even where other units are
      if (others.length && !group) return chooseUnits(others.slice(0, 1));
      if (tableState.actors(hex).length && !others.length) return chooseUnits([]);
    } else if (others.length) {
      return chooseUnits([...chosen, others[0]]);
    }
    return sendUnits([...chosen], hex);
  }

  /** Whether a hex continues the path of the only chosen unit: no unit there is chosen or attacked instead.
   *  @param {number} hex */
  function continuesPath(hex) {
    const { chosen, way, now } = tableState;
    if (chosen.size !== 1 || !tableState.places.has([...chosen][0]) || now.placing.length) return false;
    const enemy = (now.shown.cells[hex] ?? []).some((face) => tableState.side(face) !== now.seat);
    return way.length > 0 || !(enemy || tableState.actors(hex).some((name) => !chosen.has(name)));
  }

  /** Extend the chosen unit's own path by a hex; a second click on the last hex takes it back. @param {number} hex */
  async function extendPath(hex) {
    const { chosen, way } = tableState;
    tableState.way = way.at(-1) === hex ? way.slice(0, -1) : [...way, hex];
    const end = tableState.way.at(-1);
    if (end === undefined) return choices.show();
    const answer = await askOptions([...chosen], end, tableState.way.slice(0, -1));
    showRefusal(answer.refused);
    return choices.show(answer.options, answer);
  }

  /** Send units to a hex, if that needs no further choice. @param {string[]} units @param {number} hex */
  async function sendUnits(units, hex) {
    const answer = await askOptions(units, hex);
    if (answer.lines) return judge(answer.lines);
    const alone = answer.options.filter((one) => one[1].length === units.length);
    if (alone.length === 1 && (units.length || !tableState.able.size)) return giveOrder(alone[0], answer);
    showRefusal(answer.refused);
    return choices.show(answer.options, answer);
  }

  /** Units are dropped on a hex. @param {string[]} units @param {number} hex */
  async function dropUnits(units, hex) {
    tableState.here = hex;
    if (units.some((name) => !tableState.chosen.has(name))) await chooseUnits(units);
    showRefusal();
    return sendUnits(units, hex);
  }

  /** Give an order, or replace the units' previous ones. @param {Option} option @param {Meant} from */
  function giveOrder([words], { instead }) {
    const { lines, at } = instead ?? { lines: tableState.now.lines, at: tableState.now.lines.length };
    return judge([...lines.slice(0, at), words, ...lines.slice(at)]);
  }

  /** The possible orders of these units, in that hex if there is one; if the game has continued, show that.
   *  @param {string[]} units @param {number} [hex] @param {number[]} [over] @returns {Promise<Meant>} */
  async function askOptions(units, hex, over) {
    const answer = await tableState.askOptions(units, hex, over);
    if (answer.stale) await judge(tableState.now.lines);
    return { ...answer, options: answer.options ?? [] };
  }

  /** Whether a click adds a unit to those chosen. */
  function choosesSeveral() {
    return adding || byId("together").checked;
  }

  /** Choose units, and show their orders, or why they have none. @param {string[]} units */
  async function chooseUnits(units) {
    tableState.chosen.clear();
    for (const name of units) tableState.chosen.add(name);
    tableState.may = { options: [] };
    tableState.way = [];
    if (units.length) {
      tableState.may = await askOptions(units);
      showRefusal(units.some((name) => tableState.ordered.has(name)) ? undefined : tableState.may.refused);
    }
    choices.show();
  }

  /** Choose the next unit on the map that needs orders, and bring it into view. */
  function chooseNext() {
    const left = tableState.unitsToOrder();
    const [last] = tableState.chosen;
    const name = left[(left.indexOf(last) + 1) % left.length];
    if (replay.isBack()) replay.go(replay.lastStep());
    tableState.here = tableState.places.get(name) ?? -1;
    if (tableState.here >= 0) board.frame([tableState.here]);
    showRefusal();
    return chooseUnits([name]);
  }

  /** Choose a unit, or stop choosing it. @param {string} name */
  function toggleUnit(name) {
    const [{ chosen }, alone] = [tableState, !choosesSeveral()];
    return server.enqueue(() => {
      const others = alone ? [] : [...chosen].filter((one) => one !== name);
      showRefusal();
      return chooseUnits(chosen.has(name) && (!alone || chosen.size === 1) ? others : [...others, name]);
    });
  }

  // Before the click

  /** Whether the map shows the path of the chosen units. */
  let foreseen = false;

  /** While the mouse or the keys rest on a hex, say why it is forbidden, or show the path there. */
  function startPreviews() {
    let resting = 0;
    byId("cells").addEventListener("focusin", (/** @type {FocusEvent} */ { target }) => {
      clearTimeout(resting);
      if (target instanceof Element && target.matches(":focus-visible"))
        resting = setTimeout(() => preview(board.hexOf(target)), REST);
    });
    byId("map").addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      clearTimeout(resting);
      const hex = board.hexOf(event.target);
      if (event.pointerType === "mouse" && !event.buttons && hex >= 0)
        resting = setTimeout(() => preview(hex), REST);
    });
    byId("map").addEventListener("pointerleave", () => {
      clearTimeout(resting);
      hidePreview();
    });
  }

  /** Say why the chosen units cannot go to a hex, or show their path. @param {number} hex */
  async function preview(hex) {
    const { now, chosen, way } = tableState;
    byId("forbids").textContent = "";
    hidePreview();
    if (!chosen.size || way.length || tableState.actors(hex).length || isBusy()) return;
    const units = [...chosen];
    /** @type {Instead & {ahead?: Trace[]}} */
    const { refused, ahead = [] } = await tableState.askOptions(units, hex, [], true).catch(() => ({}));
    if (now !== tableState.now || isBusy() || units.join() !== [...chosen].join()) return;
    const told = byId("refused").textContent ?? ""; // after a click, and above the text shown here
    byId("forbids").textContent = refused && !told.includes(refused.error) ? refused.error : "";
    foreseen = ahead.length > 0;
    if (foreseen) traces.show([...choices.currentTraces(), ...ahead]);
  }

  /** Stop showing the path. */
  function hidePreview() {
    if (foreseen && !isBusy()) traces.show(choices.currentTraces());
    foreseen = false;
  }

  /** Whether a request is pending, or an earlier time is shown. */
  function isBusy() {
    return document.body.hasAttribute("aria-busy") || replay.isBack();
  }

  return { start, click, dropUnits, giveOrder, chooseUnits, toggleUnit, chooseNext };
})();
