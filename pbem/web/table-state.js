"use strict";
/*
 * The state of the board: pbem's last answer, where units are and which can get orders, and which units are chosen. The
 * effect of a click is in `clicking`, the display of choices in `choices`.
 */

const tableState = (() => {
  const { byId } = board;
  /** The name and side of each face's counter. @type {[string, string][]} */
  const names = [];

  const state = {
    /** @type {Scene} */
    scene: JSON.parse(byId("scene").textContent),
    /** @type {Situation} */
    now: JSON.parse(byId("first").textContent),
    /** The hex of each counter on the map. @type {Map<string, number>} */
    places: new Map(),
    /** The units that can get an order, and those that have one. @type {Set<string>} */
    able: new Set(),
    /** @type {Set<string>} */
    ordered: new Set(),
    /** The units to do something together. @type {Set<string>} */
    chosen: new Set(),
    /** The possible orders of the chosen units. @type {Meant} */
    may: { options: [] },
    /** The hexes of the path made by hand for the chosen unit. @type {number[]} */
    way: [],
    /** The hex clicked last. */
    here: -1,
    /** The number of faces the page has. */
    faces: () => names.length,
    /** The counter on a face. @param {number} face */
    name: (face) => names[face][0],
    /** @param {number} face */
    side: (face) => names[face][1],
    /** The newest face of a counter. @param {string} name */
    face: (name) => names.findLastIndex(([one]) => one === name),
    update,
    addFaces,
    askOptions,
    mayAct,
    actors,
    nextWaiting,
    unitsToOrder,
    openOrders,
    hexesInReach,
  };

  /** Take in pbem's answer. @param {Situation} given */
  function update(given) {
    state.now = given;
    addFaces(given.faces);
    Object.assign(given.shown.ground, { ...state.scene.base, ...given.shown.ground });
    const lying = Object.entries(given.shown.cells).flatMap(([hex, faces]) =>
      faces.map((face) => /** @type {[string, number]} */ ([state.name(face), Number(hex)])),
    );
    state.places = new Map(lying);
    state.able = new Set(given.able);
    state.ordered = new Set(given.ordered.flat());
  }

  /** Take in faces of counters not seen before. @param {Situation["faces"]} faces */
  function addFaces({ first, all, drawn }) {
    for (const [words, name, side] of all.slice(names.length - first)) {
      state.scene.faces.push(words);
      names.push([name, side]);
    }
    const svg = `<svg xmlns="http://www.w3.org/2000/svg">${drawn}</svg>`; // drawn by pbem, with all text escaped
    for (const face of [...new DOMParser().parseFromString(svg, "image/svg+xml").documentElement.children]) {
      if (!document.getElementById(face.id)) byId("map").querySelector("defs").append(face);
    }
  }

  /** Request the possible orders of these units, in that hex if there is one, over those on the way to it, and a preview.
   *  @param {string[]} units @param {number} [hex] @param {number[]} [over] @param {boolean} [ahead]
   *  @returns {Promise<Meant & Instead>} */
  function askOptions(units, hex = -1, over = [], ahead = false) {
    return server.ask("options", { bound: state.now.bound, lines: state.now.lines, units, hex, over, ahead });
  }

  /** @param {string} name */
  function mayAct(name) {
    return state.able.has(name) || state.ordered.has(name);
  }

  /** The player's units in a hex that can get orders, those without orders first. @param {number} hex */
  function actors(hex) {
    const there = (state.now.shown.cells[hex] ?? []).map(state.name).filter(mayAct);
    return [
      ...there.filter((name) => !state.ordered.has(name)),
      ...there.filter((name) => state.ordered.has(name)),
    ];
  }

  /** The next unit off the map that can get an order. */
  function nextWaiting() {
    const beside = state.now.shown.off.flatMap(([, faces]) => faces.map(state.name));
    return beside.filter((name) => state.able.has(name)).slice(0, 1);
  }

  /** The units that can get orders and have none: those on the map before those off it. */
  function unitsToOrder() {
    const left = state.now.able.filter((name) => !state.ordered.has(name));
    return [
      ...left.filter((name) => state.places.has(name)),
      ...left.filter((name) => !state.places.has(name)),
    ];
  }

  /** The orders open now: to the chosen units, or to no unit. */
  function openOrders() {
    return state.chosen.size ? state.may.options : state.now.free;
  }

  /** The hexes where a click gives an order, or where a unit can be chosen. */
  function hexesInReach() {
    if (!state.chosen.size && state.able.size)
      return [...new Set([...state.able].flatMap((name) => state.places.get(name) ?? []))];
    return [...new Set([...(state.may.hexes ?? []), ...openOrders().flatMap((one) => one[2])])];
  }

  return state;
})();
