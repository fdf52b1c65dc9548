"use strict";
/*
 * The positions of a game (docs/FORMAT.md, section 7). A page has them as differences, and each entry that signs one
 * signs its digest: so every position computed here is the signed one, or its entry fails. Only the first, and some
 * positions before orders that were taken back (section 12), are stated without a signature. Whether a position follows
 * from another is known only to the rules.
 */

/** @typedef {{state: State | null, entry: number | null}} Position  the position after an entry, null if there is
 *  none yet; `entry` is the one that signed it, null if none did: it is then only stated */

/** @typedef {{opens: boolean, completes: boolean}} ShareUse  whether an entry's share opens a beat, and whether it completes one */

const positions = (() => {
  const { tr } = texts;
  const { hash, hex, canonical } = formulas;

  /** Apply a difference to a value: `[value]` sets it, `[]` removes it, a mapping changes its members.
   *  @param {any} before @param {any} difference @returns {any} */
  function applyDifference(before, difference) {
    if (Array.isArray(difference)) return difference[0];
    const members = new Map(Object.entries(before));
    for (const [key, inner] of Object.entries(difference)) {
      if (Array.isArray(inner) && !inner.length) members.delete(key);
      else members.set(key, applyDifference(members.get(key), inner));
    }
    return Object.fromEntries(members);
  }

  class Positions {
    /** @param {any[] | null} differences  one for each entry, or null if there are none */
    constructor(differences) {
      this.differences = differences;
      /** @type {Position[]} */
      this.after = [];
      /** The position in which the rules asked for the orders of an entry; null if no signed position shows it, because
       *  they came with the share that completed a beat and continued the game.
       *  @type {{[entry: number]: Position | null}} */
      this.asked = {};
      /** Whether the rules have asked a seat at all: before that there is no position. */
      this.begun = false;
    }

    /** The position after the newest entry. @returns {Position} */
    get now() {
      return this.after.at(-1) ?? { state: null, entry: null };
    }

    /** The position before what a granted proposal undoes; null if the page must state it.
     *  @param {{takeback?: number, retract?: number}} granted @returns {Position | null} */
    before({ takeback, retract }) {
      if (takeback !== undefined) return this.after[takeback];
      return retract === undefined ? this.now : this.asked[retract];
    }

    /** Check that the position after an entry is the one it signs.
     *  @param {Mapping} raw @param {ShareUse} use
     *  @param {{takeback?: number, retract?: number} | null} granted  the proposal it grants */
    async take({ n, kind, position, orders, share }, { opens, completes }, granted) {
      this.begun ||= orders !== undefined || completes;
      const due = kind === "play" || (kind === "accept" && (orders ?? share) !== undefined);
      demand(
        position === undefined || (due && this.begun),
        8,
        tr("there is a position here, where none is allowed"),
      );
      demand(position !== undefined || !due || !this.begun, 8, tr("the position is missing"));
      if (!this.differences) return;
      const back = granted ? this.before(granted) : this.now;
      const { state, entry } = back ?? { ...this.now, entry: null };
      const difference = this.differences[n];
      const told = n === 0 || position !== undefined || back === null;
      demand(told || difference === null, 8, tr("the page has a position here that nobody has signed"));
      demand(back !== null || difference !== null, 8, tr("the position is missing"));
      /** @type {Position} */
      const next = { state, entry };
      if (told && difference !== null) next.state = applyDifference(state ?? {}, difference);
      if (position !== undefined) {
        const found = hex(await hash("pbem/1 position\n", canonical(next.state)));
        demand(found === position, 8, tr("the page's position is not the one signed here"));
        next.entry = n;
      }
      demand(
        !opens || completes || canonical(next.state) === canonical(state),
        8,
        tr("the position signed here is not the one before this draw"),
      );
      if (orders !== undefined) this.asked[n] = !completes ? this.now : opens ? next : null;
      if (back === null) this.asked[granted?.retract ?? n] = next;
      this.after.push(next);
    }
  }

  return { Positions };
})();
