"use strict";
/*
 * The board: the map with its counters; a clicked hex opens as a fan. It shows the scene it is given: `replay` or
 * `board-page.js` choose that, and what a click does. Hovering and keys are in `pointing`, past events in `traces`.
 *
 * Every text from the game goes through `textContent` or an attribute, and none becomes markup.
 */

/**
 * A hex: its number, centre, column, row, name.
 * @typedef {[number: string, x: number, y: number, column: number, row: number, name: string]} Hex
 *
 * An event's trace on the map, with hexes and sides by their indexes: the turn that begins; the path of a
 * unit of a side; a side's shot, with its chance or its draw; a miss; the unit that is
 * hit, or lost; dice rolled in a game without a map. An unnamed unit is an empty text.
 * @typedef {["turn", number] | ["way", hexes: number[], side: number, unit: string]
 *   | ["shot", from: number[], at: number, side: number, words: string]
 *   | ["miss", number] | ["hit", at: number, unit: string] | ["loss", at: number, unit: string]
 *   | ["dice", side: string, dice: string, total: string, purpose: string, faces: string[]]} Trace
 *
 * The changes since the previous frame: hex by hex, and beside the map.
 * @typedef {object} Frame
 * @property {{[hex: string]: number[]}} [cells]  the faces of the counters in a hex
 * @property {{[hex: string]: [sign: number, x: number, y: number][]}} [marks]  signs, relative to the centre of the hex
 * @property {{[hex: string]: number}} [ground]
 * @property {[title: string, faces: number[]][]} [off]
 * @property {[name: string, value: string, then?: string][]} [figures]  with the value after the orders so far, if different
 * @property {string} [owed]
 * @property {CardTable} [table]  the table of a game without a map
 * @property {Trace[][]} [done]  the traces of each event
 * @property {string[]} [drawn]  the cards drawn or dice rolled
 *
 * @typedef {object} Scene
 * @property {[width: number, height: number]} size
 * @property {Hex[]} hexes
 * @property {string[]} terrain
 * @property {string[]} marks
 * @property {string[]} faces  each counter's face in words
 * @property {[x: number, y: number][][]} places  the positions of each number of counters in a hex
 * @property {number[]} shrunk  the scale for each number of counters
 * @property {string[]} seats  the sides
 * @property {Frame[]} frames
 * @property {{[hex: string]: number}} [base]  the initial grounds
 * @property {number[][]} [staff]  the faces of each commander's counters, if sides are shared
 *
 * A frame with everything it shows.
 * @typedef {Required<Omit<Frame, "done" | "drawn" | "table">> & Pick<Frame, "table">} Shown
 */

