"use strict";
/*
 * The table of a game without a map: tracks, decks with their open cards, the player's hand, and the dice rolled. An item
 * is a button if pbem has orders for it; `table-orders.js` handles its clicks.
 *
 * The types are those of pbem/core/card_table.py.
 */

/**
 * @typedef {{label: string, kind: "text" | "texts" | "word" | "number" | "choice" | "file", before: string, needed: boolean,
 *   most: number, choices: [words: string, label: string][]}} Blank
 * @typedef {{label: string, parts: (string | Blank)[], note: string}} OrderForm
 * @typedef {{name: string, forms: OrderForm[]}} Item
 * @typedef {{title: string, cards: Item[]}} CardRow
 * @typedef {{title: string, pile: number, facts: string[], rows: CardRow[], forms: OrderForm[]}} CardDeck
 * @typedef {{name: string, value: number, was: number, words: string}} TrackValue
 * @typedef {{decks: CardDeck[], hands: CardRow[], tracks: TrackValue[], dice: Item[],
 *   orders: OrderForm[]}} CardTable
 *
 * Called on a click: on an item with its order forms, and on a track with its new value.
 * @typedef {{pick: (title: string, forms: OrderForm[]) => void, set: (track: TrackValue, value: number) => void}} TableActions
 */

const cardTable = (() => {
  const { tr, plural } = texts;

  /** Without them nothing can be clicked. @type {TableActions | undefined} */
  let actions;
  /** The table shown. @type {CardTable | undefined} */
  let shown;

  /** @param {TableActions} given */
  function start(given) {
    actions = given;
  }

  /** Show a table; does nothing on the page of a game with a map. @param {CardTable | undefined} table */
  function show(table) {
    if (!table || table === shown) return; // a button that is redrawn under a finger loses its click
    shown = table;
    const focused = document.activeElement?.getAttribute("data-item");
    fill(
      "table-hands",
      table.hands.map((row) => section("hand", row.title, row.cards.map(cardElement))),
    );
    fill("table-decks", table.decks.map(deckElement));
    fill("table-tracks", table.tracks.map(trackElement));
    fill("table-dice", table.dice.map(dieElement));
    fill("table-orders", table.orders.map(orderButton));
    if (focused)
      placed()
        .find((one) => one.dataset.item === focused)
        ?.focus();
  }

  function placed() {
    return /** @type {HTMLElement[]} */ ([...board.byId("card-table").querySelectorAll("[data-item]")]);
  }

  /** @param {string} id @param {Element[]} parts */
  function fill(id, parts) {
    board.byId(id).replaceChildren(...parts);
  }

  /** @param {string} name @param {string} className @param {(Node | string)[]} parts @returns {HTMLElement} */
  function element(name, className, ...parts) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...parts);
    return made;
  }

  /** @param {string} className @param {string} title @param {Element[]} parts */
  function section(className, title, parts) {
    return element("section", className, element("h3", "", title), element("div", "row", ...parts));
  }

  /** A button if it has orders, otherwise plain text.
   *  @param {string} className @param {string} name @param {OrderForm[]} forms @param {(Node | string)[]} parts */
  function itemElement(className, name, forms, ...parts) {
    if (!actions || !forms.length) return element("span", className, ...parts);
    const made = /** @type {HTMLButtonElement} */ (element("button", className, ...parts));
    made.type = "button";
    made.dataset.item = name;
    made.onclick = () => actions?.pick(name, forms);
    return made;
  }

  // Cards

  /** @param {Item} card */
  function cardElement({ name, forms }) {
    return itemElement("playing-card", name, forms, name);
  }

  /** @param {CardDeck} deck */
  function deckElement({ title, pile, facts, rows, forms }) {
    const back = itemElement("playing-card back", title, forms, String(pile));
    back.setAttribute(
      "aria-label",
      plural("{deck}: {number} card", "{deck}: {number} cards", pile, { deck: title }),
    );
    const words = element(
      "div",
      "",
      element("h3", "", title),
      ...facts.map((fact) => element("p", "", fact)),
    );
    return element("section", "deck-place", element("div", "pile", back, words), ...rows.map(rowElement));
  }

  /** @param {CardRow} row */
  function rowElement({ title, cards }) {
    return element("div", "open-row", element("h4", "", title), ...cards.map(openCard));
  }

  /** @param {Item} card */
  function openCard({ name, forms }) {
    return itemElement("open-card", name, forms, name);
  }

  // Tracks, dice and orders

  /** @param {TrackValue} track */
  function trackElement(track) {
    const { name, value, was, words } = track;
    const changed = value === was ? [] : [element("small", "", `${was} →`)];
    if (!actions || !words)
      return element("span", "track", `${name} `, ...changed, element("b", "", String(value)));
    const field = document.createElement("input");
    Object.assign(field, { type: "number", value: String(value), min: "-9999", max: "9999" });
    field.setAttribute("aria-label", name);
    field.dataset.item = name;
    field.onchange = () => actions?.set(track, Math.trunc(Number(field.value)));
    const [less, more] = [stepButton(track, -1, "−"), stepButton(track, 1, "+")];
    return element("span", "track", `${name} `, ...changed, less, field, more);
  }

  /** @param {TrackValue} track @param {number} by @param {string} sign */
  function stepButton(track, by, sign) {
    const made = /** @type {HTMLButtonElement} */ (element("button", "step", sign));
    made.type = "button";
    const places = { track: track.name };
    made.setAttribute(
      "aria-label",
      by > 0 ? tr("{track}: one more", places) : tr("{track}: one less", places),
    );
    made.dataset.item = `${track.name} ${by}`;
    made.onclick = () => actions?.set(track, track.value + by);
    return made;
  }

  /** @param {Item} die */
  function dieElement({ name, forms }) {
    return itemElement("die-kind", name, forms, name);
  }

  /** @param {OrderForm} form */
  function orderButton(form) {
    return itemElement("order", form.label, [form], form.label);
  }

  // Dice rolled

  function clearDice() {
    document.getElementById("fallen")?.replaceChildren();
  }

  /** A roll as a row of a table: its purpose, the dice and their sum.
   *  @param {string} side @param {string} dice @param {string} total @param {string} purpose @param {string[]} faces */
  function addDice(side, dice, total, purpose, faces) {
    const place = document.getElementById("fallen");
    if (!place) return;
    const words = element(
      "th",
      "",
      purpose || dice,
      element("small", "", purpose ? `${side}, ${dice}` : side),
    );
    words.setAttribute("scope", "row");
    const fallen = element("td", "faces", ...faces.map((face) => dieFace(dice, face)));
    const row = element("tr", "", words, fallen, element("td", "total", total));
    row.style.setProperty("--roll", String(place.children.length));
    place.append(row);
  }

  /** A face: pips on a six-sided die, otherwise its number or word. @param {string} dice @param {string} face */
  function dieFace(dice, face) {
    const icon = /^\d*d6([+-]|$)/.test(dice) ? cards.outcomeIcon(face) : face;
    return typeof icon === "string" ? element("span", "die-face", face) : icon;
  }

  return { start, show, clearDice, addDice };
})();
