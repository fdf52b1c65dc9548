"use strict";
/*
 * The positions of a game (docs/FORMAT.md, section 7). A page holds them as differences, and each entry that signs one
 * signs its digest: so every position that is computed here is the one that was signed, or its entry fails. Only the first,
 * and some to which orders that were taken back lead (section 12), are told. Whether one follows from another the rules know,
 * and they are not known here.
 */

/** @typedef {{state: State | null, entry: number | null}} Position  the position after an entry, null where there is
 *  none yet; `entry` is the one that has signed it, null where none has: then it is told */

/** @typedef {{opens: boolean, completes: boolean}} ShareUse  whether an entry's share opens a beat, and whether it completes one */

const positions = (() => {
  const { tr } = texts;
  const { hash, hex, canonical } = formulas;

  /** A value with a difference: `[value]` sets it, `[]` removes it, a mapping changes its members.
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
    /** @param {any[] | null} differences  one for each entry, or null if nobody has given any */
    constructor(differences) {
      this.differences = differences;
      /** @type {Position[]} */
      this.after = [];
      /** Where the rules asked for the orders of an entry; null where that follows from no signed position: they came with
       *  the share that completed a beat, and took the game on. @type {{[entry: number]: Position | null}} */
      this.asked = {};
      /** Whether the rules have asked a seat at all: only then there is a position. */
      this.begun = false;
    }

    /** The position after the newest entry. @returns {Position} */
    get now() {
      return this.after.at(-1) ?? { state: null, entry: null };
    }

    /** The position before what a granted proposal undoes; null where the page must tell it.
     *  @param {{takeback?: number, retract?: number}} granted @returns {Position | null} */
    before({ takeback, retract }) {
      if (takeback !== undefined) return this.after[takeback];
      return retract === undefined ? this.now : this.asked[retract];
    }

    /** The position after an entry is the one that it signs. @param {Mapping} raw @param {ShareUse} use
     *  @param {{takeback?: number, retract?: number} | null} granted  the proposal that it grants */
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
