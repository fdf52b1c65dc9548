"use strict";
/*
 * Set-up: pictures of ready-made set-ups, and buttons that choose all counters of a nationality still to place.
 */

const setup = (() => {
  const { byId } = board;
  const { tr } = texts;
  const { button } = dom;

  /** A ready-made set-up as a picture: its counters on the map.
   *  @param {Scene} scene @param {[hex: number, face: number][]} lying */
  function setupPicture({ size, hexes }, lying) {
    const made = board.draw("svg", {
      viewBox: `0 0 ${size[0]} ${size[1]}`,
      class: "set-up",
      "aria-hidden": "true",
    });
    board.draw("use", { href: "#ground" }, made);
    for (const [hex, face] of lying) {
      const [, x, y] = hexes[hex];
      board.draw("use", { href: `#f${face}`, transform: `translate(${x} ${y}) scale(1.5)` }, made);
    }
    return made;
  }

  /**
   * A button for each nationality, which chooses all its counters: first those off the map, and when all
   * are placed, all.
   * @param {Situation} now
   * @param {Map<string, number>} places  the hexes of the counters on the map
   * @param {(units: string[]) => void} choose
   */
  function nationButtons(now, places, choose) {
    return now.placing.map(([title, names]) => {
      const left = names.filter((name) => !places.has(name));
      const words = left.length
        ? tr("{name}, {number} to place", { name: title, number: left.length })
        : tr("{name}, {number} placed", { name: title, number: names.length });
      return button(words, () => choose(left.length ? left : names));
    });
  }

  return { setupPicture, nationButtons };
})();
