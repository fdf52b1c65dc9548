"use strict";
/*
 * Events over the map, past or foreseen: arrows, shots with cards, dice or chances, misses, hits and losses; paths and
 * shots in the colour of their side.
 */

const traces = (() => {
  const { byId, draw } = board;
  const ABOVE = { card: 47, chance: 43 }; // how far above the centre of its target hex a shot shows it
  const HALF = { card: 27, chance: 14 };
  const RIM = 30;
  const FRESH = 12; // of the opponent's whole turn, traces older than this many are fainter, or nothing would be legible

  /** Where the last events happened. @type {[number, number][]} */
  let ends = [];

  /** The hexes in which traces end. @param {Trace[]} all @returns {[number, number][]} */
  function endPoints(all) {
    const hexes = all.map((each) => {
      if (each[0] === "turn" || each[0] === "dice") return undefined;
      return each[0] === "way" ? each[1].at(-1) : each[0] === "shot" ? each[2] : each[1];
    });
    return hexes.flatMap((hex) => (hex === undefined ? [] : [board.hexCentre(hex)]));
  }

  /** Whether a shot is repeated later, with its draw. @param {Trace} one @param {Trace[]} later */
  function isRepeated(one, later) {
    if (one[0] !== "shot") return false;
    const same = String([one[1], one[2]]);
    return later.some((other) => other[0] === "shot" && String([other[1], other[2]]) === same);
  }

  /** A path as far as its unit came: up to its loss, if it continued beyond.
   *  @param {Trace} one @param {Trace[]} later
   *  @returns {Trace} */
  function endAtLoss(one, later) {
    if (one[0] !== "way" || !one[3]) return one;
    const [, hexes, side, unit] = one;
    const next = later.find(([kind, , , again]) => kind === "way" && again === unit);
    const loss = later
      .slice(0, next ? later.indexOf(next) : undefined)
      .find((other) => other[0] === "loss" && other[2] === unit);
    const end = loss ? hexes.indexOf(Number(loss[1])) : -1;
    return end < 0 ? one : ["way", hexes.slice(0, end + 1), side, unit];
  }

  /** Draw the traces of events over the map, and no others; `later` ones only show how far a path led.
   *  @param {Trace[]} all @param {Trace[]} [later] */
  function show(all, later = []) {
    const latest = byId("traces");
    latest.replaceChildren();
    cardTable.clearDice();
    latest.classList.remove("faded");
    ends = endPoints(all);
    const once = all
      .map((one, index) => endAtLoss(one, [...all.slice(index + 1), ...later]))
      .filter((one, index) => !isRepeated(one, all.slice(index + 1)));
    const older = once.length > FRESH ? draw("g", { class: "older" }, latest) : latest;
    for (const [index, each] of once.entries()) drawTrace(each, index < once.length - FRESH ? older : latest);
    labels.avoidLines(once.flatMap(linesOf));
  }

  /** The lines of a trace, from where to where: the legs of a path, the lines of a shot and the card beside its target.
   *  @param {Trace} trace @returns {[from: [number, number], to: [number, number]][]} */
  function linesOf(trace) {
    if (trace[0] === "way") {
      const points = trace[1].map(board.hexCentre);
      return points.slice(1).map((point, leg) => [points[leg], point]);
    }
    if (trace[0] !== "shot") return [];
    const [x, y] = board.hexCentre(trace[2]);
    /** @type {[from: [number, number], to: [number, number]][]} */
    const shots = trace[1].map((from) => [board.hexCentre(from), [x, y]]);
    const rows = Array.from({ length: 9 }, (_, row) => heightOf("card", y) - 24 + 6 * row);
    for (const row of rows)
      shots.push([
        [x - 22, row],
        [x + 22, row],
      ]);
    return shots;
  }

  /** @param {Trace} trace @param {Element} layer */
  function drawTrace(trace, layer) {
    switch (trace[0]) {
      case "way":
        drawWay(trace[1].map(board.hexCentre), trace[2], layer);
        if (trace[1].length === 1) drawComing(trace[1][0], trace[3], layer);
        break;
      case "shot":
        drawShot(trace[1].map(board.hexCentre), board.hexCentre(trace[2]), trace[3], trace[4], layer);
        break;
      case "miss":
        drawSign(board.hexCentre(trace[1]), "missed", "M-20 0a20 20 0 1 0 40 0a20 20 0 1 0-40 0", layer);
        break;
      case "hit":
        drawHit(board.counterPlace(trace[1], trace[2]), layer);
        break;
      case "dice":
        cardTable.addDice(trace[1], trace[2], trace[3], trace[4], trace[5]);
        break;
      case "loss":
        drawLoss(board.hexCentre(trace[1]), board.faceOf(trace[2]), layer);
        break;
    }
  }

  /** A unit that enters or leaves where no counter shows it, as a ghost.
   *  @param {number} hex @param {string} unit
   *  @param {Element} layer */
  function drawComing(hex, unit, layer) {
    const face = board.counterOf(unit) ? -1 : board.faceOf(unit);
    const [x, y] = board.hexCentre(hex);
    if (face >= 0) draw("use", { class: "gone", href: `#f${face}`, x, y }, layer);
  }

  /** An arrow from hex to hex; a ring where a unit enters or leaves.
   *  @param {[number, number][]} points @param {number} side @param {Element} layer */
  function drawWay(points, side, layer) {
    if (points.length === 1) {
      drawSign(points[0], `way seat-${side}`, "M-36 0a36 36 0 1 0 72 0a36 36 0 1 0-72 0", layer);
      return;
    }
    const [before, end] = points.slice(-2);
    const [x, y] = rimPoint(end, before);
    const d = `M${[...points.slice(0, -1), [x, y]].map((point) => point.join(" ")).join("L")}`;
    for (const name of ["way under", `way seat-${side}`]) draw("path", { class: name, d }, layer);
    const turn = (Math.atan2(y - before[1], x - before[0]) * 180) / Math.PI;
    draw(
      "path",
      {
        class: `head seat-${side}`,
        d: "M6 0-20-10l6 10-6 10z",
        transform: `translate(${x} ${y}) rotate(${turn})`,
      },
      layer,
    );
  }

  /** The height on the map of what a shot shows: above its target, or below where the map would cut it.
   *  @param {"card" | "chance"} what @param {number} y */
  function heightOf(what, y) {
    return y - ABOVE[what] < HALF[what] ? y + ABOVE[what] : y - ABOVE[what];
  }

  /**
   * Lines from the attackers to the target, and the card, the die or the chance beside it.
   * @param {[number, number][]} from
   * @param {[number, number]} at
   * @param {number} side
   * @param {string} words
   * @param {Element} layer
   */
  function drawShot(from, at, side, words, layer) {
    for (const name of ["shot under", `shot seat-${side}`]) {
      for (const one of from)
        draw(
          "path",
          { class: name, d: `M${rimPoint(one, at).join(" ")}L${rimPoint(at, one).join(" ")}` },
          layer,
        );
    }
    drawSign(at, `aimed seat-${side}`, "M-40 0h16M24 0h16M0-40v16M0 24v6", layer);
    const drawn = cards.drawRow(words);
    if (!drawn) return board.label(at[0], heightOf("chance", at[1]), words, layer);
    drawn.setAttribute("class", `thrown seat-${side}`);
    drawn.setAttribute("transform", `translate(${at[0]} ${heightOf("card", at[1])})`);
    layer.append(drawn);
  }

  /** A star at the corner of the counter that was hit, so that its name and factors stay legible.
   *  @param {{x: number, y: number, size: number}} counter @param {Element} layer */
  function drawHit({ x, y, size }, layer) {
    const star = "M0-17 5-6 16-8 8 0 16 8 5 6 0 17-5 6-16 8-8 0-16-8-5-6z";
    drawSign([x + 27 * size, y - 12 * size], "struck", star, layer);
  }

  /** A lost counter, as a ghost with a cross at its corner; only the cross if it has no face.
   *  @param {[number, number]} at @param {number} face @param {Element} layer */
  function drawLoss([x, y], face, layer) {
    if (face >= 0) draw("use", { class: "gone", href: `#f${face}`, x, y }, layer);
    drawSign([x + 24, y - 22], "lost", "M-9-9 9 9M9-9-9 9", layer);
  }

  /**
   * The point on the rim of a counter in the direction of another, so that the counter stays legible.
   * @param {[number, number]} from
   * @param {[number, number]} to
   */
  function rimPoint([x, y], to) {
    const [dx, dy] = [to[0] - x, to[1] - y];
    const part = Math.min(RIM / (Math.hypot(dx, dy) || 1), 0.5);
    return [Math.round(x + part * dx), Math.round(y + part * dy)];
  }

  /** @param {[number, number]} at @param {string} name @param {string} d @param {Element} layer */
  function drawSign(at, name, d, layer) {
    draw("path", { class: name, d, transform: `translate(${at.join(" ")})` }, layer);
  }

  return { show, ends: () => ends };
})();
