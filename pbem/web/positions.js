"use strict";
/*
 * The positions of a game (docs/FORMAT.md, section 7). A page holds them as differences, and each entry that signs one
 * signs its digest: so every position that is computed here is the one that was signed, or its entry fails. Whether one
 * follows from another the rules know, and they are not known here.
 */

/** @typedef {{state: State | null, entry: number | null}} Position  the position after an entry, null where there is
 *  none yet; `entry` is the one that has signed it, null where none has: then it is told */

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
    }

    /** The position after the newest entry. @returns {Position} */
    get now() {
      return this.after.at(-1) ?? { state: null, entry: null };
    }

    /** The position after an entry is the one that it signs. @param {Mapping} entry
     *  @param {number | undefined} back  the entry that it takes the game back to */
    async take({ n, kind, position, orders, share }, back) {
      if (!this.differences) return;
      const { state, entry } = back === undefined ? this.now : this.after[back];
      const due = kind === "play" || (kind === "accept" && (orders ?? share) !== undefined);
      demand(position === undefined || due, 8, tr("a position stands here, and none may"));
      demand(position !== undefined || !due || state === null, 8, tr("the position is missing"));
      const difference = this.differences[n];
      const told = n === 0 || position !== undefined;
      demand(told || difference === null, 8, tr("the page has a position here that nobody signed"));
      const next = { state, entry };
      if (told && difference !== null) next.state = applyDifference(state ?? {}, difference);
      if (position !== undefined) {
        const found = hex(await hash("pbem/1 position\n", canonical(next.state)));
        demand(found === position, 8, tr("the page's position is not the one signed here"));
        next.entry = n;
      }
      this.after.push(next);
    }
  }

  return { Positions };
})();
