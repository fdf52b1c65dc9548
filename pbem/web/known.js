"use strict";
/*
 * What is known here of the games that ship: where the deck is in a position, what dice are, and what of a position a
 * map shows. No rule is known. Of any other game the lists that draws were drawn among are told, and so is its map.
 */

/** @typedef {{[key: string]: any}} State  a public position (FORMAT section 7), as the game's schema in schemas/ has it */
/** @typedef {{sign: number, at: string[], around: boolean}} Signs  the mark of that number lies in these hexes alone,
 *  and where it lies `around` also in their neighbours */
/**
 * @typedef {object} Known
 * @property {(before: State, after: State, draws: Drawn[]) => void} lists  that the draws of a beat lead from the
 *  position before it to the one after; raises `Fault`
 * @property {{[at: string]: string}} boxes  where a unit may be that is in no hex, and the title of its box
 * @property {(unit: Mapping) => boolean} weak  whether a unit shows its weaker face
 * @property {(state: State) => Signs} signs
 * @property {(state: State) => string[]} ground  the hexes whose ground is not what it was at first
 * @property {(state: State) => (number | string | null)[]} figures  what stands beside the map, in its order: the first
 *  number in it, or all of it; null for what is words
 */

const known = (() => {
  const { said } = texts;
  const JOKER = "Joker";
  const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
  const DECK = [...["C", "D", "H", "S"].flatMap((suit) => RANKS.map((rank) => rank + suit)), JOKER];
  const DIE = [2, 3, 3, 4, 4, 5];

  /** @param {any[]} one @param {any[]} other */
  const same = (one, other) => formulas.canonical(one) === formulas.canonical(other);

  /**
   * Cards: each is drawn from what those before it have left, in the deck's order; all 53 are there again only where
   * the deck has run out or the joker has come, and the turn rises each time. A joker that ends no turn is set aside.
   * @type {Known["lists"]}
   */
  function cards(before, after, draws) {
    let [deck, aside, turn, joker] = [before.deck, before.aside, before.turn, false];
    for (const [draw, { outcomes, outcome }] of draws.entries()) {
      if (!deck.length || (joker && !same(outcomes, deck))) [deck, aside, turn] = [DECK, [], turn + 1];
      demand(
        same(outcomes, deck),
        6,
        said("the list of draw {draw} is not the cards left in the deck", { draw }),
      );
      deck = deck.filter((/** @type {string} */ card) => card !== outcome);
      joker = outcome === JOKER;
      if (joker) aside = [JOKER];
    }
    const over = after.asks === null && joker; // the joker has ended the last turn
    demand(
      same(deck, after.deck) && turn === after.turn && (over || same(aside, after.aside)),
      6,
      said("the cards drawn do not lead to the signed deck"),
    );
  }

  /** Dice: each draw is among the faces of one. How many are thrown, and for what, the rules say. @type {Known["lists"]} */
  function dice(before, after, draws) {
    for (const [draw, { outcomes }] of draws.entries())
      demand(same(outcomes, DIE), 6, said("the list of draw {draw} is not the faces of a die", { draw }));
  }

  const boxes = {
    unplaced: said("Not yet placed"),
    waiting: said("Waiting off the map"),
    exited: said("Exited"),
    eliminated: said("Eliminated"),
  };

  /** By the rules that the offer names. @type {{[rules: string]: Known}} */
  const games = {
    "mortain/1": {
      lists: cards,
      boxes,
      weak: ({ face }) => face === "reduced",
      signs: ({ suppressed }) => ({ sign: 0, at: suppressed === null ? [] : [suppressed], around: true }),
      ground: () => [],
      figures: ({ turn, card, deck, exits }) => [
        turn,
        card,
        deck.length,
        null,
        exits,
        null,
        null,
        deck.join(" "),
      ],
    },
    "rommel/1": {
      lists: dice,
      boxes,
      weak: ({ struck }) => struck,
      signs: ({ forts }) => ({ sign: 3, at: forts, around: false }),
      ground: ({ cleared }) => cleared,
      figures: ({ turn }) => [turn],
    },
  };

  /** What is known of a game by its offer; null of one that does not ship. @param {any} offer @returns {Known | null} */
  const game = (offer) => (Object.hasOwn(games, String(offer?.rules)) ? games[offer.rules] : null);

  return { game };
})();
