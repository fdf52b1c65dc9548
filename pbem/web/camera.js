"use strict";
/*
 * The camera over the map: which part of it is visible, and how large. The wheel and two fingers zoom where they point, a
 * finger or the mouse moves the map, a double tap doubles the scale.
 */

const camera = (() => {
  const [HEX_WIDE, HEX_HIGH] = [100, 86];
  /** The maximum height of a hex, in pixels. */
  const NEAREST = 260;
  /** The minimum heights of a hex for a finger, and for reading. */
  const [FINGER, LEGIBLE] = [44, 50];
  /** Numbers and names of hexes smaller than this many pixels are left out, or enlarged; names that are still smaller
   *  after that are left out too. */
  const [SMALLEST_NUMBER, SMALLEST_NAME, LEAST_NAME] = [7, 7, 4.5];
  /** How far the edge of the map can be pulled into the window. */
  const BEYOND = 70;
  const touch = matchMedia("(pointer: coarse)");

  /** @type {SVGSVGElement} */
  let map;
  /** The whole map. @type {[width: number, height: number]} */
  let size;
  let box = new DOMRect();
  /** The centre of the visible part, and the pixels per unit of the map. */
  const view = { x: 0, y: 0, scale: 1 };
  let isWhole = true;
  /** @type {Map<number, PointerEvent>} */
  const fingers = new Map();
  let dragged = false;
  /** The last tap: when and where, and on which hex, if a finger can tell it from its neighbours.
   *  @type {{at: number, x: number, y: number, hex: EventTarget | null}} */
  let tapped = { at: 0, x: 0, y: 0, hex: null };

  /** Called when names and numbers have become larger or smaller, or are left out. */
  let restyled = () => {};

  /** Start with a map of this size.
   *  @param {SVGSVGElement} drawing @param {[number, number]} extent
   *  @param {() => void} then what is done when names or numbers change their size, or are left out */
  function start(drawing, extent, then) {
    map = drawing;
    size = extent;
    restyled = then;
    new ResizeObserver(measure).observe(map);
    addEventListener("beforeprint", showWhole);
    measure();
    map.addEventListener("pointerdown", down);
    map.addEventListener("pointermove", move);
    for (const end of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
      map.addEventListener(end, (event) => fingers.delete(event.pointerId));
    }
    map.addEventListener("wheel", wheel, { passive: false });
    addEventListener("pointerdown", ({ target }) => {
      if (!(target instanceof Node && map.contains(target))) tapped.at = 0; // something else happened in between
    });
  }

  /** The map's position in the window: measured only once, since each measurement makes the browser lay out everything. */
  function measure() {
    box = map.getBoundingClientRect();
    if (isWhole) showWhole();
    else setView(view.x, view.y, view.scale);
  }

  /** Whether a finger has moved or held the map since it came down, so that it is not a click. */
  function wasDragged() {
    return dragged;
  }

  /** The finger on the map does not click. */
  function cancelClick() {
    dragged = true;
  }

  /** @param {PointerEvent} event */
  function down(event) {
    const second = event.pointerType === "touch" && event.timeStamp - tapped.at < 350;
    const far = Math.hypot(event.clientX - tapped.x, event.clientY - tapped.y) > 30;
    const near = !far && (!tapped.hex || tapped.hex === event.target);
    if (!fingers.size) dragged = false;
    fingers.set(event.pointerId, event);
    if (second && near && fingers.size === 1) {
      dragged = true;
      zoom(0.5, ...toMap(event));
    }
    tapped = {
      at: second ? 0 : event.timeStamp,
      x: event.clientX,
      y: event.clientY,
      hex: isTooSmall() ? null : event.target,
    };
  }

  /** @param {WheelEvent} event */
  function wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode ? 30 : 1;
    const two = event.ctrlKey ? 6 : 1; // two fingers on a touchpad
    zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY * lines * two)) / 300), ...toMap(event));
  }

  /** The point of the map under a pointer. @param {MouseEvent} event @returns {[number, number]} */
  function toMap(event) {
    const [dx, dy] = [event.clientX - box.x - box.width / 2, event.clientY - box.y - box.height / 2];
    return [view.x + dx / view.scale, view.y + dy / view.scale];
  }

  /** The position of a map point in the window. @param {number} x @param {number} y @returns {[number, number]} */
  function toScreen(x, y) {
    return [
      box.x + box.width / 2 + (x - view.x) * view.scale,
      box.y + box.height / 2 + (y - view.y) * view.scale,
    ];
  }

  /** One finger moves the map, two zoom it. @param {PointerEvent} event */
  function move(event) {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    if (!dragged && fingers.size === 1 && Math.hypot(dx, dy) < 6) return; // still a click
    if (!dragged || fingers.size > 1) map.setPointerCapture(event.pointerId);
    dragged = true;
    tapped.at = 0;
    const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
    fingers.set(event.pointerId, event);
    const [x, y] = [view.x - dx / view.scale, view.y - dy / view.scale];
    if (!other) return setView(x, y, view.scale);
    const apart = (/** @type {PointerEvent} */ one) =>
      Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
    const between = {
      clientX: (event.clientX + other.clientX) / 2,
      clientY: (event.clientY + other.clientY) / 2,
    };
    setView(view.x - dx / 2 / view.scale, view.y - dy / 2 / view.scale, view.scale);
    zoom(apart(before) / apart(event), ...toMap(/** @type {MouseEvent} */ (between)));
  }

  /** Zoom by a factor, keeping a point in its place. @param {number} by @param {number} [x] @param {number} [y] */
  function zoom(by, x = view.x, y = view.y) {
    const scale = clampScale(view.scale / by);
    const kept = view.scale / scale;
    setView(x - (x - view.x) * kept, y - (y - view.y) * kept, scale);
  }

  /** Move by this many windows. @param {number} across @param {number} down */
  function pan(across, down) {
    setView(
      view.x + (across * box.width) / view.scale,
      view.y + (down * box.height) / view.scale,
      view.scale,
    );
  }

  /** The scale at which the whole map is visible. */
  function fitScale() {
    return Math.min(box.width / size[0], box.height / size[1]) || 1;
  }

  /** @param {number} scale */
  function clampScale(scale) {
    return Math.min(Math.max(scale, fitScale()), Math.max(NEAREST / HEX_HIGH, fitScale()));
  }

  function showWhole() {
    setView(size[0] / 2, size[1] / 2, fitScale());
    isWhole = true;
  }

  /** @param {number} x @param {number} y @param {number} scale */
  function setView(x, y, scale) {
    const [width, height] = [box.width / scale, box.height / scale];
    view.scale = scale;
    view.x = clampMiddle(x, width, size[0], BEYOND / scale);
    view.y = clampMiddle(y, height, size[1], BEYOND / scale);
    isWhole = scale <= fitScale() * 1.001;
    map.setAttribute("viewBox", `${view.x - width / 2} ${view.y - height / 2} ${width} ${height}`);
    const before = map.classList.value;
    map.classList.toggle("numberless", 11 * scale < SMALLEST_NUMBER);
    map.classList.toggle("distant", 13 * scale < SMALLEST_NAME);
    map.classList.toggle("nameless", 13 * scale < LEAST_NAME);
    if (map.classList.value !== before) restyled();
  }

  /** The centre of a window of this size on an extent, beyond which it may reach only so far.
   *  @param {number} middle @param {number} window @param {number} extent @param {number} beyond */
  function clampMiddle(middle, window, extent, beyond) {
    const room = extent / 2 - window / 2;
    const most = room > 0 ? room + beyond : 0;
    return Math.min(Math.max(middle, extent / 2 - most), extent / 2 + most);
  }

  /** The least scale at which hexes can be read, or hit with a finger. */
  function legibleScale() {
    return (touch.matches ? FINGER : LEGIBLE) / HEX_HIGH;
  }

  /** Whether a hex is too small for a finger. */
  function isTooSmall() {
    return view.scale * HEX_HIGH < FINGER;
  }

  /** Bring a point into view, not near the edge. @param {number} x @param {number} y */
  function follow(x, y) {
    const [across, down] = [Math.abs(x - view.x) * view.scale, Math.abs(y - view.y) * view.scale];
    const inside = across < box.width * 0.42 && down < box.height * 0.38;
    if (!inside && !isWhole) setView(x, y, view.scale);
  }

  /** Bring these points into view together, with hexes large enough to read; if not all fit, the first of them.
   *  @param {[number, number][]} points */
  function frame(points) {
    if (fitScale() >= legibleScale() || !points.length) return showWhole();
    if (points.length === 1) return setView(...points[0], Math.max(view.scale, 1.2 * legibleScale()));
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const across = box.width / (right - left + 3 * HEX_WIDE);
    const scale = Math.min(across, box.height / (bottom - top + 3 * HEX_HIGH), 1.2);
    if (scale >= legibleScale()) setView((left + right) / 2, (top + bottom) / 2, scale);
    else setView(...points[0], legibleScale());
  }

  return {
    start,
    wasDragged,
    cancelClick,
    zoom,
    pan,
    showWhole,
    follow,
    frame,
    toScreen,
    isTooSmall,
    zoomTo,
    isWhole: () => isWhole,
  };

  /** Zoom in at a point until a finger can hit its hex. @param {number} x @param {number} y */
  function zoomTo(x, y) {
    setView(x, y, Math.max(1.2 * legibleScale(), view.scale));
  }
})();
