"use strict";
/*
 * What the board asks of the program, one thing after the other, and what it shows where that fails.
 */

/**
 * Why orders are refused, a hint, and the rule, by its number and in full.
 * @typedef {{error: string, hint: string, number: string, rule: string, line?: string}} Refusal
 *
 * A possible order: as typed, with the player's units in it, the hexes that it names directly or by a counter, whether
 * it names counters that are not the player's, and its chance if that is known.
 * @typedef {[words: string, by: string[], at: number[], attack: boolean, chance: string]} Option
 *
 * What a click can mean: orders, which go to the index `at` among these `lines` if they replace others; the whole list
 * for several units at once, or the hexes to which each of them can go; or the reason why there is nothing.
 * @typedef {object} Meant
 * @property {Option[]} options
 * @property {{lines: string[], at: number}} [instead]
 * @property {string[]} [lines]
 * @property {number[]} [hexes]
 * @property {Trace[]} [ahead] what the only order in a hex would draw on the map, if requested
 * @property {Refusal} [refused]
 *
 * The kinds of entry that the player may write.
 * @typedef {"orders" | "share" | "draw" | "takeback" | "yes" | "no" | "resign"} Act
 *
 * The state of the game with the orders so far, and the possible further orders.
 * @typedef {object} Situation
 * @property {string} bound  the question that the page shows
 * @property {string} seat  whose orders are due; empty if none are
 * @property {Act[]} acts  what may be signed
 * @property {string[]} lines  the orders, as typed
 * @property {{says: string, due: string[]}} task  what is to be done now, and what must still be ordered
 * @property {boolean} whole  whether they answer the question
 * @property {string[]} told  what they would do
 * @property {string[]} able  the units that may be ordered to do something besides
 * @property {Option[]} free  the orders that name no unit of the player's
 * @property {string[][]} ordered  the units of each order so far
 * @property {[title: string, names: string[]][]} placing  the counters that are set up now, by nationality
 * @property {{[orders: string]: [hex: number, face: number][]}} ready  what ready-made set-ups look like
 * @property {{words: string[], told: string[]} | null} signs  what would be signed now, and what comes of it
 * @property {Shown} shown
 * @property {Trace[]} done  what they leave on the map
 * @property {{first: number, all: [words: string, name: string, side: string][], drawn: string}} faces
 * @property {string[]} [news]  what has happened, when the page comes to the question
 * @property {[entry: number, orders: string][]} backs  moves that may be taken back
 * @property {string} proposal
 * @property {string[]} notes  what is remarkable, and since when it waits
 * @property {{title: string, why: string, rematch: boolean} | null} ending  how it has ended for the player
 * @property {boolean} review  whether the computer may look the game over
 * @property {[act: Act, why: string][]} closed  what the player may not do now
 * @property {("draw" | "takeback" | "resign")[]} waits  what he has signed up for later, and may withdraw
 * @property {string[]} staff  which commanders of the side have signed what, and who has not
 * @property {string} [drafted]  what to do with the draft that a commander has just signed
 * @property {string[]} drafts  their orders that are not in the list yet, as typed
 * @property {{to: string, server: boolean, called: string, problem: string} | null} post  where to mail it
 * @property {string[]} undo  what he has signed that he may undo, and what he must be sure of; empty: nothing
 * @property {string[]} [undone]  what became of it all, when he has just undone something
 *
 * What would be signed.
 * @typedef {{digest: string, words: string[], told: string[], say: string[]}} Draft
 *
 * What any answer may be instead: a refusal, or a note that the game has gone on, with its current state.
 * @typedef {{refused?: Refusal, stale?: string}} Instead
 */

const server = (() => {
  const { byId } = board;

  /** Show an alarm, or clear it with an empty text. @param {string} words */
  function showAlarm(words) {
    byId("alarm").textContent = words;
    byId("alarm").hidden = !words;
  }

  /** The queue of what is to be done, one after the other, and its length. */
  let done = Promise.resolve();
  let waiting = 0;

  /** Run something that may fail, once all before it is done. @param {() => unknown} deed */
  function enqueue(deed) {
    waiting += 1;
    document.body.setAttribute("aria-busy", "true");
    done = done
      .then(deed)
      .catch((fault) => showAlarm(fault instanceof Error ? fault.message : String(fault)))
      .then(() => {
        waiting -= 1;
        if (waiting) return;
        document.body.removeAttribute("aria-busy");
        document.dispatchEvent(new Event("settled"));
      });
    return done;
  }

  return { ask: transport.ask, showAlarm, enqueue };
})();
