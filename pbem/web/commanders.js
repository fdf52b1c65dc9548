"use strict";
/*
 * Commanders, and the parts of orders they have signed (docs/FORMAT.md, section 11): that each key is their own (step 4),
 * that each part is signed by its commander (step 5), and that it is among the orders of its entry (step 7). Only the
 * rules know which units they command.
 */

/** @typedef {{seat: string, by: number, name: string, of: string[], raw: Uint8Array<ArrayBuffer>, fingerprint: string}} Commander */
/** @typedef {{entry: number, commander: Commander, orders: any[], message: string, sig: string}} Part */

const commanders = (() => {
  const { tr, side } = texts;
  class CommanderCheck {
    constructor() {
      /** @type {Commander[]} */
      this.all = [];
      /** The keys of the seats. @type {Set<string>} */
      this.seats = new Set();
      /** @type {Part[]} */
      this.parts = [];
    }

    /** Step 4: no commander has a seat's key or another commander's, and no group of a seat has two commanders.
     *  @param {Mapping} entry */
    async addSeat({ by: seat, seat: { key, commanders = [] } }) {
      const lead = formulas.hex(formulas.publicKey(key));
      demand(!this.has(lead), 4, tr("a seat needs a key of its own, not a commander's"));
      this.seats.add(lead);
      const groups = new Set();
      for (const [by, { name, key, of }] of commanders.entries()) {
        const raw = formulas.publicKey(key);
        const own = formulas.hex(raw);
        demand(
          !this.seats.has(own) && !this.has(own),
          4,
          tr("commander {commander} has a key that is already used", { commander: by }),
        );
        for (const group of of) {
          demand(
            !groups.has(group),
            4,
            tr("{group} is given twice, the second time to commander {commander}", {
              group,
              commander: by,
            }),
          );
          groups.add(group);
        }
        this.all.push({ seat, by, name, of, raw, fingerprint: await formulas.fingerprint(raw) });
      }
    }

    /** Whether a key is a commander's. @param {string} key */
    has(key) {
      return this.all.some(({ raw }) => formulas.hex(raw) === key);
    }

    /** Steps 5 and 7 for the parts of an entry.
     *  @param {Mapping} entry @param {any[]} log @param {string[]} ids
     *  @param {boolean} signatures whether they can be checked */
    async check({ n, by: seat, orders, parts }, log, ids, signatures) {
      const prev = await this.prevOf(log, n);
      for (const { by, orders: given, sig } of parts) {
        const commander = this.all.find((one) => one.seat === seat && one.by === by);
        demand(
          commander !== undefined,
          5,
          tr("a part is by commander {commander}, but {side} {side:has|have} no such commander", {
            commander: by,
            side: side(seat),
          }),
        );
        const message = formulas.partMessage({ game: ids[0], prev: prev ?? "", seat, by, orders: given });
        const good = !signatures || (await formulas.isSigned(commander.raw, message, sig));
        demand(
          prev !== null && good,
          5,
          tr("the part by commander {commander} is not signed with that commander's key", { commander: by }),
        );
        const [{ seal, open } = /** @type {any} */ ({})] = orders.length === 1 ? orders : [];
        demand(seal === undefined, 7, tr("parts of sealed orders belong only where the orders are opened"));
        const stands = standsIn(given, open ? open.orders : orders);
        demand(
          stands,
          7,
          tr("the orders in the part by commander {commander} are not among the entry's own", {
            commander: by,
          }),
        );
        this.parts.push({ entry: n, commander, orders: given, message, sig });
      }
    }

    /** The id that parts are signed after: the previous entry's or, if a seal is opened, that of the entry before it was
     *  made; null if nothing sealed is opened.
     *  @param {any[]} log @param {number} n @returns {Promise<string | null>} */
    async prevOf(log, n) {
      const { by, prev, orders } = log[n];
      const open = orders.length === 1 ? orders[0].open : undefined;
      if (!entries.hex32(open?.salt) || !entries.orders(open.orders)) return prev;
      const seal = await formulas.sealOf(log[0].game, by, open.salt, open.orders);
      const made = log.slice(0, n).reverse();
      return made.find((one) => one.by === by && one.orders?.[0]?.seal === seal)?.prev ?? null;
    }
  }

  /** Whether each order of a part is in a list, in the same sequence. @param {any[]} part @param {any[]} whole */
  function standsIn(part, whole) {
    let at = 0;
    return part.every((order) => {
      while (at < whole.length && !isIn(order, whole[at])) at += 1;
      at += 1;
      return at <= whole.length;
    });
  }

  /** Whether an order equals another, or some members of one whose only key holds a mapping, like `place`.
   *  @param {Mapping} order @param {Mapping} other */
  function isIn(order, other) {
    const { canonical } = formulas;
    if (canonical(order) === canonical(other)) return true;
    const [[verb, some] = ["", null], ...more] = Object.entries(order);
    const all = Object.keys(other).length === 1 && !more.length ? other[verb] : null;
    if (!entries.mapping(some) || !entries.mapping(all)) return false;
    const members = Object.entries(some);
    return (
      members.length > 0 &&
      members.every(([key, value]) => Object.hasOwn(all, key) && canonical(value) === canonical(all[key]))
    );
  }

  return { CommanderCheck };
})();
