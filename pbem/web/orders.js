"use strict";
/*
 * Orders by clicks. What may be ordered the program says as data: a click on a unit and a click on the map choose one
 * order, and each list of orders goes to the program, which judges it. A click that means no order is answered with the
 * program's reason. Here no rule is known.
 */

(() => {
  const { part } = board;
  const { said } = texts;
  const { lay, line, button } = parts;
  const { refuse } = listing;
  /** So many orders to choose from are shown at most. */
  const MOST = 40;
  /** So many milliseconds the mouse rests on a hex before the page says what forbids it. */
  const REST = 200;

  /** @type {Scene} */
  const scene = JSON.parse(part("scene").textContent);
  /** The name of each face's counter, and whose it is. @type {[string, string][]} */
  const names = [];

  /** @type {Situation} */
  let now;
  /** The hex of each counter on the map. @type {Map<string, number>} */
  let places = new Map();
  /** The units for which there is an order, and those that have one. @type {Set<string>} */
  let able = new Set();
  /** @type {Set<string>} */
  let ordered = new Set();
  /** The units that are to do something together. @type {Set<string>} */
  const chosen = new Set();
  /** What they may do. @type {Meant} */
  let may = { options: [] };
  /** The hex that was clicked last. */
  let here = -1;
  /** Whether the key is held that adds a unit to those chosen. */
  let adding = false;

  // What the program says

  /** Show how the game stands. @param {Situation} given */
  async function take(given) {
    const before = now?.bound === given.bound ? places : null;
    now = given;
    learn(given.faces);
    Object.assign(now.shown.ground, { ...scene.base, ...now.shown.ground });
    places = new Map(
      Object.entries(now.shown.cells).flatMap(([hex, faces]) =>
        faces.map((face) => /** @type {[string, number]} */ ([names[face][0], Number(hex)])),
      ),
    );
    able = new Set(now.able);
    ordered = new Set(now.ordered.flat());
    sessionStorage.setItem(now.bound, JSON.stringify(now.lines));
    replay.leave();
    board.show(now.shown);
    beside();
    listing.tell(now, give);
    signing.ready(now);
    planning.refresh();
    past.follow(now.bound);
    part("next").hidden = !toOrder().length;
    const last = now.ordered.at(-1) ?? [];
    const placed = before && last.length === 1 && places.has(last[0]) && !before.has(last[0]);
    await pick(placed ? waiting() : []); // units from beside the map are placed one after the other
  }

  /** The next unit beside the map for which there is an order. */
  function waiting() {
    const beside = now.shown.off.flatMap(([, faces]) => faces.map((face) => names[face][0]));
    return beside.filter((name) => able.has(name)).slice(0, 1);
  }

  /** Take in faces of counters that have not been seen before. @param {Situation["faces"]} faces */
  function learn({ first, all, drawn }) {
    for (const [words, name, side] of all.slice(names.length - first)) {
      scene.faces.push(words);
      names.push([name, side]);
    }
    const svg = `<svg xmlns="http://www.w3.org/2000/svg">${drawn}</svg>`; // drawn by the program, all text escaped
    for (const face of [...new DOMParser().parseFromString(svg, "image/svg+xml").documentElement.children]) {
      if (!document.getElementById(face.id)) part("map").querySelector("defs").append(face);
    }
  }

  /** Have a list of orders judged; it stands if it is legal. @param {string[]} lines @returns {Promise<boolean>} */
  async function judge(lines) {
    const answer = await desk.ask("look", { bound: now.bound, lines, faces: names.length });
    refuse(answer.refused);
    if (answer.refused) learn(answer.faces);
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

  /**
   * Take what the program says; where the game has gone on, say so. A question that comes back, because its answer was
   * undone, has the orders that were typed at it.
   * @param {Situation & Instead} answer
   */
  async function settle(answer) {
    const kept = answer.bound === now.bound ? [] : unsigned(answer.bound);
    if (answer.bound !== now.bound) here = -1;
    await take(answer);
    desk.alarm(answer.stale ?? "");
    if (kept.length) await judge(kept);
  }

  /** The orders that were last in the list at a question. @param {string} bound @returns {string[]} */
  function unsigned(bound) {
    return JSON.parse(sessionStorage.getItem(bound) ?? "[]");
  }

  /** Ask what these units may do, in that hex if there is one. @param {string[]} units @param {number} [hex]
   *  @returns {Promise<Meant>} */
  async function ask(units, hex = -1) {
    const answer = await desk.ask("options", { bound: now.bound, lines: now.lines, units, hex });
    if (answer.stale) await judge(now.lines);
    return { ...answer, options: answer.options ?? [] };
  }

  // Clicks

  /**
   * A hex is clicked: the order for what is chosen, if there is just one; else those who are there are chosen, or
   * several orders are to choose from; else the program says why there is none.
   * @param {number} hex
   */
  async function click(hex) {
    here = hex;
    part("opened").classList.remove("done");
    refuse();
    const there = may.options.filter((one) => one[2].includes(hex));
    const alone = there.filter((one) => one[1].length === chosen.size);
    const others = actors(hex).filter((name) => !chosen.has(name));
    if (chosen.size && !several()) {
      if (alone.length === 1) return order(alone[0], may);
      if (there.length) return point(there);
      const group = chosen.size > 1 && now.placing.length; // which goes where others lie too
      if (others.length && !group) return pick(others.slice(0, 1));
      if (actors(hex).length && !others.length) return pick([]);
    } else if (others.length) {
      return pick([...chosen, others[0]]);
    }
    return send([...chosen], hex);
  }

  /** Units are sent to a hex: one order is given if nobody had to be chosen for it. @param {string[]} units @param {number} hex */
  async function send(units, hex) {
    const answer = await ask(units, hex);
    if (answer.lines) return judge(answer.lines);
    const alone = answer.options.filter((one) => one[1].length === units.length);
    if (alone.length === 1 && (units.length || !able.size)) return order(alone[0], answer);
    refuse(answer.refused);
    return point(answer.options, answer);
  }

  /** Units are let go over a hex. @param {string[]} units @param {number} hex */
  async function drop(units, hex) {
    here = hex;
    if (units.some((name) => !chosen.has(name))) await pick(units);
    refuse();
    return send(units, hex);
  }

  /** Give an order, or another instead of those that the units had. @param {Option} option @param {Meant} from */
  function order([words], { instead }) {
    const { lines, at } = instead ?? { lines: now.lines, at: now.lines.length };
    return judge([...lines.slice(0, at), words, ...lines.slice(at)]);
  }

  /** Whether a click adds a unit to those that are chosen. */
  function several() {
    return adding || part("together").checked;
  }

  /** The player's units in a hex that may be ordered to do something, before those that have been. @param {number} hex */
  function actors(hex) {
    const there = (now.shown.cells[hex] ?? []).map((face) => names[face][0]).filter(acts);
    return [...there.filter((name) => !ordered.has(name)), ...there.filter((name) => ordered.has(name))];
  }

  /** @param {string} name */
  function acts(name) {
    return able.has(name) || ordered.has(name);
  }

  /** Choose units, and show what they may do, or why nothing. @param {string[]} units */
  async function pick(units) {
    chosen.clear();
    for (const name of units) chosen.add(name);
    may = { options: [] };
    if (units.length) {
      may = await ask(units);
      refuse(units.some((name) => ordered.has(name)) ? undefined : may.refused);
    }
    point();
  }

  /** The units on the map that may be ordered to do something, and have not been. */
  function toOrder() {
    return now.able.filter((name) => !ordered.has(name) && places.has(name));
  }

  /** Choose the next of them, and bring it into sight. */
  function next() {
    const left = toOrder();
    const [last] = chosen;
    const name = left[(left.indexOf(last) + 1) % left.length];
    if (replay.back()) replay.go(replay.last());
    here = places.get(name) ?? -1;
    board.frame([here]);
    refuse();
    return pick([name]);
  }

  /** Choose a unit, or leave it out again. @param {string} name @param {boolean} alone */
  function choose(name, alone) {
    part("opened").classList.toggle("done", alone); // then it covers no hex that he may be sent to
    return desk.guarded(() => {
      const others = alone ? [] : [...chosen].filter((one) => one !== name);
      refuse();
      return pick(chosen.has(name) && (!alone || chosen.size === 1) ? others : [...others, name]);
    });
  }

  // What is to be seen

  /** Show what the chosen units may do, and what lies in the hex.
   *  @param {Option[]} [fitting] orders to choose from @param {Meant} [from] what they come from */
  function point(fitting = [], from = may) {
    part("forbids").textContent = "";
    board.outline(here);
    const open = chosen.size ? may.options : now.free;
    board.light(inReach(open));
    for (const cell of part("cells").children)
      cell.classList.toggle("chosen", (now.shown.cells[cell.dataset.hex] ?? []).some(isChosen));
    board.trace(arrows());
    lay(
      part("opened"),
      here < 0 ? [] : [line(board.inWords(here)[0]), ...(now.shown.cells[here] ?? []).map(piece)],
    );
    board.aside(here);
    const more = fitting.length ? fitting : open.filter(inWords);
    const back = now.lines.filter((_, index) => now.ordered[index].some((name) => chosen.has(name)));
    lay(part("choices"), [
      ...more.slice(0, MOST).map((one) => option(one, from)),
      ...back.map((words) =>
        button(said("Take back: {orders}", { orders: words }), () =>
          give(now.lines.filter((one) => one !== words)),
        ),
      ),
    ]);
    for (const one of document.querySelectorAll("[data-unit]"))
      one.setAttribute(
        "aria-pressed",
        String(chosen.has(/** @type {HTMLElement} */ (one).dataset.unit ?? "")),
      );
    weigh(more.slice(0, MOST).filter(([, , , attack, chance]) => attack && !chance));
  }

  /** What lies on the map: attacks that are open, or where none is chosen the orders so far, or the news. */
  function arrows() {
    const shots = aimed();
    return shots.length ? shots : chosen.size ? [] : now.lines.length ? now.done : past.news();
  }

  /** Whether an order is given by its words: it names no hex, or is an attack of those chosen. @param {Option} one */
  function inWords([words, , at, attack]) {
    return (!at.length && !now.ready[words]) || (chosen.size > 0 && attack);
  }

  /** Show the counters beside the map: those that may be ordered in the hand, the others below. */
  function beside() {
    const [hand, off] = [true, false].map((may) =>
      now.shown.off.flatMap(([title, faces]) => {
        const these = faces.filter((face) => acts(names[face][0]) === may);
        return these.length ? [box(title, these)] : [];
      }),
    );
    lay(part("hand"), [...placing.nations(now, places, (units) => desk.guarded(() => pick(units))), ...hand]);
    lay(part("off"), off);
    lay(
      part("ready"),
      now.free.filter(([words]) => now.ready[words]).map((one) => option(one, { options: [] })),
    );
  }

  /** The hexes where a click gives an order, or where somebody may be chosen. @param {Option[]} open */
  function inReach(open) {
    if (!chosen.size && able.size) return [...new Set([...able].flatMap((name) => places.get(name) ?? []))];
    return [...new Set([...(may.hexes ?? []), ...open.flatMap((one) => one[2])])];
  }

  /** @param {number} face */
  function isChosen(face) {
    return chosen.has(names[face][0]);
  }

  /** A button for an order, with its chance if that is known; for a ready-made set-up, with its picture.
   *  @param {Option} one @param {Meant} from */
  function option(one, from) {
    const [words, , , , chance] = one;
    const made = button(words, () => desk.guarded(() => order(one, from)));
    made.dataset.order = words;
    if (now.ready[words]) made.prepend(placing.picture(scene, now.ready[words]));
    if (chance) made.append(weight(chance));
    return made;
  }

  /** @param {string} words */
  function weight(words) {
    const made = document.createElement("small");
    made.append(words);
    return made;
  }

  /** Have the program say what these attacks would come to after the orders so far. @param {Option[]} attacks */
  async function weigh(attacks) {
    if (!attacks.length) return;
    const [asked, orders] = [now, attacks.map(([words]) => words)];
    const answer = await desk.ask("weigh", { bound: now.bound, lines: now.lines, orders }).catch(() => ({}));
    if (asked !== now) return; // the game has gone on
    for (const [words, told] of Object.entries(answer.told ?? {})) {
      const found = part("choices").querySelector(`[data-order="${CSS.escape(words)}"]:not(:has(small))`);
      if (found) found.append(weight(told.join(" ")));
    }
  }

  /** Counters off the map. @param {string} title @param {number[]} faces */
  function box(title, faces) {
    const made = document.createElement("div");
    made.append(line(title), ...faces.map(piece));
    return made;
  }

  /** The attacks that are open to the chosen units, as lines on the map with their chances. @returns {Trace[]} */
  function aimed() {
    return may.options.flatMap(([, units, [target], , chance]) => {
      const from = units.flatMap((name) => places.get(name) ?? []);
      return chance && units.length === chosen.size && target !== undefined
        ? [["shot", from, target, chance]]
        : [];
    });
  }

  /** A counter in a text; the player's own is a button. @param {number} face */
  function piece(face) {
    const [name, side] = names[face];
    const own = side === now.seat;
    const made = own ? button("", () => choose(name, !several())) : document.createElement("span");
    made.classList.add("piece");
    made.append(board.counter(face), scene.faces[face]);
    if (own) {
      made.dataset.unit = name;
      made.classList.toggle("idle", !acts(name));
      made.draggable = true;
      made.addEventListener("dragstart", (event) => {
        event.dataTransfer?.setData("text/plain", name);
        if (!chosen.has(name)) choose(name, true);
      });
    }
    return made;
  }

  // Before the click

  let resting = 0;
  /** Whether the map shows how the chosen units would go. */
  let foreseen = false;
  part("map").addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    clearTimeout(resting);
    const hex = board.hexOf(event.target);
    if (event.pointerType === "mouse" && !event.buttons && hex >= 0)
      resting = setTimeout(() => foresee(hex), REST);
  });
  part("map").addEventListener("pointerleave", () => {
    clearTimeout(resting);
    forget();
  });

  /** Say why the chosen units may not go to a hex, or show on which way they would. @param {number} hex */
  async function foresee(hex) {
    part("forbids").textContent = "";
    forget();
    if (!chosen.size || actors(hex).length || waits()) return;
    const [asked, units] = [now, [...chosen]];
    const answer = await desk
      .ask("options", { bound: now.bound, lines: now.lines, units, hex, ahead: true })
      .catch(() => ({}));
    if (asked !== now || waits() || units.join() !== [...chosen].join()) return;
    part("forbids").textContent = answer.refused?.error ?? "";
    foreseen = Boolean(answer.ahead?.length);
    if (foreseen) board.trace([...arrows(), ...answer.ahead]);
  }

  /** Show no longer how they would go. */
  function forget() {
    if (foreseen && !waits()) board.trace(arrows());
    foreseen = false;
  }

  /** Whether an answer is awaited, or an earlier time is looked at. */
  function waits() {
    return document.body.hasAttribute("aria-busy") || replay.back();
  }

  /** How the order that is being typed may go on. */
  async function complete() {
    const typed = part("line").value;
    const wish = { bound: now.bound, lines: now.lines, typed };
    const answer = typed ? await desk.ask("options", wish).catch(() => ({})) : {};
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
    return !words || judge([...now.lines, words]);
  }

  // Keys, buttons, and the mouse

  part("undo").onclick = () => desk.guarded(() => judge(now.lines.slice(0, -1)));
  part("clear").onclick = () => give([]);
  part("line").oninput = () => {
    part("finish").disabled = !now.whole && !part("line").value.trim();
    return complete();
  };
  part("typed").onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    desk.guarded(typed);
  };
  part("map").addEventListener("dragover", (/** @type {Event} */ event) => event.preventDefault());
  part("map").addEventListener("drop", (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    const hex = board.hexOf(event.target);
    if (hex >= 0) desk.guarded(() => drop([...chosen], hex));
  });
  addEventListener(
    "click",
    (event) => {
      adding = event.shiftKey || event.ctrlKey || event.metaKey;
    },
    true,
  );
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || part("confirm").open) return;
    here = -1;
    refuse();
    desk.guarded(() => pick([]));
  });

  board.start(scene, (hex) => (replay.back() ? board.pick(hex) : desk.guarded(() => click(hex))));
  past.start({
    scene,
    learn,
    faces: () => names.length,
    due: () => toOrder().flatMap((name) => places.get(name) ?? []),
    present: () => {
      board.show(now.shown);
      replay.figures(now.shown);
      point();
    },
  });
  part("next").onclick = () => desk.guarded(next);
  dragging.start({
    from: (hex, touch) => {
      const there = replay.back() ? [] : actors(hex);
      if (there.some((name) => chosen.has(name))) return [...chosen];
      return touch ? [] : there.slice(0, 1);
    },
    face: (name) => names.findLastIndex(([one]) => one === name),
    drop: (units, hex) => desk.guarded(() => drop(units, hex)),
  });
  signing.start({
    wish: () => ({ bound: now.bound, lines: now.lines, faces: names.length }),
    settle,
    typed,
  });
  planning.start({ bound: () => now.bound, give });
  /** @type {Situation} */
  const first = JSON.parse(part("first").textContent);
  const kept = unsigned(first.bound); // when the page was loaded anew
  desk.guarded(async () => {
    await take(first);
    if (kept.length) await judge(kept);
  });
  desk.stay();
})();