const board = (() => {
  /** The element with that id; without it the page is not ours. @param {string} id @returns {any} */
  function byId(id) {
    const found = document.getElementById(id);
    if (!found) throw new Error(`the page has no ${id}`);
    return found;
  }

  /**
   * @param {string} name
   * @param {{[attribute: string]: string | number}} attributes
   * @param {Element} [parent]
   * @returns {SVGElement}
   */
  function draw(name, attributes, parent) {
    /** @type {any} */
    const made = document.createElementNS(byId("map").namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
    parent?.append(made);
    return made;
  }

  /** @type {Scene} */
  let scene;
  /** @type {Shown} */
  let shown;
  /** @type {SVGElement[]} */
  const cells = [];
  let picked = -1;
  /** Called with a hex that is clicked. @type {(hex: number) => void} */
  let clicked;

  /** Start with a map; a clicked hex is opened, or passed to `click`.
   *  @param {Scene} given @param {(hex: number) => void} [click] */
  function start(given, click = pick) {
    scene = given;
    clicked = click;
    scene.hexes.forEach(([, x, y], index) => {
      const cell = draw(
        "use",
        { href: "#hex", x, y, class: "cell", tabindex: -1, role: "button" },
        byId("cells"),
      );
      cell.dataset.hex = String(index);
      cells.push(cell);
    });
    const map = byId("map");
    map.addEventListener("click", (/** @type {PointerEvent} */ event) => {
      const hex = hexOf(event.target);
      if (camera.wasDragged() || hex < 0) return; // a finger has moved the map
      if (event.pointerType === "touch" && camera.isTooSmall()) camera.zoomTo(...hexCentre(hex));
      else clicked(hex);
    });
    pointing.start(map, { scene, cells, click: clicked });
    labels.start(scene);
    camera.start(map, scene.size, labels.place);
    byId("closer").onclick = () => camera.zoom(0.7, ...outlinedCentre());
    byId("farther").onclick = () => camera.zoom(1 / 0.7);
    byId("whole").onclick = camera.showWhole;
    addEventListener("keydown", (event) => {
      if (event.key !== "f" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      if (camera.isWhole()) camera.frame(picked >= 0 ? [hexCentre(picked)] : traces.ends());
      else camera.showWhole();
    });
  }

  /** Whether a key is meant for something other than the board. @param {EventTarget | null} target */
  function isTyping(target) {
    return target instanceof Element && Boolean(target.closest("input:not([type=range]), select, textarea"));
  }

  /** The index of the hex that an element covers, -1 for others. @param {EventTarget | null} target */
  function hexOf(target) {
    return target instanceof SVGElement ? Number(target.dataset.hex ?? -1) : -1;
  }

  // What is shown

  /** @param {Shown} now */
  function show(now) {
    shown = now;
    cardTable.show(now.table);
    pointing.off();
    const grounds = byId("ground").children;
    for (const [hex, ground] of Object.entries(now.ground)) {
      const drawn = grounds[Number(hex)];
      if (drawn.getAttribute("href") !== `#t${ground}`) drawn.setAttribute("href", `#t${ground}`); // slow, so only a change
    }
    byId("marks").replaceChildren();
    for (const [hex, signs] of Object.entries(now.marks)) {
      const [, x, y] = scene.hexes[Number(hex)];
      for (const [sign, dx, dy] of signs)
        draw("use", { href: `#m${sign}`, x: x + dx, y: y + dy }, byId("marks"));
    }
    byId("counters").replaceChildren();
    const stacks = Object.entries(now.cells);
    for (const [hex, faces] of stacks) drawStack(scene.hexes[Number(hex)], faces);
    for (const [hex, faces] of stacks) drawRest(scene.hexes[Number(hex)], faces.length);
    cells.forEach((cell, index) => cell.setAttribute("aria-label", describeHex(index).join(". ")));
    labels.avoid(scene, now);
    if (picked >= 0) showPicked();
  }

  /** The counters of a hex, beside one another as far as there is room. @param {Hex} hex @param {number[]} faces */
  function drawStack([, x, y], faces) {
    const most = scene.places.length - 1;
    const places = scene.places[Math.min(faces.length, most)];
    places.forEach(([dx, dy], index) => {
      const size = scene.shrunk[places.length];
      const transform = `translate(${x + dx} ${y + dy}) scale(${size})`;
      const counter = draw("use", { href: `#f${faces[index]}`, transform }, byId("counters"));
      counter.dataset.counter = unitOf(faces[index]);
      if (places.length === 1) counter.classList.add("alone");
    });
  }

  /** How many counters of a hex are not drawn, in the middle of those that are.
   *  @param {Hex} hex @param {number} number */
  function drawRest([, x, y], number) {
    const most = scene.places.length - 1;
    if (number <= most) return;
    draw("path", { class: "reach", d: `M${x - 9} ${y - 7}h18v15h-18z` }, byId("counters"));
    const rest = draw("text", { class: "reached", x, y: y + 5, "font-size": 13 }, byId("counters"));
    rest.textContent = `+${number - most}`;
  }

  /** The unit's name on a face, with which its words begin. @param {number} face */
  function unitOf(face) {
    return scene.faces[face].split(",", 1)[0];
  }

  /** The newest face of a unit, -1 if it has none. @param {string} unit */
  function faceOf(unit) {
    return unit ? scene.faces.findLastIndex((words) => words.startsWith(`${unit},`)) : -1;
  }

  /** The counter of a unit on the map. @param {string} unit @returns {SVGElement | null} */
  function counterOf(unit) {
    return unit ? byId("counters").querySelector(`[data-counter="${CSS.escape(unit)}"]`) : null;
  }

  /** The position and size of a unit's counter; the centre of its hex for a unit without one.
   *  @param {number} hex @param {string} unit @returns {{x: number, y: number, size: number}} */
  function counterPlace(hex, unit) {
    const [x, y] = hexCentre(hex);
    const faces = shown.cells[hex] ?? [];
    const places = scene.places[Math.min(faces.length, scene.places.length - 1)];
    const place = places[faces.findIndex((face) => unitOf(face) === unit)];
    return place
      ? { x: x + place[0], y: y + place[1], size: scene.shrunk[places.length] }
      : { x, y, size: 1 };
  }

  /** A word on a background of its own.
   *  @param {number} x @param {number} y @param {string} words @param {Element} layer */
  function label(x, y, words, layer) {
    const half = 8 + 6 * words.length;
    draw("path", { class: "reach", d: `M${x - half} ${y - 13}h${2 * half}v26h-${2 * half}z` }, layer);
    draw("text", { class: "reached", x, y: y + 6, "font-size": 18 }, layer).textContent = words;
  }

  /** A hex in words: number, name and ground; its marks; each counter. @param {number} index */
  function describeHex(index) {
    const [number, , , , , name] = scene.hexes[index];
    const marks = (shown.marks[index] ?? []).map(([sign]) => scene.marks[sign]);
    const counters = (shown.cells[index] ?? []).map((face) => scene.faces[face]);
    return [
      [number, name, scene.terrain[shown.ground[index]]].filter(Boolean).join(", "),
      ...marks,
      ...counters,
    ];
  }

  /** A single counter, for use in a text. @param {number} face */
  function counterIcon(face) {
    const drawn = draw("svg", {
      viewBox: "-30 -30 60 60",
      class: "counter",
      role: "img",
      "aria-label": scene.faces[face],
    });
    draw("use", { href: `#f${face}` }, drawn);
    draw("title", {}, drawn).textContent = scene.faces[face];
    return drawn;
  }

  // Opening a hex

  /** Open a hex, or close it if it is open. @param {number} index */
  function pick(index) {
    outline(picked === index ? -1 : index);
    picked = picked === index ? -1 : index;
    showPicked();
  }

  /** Close the open hex, and remove all highlights. */
  function clear() {
    picked = -1;
    byId("opened").replaceChildren();
    lightHexes([]);
    outline(-1);
    for (const cell of byId("map").querySelectorAll(".chosen")) cell.classList.remove("chosen");
  }

  /** Frame the counters of these units, and no others. @param {Iterable<string>} units */
  function markCounters(units) {
    for (const frame of byId("counters").querySelectorAll(".marked")) frame.remove();
    for (const unit of units) {
      const transform = counterOf(unit)?.getAttribute("transform");
      const alone = counterOf(unit)?.classList.contains("alone") ? " alone" : "";
      if (transform)
        draw("path", { class: `marked${alone}`, d: "M-30-30h60v60h-60z", transform }, byId("counters"));
    }
  }

  /** Outline one hex, and no other. @param {number} index */
  function outline(index) {
    for (const cell of byId("map").querySelectorAll(".picked")) cell.classList.remove("picked");
    cells[index]?.classList.add("picked");
  }

  /** The centre of the outlined hex; nothing if there is none. @returns {[x?: number, y?: number]} */
  function outlinedCentre() {
    const hex = cells.findIndex((cell) => cell.classList.contains("picked"));
    return hex < 0 ? [] : hexCentre(hex);
  }

  /** Show everything in the open hex. */
  function showPicked() {
    showHex(picked, byId("opened"));
  }

  /** A hex in words, and each counter in it, large. @param {number} hex @param {Element} place */
  function showHex(hex, place) {
    place.replaceChildren();
    if (hex < 0) return;
    const words = describeHex(hex);
    const faces = shown.cells[hex] ?? [];
    addParagraph(words.slice(0, words.length - faces.length).join(". "), place);
    for (const face of faces) addParagraph(scene.faces[face], place).prepend(counterIcon(face));
  }

  /** @param {string} words @param {Element} parent */
  function addParagraph(words, parent) {
    const made = document.createElement("p");
    made.append(words);
    parent.append(made);
    return made;
  }

  /** @param {number} index @returns {[number, number]} */
  function hexCentre(index) {
    const [, x, y] = scene.hexes[index];
    return [x, y];
  }

  /** Highlight these hexes, and no others. @param {number[]} hexes @param {string} [words] what they are, to be heard */
  function lightHexes(hexes, words = "") {
    for (const cell of byId("map").querySelectorAll(".lit")) {
      cell.classList.remove("lit");
      cell.setAttribute("aria-label", describeHex(Number(cell.dataset.hex)).join(". "));
    }
    for (const hex of hexes) {
      cells[hex].classList.add("lit");
      const [where, ...others] = describeHex(hex);
      if (words) cells[hex].setAttribute("aria-label", [where, words, ...others].join(". "));
    }
  }

  /** Bring the first of these hexes into view, or of those where something has happened. @param {number[]} [hexes] */
  function follow(hexes) {
    const [first] = hexes ? hexes.map(hexCentre) : traces.ends();
    if (first) camera.follow(...first);
  }

  /** Bring hexes into view, large enough to read; without any, those where something has happened.
   *  @param {number[]} [hexes] */
  function frame(hexes) {
    camera.frame(hexes ? hexes.map(hexCentre) : traces.ends());
  }

  return {
    start,
    show,
    showHex,
    lightHexes,
    outline,
    markCounters,
    pick,
    clear,
    frame,
    follow,
    isTyping,
    describeHex,
    counterIcon,
    counterOf,
    counterPlace,
    faceOf,
    hexCentre,
    label,
    draw,
    hexOf,
    byId,
  };
})();
