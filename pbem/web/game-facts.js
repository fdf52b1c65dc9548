"use strict";
/*
 * Facts about the games that ship: where a position has the deck, what dice are, and which parts of a position the map
 * shows. No rules are known here. For any other game, the possible outcomes of draws and the map remain unproven.
 */

/** @typedef {{[key: string]: any}} State  a public position (FORMAT section 7), as the game's schema in schemas/ has it */
/** @typedef {{sign: number, at: string[], around: boolean}} Signs  the mark with that number is in exactly these hexes,
 *  or also in their neighbours, if `around` */
/** @typedef {(value: string) => boolean} Figure  whether a figure beside the map matches a position */
/**
 * @typedef {object} GameFacts
 * @property {(before: State, after: State, draws: Drawn[]) => void} lists  that the draws of a beat lead from the
 *  position before it to the one after; raises `Fault`
 * @property {{[at: string]: string}} boxes  the places for units off the map, and the titles of their boxes
 * @property {(unit: Mapping) => boolean} weak  whether a unit shows its weaker face
 * @property {(state: State) => Signs} signs
 * @property {(state: State) => string[]} ground  the hexes whose ground has changed since the start
 * @property {(state: State) => Figure[]} figures  the figures beside the map, in their order
 */

const gameFacts = (() => {
  const { tr } = texts;
  const JOKER = "Joker";
  const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
  const DECK = [...["C", "D", "H", "S"].flatMap((suit) => RANKS.map((rank) => rank + suit)), JOKER];
  const DIE = [2, 3, 3, 4, 4, 5];

  /** @param {any[]} one @param {any[]} other */
  const isSame = (one, other) => formulas.canonical(one) === formulas.canonical(other);

  /**
   * Cards: each is drawn from those left in the deck, in the deck's order; all 53 return only after the deck has run out
   * or the joker was drawn, and the turn rises each time. A joker that ends no turn is set aside.
   * @type {GameFacts["lists"]}
   */
  function checkCards(before, after, draws) {
    let [deck, aside, turn, joker] = [before.deck, before.aside, before.turn, false];
    for (const [draw, { outcomes, outcome }] of draws.entries()) {
      if (!deck.length || (joker && !isSame(outcomes, deck))) [deck, aside, turn] = [DECK, [], turn + 1];
      demand(
        isSame(outcomes, deck),
        6,
        tr("the list of draw {draw} does not match the cards left in the deck", { draw }),
      );
      deck = deck.filter((/** @type {string} */ card) => card !== outcome);
      joker = outcome === JOKER;
      if (joker) aside = [JOKER];
    }
    const over = after.asks === null && joker; // the joker has ended the last turn
    demand(
      isSame(deck, after.deck) && turn === after.turn && (over || isSame(aside, after.aside)),
      6,
      tr("the cards drawn do not lead to the signed deck"),
    );
  }

  /** Dice: each draw is among the faces of one. How many are rolled, and for what, is known only to the rules.
   *  @type {GameFacts["lists"]} */
  function checkDice(before, after, draws) {
    for (const [draw, { outcomes }] of draws.entries())
      demand(
        isSame(outcomes, DIE),
        6,
        tr("the list of draw {draw} does not match the faces of a die", { draw }),
      );
  }

  /** Words are not checked. @type {Figure} */
  const anyWords = () => true;

  /** @param {string} text @returns {Figure} */
  const exactly = (text) => (value) => value === text;

  /** These numbers in this order, and these hexes. @param {number[]} numbers @param {string[]} hexes @returns {Figure} */
  const numbers =
    (numbers, hexes = []) =>
    (value) => {
      const found = value.match(/\d+/g) ?? [];
      const [few, many] = [found.filter((one) => one.length < 4), found.filter((one) => one.length > 3)];
      return isSame([few, many.sort()], [numbers.map(String), [...hexes].sort()]);
    };

  /** From the shipped scenario of Rommel: hexes of victory points and Allied villages, and the names of Allied land units
   *  and aircraft. */
  const POINTS = ["0202", "1203", "1606", "1705", "1706"];
  const VILLAGES = ["2107", "2906"];
  const ALLIED =
    /(Hld|Que|Ken|69-Inf|Dur|Mot|Lor|Aus|NZ|SA|Ind|Greek|FFL)$|^(Sher|Gr|Crus|Val|Stu|25|6p|37AA|Bof|NZ|Aus|Al)/;
  const AIRCRAFT = /^(Bf|Ju|MC|CR|Spit|Hurri|Well|Balt|Kitty|Boston|Mitch)/;

  /** @param {State} state @param {Mapping} offer @returns {Figure[]} */
  function rommelFigures({ turn, units }, { options, scenario }) {
    const own = "data" in scenario; // its victory points cannot be checked
    /** @param {string[]} hexes @param {(name: string) => boolean} whose */
    const held = (hexes, whose) =>
      hexes.filter((hex) => Object.keys(units).some((name) => units[name].at === hex && whose(name)));
    const taken = held(POINTS, (name) => ALLIED.test(name));
    const lost = held(VILLAGES, (name) => !ALLIED.test(name) && !AIRCRAFT.test(name));
    const date = new Date(Date.UTC(1942, 9, 22 + turn)); // turn 1 is 23 October, and no date is after 1942
    return [
      numbers([turn, options.after_last_turn === "draw" ? options.turns : options.last_turn]),
      ...(date.getUTCFullYear() > 1942 ? [] : [numbers([date.getUTCDate()], ["1942"])]),
      anyWords,
      anyWords,
      own ? anyWords : numbers([taken.length, POINTS.length], taken),
      own ? anyWords : numbers([], lost),
      anyWords,
    ];
  }

  const boxes = {
    unplaced: tr("Not yet placed"),
    waiting: tr("Waiting off the map"),
    exited: tr("Exited"),
    eliminated: tr("Eliminated"),
  };

  /** Facts whose figures also need the offer, which has the options.
   *  @typedef {Omit<GameFacts, "figures"> & {figures: (state: State, offer: Mapping) => Figure[]}} OfferFacts */

  /** The facts shared by both versions of Rommel. @type {OfferFacts} */
  const rommel = {
    lists: checkDice,
    boxes,
    weak: ({ struck }) => struck,
    signs: ({ forts }) => ({ sign: 3, at: forts, around: false }),
    ground: ({ cleared }) => cleared,
    figures: rommelFigures,
  };

  /** By the rules that the offer names. @type {{[rules: string]: OfferFacts}} */
  const games = {
    "mortain/1": {
      lists: checkCards,
      boxes,
      weak: ({ face }) => face === "reduced",
      signs: ({ suppressed }) => ({ sign: 0, at: suppressed === null ? [] : [suppressed], around: true }),
      ground: () => [],
      figures: ({ turn, card, deck, exits }, { options }) => [
        numbers([turn, options.turns]),
        card === null ? (value) => !DECK.includes(value) : exactly(card),
        numbers([deck.length, DECK.length]),
        anyWords,
        numbers([exits, options.exits_to_win]),
        anyWords,
        anyWords,
        exactly(deck.join(" ")),
      ],
    },
    "rommel/1": rommel,
    "rommel/2": rommel,
  };

  /** The facts of a game, by its offer; null for a game that does not ship.
   *  @param {any} offer @returns {GameFacts | null} */
  function game(offer) {
    if (!Object.hasOwn(games, String(offer?.rules))) return null;
    const found = games[offer.rules];
    return { ...found, figures: (state) => found.figures(state, offer) };
  }

  return { game };
})();
