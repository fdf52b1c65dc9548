"use strict";
/*
 * Drawings of cards and dice: suit and rank in colour and shape, pips; and the deck, with what is left of it and what was
 * drawn. An outcome is recognised by its text, `9S`, `Joker`, `4`; its effect is known only to the rules.
 */

const cards = (() => {
  const { tr } = texts;
  const CARD = /^(?:Joker|(10|[2-9AJQK])([CDHS]))$/;
  const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
  const SUITS = ["S", "H", "D", "C"];
  /** Each suit around 0, 0, about 20 wide. @type {{[suit: string]: string}} */
  const SHAPES = {
    S: "M0-10C3-5 10-1 10 4 10 9 4 10 1 6L4 11H-4L-1 6C-4 10-10 9-10 4-10-1-3-5 0-10z",
    H: "M0 10C-4 5-10 1-10-4-10-10-2-11 0-5 2-11 10-10 10-4 10 1 4 5 0 10z",
    D: "M0-11 8 0 0 11-8 0z",
    C: "M-1 5C-3 9-10 8-10 3-10-1-7-2-5-2-8-10 8-10 5-2 7-2 10-1 10 3 10 8 3 9 1 5L4 11H-4z",
  };
  const STAR = "M0-11 3-4 11-3 5 2 7 10 0 6-7 10-5 2-11-3-3-4z";
  /** The positions of a die's pips. @type {[number, number][][]} */
  const PIPS = [
    [],
    [[0, 0]],
    [
      [-9, -9],
      [9, 9],
    ],
    [
      [-9, -9],
      [0, 0],
      [9, 9],
    ],
    [
      [-9, -9],
      [9, -9],
      [-9, 9],
      [9, 9],
    ],
    [
      [-9, -9],
      [9, -9],
      [0, 0],
      [-9, 9],
      [9, 9],
    ],
    [
      [-9, -9],
      [9, -9],
      [-9, 0],
      [9, 0],
      [-9, 9],
      [9, 9],
    ],
  ];

  /** The name of a card or a die, for screen readers. @param {string} code */
  function describeCard(code) {
    const [, letter, suit] = CARD.exec(code) ?? [];
    if (code === "Joker") return tr("joker");
    if (!letter) return tr("die: {number}", { number: code });
    /** @type {{[letter: string]: string}} */
    const called = { A: tr("ace"), J: tr("jack"), Q: tr("queen"), K: tr("king") };
    const rank = called[letter] ?? letter;
    if (suit === "S") return tr("{rank} of spades", { rank });
    if (suit === "H") return tr("{rank} of hearts", { rank });
    return suit === "D" ? tr("{rank} of diamonds", { rank }) : tr("{rank} of clubs", { rank });
  }

  /** @param {string} name @param {{[attribute: string]: string | number}} attributes @param {string} [words]
   *  @returns {SVGElement} */
  function draw(name, attributes, words = "") {
    /** @type {any} */
    const made = document.createElementNS(board.byId("map").namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
    made.append(words);
    return made;
  }

  /** A card or a die around 0, 0: 36 wide, 48 or 36 high; nothing for other words. @param {string} code */
  function drawFace(code) {
    const found = CARD.exec(code);
    const pips = PIPS[Number(code)];
    if (!found && !(pips && code)) return null;
    const group = draw("g", { class: found ? "card" : "die" });
    if (!found) {
      group.append(
        draw("path", { class: "blank", d: "M-18-13q0-5 5-5h26q5 0 5 5v26q0 5-5 5h-26q-5 0-5-5z" }),
      );
      for (const [cx, cy] of pips) group.append(draw("circle", { class: "pip", cx, cy, r: 3.6 }));
      return group;
    }
    const [, rank, suit] = found;
    const colour = suit === "H" || suit === "D" ? "red" : "black";
    group.append(
      draw("path", { class: "blank", d: "M-18-20q0-4 4-4h28q4 0 4 4v40q0 4-4 4h-28q-4 0-4-4z" }),
      draw("text", { class: `rank ${colour}`, y: -5, "font-size": rank ? 20 : 11 }, rank ?? tr("joker")),
      draw("path", { class: suit ? colour : "star", d: SHAPES[suit] ?? STAR, transform: "translate(0 12)" }),
    );
    return group;
  }

  /** Cards and dice beside one another, on the map; other words stay words.
   *  @param {string} words
   *  @returns {SVGElement | null} */
  function drawRow(words) {
    const codes = words.split(" : ");
    const faces = codes.map(drawFace);
    if (!faces.every((one) => one !== null)) return null;
    const all = draw("g", {});
    faces.forEach((one, index) => {
      one.setAttribute("transform", `translate(${40 * (index - (codes.length - 1) / 2)} 0)`);
      all.append(one);
    });
    return all;
  }

  /** A single card or die, for use in a text. @param {string} code @param {boolean} [gone] only its place */
  function outcomeIcon(code, gone = false) {
    const drawn = draw("svg", { viewBox: "-20 -26 40 52", class: gone ? "outcome gone" : "outcome" });
    const found = drawFace(code);
    if (!found) return code;
    drawn.append(draw("title", {}, describeCard(code)), found);
    if (gone) drawn.setAttribute("aria-hidden", "true");
    else {
      drawn.setAttribute("role", "img");
      drawn.setAttribute("aria-label", describeCard(code));
    }
    return drawn;
  }

  /** The cards in a text that has nothing else, otherwise none. @param {string} text */
  function cardsIn(text) {
    const codes = text.split(" ");
    return codes.every((code) => CARD.test(code)) ? codes : [];
  }

  /** A figure beside the map, as a list item, and its value after the orders so far; cards in it are drawn.
   *  @param {[name: string, value: string, then?: string]} figure @param {string[]} codes */
  function figureItem([name, value, then], codes) {
    const made = document.createElement("li");
    made.append(`${name}: `, ...(codes.length ? codes.map((code) => outcomeIcon(code)) : [value]));
    if (then !== undefined) {
      const after = document.createElement("em");
      after.append(` → ${then}`);
      made.append(after);
    }
    return made;
  }

  /** The cards in the discard pile, newest first: those drawn since the shuffle.
   *  @param {string[]} drawn all that was drawn so far @param {string[]} left */
  function discardPile(drawn, left) {
    const found = new Set();
    for (const code of [...drawn].reverse()) {
      if (left.includes(code) || found.has(code)) break;
      found.add(code);
    }
    return [...found];
  }

  /** @param {string} title @param {(Node | string)[]} inside @param {string} name */
  function drawerSection(title, inside, name) {
    const made = document.createElement("div");
    const head = document.createElement("h3");
    head.append(title);
    const laid = document.createElement("p");
    laid.className = name;
    laid.append(...inside);
    made.append(head, laid);
    return made;
  }

  /** Fill the drawer: the cards an entry has drawn, the discard pile, and the cards left.
   *  @param {string[]} now @param {string[]} before
   *  @param {string[]} left */
  function show(now, before, left) {
    const place = document.getElementById("drawn");
    if (!place) return;
    const thrown = now.length
      ? [
          drawerSection(
            tr("Drawn now"),
            now.map((code) => outcomeIcon(code)),
            "drawn-now",
          ),
        ]
      : [];
    const gone = left.length ? discardPile([...before, ...now], left) : [];
    const discard = gone.length
      ? [
          drawerSection(
            tr("Drawn since the last shuffle, latest first"),
            gone.map((code) => outcomeIcon(code)),
            "discard",
          ),
        ]
      : [];
    const rows = left.length
      ? [drawerSection(tr("Cards left: {number}", { number: left.length }), [], "deck")]
      : [];
    for (const suit of left.length ? [...SUITS, ""] : []) {
      const codes = suit ? RANKS.map((rank) => rank + suit) : ["Joker"];
      const line = document.createElement("span");
      line.append(...codes.map((code) => outcomeIcon(code, !left.includes(code))));
      rows[0].lastElementChild?.append(line);
    }
    place.replaceChildren(...thrown, ...discard, ...rows);
    drawers.setAvailable("cards", place.childElementCount > 0);
  }

  return { drawRow, figureItem, cardsIn, outcomeIcon, show };
})();
