"use strict";
/*
 * The names on the map: each is placed in or beside its hex where it covers no counter, other name or hex number, and no
 * line of fire if there is another place. A name is never shortened: its letters become narrower, and on a map seen from
 * afar, a name without a place is left out until the map is nearer.
 */

/**
 * An area that names keep clear of, and how much that matters.
 * @typedef {{left: number, top: number, right: number, bottom: number, weight: number}} Obstacle
 */

const labels = (() => {
  const { byId } = board;
  /** How much larger a single counter is from afar, as in the styles. */
  const ALONE = 1.28;
  /** Half a counter with its rim; half a mark; half a hex number, and its height above the centre of its hex. */
  const [COUNTER, MARK, NUMBER, NUMBER_TOP, NUMBER_BOTTOM] = [30, 10, 14, -40, -31];
  /** The share of a letter above and below its line. */
  const [ABOVE, BELOW] = [0.74, 0.22];
  /** The sizes of names near and from afar, as in the styles. */
  const [NEAR, FAR] = [11, 23];
  /** The percentages to which a name without a place is narrowed. */
  const NARROWER = [92, 66];
  /** How much counters, names and numbers matter, and how much lines that come and go. */
  const [SOLID, PASSING] = [100, 0.3];
  /** The distance between sampled points of a line, and half its width. */
  const [STEP, LINE] = [6, 2];

  /** @typedef {{text: Element, x: number, y: number, width: number, hex: string}} Label */

  /** Each name with the centre of its hex, and its width at the near size. @type {Label[]} */
  let all = [];
  /** The obstacles in the hexes, as drawn near and from afar. @type {{near: Obstacle[], far: Obstacle[]}} */
  let lying = { near: [], far: [] };
  /** @type {Obstacle[]} */
  let numbers = [];
  /** @type {Obstacle[]} */
  let lines = [];
  /** The hexes with counters. @type {Set<string>} */
  let taken = new Set();

  /** Start with the names of the map. @param {Scene} scene */
  function start(scene) {
    const named = Object.entries(scene.hexes).filter(([, hex]) => hex[5]);
    all = [...byId("map").querySelectorAll(".label")].map((text, index) => {
      const [hex, [, x, y]] = named[index];
      return { text, x, y, width: 0, hex };
    });
    numbers = scene.hexes.map(([, x, y]) => ({
      left: x - NUMBER,
      right: x + NUMBER,
      top: y + NUMBER_TOP,
      bottom: y + NUMBER_BOTTOM,
      weight: SOLID,
    }));
  }

  /** Keep clear of these counters and marks. @param {Scene} scene @param {Shown} shown */
  function avoid(scene, shown) {
    taken = new Set(Object.keys(shown.cells).filter((hex) => shown.cells[hex].length));
    const signs = Object.entries(shown.marks).flatMap(([hex, signs]) => {
      const [, x, y] = scene.hexes[Number(hex)];
      return signs
        .filter(([, dx, dy]) => dx || dy) // the ramparts of a fort surround a counter
        .map(([, dx, dy]) => square(x + dx, y + dy, MARK, SOLID));
    });
    const counters = (/** @type {number} */ alone) =>
      [...taken].flatMap((hex) => {
        const [, x, y] = scene.hexes[Number(hex)];
        const places = scene.places[Math.min(shown.cells[hex].length, scene.places.length - 1)];
        const size = places.length === 1 ? alone : scene.shrunk[places.length];
        return places.map(([dx, dy]) => square(x + dx, y + dy, COUNTER * size, SOLID));
      });
    lying = { near: [...counters(1), ...signs], far: [...counters(ALONE), ...signs] };
    place();
  }

  /** Keep clear of these lines as well, if there is room.
   *  @param {[from: [number, number], to: [number, number]][]} drawn */
  function avoidLines(drawn) {
    lines = drawn.flatMap(([[x, y], [to, down]]) => {
      const number = Math.ceil(Math.hypot(to - x, down - y) / STEP);
      return Array.from({ length: number + 1 }, (_, step) => {
        const part = number ? step / number : 0;
        return square(x + part * (to - x), y + part * (down - y), LINE, PASSING);
      });
    });
    place();
  }

  /** @param {number} x @param {number} y @param {number} half @param {number} weight @returns {Obstacle} */
  function square(x, y, half, weight) {
    return { left: x - half, top: y - half, right: x + half, bottom: y + half, weight };
  }

  /** Place each name where there is room; first those of hexes with counters, and long ones. */
  function place() {
    const { classList } = byId("map");
    if (!all.length || classList.contains("nameless")) return;
    const distant = classList.contains("distant");
    const size = distant ? FAR : NEAR;
    measure(size);
    const solid = [
      ...(distant ? lying.far : lying.near),
      ...(classList.contains("numberless") ? [] : numbers),
    ];
    const order = [...all].sort(
      (one, other) => Number(taken.has(other.hex)) - Number(taken.has(one.hex)) || other.width - one.width,
    );
    for (const label of order) {
      const found = bestPlace(label, size, solid);
      label.text.toggleAttribute("aria-hidden", false);
      if (size === FAR && found.hidden) label.text.setAttribute("aria-hidden", "true");
      else solid.push({ ...found.box, weight: SOLID });
      label.text.setAttribute("x", String(found.x));
      label.text.setAttribute("y", String(found.y));
      if (found.narrow) {
        label.text.setAttribute("textLength", String(found.narrow));
        label.text.setAttribute("lengthAdjust", "spacingAndGlyphs");
      } else {
        label.text.removeAttribute("textLength");
      }
    }
  }

  /** Measure each name once, as soon as it is drawn: widths grow with the size. @param {number} size */
  function measure(size) {
    for (const label of all) {
      if (label.width) continue;
      label.text.removeAttribute("textLength");
      label.width = /** @type {any} */ (label.text).getComputedTextLength() * (NEAR / size);
    }
  }

  /** The best place for a name at its full width, if there is room; alone in its hex, no wider than the hex.
   *  @param {Label} label @param {number} size @param {Obstacle[]} solid */
  function bestPlace(label, size, solid) {
    const whole = (label.width * size) / NEAR;
    if (size === FAR) return { ...placeAtWidth(label, whole, size, solid), narrow: undefined };
    const narrower = NARROWER.filter((width) => width < whole);
    const widths = taken.has(label.hex) || !narrower.length ? [whole, ...narrower] : narrower;
    let best = placeAtWidth(label, widths[0], size, solid);
    for (const width of widths.slice(1)) {
      if (!best.hidden) break;
      const other = placeAtWidth(label, width, size, solid);
      if (other.cost < best.cost) best = other;
    }
    return { ...best, narrow: narrower.find((width) => width === best.width) };
  }

  /** The best place for a name at this width; `hidden` if it covers something solid.
   *  @param {Label} label @param {number} width @param {number} size @param {Obstacle[]} solid */
  function placeAtWidth({ x, y, hex }, width, size, solid) {
    const [above, below] = [ABOVE * size, BELOW * size];
    const reach = taken.has(hex) ? Math.max(30, width / 2) + 44 : 48; // beside the counter, or inside the hex
    const near = [...solid, ...lines].filter(
      (one) =>
        one.right > x - reach - width / 2 &&
        one.left < x + reach + width / 2 &&
        one.bottom > y - 80 &&
        one.top < y + 80,
    );
    const under = size === FAR ? COUNTER * ALONE : COUNTER;
    const tops = [under + 1, under + 4, under - 8, -size / 2, under - 16, 6, -22, -under - above - below];
    let best = { cost: Infinity, x, y, hidden: true, width, box: square(x, y, 0, SOLID) };
    for (const [rank, top] of tops.entries()) {
      for (let shift = 0; shift <= reach; shift += 4) {
        for (const dx of shift ? [shift, -shift] : [0]) {
          const cost = 3 * rank + Math.abs(dx) + (!taken.has(hex) && rank > 3 ? 20 : 0);
          if (cost >= best.cost) continue;
          const box = {
            left: x + dx - width / 2 - 1,
            right: x + dx + width / 2 + 1,
            top: y + top,
            bottom: y + top + above + below,
            weight: SOLID,
          };
          const covering = near.filter((one) => overlap(one, box) > 0);
          const covered = covering.reduce((sum, one) => sum + one.weight * overlap(one, box), 0);
          if (cost + covered >= best.cost) continue;
          const hidden = covering.some(({ weight }) => weight === SOLID);
          best = { cost: cost + covered, x: x + dx, y: y + top + above, hidden, width, box };
        }
      }
    }
    return best;
  }

  /** The area in which two boxes overlap. @param {Obstacle} one @param {Obstacle} other */
  function overlap(one, other) {
    const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    return wide > 0 && high > 0 ? wide * high : 0;
  }

  return { start, avoid, avoidLines, place };
})();
