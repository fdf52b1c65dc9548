"use strict";
/*
 * What a click on the map or a counter comes to: an order, a unit that is chosen, orders to choose from, or the program's
 * reason why there is none. A unit that is let go over a hex is sent there, as by a click.
 */

const clicking = (() => {
  const { byId } = board;
  const { showRefusal } = orderList;
  /** So many milliseconds the mouse rests on a hex before the page says what forbids it, or shows the way. */
  const REST = 200;

  /** Has a list of orders judged; it stands if it is legal. @type {(lines: string[]) => Promise<boolean>} */
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
   * A hex is clicked: the order for what is chosen, if there is just one; else those who are there are chosen, or
   * several orders are to choose from; else the program says why there is none.
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
      const group = chosen.size > 1 && tableState.now.placing.length; // which goes where others lie too
      if (others.length && !group) return chooseUnits(others.slice(0, 1));
      if (tableState.actors(hex).length && !others.length) return chooseUnits([]);
    } else if (others.length) {
      return chooseUnits([...chosen, others[0]]);
    }
    return sendUnits([...chosen], hex);
  }

  /** Whether a hex goes on with the way of the one unit that is chosen: nobody else is chosen or attacked there.
   *  @param {number} hex */
  function continuesPath(hex) {
    const { chosen, way, now } = tableState;
    if (chosen.size !== 1 || !tableState.places.has([...chosen][0]) || now.placing.length) return false;
    const enemy = (now.shown.cells[hex] ?? []).some((face) => tableState.side(face) !== now.seat);
    return way.length > 0 || !(enemy || tableState.actors(hex).some((name) => !chosen.has(name)));
  }

  /** The unit that is chosen goes on over a hex, by a way of its own; a second click on the last hex takes it back.
   *  @param {number} hex */
  async function extendPath(hex) {
    const { chosen, way } = tableState;
    tableState.way = way.at(-1) === hex ? way.slice(0, -1) : [...way, hex];
    const end = tableState.way.at(-1);
    if (end === undefined) return choices.show();
    const answer = await askOptions([...chosen], end, tableState.way.slice(0, -1));
    showRefusal(answer.refused);
    return choices.show(answer.options, answer);
  }

  /** Units are sent to a hex: one order is given if nobody had to be chosen for it. @param {string[]} units @param {number} hex */
  async function sendUnits(units, hex) {
    const answer = await askOptions(units, hex);
    if (answer.lines) return judge(answer.lines);
    const alone = answer.options.filter((one) => one[1].length === units.length);
    if (alone.length === 1 && (units.length || !tableState.able.size)) return giveOrder(alone[0], answer);
    showRefusal(answer.refused);
    return choices.show(answer.options, answer);
  }

  /** Units are let go over a hex. @param {string[]} units @param {number} hex */
  async function dropUnits(units, hex) {
    tableState.here = hex;
    if (units.some((name) => !tableState.chosen.has(name))) await chooseUnits(units);
    showRefusal();
    return sendUnits(units, hex);
  }

  /** Give an order, or another instead of those that the units had. @param {Option} option @param {Meant} from */
  function giveOrder([words], { instead }) {
    const { lines, at } = instead ?? { lines: tableState.now.lines, at: tableState.now.lines.length };
    return judge([...lines.slice(0, at), words, ...lines.slice(at)]);
  }

  /** What these units may do, in that hex if there is one; where the game has gone on, that is shown.
   *  @param {string[]} units @param {number} [hex] @param {number[]} [over] @returns {Promise<Meant>} */
  async function askOptions(units, hex, over) {
    const answer = await tableState.askOptions(units, hex, over);
    if (answer.stale) await judge(tableState.now.lines);
    return { ...answer, options: answer.options ?? [] };
  }

  /** Whether a click adds a unit to those that are chosen. */
  function choosesSeveral() {
    return adding || byId("together").checked;
  }

  /** Choose units, and show what they may do, or why nothing. @param {string[]} units */
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

  /** Choose the next unit on the map that is to be ordered, and bring it into sight. */
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

  /** Choose a unit, or leave it out again. @param {string} name */
  function toggleUnit(name) {
    const [{ chosen }, alone] = [tableState, !choosesSeveral()];
    return server.enqueue(() => {
      const others = alone ? [] : [...chosen].filter((one) => one !== name);
      showRefusal();
      return chooseUnits(chosen.has(name) && (!alone || chosen.size === 1) ? others : [...others, name]);
    });
  }

  // Before the click

  /** Whether the map shows which way the chosen units would go. */
  let foreseen = false;

  /** Say what forbids a hex while the mouse or the keys rest on it, or show the way there. */
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

  /** Say why the chosen units may not go to a hex, or show which way they would. @param {number} hex */
  async function preview(hex) {
    const { now, chosen, way } = tableState;
    byId("forbids").textContent = "";
    hidePreview();
    if (!chosen.size || way.length || tableState.actors(hex).length || isBusy()) return;
    const units = [...chosen];
    /** @type {Instead & {ahead?: Trace[]}} */
    const { refused, ahead = [] } = await tableState.askOptions(units, hex, [], true).catch(() => ({}));
    if (now !== tableState.now || isBusy() || units.join() !== [...chosen].join()) return;
    const told = byId("refused").textContent ?? ""; // after a click, and above what is said here
    byId("forbids").textContent = refused && !told.includes(refused.error) ? refused.error : "";
    foreseen = ahead.length > 0;
    if (foreseen) traces.show([...choices.currentTraces(), ...ahead]);
  }

  /** Show the way no longer. */
  function hidePreview() {
    if (foreseen && !isBusy()) traces.show(choices.currentTraces());
    foreseen = false;
  }

  /** Whether an answer is awaited, or an earlier time is looked at. */
  function isBusy() {
    return document.body.hasAttribute("aria-busy") || replay.isBack();
  }

  return { start, click, dropUnits, giveOrder, chooseUnits, toggleUnit, chooseNext };
})();
