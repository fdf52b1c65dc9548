"use strict";
/*
 * Orders by clicks. What may be ordered comes from the program as it would be typed; a click on a unit and a click on
 * the map choose one of these, and each list of orders goes to the program, which judges it. Here no rule is known.
 */

/**
 * What may be ordered, as typed; the player's own units in it; the hexes that it names, or whose counters it names;
 * whether it names other counters than his.
 * @typedef {{words: string, own: string[], at: Set<number>, attack: boolean}} Phrase
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
  const numbers = new Map(scene.hexes.map(([number], index) => [number, index]));

  /** @type {Situation} */
  let now;
  /** @type {Phrase[]} */
  let phrases = [];
  /** The hex of each counter on the map. @type {Map<string, number>} */
  let places = new Map();
  /** @type {Set<string>} */
  let own = new Set();
  /** The units that are to do something together. @type {Set<string>} */
  const chosen = new Set();
  /** The hex that was clicked last. */
  let here = -1;

  // What the program says

  /** Show how the game stands. @param {Situation} given */
  function take(given) {
    now = given;
    learn(given.faces);
    survey();
    if (!now.whole) now.lines.forEach(put);
    survey();
    phrases = now.further.map(phrase);
    for (const name of chosen) if (!phrases.some((one) => one.own.includes(name))) chosen.delete(name);
    sessionStorage.setItem(now.bound, JSON.stringify(now.lines));
    board.show(now.shown);
    tell();
    point();
  }

  /** Note where each counter lies, and which are the player's own. */
  function survey() {
    const lying = Object.entries(now.shown.cells).flatMap(([hex, faces]) =>
      faces.map((face) => /** @type {[number, number]} */ ([face, Number(hex)])),
    );
    places = new Map(lying.map(([face, hex]) => [names[face][0], hex]));
    const all = [...lying.map(([face]) => face), ...now.shown.off.flatMap(([, faces]) => faces)];
    own = new Set(all.filter((face) => names[face][1] === now.seat).map((face) => names[face][0]));
  }

  /**
   * Orders that are not whole yet cannot be carried out: show at least where they bring counters from off the map.
   * @param {string} words
   */
  function put(words) {
    const parts = words.split(/\s+/);
    parts.forEach((name, index) => {
      const hex = numbers.get(parts[index + 1]);
      if (hex === undefined || !own.has(name) || places.has(name)) return;
      for (const [, faces] of now.shown.off) {
        const face = faces.find((one) => names[one][0] === name);
        if (face === undefined) continue;
        faces.splice(faces.indexOf(face), 1);
        now.shown.cells[hex] = [...(now.shown.cells[hex] ?? []), face];
      }
    });
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

  /** @param {string} words @returns {Phrase} */
  function phrase(words) {
    const parts = words.split(/[\s;]+/);
    const at = parts.flatMap((word) => (own.has(word) ? [] : (numbers.get(word) ?? places.get(word) ?? [])));
    const attack = parts.some((word) => places.has(word) && !own.has(word));
    return { words, own: parts.filter((word) => own.has(word)), at: new Set(at), attack };
  }

  /** Have a list of orders judged; it stands if it is legal. @param {string[]} lines */
  async function judge(lines) {
    await desk.guarded(async () => {
      const answer = await desk.ask("look", { bound: now.bound, lines, faces: names.length });
      refuse(answer.refused);
      if (answer.refused) learn(answer.faces);
      else {
        part("together").checked = false;
        settle(answer);
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
      chosen.clear();
      here = -1;
    }
    take(answer);
    desk.alarm(answer.stale ?? "");
    if (kept.length) await judge(kept);
  }

  /** The orders that were last in the list at a question. @param {string} bound @returns {string[]} */
  function unsigned(bound) {
    return JSON.parse(sessionStorage.getItem(bound) ?? "[]");
  }

  // Clicks

  /**
   * A hex is clicked: the order for what is chosen, if there is just one; else what lies there is chosen, and several
   * orders are to choose from.
   * @param {number} hex
   */
  function click(hex) {
    here = hex;
    const fitting = phrases.filter((one) => one.at.has(hex) && fits(one));
    const units = actors(hex);
    const sure = chosen.size
      ? units.every((name) => chosen.has(name))
      : !phrases.some((one) => one.own.length);
    if (fitting.length === 1 && sure) {
      judge([...now.lines, fitting[0].words]);
      return;
    }
    if (!chosen.size || !fitting.length) {
      const [next] = units.filter((name) => !chosen.has(name));
      if (!part("together").checked) chosen.clear();
      if (next) chosen.add(next);
    }
    refuse();
    point(fitting);
  }

  /** Whether an order is one for just the chosen units, or for these with others. @param {Phrase} one */
  function fits(one) {
    return chosen.size ? [...chosen].every((name) => one.own.includes(name)) : !one.own.length;
  }

  /** The player's units in a hex that may be ordered to do something. @param {number} hex */
  function actors(hex) {
    return (now.shown.cells[hex] ?? []).filter(mayAct).map((face) => names[face][0]);
  }

  /** Choose a unit, or leave it out again. @param {string} name @param {boolean} alone */
  function choose(name, alone) {
    const was = chosen.has(name);
    if (alone) chosen.clear();
    if (was) chosen.delete(name);
    else chosen.add(name);
    refuse();
    point();
  }

  // What is to be seen

  /** Show what the chosen units may do, and what lies in the hex. @param {Phrase[]} [fitting] orders to choose from */
  function point(fitting = []) {
    const open = phrases.filter(fits);
    const able = phrases.flatMap((one) => one.own.flatMap((name) => places.get(name) ?? []));
    board.outline(here);
    board.light([...new Set(chosen.size || !able.length ? open.flatMap((one) => [...one.at]) : able)]);
    const shots = chosen.size ? aimed(open) : [];
    board.trace(shots.length ? shots : chosen.size ? [] : now.done);
    lay(
      part("opened"),
      here < 0 ? [] : [line(board.inWords(here)[0]), ...(now.shown.cells[here] ?? []).map(piece)],
    );
    const more = fitting.length ? fitting : open.filter((one) => !one.at.size || (chosen.size && one.attack));
    const back = now.lines.filter((words) => [...chosen].some((name) => words.split(/\s+/).includes(name)));
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
        const these = faces.filter((face) => mayAct(face) === may);
        return these.length ? [box(title, these)] : [];
      }),
    );
    lay(part("hand"), hand);
    lay(part("off"), off);
    weigh(more.slice(0, MOST).filter((one) => one.attack && !now.chances[one.words]));
  }

  /** A button for an order, with its chance if that is known. @param {Phrase} one */
  function option({ words }) {
    const made = button(words, () => judge([...now.lines, words]));
    made.dataset.order = words;
    if (now.chances[words]) made.append(weight(now.chances[words]));
    return made;
  }

  /** @param {string} words */
  function weight(words) {
    const made = document.createElement("small");
    made.append(words);
    return made;
  }

  /** Have the program say what these attacks would come to after the orders so far. @param {Phrase[]} attacks */
  async function weigh(attacks) {
    if (!attacks.length) return;
    const [asked, lines] = [now, attacks.map((one) => one.words)];
    const answer = await desk
      .ask("weigh", { bound: now.bound, lines: now.lines, orders: lines })
      .catch(() => ({}));
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

  /** The attacks among some orders, as lines on the map with their chances. @param {Phrase[]} open @returns {Trace[]} */
  function aimed(open) {
    return open.flatMap(({ words, own: units, at }) => {
      const [target] = at;
      const from = units.flatMap((name) => places.get(name) ?? []);
      const chance = now.chances[words];
      return chance && units.length === chosen.size && target !== undefined
        ? [["shot", from, target, chance]]
        : [];
    });
  }

  /** Whether there are orders for a counter, or it has one. @param {number} face */
  function mayAct(face) {
    const [name, side] = names[face];
    const ordered = now.lines.some((words) => words.split(/\s+/).includes(name));
    return side === now.seat && (ordered || phrases.some((one) => one.own.includes(name)));
  }

  /** A counter in a text; the player's own that may act is a button. @param {number} face */
  function piece(face) {
    const [name] = names[face];
    const may = mayAct(face);
    const made = may
      ? button("", () => choose(name, !part("together").checked))
      : document.createElement("span");
    made.classList.add("piece");
    made.append(board.counter(face), scene.faces[face]);
    if (may) {
      made.dataset.unit = name;
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
    lay(
      part("figures"),
      now.shown.figures.map(([name, value]) => item(`${name}: ${value}`)),
    );
    lay(part("list"), now.lines.map(order));
    lay(part("notes"), now.notes.map(item));
    part("missing").textContent = now.missing && said("Still to do: {what}", { what: now.missing });
    lay(part("effects"), now.told.map(item));
    lay(part("news"), now.news.map(item));
    lay(
      part("phrases"),
      now.further.slice(0, 500).map((words) => new Option(words)),
    );
    part("finish").disabled = !now.whole;
    part("undo").disabled = part("clear").disabled = !now.lines.length;
    for (const id of ["typed", "buttons", "several"]) part(id).hidden = !now.seat;
    part("line").placeholder = now.further.at(-1) ?? "";
    signing.mailing(now);
    signing.undoing(now);
    planning.refresh();
    const made = now.acts.flatMap((act) =>
      CALLED[act] && act !== "takeback" ? [deed(CALLED[act], act)] : [],
    );
    const backs = now.backs
      .slice(0, 5)
      .map(([entry, words]) => deed(said("Take back: {orders}", { orders: words }), "takeback", entry));
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
  function order(words, index) {
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

  part("undo").onclick = () => judge(now.lines.slice(0, -1));
  part("clear").onclick = () => judge([]);
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
    chosen.clear();
    here = -1;
    refuse();
    point();
  });

  board.start(scene, click);
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
