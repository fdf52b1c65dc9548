"use strict";
/*
 * Checks that the map shows the signed positions: for each entry the hex or box and the face of each counter, the marks
 * and grounds that change, and the numbers beside the map; and that nothing in the drawing moves, hides or covers them.
 * The look of hexes, counters and texts is not in a position, and remains unproven.
 */

const mapCheck = (() => {
  const { tr } = texts;

  /** Everything each entry shows: its changes, on top of the previous entry.
   *  @param {Frame[]} frames @returns {Shown[]} */
  function fillFrames(frames) {
    /** @type {Shown[]} */
    const shown = [];
    for (const frame of frames) {
      const before = shown.at(-1);
      shown.push({
        cells: { ...before?.cells, ...frame.cells },
        marks: { ...before?.marks, ...frame.marks },
        ground: { ...before?.ground, ...frame.ground },
        off: frame.off ?? before?.off ?? [],
        figures: frame.figures ?? before?.figures ?? [],
        owed: frame.owed ?? before?.owed ?? "",
        table: (frame.table && { ...before?.table, ...frame.table }) || before?.table,
      });
    }
    return shown;
  }

  /** @param {any[]} one @param {any[]} other */
  const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

  /** The proof of a page, extended by the check of its map: the first entry that shows something else fails.
   *  @param {Proven} proven @param {Scene} scene @param {ParentNode} page where the map is drawn: this one, or one that
   *  the checker has read @returns {Proven} */
  function check(proven, scene, page = document) {
    if (!proven.known) return proven;
    let n = 0;
    /** @type {string[][]} */
    const titles = [];
    try {
      const map = new Picture(scene, proven.known, page);
      const shown = fillFrames(scene.frames);
      const whole = proven.failed === null && !proven.problem;
      demand(
        !whole || shown.length === proven.ids.length,
        8,
        tr("the map does not have exactly one scene for each entry"),
      );
      for (const { state } of proven.positions) {
        titles.push(state ? map.check(shown[n], state) : []);
        n += 1;
      }
    } catch (fault) {
      const other = tr("the map's data is damaged");
      const problem = fault instanceof Fault ? fault.message : other;
      return {
        ...proven,
        state: "fails",
        failed: n,
        step: 8,
        problem,
        positions: proven.positions.slice(0, n),
      };
    }
    return { ...proven, titles };
  }

  /** Moving or hiding a part of the drawing needs another element or attribute; `page-proof.js` removes styles. */
  const TAGS = /^(svg|defs|g|use|path|circle|text)$/;
  const ATTRIBUTES =
    /^(id|class|d|x|y|r|cx|cy|href|fill|font-size|textLength|lengthAdjust|transform|viewBox|role|tabindex|style|(aria|data)-.*)$/;
  const LAYERS = "defs g#ground g g#marks g#counters g#cells g#traces";
  const MOVED = ":scope > :not(#counters, #traces) > [transform], :scope > g:is([transform], [class])";
  const STRETCHED = '[textLength]:not(.label:is([textLength="92"], [textLength="66"]))';
  const LINES = "text.number:not(:has(*)), text.label:not(:has(*)), path.border, path.kerb, path.road";

  class Picture {
    /** @param {Scene} scene @param {GameFacts} known @param {ParentNode} page */
    constructor(scene, known, page) {
      this.scene = scene;
      this.known = known;
      this.page = page;
      /** @type {any} */
      this.map = page.querySelector("svg#map");
      this.first = fillFrames(scene.frames)[0];
      this.numbers = scene.hexes.map(([number]) => number);
      this.looks = scene.faces.map((words, face) => readFace(this.map, words, face));
      this.checkDrawing();
      this.checkPaper();
    }

    /** The drawing: its layers, the content of each, and nothing that moves, hides or covers a part of it. */
    checkDrawing() {
      const { map, page } = this;
      const { hexes } = this.scene;
      const ids = [...page.querySelectorAll("[id]")].map(({ id }) => id);
      const [, ground, lines, , , cells] = map.children;
      const layers = [...map.children].map(({ localName, id }) => localName + (id && `#${id}`));
      const good =
        !page.querySelector("animate, animateMotion, animateTransform, set") &&
        new Set(ids).size === ids.length &&
        layers.join(" ") === LAYERS &&
        [map, ...map.querySelectorAll("*")].every(
          (one) => TAGS.test(one.localName) && [...one.attributes].every(({ name }) => ATTRIBUTES.test(name)),
        ) &&
        !map.querySelector(MOVED) &&
        !map.querySelector(STRETCHED) &&
        [...ground.children].every((one, n) =>
          one.matches(`[href^="#t"][x="${hexes[n]?.[1]}"][y="${hexes[n]?.[2]}"]`),
        ) &&
        [...lines.children].every((one) => one.matches(LINES) && one.classList.length === 1) &&
        cells.children.length === (page === document ? hexes.length : 0);
      demand(good, 8, tr("something in the drawing of the map moves, hides or covers part of it"));
    }

    /** The map: each hex has its printed number where its counters are, and these are inside it. */
    checkPaper() {
      const { hexes, places, shrunk, size } = this.scene;
      const printed = [...this.map.querySelectorAll(".number")];
      demand(
        new Set(this.numbers).size === hexes.length && printed.length === hexes.length,
        8,
        tr("the map does not show each hex number exactly once"),
      );
      for (const [index, [number, x, y]] of hexes.entries()) {
        const inside = x >= 50 && y >= 43 && x + 50 <= size[0] && y + 43 <= size[1];
        const there = ["x", "y"].map((name) => Number(printed[index].getAttribute(name)));
        demand(
          inside && printed[index].textContent === number && isSame(there, [x, y - 31]),
          8,
          tr("hex {hex} is not drawn where its number is printed", { hex: number }),
        );
      }
      const near = places.flat().every(([x, y]) => Math.abs(x) < 25 && Math.abs(y) < 20);
      demand(
        near && shrunk.every((part) => part > 0.5 && part <= 1),
        8,
        tr("counters are drawn outside their hexes"),
      );
    }

    /** The titles of the boxes of an entry, if everything is as in the position.
     *  @param {Shown} shown @param {State} state */
    check(shown, state) {
      const titles = this.checkCounters(shown, state);
      this.checkMarks(shown, state);
      const other = Object.keys(shown.ground).filter((hex) => shown.ground[hex] !== this.first.ground[hex]);
      demand(
        this.areHexes(other, this.known.ground(state)),
        8,
        tr("the ground on the map does not match the signed position"),
      );
      this.checkFigures(shown, state);
      return titles;
    }

    /** Each unit is where the position has it, once, and there is nothing else. Returns the titles of the boxes.
     *  @param {Shown} shown @param {State} state */
    checkCounters(shown, state) {
      const left = new Set(Object.keys(state.units));
      for (const [hex, faces] of Object.entries(shown.cells))
        for (const face of faces)
          this.checkCounter(face, state, left, (at) => at === this.numbers[Number(hex)]);
      const boxes = shown.off.map(([, faces]) => String(state.units[this.looks[faces[0]].name]?.at));
      for (const [index, [, faces]] of shown.off.entries())
        for (const face of faces)
          this.checkCounter(
            face,
            state,
            left,
            (at) => at === boxes[index] && Object.hasOwn(this.known.boxes, at),
          );
      const [lost] = left;
      demand(lost === undefined, 8, tr("{unit} is missing on the map", { unit: lost }));
      return boxes.map((at) => this.known.boxes[at]);
    }

    /** @param {number} face @param {State} state @param {Set<string>} left @param {(at: string) => boolean} lies */
    checkCounter(face, state, left, lies) {
      const { name, weak } = this.looks[face];
      const good =
        left.delete(name) && lies(state.units[name].at) && this.known.weak(state.units[name]) === weak;
      demand(good, 8, tr("{unit} is not drawn as it is in the signed position", { unit: name }));
    }

    /** @param {Shown} shown @param {State} state */
    checkMarks(shown, state) {
      const { sign, at, around } = this.known.signs(state);
      const has = Object.keys(shown.marks).filter((hex) => shown.marks[hex].some(([one]) => one === sign));
      const middles = at.map((number) => this.scene.hexes[this.numbers.indexOf(number)]);
      const expected = !around
        ? at
        : this.scene.hexes
            .filter(([, x, y]) => middles.some(([, mx, my]) => Math.hypot(x - mx, y - my) < 90))
            .map(([number]) => number);
      /** @param {Shown} one @param {string} hex */
      const others = (one, hex) =>
        (one.marks[hex] ?? []).map(([other]) => other).filter((other) => other !== sign);
      const near = Object.values(shown.marks)
        .flat()
        .every(([, x, y]) => Math.hypot(x, y) < 43);
      const good =
        near &&
        this.areHexes(has, expected) &&
        Object.keys({ ...this.first.marks, ...shown.marks }).every((hex) =>
          isSame(others(shown, hex), others(this.first, hex)),
        );
      demand(good, 8, tr("the marks on the map do not match the signed position"));
    }

    /** Whether these places are exactly those hexes. @param {string[]} places @param {string[]} hexes */
    areHexes(places, hexes) {
      return isSame(places.map((place) => this.numbers[Number(place)]).sort(), [...hexes].sort());
    }

    /** @param {Shown} shown @param {State} state */
    checkFigures({ figures }, state) {
      for (const [index, fits] of this.known.figures(state).entries()) {
        const [name, value] = figures[index];
        demand(
          fits(value),
          8,
          tr("{figure}: the value beside the map does not match the signed position", {
            figure: proofView.safeText(name, 40),
          }),
        );
      }
    }
  }

  /** A counter's picture: its name, with which its words begin, and whether its stripe is that of a weaker face.
   *  @param {Element} map @param {string} words @param {number} face */
  function readFace(map, words, face) {
    const picture = map.querySelector(`defs > #f${face}`);
    const name = picture?.querySelector(':scope > text[y="-18"]:not([x])')?.textContent ?? "";
    demand(
      name !== "" && words.startsWith(`${name}, `),
      8,
      tr("a counter's name differs from its description"),
    );
    return { name, weak: picture?.querySelector(".stripe") !== null };
  }

  return { check, fillFrames };
})();
