"use strict";
/*
 * What has happened, or would happen, over the map: arrows, shots with cards, dice or chances, misses, hits and losses.
 */

const traces = (() => {
  const { byId, draw } = board;
  const HALF_HEIGHT = 43;
  const RIM = 30;
  const FRESH = 12; // of a whole turn of another's, what is older than so many stands back, or nothing could be read

  /** Where it has happened last. @type {[number, number][]} */
  let ends = [];

  /** The hexes in which traces end. @param {Trace[]} all @returns {[number, number][]} */
  function endPoints(all) {
    const hexes = all.map((each) => {
      if (each[0] === "turn") return undefined;
      return each[0] === "way" ? each[1].at(-1) : each[0] === "shot" ? each[2] : each[1];
    });
    return hexes.flatMap((hex) => (hex === undefined ? [] : [board.hexCentre(hex)]));
  }

  /** Whether a shot is told once more later, with what was drawn for it. @param {Trace} one @param {Trace[]} later */
  function isRepeated(one, later) {
    if (one[0] !== "shot") return false;
    const same = String([one[1], one[2]]);
    return later.some((other) => other[0] === "shot" && String([other[1], other[2]]) === same);
  }

  /** Draw the traces of events over the map, and no others. @param {Trace[]} all */
  function show(all) {
    const latest = byId("traces");
    latest.replaceChildren();
    ends = endPoints(all);
    const once = all.filter((one, index) => !isRepeated(one, all.slice(index + 1)));
    const older = once.length > FRESH ? draw("g", { class: "older" }, latest) : latest;
    for (const [index, each] of once.entries()) {
      const layer = index < once.length - FRESH ? older : latest;
      switch (each[0]) {
        case "way":
          drawWay(each[1].map(board.hexCentre), layer);
          break;
        case "shot":
          drawShot(each[1].map(board.hexCentre), board.hexCentre(each[2]), each[3], layer);
          break;
        case "miss":
          drawSign(board.hexCentre(each[1]), "missed", "M-20 0a20 20 0 1 0 40 0a20 20 0 1 0-40 0", layer);
          break;
        case "hit":
          drawSign(
            board.hexCentre(each[1]),
            "struck",
            "M0-34 9-13 31-16 16 0 31 16 9 13 0 34-9 13-31 16-16 0-31-16-9-13z",
            layer,
          );
          break;
        case "loss":
          drawSign(board.hexCentre(each[1]), "lost", "M-26-26 26 26M26-26-26 26", layer);
          break;
      }
    }
  }

  /** An arrow from hex to hex; a ring where a unit comes or goes. @param {[number, number][]} points @param {Element} layer */
  function drawWay(points, layer) {
    if (points.length === 1) {
      drawSign(points[0], "way", "M-36 0a36 36 0 1 0 72 0a36 36 0 1 0-72 0", layer);
      return;
    }
    const [before, end] = points.slice(-2);
    const [x, y] = rimPoint(end, before);
    const d = `M${[...points.slice(0, -1), [x, y]].map((point) => point.join(" ")).join("L")}`;
    for (const name of ["way under", "way"]) draw("path", { class: name, d }, layer);
    const turn = (Math.atan2(y - before[1], x - before[0]) * 180) / Math.PI;
    draw(
      "path",
      { class: "head", d: "M6 0-20-10l6 10-6 10z", transform: `translate(${x} ${y}) rotate(${turn})` },
      layer,
    );
  }

  /**
   * Lines from those who attack to the target, and the card, the die or the chance beside it.
   * @param {[number, number][]} from
   * @param {[number, number]} at
   * @param {string} words
   * @param {Element} layer
   */
  function drawShot(from, at, words, layer) {
    for (const name of ["shot under", "shot"]) {
      for (const one of from)
        draw(
          "path",
          { class: name, d: `M${rimPoint(one, at).join(" ")}L${rimPoint(at, one).join(" ")}` },
          layer,
        );
    }
    drawSign(at, "aimed", "M-40 0h16M24 0h16M0-40v16M0 24v16", layer);
    const drawn = cards.drawRow(words);
    if (!drawn) return board.label(at[0], at[1] - HALF_HEIGHT, words, layer);
    drawn.setAttribute("transform", `translate(${at[0]} ${at[1] - HALF_HEIGHT - 4})`);
    layer.append(drawn);
  }

  /**
   * The point on the rim of a counter on the way to another, so that what is on the counter can be read.
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
