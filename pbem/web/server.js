"use strict";
/*
 * The board's requests to pbem, one after the other, and the alarm if one fails.
 */

/**
 * Why orders are refused, a hint, and the rule, by its number and in full.
 * @typedef {{error: string, hint: string, number: string, rule: string, line?: string}} Refusal
 *
 * A possible order: as typed, with the player's units in it, the hexes it names directly or by a counter, whether
 * it names counters that are not the player's, and its chance if known.
 * @typedef {[words: string, by: string[], at: number[], attack: boolean, chance: string]} Option
 *
 * What a click can mean: orders, which go to the index `at` among these `lines` if they replace others; the whole list
 * for several units at once, or the hexes each of them can go to; or the reason why there is nothing.
 * @typedef {object} Meant
 * @property {Option[]} options
 * @property {{lines: string[], at: number}} [instead]
 * @property {string[]} [lines]
 * @property {number[]} [hexes]
 * @property {Trace[]} [ahead] what the only order in a hex would draw on the map, if requested
 * @property {Refusal} [refused]
 *
 * The kinds of entry the player can write.
 * @typedef {"orders" | "share" | "draw" | "takeback" | "yes" | "no" | "resign"} Act
 *
 * The state of the game with the orders so far, and the possible further orders.
 * @typedef {object} Situation
 * @property {string} bound  the question the page shows
 * @property {string} seat  whose orders are due; empty if none are
 * @property {Act[]} acts  the actions possible now
 * @property {string[]} lines  the orders, as typed
 * @property {{says: string, due: string[]}} task  what to do now, and what must still be ordered
 * @property {boolean} whole  whether they answer the question
 * @property {string[]} told  the effects of the orders
 * @property {string[]} able  the units that can still get orders
 * @property {Option[]} free  the orders that name none of the player's units
 * @property {string[][]} ordered  the units of each order so far
 * @property {[title: string, names: string[]][]} placing  the counters to set up now, by nationality
 * @property {{[orders: string]: [hex: number, face: number][]}} ready  what ready-made set-ups look like
 * @property {{words: string[], told: string[]} | null} signs  what would be signed now, and its effects
 * @property {Shown} shown
 * @property {Trace[]} done  the traces of the orders on the map
 * @property {{first: number, all: [words: string, name: string, side: string][], drawn: string}} faces
 * @property {string[]} [news]  the events before the question, when it is new
 * @property {[entry: number, orders: string][]} backs  moves that can be taken back
 * @property {string} proposal
 * @property {string[]} notes  remarks, and how long the question has been pending
 * @property {{title: string, why: string, rematch: boolean} | null} ending  how the game has ended for the player
 * @property {boolean} review  whether the computer may review the game
 * @property {[act: Act, why: string][]} closed  the impossible actions
 * @property {("draw" | "takeback" | "resign")[]} waits  the deferred actions
 * @property {string[]} staff  what the side's commanders have signed, and who has not
 * @property {string} [drafted]  what to do with the draft that a commander has just signed
 * @property {string[]} drafts  their orders that are not in the list yet, as typed
 * @property {{to: string, server: boolean, called: string, problem: string} | null} post  where to mail it
 * @property {string[]} undo  the entries to undo, and what the player must be sure of; empty: none
 * @property {string[]} [undone]  the consequences of an undo, just after it
 *
 * What would be signed.
 * @typedef {{digest: string, words: string[], told: string[], say: string[]}} Draft
 *
 * What any answer can be instead: a refusal, or a note that the game has continued, with its present state.
 * @typedef {{refused?: Refusal, stale?: string}} Instead
 */

const server = (() => {
  const { byId } = board;

  /** Show an alarm, or clear it with an empty text. @param {string} words */
  function showAlarm(words) {
    byId("alarm").textContent = words;
    byId("alarm").hidden = !words;
  }

  /** Settles when all queued work is done. */
  let done = Promise.resolve();
  let waiting = 0;

  /** Run something that might fail, after all earlier work. @param {() => unknown} deed */
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
