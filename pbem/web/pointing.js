"use strict";
/*
 * Pointing: the hex under the mouse, or held with a finger, is shown large; arrow keys move over the map.
 */

/**
 * The map to move over: its hexes as data and as drawn, and the function called on a click.
 * @typedef {{scene: Scene, cells: SVGElement[], click: (hex: number) => void}} PointingContext
 */

const pointing = (() => {
  const { byId } = board;

  /** @type {PointingContext} */
  let table;

  /** @param {Element} map @param {PointingContext} given */
  function start(map, given) {
    table = given;
    map.addEventListener("keydown", (event) => walkByKey(/** @type {KeyboardEvent} */ (event)));
    // if the map itself listened to focus it could be focused, and the keys would not step through the game
    byId("stage").addEventListener("focusin", (/** @type {FocusEvent} */ event) =>
      setTabStop(board.hexOf(event.target)),
    );
    setTabStop(0);
    enlargeUnder(map);
  }

  // Enlarging

  const REST = 150;
  const HELD = 400;
  let under = -1;
  let waits = 0;

  /** Enlarge the hex under a resting mouse or a held finger. @param {Element} map */
  function enlargeUnder(map) {
    map.addEventListener("pointermove", (/** @type {any} */ event) => {
      const hex = event.pointerType === "mouse" && !event.buttons ? board.hexOf(event.target) : -1;
      if (hex !== under && (event.pointerType === "mouse" || camera.wasDragged())) enlarge(hex, event, REST);
    });
    map.addEventListener("pointerleave", () => enlarge(-1));
    map.addEventListener("pointerdown", (/** @type {any} */ event) => {
      if (event.pointerType === "touch") enlarge(board.hexOf(event.target), event, HELD);
      else enlarge(-1);
    });
    for (const end of ["pointerup", "pointercancel"]) map.addEventListener(end, () => enlarge(-1));
    map.addEventListener("contextmenu", (event) => {
      if (under >= 0) event.preventDefault(); // a held finger
    });
  }

  /** Enlarge a hex after this many milliseconds; none at once.
   *  @param {number} hex @param {PointerEvent} [event] @param {number} [after] */
  function enlarge(hex, event, after) {
    clearTimeout(waits);
    under = hex;
    const place = byId("large");
    if (hex < 0 || !event) return place.replaceChildren();
    waits = setTimeout(() => {
      if (event.pointerType === "touch") camera.cancelClick();
      const box = byId("stage").getBoundingClientRect();
      place.classList.toggle("left", event.clientX > box.x + box.width / 2);
      place.classList.toggle("low", event.clientY < box.y + box.height / 2);
      board.showHex(hex, place);
    }, after);
  }

  // Moving with the keys

  /** @type {{[key: string]: [columns: number, rows: number]}} */
  const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

  /** @param {KeyboardEvent} event */
  function walkByKey(event) {
    const index = board.hexOf(event.target);
    if (index < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step && event.shiftKey) {
      camera.pan(step[0] / 4, step[1] / 4);
    } else if (step) {
      const [, , , column, row] = table.scene.hexes[index];
      const next = table.scene.hexes.findIndex(
        (hex) => hex[3] === column + step[0] && hex[4] === row + step[1],
      );
      table.cells[next]?.focus();
      if (next >= 0) camera.follow(...board.hexCentre(next));
    } else if (event.key === "Enter" || event.key === " ") {
      table.click(index);
    } else if (event.key === "+" || event.key === "-") {
      camera.zoom(event.key === "+" ? 0.7 : 1 / 0.7, ...board.hexCentre(index));
    } else if (event.key === "0") {
      camera.showWhole();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Only one hex is in the tab order: the one looked at last. @param {number} index */
  function setTabStop(index) {
    if (!table.cells[index]) return; // a game without a map has none
    for (const cell of table.cells)
      if (cell.getAttribute("tabindex") === "0") cell.setAttribute("tabindex", "-1");
    table.cells[index].setAttribute("tabindex", "0");
  }

  return { start, off: () => enlarge(-1) };
})();
