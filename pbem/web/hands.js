"use strict";
/*
 * Hidden hands of the tabletop game (its rules, T6), replayed from the signed positions: once a deck is open, every
 * position drawn has a card, and every card that was named must have been in the hand then. A player who named another
 * card, or sealed something that is not an order of their cards, is reported too.
 */

/** @typedef {{deck: string, seat: string, wrong: "" | "order" | "card", card: string}} HandFound
 *  the result for a player's own deck once it is open */

const hands = (() => {
  const { tr, side } = texts;

  /** Whether a game has hidden hands of this kind. @param {any} rules */
  const has = (rules) => rules === "tabletop/1";

  /** Check that a seal stands for a single order of cards.
   *  @param {any} rules @param {string} seal
   *  @param {Record<string, string[]>} closed  the seals given but not opened, by seat */
  function checkFresh(rules, seal, closed) {
    const again = Object.values(closed).some((seals) => seals.includes(seal));
    demand(!has(rules) || !again, 7, tr("this seal has been used before"));
  }

  /** The results for each player's own deck, if all are open in the last position; raises `Fault` if the game would go to
   *  a player who lied.
   *  @param {any} rules @param {Position[]} positions @param {OpenedSeal[]} seals
   *  @returns {HandFound[]} */
  function find(rules, positions, seals) {
    const state = positions.at(-1)?.state;
    if (!has(rules) || !state?.decks) return [];
    const own = Object.entries(state.decks).filter(([, { shuffles }]) => shuffles.length);
    if (!own.every(([, { shuffles }]) => shuffles.every((/** @type {any} */ one) => one.order))) return [];
    const owners = own.map(([deck]) => ownerOf(deck, positions, seals));
    const found = own.map(([deck, opened], index) => ({ deck, seat: owners[index], ...fault(opened) }));
    const liars = new Set(found.flatMap(({ seat, wrong }) => (wrong ? [seat] : [])));
    const winner = state.outcome?.winner ?? null;
    const deserved = winner === null ? liars.size !== 1 : !liars.has(winner);
    demand(
      state.outcome === null || deserved,
      7,
      tr("{side:Name} lied about a hidden hand, but does not lose", { side: side([...liars][0] ?? "") }),
    );
    return found;
  }

  /** The seat that opened a seal for an order of this deck.
   *  @param {string} deck @param {Position[]} positions
   *  @param {OpenedSeal[]} seals */
  function ownerOf(deck, positions, seals) {
    const given = positions.flatMap(({ state }) =>
      (state?.decks?.[deck]?.shuffles ?? []).map((/** @type {any} */ one) => one.seal),
    );
    return seals.find(({ seal }) => given.includes(seal))?.seat ?? "";
  }

  /** What the owner did with a deck that was impossible.
   *  @param {any} deck @returns {Pick<HandFound, "wrong" | "card">} */
  function fault({ shuffles, claims }) {
    /** @type {Map<string, string>} */
    const at = new Map();
    let first = 0;
    for (const { sources, order } of shuffles) {
      const sorted = [...order].sort((one, other) => one - other);
      if (sorted.length !== sources.length || sorted.some((number, n) => number !== n))
        return { wrong: "order", card: "" };
      for (const [n, number] of order.entries()) {
        const source = sources[number];
        at.set(`#${first + n}`, at.get(source) ?? source);
      }
      first += sources.length;
    }
    /** @type {(string | undefined)[]} */
    const held = [];
    for (const claim of claims) {
      if (claim[0] === "#") held.push(at.get(claim));
      else {
        const place = held.indexOf(claim.slice(1));
        if (place < 0) return { wrong: "card", card: claim.slice(1) };
        held.splice(place, 1);
      }
    }
    return { wrong: "", card: "" };
  }

  /** The result for a deck, in a sentence. @param {HandFound} found */
  function describe({ deck, seat, wrong, card }) {
    const said = { deck: proofView.safeText(deck, 40), card: proofView.safeText(card, 80), side: side(seat) };
    if (wrong === "card") return tr('{side:Name}: "{card}" of {deck} was named but not in hand', said);
    if (wrong === "order")
      return tr("{side:Name}: the seal of {deck} does not contain an ordering of its cards", said);
    return tr("{side:Name}: every card named from {deck} was in hand", said);
  }

  return { checkFresh, find, describe };
})();
