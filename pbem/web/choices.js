"use strict";
/*
 * The possible orders, as shown: the highlighted hexes, the orders to choose from with their chances, and the counters in
 * the clicked hex and off the map.
 */

/**
 * Called with a choice made here: an order from a click; a unit, alone or with others; whole lists.
 * @typedef {object} ChoiceActions
 * @property {(option: Option, from: Meant) => unknown} order
 * @property {(name: string) => void} choose
 * @property {(units: string[]) => void} pick
 * @property {(lines: string[]) => void} submit
 */

const choices = (() => {
  const { byId } = board;
  const { tr } = texts;
  const { setContent, paragraph, button } = dom;
  /** The most orders shown to choose from. */
  const MOST = 40;

  /** @type {ChoiceActions} */
  let table;
  /** Counts the requests for the effects of attacks. */
  let weighing = 0;

  /** @param {ChoiceActions} given */
  function start(given) {
    table = given;
  }

  /** Show the orders of the chosen units, and the content of the hex.
   *  @param {Option[]} [fitting] orders to choose from @param {Meant} [from] what they come from */
  function show(fitting = [], from = tableState.may) {
    const { now, chosen, here } = tableState;
    byId("forbids").textContent = "";
    board.outline(here);
    const chooses = !chosen.size && tableState.able.size > 0;
    board.lightHexes(
      tableState.hexesInReach(),
      chooses ? tr("A unit here can be ordered") : tr("An order is possible here"),
    );
    for (const cell of byId("cells").children)
      cell.classList.toggle("chosen", (now.shown.cells[cell.dataset.hex] ?? []).some(isChosen));
    board.markCounters(chosen);
    traces.show(currentTraces());
    setContent(
      byId("opened"),
      here < 0
        ? []
        : [paragraph(board.describeHex(here)[0]), ...(now.shown.cells[here] ?? []).map(pieceElement)],
    );
    const more = (fitting.length ? fitting : tableState.openOrders().filter(isGivenByWords)).slice(0, MOST);
    setContent(byId("choices"), [...more.map((one) => optionButton(one, from)), ...takeBackButtons()]);
    for (const one of document.querySelectorAll("[data-unit]"))
      one.setAttribute(
        "aria-pressed",
        String(chosen.has(/** @type {HTMLElement} */ (one).dataset.unit ?? "")),
      );
    askEffects(more.filter(([, , , attack, chance]) => attack && !chance));
  }

  /** The traces on the map: the path by hand and open attacks of the chosen units, or the orders so far, or the news. */
  function currentTraces() {
    const { now, chosen } = tableState;
    return chosen.size
      ? [...handPath(), ...openAttacks()]
      : now.lines.length
        ? now.done
        : news.unseenTraces();
  }

  /** Buttons that take back the orders of the chosen units. */
  function takeBackButtons() {
    const { now, chosen } = tableState;
    const lines = now.lines.filter((_, index) => now.ordered[index].some((name) => chosen.has(name)));
    return lines.map((words) =>
      button(tr("Take back: {orders}", { orders: words }), () =>
        table.submit(now.lines.filter((one) => one !== words)),
      ),
    );
  }

  /** Whether an order is given by its button: it names no hex, or is an attack of the chosen units.
   *  @param {Option} one */
  function isGivenByWords([words, , at, attack]) {
    if (tableState.now.shown.table?.orders.length) return false; // the table has its own forms for them
    return (!at.length && !tableState.now.ready[words]) || (tableState.chosen.size > 0 && attack);
  }

  /** @param {number} face */
  function isChosen(face) {
    return tableState.chosen.has(tableState.name(face));
  }

  /** The path the player has made by hand for the chosen unit, as an arrow. @returns {Trace[]} */
  function handPath() {
    const [name] = tableState.chosen;
    const at = tableState.places.get(name);
    return tableState.way.length && at !== undefined
      ? [["way", [at, ...tableState.way], ownSide(), name]]
      : [];
  }

  /** The index of the player's side. */
  function ownSide() {
    return tableState.scene.seats.indexOf(tableState.now.seat);
  }

  /** The attacks open to the chosen units, as lines on the map; a hex with several targets shows the best chance.
   *  @returns {Trace[]} */
  function openAttacks() {
    const { chosen, places, may } = tableState;
    /** @type {Map<number, Trace>} */
    const shots = new Map();
    const attacks = may.options.filter(([, units, , , chance]) => chance && units.length === chosen.size);
    attacks.sort(([, , , , one], [, , , , other]) => parseInt(one) - parseInt(other));
    for (const [, units, [target], , chance] of attacks) {
      const from = units.flatMap((name) => places.get(name) ?? []);
      if (target !== undefined) shots.set(target, ["shot", from, target, ownSide(), chance]);
    }
    return [...shots.values()];
  }

  // Orders to choose from

  /** A button for an order, with its chance if known; for a ready-made set-up, with its picture.
   *  @param {Option} one @param {Meant} from */
  function optionButton(one, from) {
    const { now, scene } = tableState;
    const [words, , , , chance] = one;
    const made = button(words, () => server.enqueue(() => table.order(one, from)));
    made.dataset.order = words;
    if (now.ready[words]) made.prepend(setup.setupPicture(scene, now.ready[words]));
    if (chance) made.append(smallLine(tr("{chance} to hit", { chance })));
    return made;
  }

  /** A separate line below the words of a button. @param {string} words */
  function smallLine(words) {
    const made = document.createElement("small");
    made.append(words);
    return made;
  }

  /** Request the effects of these attacks after the orders so far; they are shown with the answer, so that no button
   *  moves under the pointer.
   *  @param {Option[]} attacks */
  async function askEffects(attacks) {
    const asked = (weighing += 1);
    byId("choices").setAttribute("aria-busy", String(attacks.length > 0));
    if (!attacks.length) return;
    const { bound, lines } = tableState.now;
    const wish = { bound, lines, orders: attacks.map(([words]) => words) };
    const answer = await server.ask("weigh", wish).catch(() => ({}));
    if (asked !== weighing) return; // others are shown now
    byId("choices").setAttribute("aria-busy", "false");
    for (const [words, told] of Object.entries(answer.told ?? {})) {
      const found = byId("choices").querySelector(`[data-order="${CSS.escape(words)}"]:not(:has(small))`);
      if (found) found.append(...told.map(smallLine));
    }
  }

  // Counters to choose from

  /** Show the counters off the map: first those that can be ordered, in the hand, then the others. */
  function showOffMap() {
    const { now, places } = tableState;
    const [hand, off] = [true, false].map((may) =>
      now.shown.off.flatMap(([title, faces]) => {
        const these = faces.filter((face) => tableState.mayAct(tableState.name(face)) === may);
        return these.length ? [offMapBox(title, these)] : [];
      }),
    );
    setContent(byId("hand"), [...setup.nationButtons(now, places, table.pick), ...hand]);
    setContent(byId("off"), off);
    setContent(
      byId("ready"),
      now.free.filter(([words]) => now.ready[words]).map((one) => optionButton(one, { options: [] })),
    );
  }

  /** A box of counters off the map. @param {string} title @param {number[]} faces */
  function offMapBox(title, faces) {
    const made = document.createElement("div");
    made.append(paragraph(title), ...faces.map(pieceElement));
    return made;
  }

  /** A counter in a text; the player's own are buttons. @param {number} face */
  function pieceElement(face) {
    const name = tableState.name(face);
    const own = tableState.side(face) === tableState.now.seat;
    const made = own ? button("", () => table.choose(name)) : document.createElement("span");
    made.classList.add("piece");
    made.append(board.counterIcon(face), tableState.scene.faces[face]);
    if (own) {
      made.dataset.unit = name;
      made.classList.toggle("idle", !tableState.mayAct(name));
    }
    return made;
  }

  return { start, show, currentTraces, showOffMap };
})();
