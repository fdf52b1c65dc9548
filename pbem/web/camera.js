"use strict";
/*
 * The camera over the map: which part of it is seen. A finger or the mouse moves it, two fingers bring it nearer.
 */

const camera = (() => {
  const NEAREST = 8;

  /** @type {SVGSVGElement} */
  let map;
  /** The whole map. @type {[width: number, height: number]} */
  let size;
  /** The part of the map that is seen. */
  const view = { x: 0, y: 0, width: 0, height: 0 };
  /** @type {Map<number, PointerEvent>} */
  const fingers = new Map();
  let dragged = false;

  /** Take a map of that size into use. @param {SVGSVGElement} drawing @param {[number, number]} extent */
  function start(drawing, extent) {
    map = drawing;
    size = extent;
    whole();
    map.addEventListener("pointerdown", (event) => {
      if (!fingers.size) dragged = false;
      fingers.set(event.pointerId, event);
    });
    map.addEventListener("pointermove", move);
    for (const end of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
      map.addEventListener(end, (event) => fingers.delete(event.pointerId));
    }
    map.addEventListener("dblclick", (event) => zoom(0.5, ...onMap(event)));
    map.addEventListener("wheel", wheel, { passive: false });
  }

  /** Whether a finger has moved the map since it came down: then it has not clicked. */
  function moved() {
    return dragged;
  }

  /** The wheel brings nearer with the control key, as two fingers on a pad; else the page scrolls. @param {WheelEvent} event */
  function wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 0.85 : 1 / 0.85, ...onMap(event));
  }

  /** From the map to the screen. */
  function placed() {
    return map.getScreenCTM() ?? new DOMMatrix();
  }

  /** Where on the map something is pointed at. @param {MouseEvent} event @returns {[number, number]} */
  function onMap(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(placed().inverse());
    return [x, y];
  }

  /** One finger moves the map, two bring it nearer. @param {PointerEvent} event */
  function move(event) {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    if (!dragged && fingers.size === 1 && Math.hypot(dx, dy) < 6) return; // still a click
    dragged = true;
    map.setPointerCapture(event.pointerId);
    const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
    fingers.set(event.pointerId, event);
    if (other) {
      const apart = (/** @type {PointerEvent} */ one) =>
        Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
      zoom(apart(before) / apart(event), ...onMap(event));
    } else {
      see(view.x - dx / placed().a, view.y - dy / placed().a, view.width);
    }
  }

  /** See a part so many times as wide, with that point in its place. @param {number} by @param {number} [x] @param {number} [y] */
  function zoom(by, x = view.x + view.width / 2, y = view.y + view.height / 2) {
    const width = Math.min(Math.max(view.width * by, size[0] / NEAREST), size[0]);
    const kept = width / view.width;
    see(x - (x - view.x) * kept, y - (y - view.y) * kept, width);
  }

  function whole() {
    see(0, 0, size[0]);
  }

  /** @param {number} x @param {number} y @param {number} width */
  function see(x, y, width) {
    const [most, high] = size;
    view.width = width;
    view.height = (width * high) / most;
    view.x = Math.min(Math.max(x, 0), most - view.width);
    view.y = Math.min(Math.max(y, 0), high - view.height);
    map.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    map.classList.toggle("near", width < most);
  }

  /** Bring a point into sight. @param {number} x @param {number} y */
  function follow(x, y) {
    const inside = x > view.x && x < view.x + view.width && y > view.y && y < view.y + view.height;
    if (!inside) see(x - view.width / 2, y - view.height / 2, view.width);
  }

  return { start, moved, zoom, whole, follow };
})();
