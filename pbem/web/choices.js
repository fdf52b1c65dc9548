"use strict";
/*
 * What may be ordered, to be seen: the hexes that are lit, the orders to choose from with their chances, and the counters
 * of the hex that was clicked and beside the map.
 */

/**
 * What is done with what is chosen here: an order, among those of a click; a unit, alone or beside others; whole lists.
 * @typedef {object} Chosen
 * @property {(option: Option, from: Meant) => unknown} order
 * @property {(name: string) => void} choose
 * @property {(units: string[]) => void} pick
 * @property {(lines: string[]) => void} give
 */

const choices = (() => {
  const { part } = board;
  const { said } = texts;
  const { lay, line, button } = dom;
  /** So many orders to choose from are shown at most. */
  const MOST = 40;

  /** @type {Chosen} */
  let table;
  /** How often attacks have been weighed. */
  let weighing = 0;

  /** @param {Chosen} given */
  function start(given) {
    table = given;
  }

  /** Show what the chosen units may do, and what lies in the hex.
   *  @param {Option[]} [fitting] orders to choose from @param {Meant} [from] what they come from */
  function point(fitting = [], from = tableState.may) {
    const { now, chosen, here } = tableState;
    part("forbids").textContent = "";
    board.outline(here);
    board.light(tableState.inReach());
    for (const cell of part("cells").children)
      cell.classList.toggle("chosen", (now.shown.cells[cell.dataset.hex] ?? []).some(isChosen));
    traces.show(arrows());
    lay(
      part("opened"),
      here < 0 ? [] : [line(board.inWords(here)[0]), ...(now.shown.cells[here] ?? []).map(piece)],
    );
    board.aside(here);
    const more = (fitting.length ? fitting : tableState.open().filter(inWords)).slice(0, MOST);
    lay(part("choices"), [...more.map((one) => option(one, from)), ...back()]);
    for (const one of document.querySelectorAll("[data-unit]"))
      one.setAttribute(
        "aria-pressed",
        String(chosen.has(/** @type {HTMLElement} */ (one).dataset.unit ?? "")),
      );
    weigh(more.filter(([, , , attack, chance]) => attack && !chance));
  }

  /** What lies on the map: the way by hand and the open attacks of those chosen, or the orders so far, or the news. */
  function arrows() {
    const { now, chosen } = tableState;
    return chosen.size ? [...way(), ...aimed()] : now.lines.length ? now.done : news.unseenTraces();
  }

  /** Buttons that take back the orders of the chosen units. */
  function back() {
    const { now, chosen } = tableState;
    const lines = now.lines.filter((_, index) => now.ordered[index].some((name) => chosen.has(name)));
    return lines.map((words) =>
      button(said("Take back: {orders}", { orders: words }), () =>
        table.give(now.lines.filter((one) => one !== words)),
      ),
    );
  }

  /** Whether an order is given by its words: it names no hex, or is an attack of those chosen. @param {Option} one */
  function inWords([words, , at, attack]) {
    return (!at.length && !tableState.now.ready[words]) || (tableState.chosen.size > 0 && attack);
  }

  /** @param {number} face */
  function isChosen(face) {
    return tableState.chosen.has(tableState.name(face));
  }

  /** The way that is made by hand for who is chosen, as an arrow. @returns {Trace[]} */
  function way() {
    const [name] = tableState.chosen;
    const at = tableState.places.get(name);
    return tableState.way.length && at !== undefined ? [["way", [at, ...tableState.way]]] : [];
  }

  /** The attacks that are open to the chosen units, as lines on the map with their chances. @returns {Trace[]} */
  function aimed() {
    const { chosen, places, may } = tableState;
    return may.options.flatMap(([, units, [target], , chance]) => {
      const from = units.flatMap((name) => places.get(name) ?? []);
      return chance && units.length === chosen.size && target !== undefined
        ? [["shot", from, target, chance]]
        : [];
    });
  }

  // Orders to choose from

  /** A button for an order, with its chance if that is known; for a ready-made set-up, with its picture.
   *  @param {Option} one @param {Meant} from */
  function option(one, from) {
    const { now, scene } = tableState;
    const [words, , , , chance] = one;
    const made = button(words, () => server.guarded(() => table.order(one, from)));
    made.dataset.order = words;
    if (now.ready[words]) made.prepend(setup.picture(scene, now.ready[words]));
    if (chance) made.append(weight(chance));
    return made;
  }

  /** @param {string} words */
  function weight(words) {
    const made = document.createElement("small");
    made.append(words);
    return made;
  }

  /** Have the program say what these attacks would come to after the orders so far; they are shown with it, so that no
   *  button moves under the pointer. @param {Option[]} attacks */
  async function weigh(attacks) {
    const asked = (weighing += 1);
    part("choices").setAttribute("aria-busy", String(attacks.length > 0));
    if (!attacks.length) return;
    const { bound, lines } = tableState.now;
    const wish = { bound, lines, orders: attacks.map(([words]) => words) };
    const answer = await server.ask("weigh", wish).catch(() => ({}));
    if (asked !== weighing) return; // others are shown
    part("choices").setAttribute("aria-busy", "false");
    for (const [words, told] of Object.entries(answer.told ?? {})) {
      const found = part("choices").querySelector(`[data-order="${CSS.escape(words)}"]:not(:has(small))`);
      if (found) found.append(weight(told.join(" ")));
    }
  }

  // Counters to choose from

  /** Show the counters beside the map: those that may be ordered in the hand, the others below. */
  function beside() {
    const { now, places } = tableState;
    const [hand, off] = [true, false].map((may) =>
      now.shown.off.flatMap(([title, faces]) => {
        const these = faces.filter((face) => tableState.acts(tableState.name(face)) === may);
        return these.length ? [box(title, these)] : [];
      }),
    );
    lay(part("hand"), [...setup.nations(now, places, table.pick), ...hand]);
    lay(part("off"), off);
    lay(
      part("ready"),
      now.free.filter(([words]) => now.ready[words]).map((one) => option(one, { options: [] })),
    );
  }

  /** Counters off the map. @param {string} title @param {number[]} faces */
  function box(title, faces) {
    const made = document.createElement("div");
    made.append(line(title), ...faces.map(piece));
    return made;
  }

  /** A counter in a text; the player's own is a button. @param {number} face */
  function piece(face) {
    const name = tableState.name(face);
    const own = tableState.side(face) === tableState.now.seat;
    const made = own ? button("", () => table.choose(name)) : document.createElement("span");
    made.classList.add("piece");
    made.append(board.counter(face), tableState.scene.faces[face]);
    if (own) {
      made.dataset.unit = name;
      made.classList.toggle("idle", !tableState.acts(name));
    }
    return made;
  }

  return { start, point, arrows, beside };
})();
