"use strict";
/*
 * Orders by clicks. What may be ordered the program says as data: a click on a unit and a click on the map choose one
 * order, and each list of orders goes to the program, which judges it. A click that means no order is answered with the
 * program's reason. Here no rule is known.
 */

(() => {
  const { part } = board;
  const { said } = texts;
  const { lay, line, item, button } = parts;
  /** So many orders to choose from are shown at most. */
  const MOST = 40;
  /** @type {{[act: string]: string}} */
  const CALLED = {
    share: said("Pass on what you owe"),
    yes: said("Agree"),
    no: said("Refuse"),
    draw: said("Propose a draw"),
    resign: said("Resign"),
    takeback: said("Take back"),
  };
  /** What waits for the player, and is shown first. */
  const ANSWERS = new Set(["share", "yes", "no"]);

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
  /** What they may do. @type {Option[]} */
  let options = [];
  /** The hex that was clicked last. */
  let here = -1;
  /** How many times something was chosen: an answer to an earlier click is late. */
  let clicks = 0;

  // What the program says

  /** Show how the game stands. @param {Situation} given */
  function take(given) {
    const before = places;
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
    tell();
    past.follow(now.bound);
    const last = now.ordered.at(-1)?.[0] ?? "";
    const next = places.has(last) && !before.has(last) && before.size ? waiting() : "";
    pick(next ? [next] : []); // units from beside the map are placed one after the other
  }

  /** The next unit beside the map for which there is an order. */
  function waiting() {
    const beside = now.shown.off.flatMap(([, faces]) => faces.map((face) => names[face][0]));
    return beside.find((name) => able.has(name)) ?? "";
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

  /** Have a list of orders judged; it stands if it is legal. @param {string[]} lines */
  async function judge(lines) {
    await desk.guarded(async () => {
      const answer = await desk.ask("look", { bound: now.bound, lines, faces: names.length });
      refuse(answer.refused);
      if (answer.refused) learn(answer.faces);
      else {
        part("together").checked = false;
        await settle(answer);
      }
    });
  }

  /**
   * Take what the program says; where the game has gone on, say so. A question that comes back, because its answer was
   * undone, has the orders that were typed at it.
   * @param {Situation & Instead} answer
   */
  async function settle(answer) {
    const kept = answer.bound === now.bound ? [] : unsigned(answer.bound);
    if (answer.bound !== now.bound) {
      here = -1;
      places = new Map();
    }
    take(answer);
    desk.alarm(answer.stale ?? "");
    if (kept.length) await judge(kept);
  }

  /** The orders that were last in the list at a question. @param {string} bound @returns {string[]} */
  function unsigned(bound) {
    return JSON.parse(sessionStorage.getItem(bound) ?? "[]");
  }

  /** Ask what these units may do, in that hex if there is one. @param {string[]} units @param {number} [hex]
   *  @returns {Promise<{options: Option[], refused?: Refusal}>} */
  async function may(units, hex = -1) {
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
  function click(hex) {
    return desk.guarded(async () => {
      here = hex;
      refuse();
      const there = options.filter((one) => one[2].includes(hex));
      const alone = there.filter((one) => one[1].length === chosen.size);
      const units = actors(hex).filter((name) => !chosen.has(name));
      if (chosen.size && !part("together").checked) {
        if (alone.length === 1) return order(alone[0]);
        if (there.length) return point(there);
        if (units.length) return pick([units[0]]);
        if (actors(hex).length) return pick([]);
        return answered(await may([...chosen], hex));
      }
      if (units.length) return pick([...chosen, units[0]]);
      return answered(await may([...chosen], hex));
    });
  }

  /** What a click may mean: one order is given if nobody had to be chosen for it. @param {{options: Option[], refused?: Refusal}} answer */
  function answered({ options: found, refused }) {
    if (found.length === 1 && (chosen.size || !able.size)) return order(found[0]);
    refuse(refused);
    return point(found);
  }

  /** @param {Option} option */
  function order([words]) {
    return judge([...now.lines, words]);
  }

  /** The player's units in a hex that may be ordered to do something, or have been. @param {number} hex */
  function actors(hex) {
    return (now.shown.cells[hex] ?? []).map((face) => names[face][0]).filter(acts);
  }

  /** @param {string} name */
  function acts(name) {
    return able.has(name) || ordered.has(name);
  }

  /** Choose units, and show what they may do, or why nothing. @param {string[]} units */
  async function pick(units) {
    const click = ++clicks;
    chosen.clear();
    for (const name of units) chosen.add(name);
    options = [];
    if (!units.length) return point();
    await desk.guarded(async () => {
      const answer = await may(units);
      if (click !== clicks) return;
      options = answer.options;
      refuse(units.some((name) => ordered.has(name)) ? undefined : answer.refused);
      point();
    });
  }

  /** Choose the next unit that may still be ordered to do something, and bring it into sight. */
  function next() {
    replay.leave();
    const [last] = chosen;
    const at = now.able.indexOf(last);
    const name = now.able
      .slice(at + 1)
      .concat(now.able)
      .find((one) => !ordered.has(one));
    if (name === undefined) return;
    here = places.get(name) ?? -1;
    if (here >= 0) board.frame([here]);
    refuse();
    pick([name]);
  }

  /** Choose a unit, or leave it out again. @param {string} name @param {boolean} alone */
  function choose(name, alone) {
    const others = alone ? [] : [...chosen].filter((one) => one !== name);
    refuse();
    return pick(chosen.has(name) ? others : [...others, name]);
  }

  // What is to be seen

  /** Show what the chosen units may do, and what lies in the hex. @param {Option[]} [fitting] orders to choose from */
  function point(fitting = []) {
    board.outline(here);
    const hexes = [...able].flatMap((name) => places.get(name) ?? []);
    const open = chosen.size ? options : now.free;
    board.light([...new Set(chosen.size || !able.size ? open.flatMap((one) => one[2]) : hexes)]);
    const shots = aimed();
    board.trace(shots.length ? shots : chosen.size ? [] : now.lines.length ? now.done : past.news());
    lay(
      part("opened"),
      here < 0 ? [] : [line(board.inWords(here)[0]), ...(now.shown.cells[here] ?? []).map(piece)],
    );
    const more = fitting.length ? fitting : open.filter((one) => !one[2].length || (chosen.size && one[3]));
    const back = now.lines.filter((_, index) => now.ordered[index].some((name) => chosen.has(name)));
    lay(part("choices"), [
      ...more.slice(0, MOST).map(option),
      ...back.map((words) =>
        button(said("Take back: {orders}", { orders: words }), () =>
          judge(now.lines.filter((one) => one !== words)),
        ),
      ),
    ]);
    const [hand, off] = [true, false].map((may) =>
      now.shown.off.flatMap(([title, faces]) => {
        const these = faces.filter((face) => acts(names[face][0]) === may);
        return these.length ? [box(title, these)] : [];
      }),
    );
    lay(part("hand"), hand);
    lay(part("off"), off);
    weigh(more.slice(0, MOST).filter(([, , , attack, chance]) => attack && !chance));
  }

  /** A button for an order, with its chance if that is known. @param {Option} one */
  function option([words, , , , chance]) {
    const made = button(words, () => judge([...now.lines, words]));
    made.dataset.order = words;
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
    return options.flatMap(([, units, [target], , chance]) => {
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
    const made = own
      ? button("", () => choose(name, !part("together").checked))
      : document.createElement("span");
    made.classList.add("piece");
    made.append(board.counter(face), scene.faces[face]);
    if (own) {
      made.dataset.unit = name;
      made.classList.toggle("idle", !acts(name));
      made.setAttribute("aria-pressed", String(chosen.has(name)));
      made.draggable = true;
      made.addEventListener("dragstart", (event) => {
        event.dataTransfer?.setData("text/plain", name);
        if (!chosen.has(name)) choose(name, true);
      });
    }
    return made;
  }

  /** The question, the list of orders and what it would do. */
  function tell() {
    part("prompt").textContent = now.shown.owed;
    replay.figures(now.shown);
    lay(part("list"), now.lines.map(listed));
    lay(part("notes"), now.notes.map(item));
    part("missing").textContent = now.missing && said("Still to do: {what}", { what: now.missing });
    lay(part("effects"), (now.signs?.told ?? now.told).map(item));
    lay(part("news"), now.news.map(item));
    part("finish").disabled = !now.whole;
    part("next").hidden = !now.able.some((name) => !ordered.has(name));
    part("undo").disabled = part("clear").disabled = !now.lines.length;
    for (const id of ["typed", "buttons", "several", "speak"]) part(id).hidden = !now.seat;
    part("line").placeholder = now.free.at(-1)?.[0] ?? "";
    signing.ready(now);
    planning.refresh();
    const made = now.acts.flatMap((act) =>
      CALLED[act] && act !== "takeback" ? [deed(CALLED[act], act)] : [],
    );
    const backs = now.backs.map(([entry, words]) =>
      deed(said("Take back: {orders}", { orders: words }), "takeback", entry),
    );
    const answers = made.filter((one) => ANSWERS.has(one.dataset.act ?? ""));
    lay(part("answers"), [...(now.proposal ? [line(now.proposal)] : []), ...answers]);
    lay(part("others"), [...made.filter((one) => !answers.includes(one)), ...backs]);
    const closed = now.closed.map(([act, why]) => item(`${CALLED[act]}: ${why}`));
    lay(part("closed"), closed);
    part("more").hidden = !part("others").childElementCount && !part("closed").childElementCount;
    const drafted = button(said("Take in what they have signed"), () => judge([...now.lines, ...now.drafts]));
    const told = [...now.staff, ...(now.drafted ? [now.drafted] : [])];
    lay(part("staff"), [...told.map(line), ...(now.drafts.length ? [drafted] : [])]);
  }

  /** A button for something else that may be signed. @param {string} words @param {Act} act @param {number} [entry] */
  function deed(words, act, entry) {
    const made = button(`${words} …`, () => signing.confirm(act, entry));
    made.dataset.act = act;
    return made;
  }

  /** An order of the list, with what can be done to it. @param {string} words @param {number} index */
  function listed(words, index) {
    const made = item(words);
    const others = now.lines.filter((_, other) => other !== index);
    /** @param {number} to */
    const moved = (to) => [...others.slice(0, to), words, ...others.slice(to)];
    if (index > 0)
      made.append(
        parts.small("↑", said("Earlier: {orders}", { orders: words }), () => judge(moved(index - 1))),
      );
    if (index < now.lines.length - 1)
      made.append(
        parts.small("↓", said("Later: {orders}", { orders: words }), () => judge(moved(index + 1))),
      );
    made.append(parts.small("×", said("Leave out: {orders}", { orders: words }), () => judge(others)));
    return made;
  }

  /** Say why orders are refused, with the rule; nothing: they are not. @param {Refusal} [refused] */
  function refuse(refused) {
    part("refused").hidden = !refused;
    part("ruling").hidden = !refused?.rule;
    part("refused").textContent = refused
      ? [refused.line, refused.error, refused.hint].filter(Boolean).join(" — ")
      : "";
    part("ruling").querySelector("summary").textContent = said("The rule");
    part("ruling").querySelector("p").textContent = refused?.rule ?? "";
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

  part("undo").onclick = () => judge(now.lines.slice(0, -1));
  part("clear").onclick = () => judge([]);
  part("line").oninput = complete;
  part("typed").onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const words = part("line").value.trim();
    part("line").value = "";
    if (words) judge([...now.lines, words]);
  };
  part("map").addEventListener("dragover", (/** @type {Event} */ event) => event.preventDefault());
  part("map").addEventListener("drop", (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    if (board.hexOf(event.target) >= 0) click(board.hexOf(event.target));
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || part("confirm").open) return;
    here = -1;
    refuse();
    pick([]);
  });

  board.start(scene, (hex) => (replay.back() ? board.pick(hex) : click(hex)));
  past.start({
    scene,
    learn,
    faces: () => names.length,
    present: () => {
      board.show(now.shown);
      replay.figures(now.shown);
      point();
    },
  });
  part("next").onclick = next;
  signing.start({
    wish: () => ({ bound: now.bound, lines: now.lines, faces: names.length }),
    settle,
  });
  planning.start({ bound: () => now.bound, give: judge });
  /** @type {Situation} */
  const first = JSON.parse(part("first").textContent);
  const kept = unsigned(first.bound); // when the page was loaded anew
  take(first);
  if (kept.length) judge(kept);
  desk.stay();
})();
