"use strict";
/*
 * Dragging units to a hex with the mouse or a finger: from another hex, or from the counters off the map. Elsewhere a
 * finger moves the map.
 */

/**
 * Which units move from a hex, or with a counter, and what happens where they are dropped.
 * @typedef {object} DragContext
 * @property {(hex: number, touch: boolean) => string[]} from
 * @property {(name: string, touch: boolean) => string[]} along
 * @property {(name: string) => number} face
 * @property {(units: string[], hex: number) => void} drop
 */

const dragging = (() => {
  const { byId } = board;
  /** The most pixels of movement that still count as a click. */
  const STILL = 6;

  /** @type {DragContext} */
  let table;
  /** The units being dragged: where the pointer came down, and whether it has moved since.
   *  @type {{pointer: number, x: number, y: number, hex: number, units: string[], ghost?: HTMLElement} | null} */
  let held = null;

  /** @param {DragContext} given */
  function start(given) {
    table = given;
    // before the camera, which would move the map
    addEventListener("pointerdown", down, true);
    addEventListener("pointermove", move, true);
    addEventListener("pointerup", up, true);
    addEventListener("pointercancel", release, true);
  }

  /** @param {PointerEvent} event */
  function down(event) {
    if (held || event.button !== 0) return release();
    const [hex, touch] = [board.hexOf(event.target), event.pointerType !== "mouse"];
    const units = hex < 0 ? unitsInText(event.target, touch) : table.from(hex, touch);
    if (units.length) held = { pointer: event.pointerId, x: event.clientX, y: event.clientY, hex, units };
  }

  /** The units that move with a counter in a text. @param {EventTarget | null} target @param {boolean} touch */
  function unitsInText(target, touch) {
    const piece = target instanceof Element ? target.closest("[data-unit]") : null;
    return piece instanceof HTMLElement ? table.along(piece.dataset.unit ?? "", touch) : [];
  }

  /** @param {PointerEvent} event */
  function move(event) {
    if (held?.pointer !== event.pointerId) return;
    event.stopImmediatePropagation();
    if (!held.ghost) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < STILL) return;
      byId("map").setPointerCapture(event.pointerId);
      held.ghost = ghost(held.units);
    }
    held.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
    board.outline(hexUnder(event));
  }

  /** @param {PointerEvent} event */
  function up(event) {
    if (held?.pointer !== event.pointerId) return;
    const { ghost, hex, units } = held;
    release();
    const to = hexUnder(event);
    if (ghost && to >= 0 && to !== hex) table.drop(units, to);
  }

  function release() {
    held?.ghost?.remove();
    held = null;
  }

  /** The hex under the pointer. @param {PointerEvent} event */
  function hexUnder(event) {
    return board.hexOf(document.elementFromPoint(event.clientX, event.clientY));
  }

  /** The counters shown while dragging. @param {string[]} units */
  function ghost(units) {
    const made = document.createElement("div");
    made.className = "ghost";
    made.append(board.counterIcon(table.face(units[0])));
    if (units.length > 1) made.append(`+${units.length - 1}`);
    document.body.append(made);
    return made;
  }

  return { start };
})();
