"use strict";
/*
 * The proof: what anyone can check in a game's log without knowing the rules of the game.
 *
 * It takes the log as plain data, knows the valid form of an entry (entries.js), computes with the formulas (formulas.js)
 * and nothing else, and displays nothing. docs/FORMAT.md defines what must hold, and sections named here are its
 * sections. It checks
 *
 *   the canonical form, ids and links of all entries        (sections 2 and 4)
 *   both keys, and every signature                          (sections 2 and 4)
 *   the parts of orders signed by commanders                (section 11, by commanders.js)
 *   every share, hashed down to its writer's anchor         (sections 5 and 6)
 *   every beat's seed and every draw from it                (section 5)
 *   every position, if the page has them                    (section 7, by positions.js)
 *   the possible outcomes of each draw, in shipped games    (section 5, by game-facts.js)
 *   every seal that has been opened                         (section 8)
 *   whose turn it was to write, as far as shares, proposals and the end of the game show   (sections 6 and 12)
 *
 * It does not know the rules. So it checks no order, and not that a position follows from the one before. For a game that
 * does not ship, it trusts the possible outcomes that the page's program put beside the log.
 */

/** @typedef {{rule: string, outcomes: any[], outcome: any}} Drawn  the possible outcomes, and the one drawn */
/** @typedef {{entry: number, beat: number, draws: Drawn[]}} Told  the draws of one beat */
/** @typedef {{head: string, beats: Told[], positions: any[]}} Beside  a page's data beside its log: where it
 *  ends, the draws of each beat, and how each position differs from the one before */
/** @typedef {{seat: string, secret: string, entry: number, above: string}} Secret
 *  `above` is the secret one link above, if the entry shows that; otherwise empty */
/** @typedef {Drawn & {digest: string, number: number}} Draw */
/** @typedef {{entry: number, beat: number, secrets: Secret[], seed: string, draws: Draw[] | null}} Beat
 *  a completed beat; `draws` is null if their possible outcomes are unknown */
/** @typedef {{seat: string, name: string, fingerprint: string, anchor: string}} Player */
/** @typedef {{entry: number, seat: string, seal: string, salt: string, orders: string}} OpenedSeal */
/** @typedef {{
 *   state: "holds" | "fails" | "unchecked", failed: number | null, step: number | null, problem: string,
 *   signatures: boolean, game: string, rules: string, ids: string[], players: Player[], beats: Beat[], seals: OpenedSeal[],
 *   commanders: Commander[], parts: Part[], positions: Position[], known: GameFacts | null, titles: string[][],
 *   hands: HandFound[]
 * }} Proven  `failed` is the first entry that fails and `step` the step of FORMAT section 9;
 *  `titles` are those of the boxes beside the map after each entry, if the positions have them (map-check.js);
 *  without `signatures` the browser has no Ed25519, and a log that would hold is `unchecked` */

const proof = (() => {
  const { tr, side } = texts;
  const { hash, hex, unhex, canonical, message, publicKey, fingerprint, isSigned, hasEd25519 } = formulas;
  const { link, seedOf, drawOf, sealOf } = formulas;
  const { checkForm, checkLink, needs, hex32 } = entries;

  /** Sections 5 and 6: the secrets that shares have revealed of both seats' chains. */
  class Chains {
    /** @param {string} game @param {number} limit
     *  @param {string | null} first  the only seat that may open beat 1 (section 12, `bound`); null: either seat */
    constructor(game, limit, first) {
      this.game = game;
      this.limit = limit;
      this.first = first;
      this.newest = 0;
      /** The seat that opened the newest beat, until the other seat completes it. @type {string | null} */
      this.opener = null;
      /** The newest known secret of each seat. @type {Record<string, {beat: number, secret: string, entry: number}>} */
      this.known = Object.create(null);
    }

    /** Whether an entry's share can open a beat, and whether it can complete one.
     *  @param {Mapping} entry @returns {ShareUse} */
    shareUse({ by, beat, share, kind, orders }) {
      const may =
        this.first !== null && beat === 1 ? by === this.first : orders !== undefined || kind === "accept";
      return {
        opens: may && beat === this.newest + 1,
        completes: this.opener !== null && share !== undefined,
      };
    }

    /** Take a share: hash it down to the newest known secret of its seat. Returns the beat it completes, or null.
     *  @param {Mapping} entry @returns {Promise<Beat | null>} */
    async take(entry) {
      const { by, beat, share, n } = entry;
      const { opens } = this.shareUse(entry);
      const due = opens || (this.opener !== null && beat === this.newest);
      demand(due && beat <= this.limit, 6, tr("a share of beat {beat} does not belong here", { beat }));
      const { beat: last, secret } = this.known[by];
      const downwards = [share]; // x[beat], x[beat - 1] and so on
      while (downwards.length <= beat - last)
        downwards.push(await link(this.game, by, downwards[downwards.length - 1]));
      demand(
        downwards[beat - last] === secret,
        6,
        last
          ? tr("the share of beat {beat} does not hash down to that of beat {last}", { beat, last })
          : tr("the share of beat {beat} does not hash down to the anchor", { beat }),
      );
      let completed = null;
      if (this.opener !== null) {
        const own = { seat: by, secret: downwards[beat - this.newest], entry: n, above: opens ? share : "" };
        const first = this.known[this.opener];
        const secrets = [own, { seat: this.opener, secret: first.secret, entry: first.entry, above: "" }];
        secrets.sort((one, other) => (one.seat < other.seat ? -1 : 1));
        completed = {
          entry: n,
          beat: this.newest,
          secrets,
          seed: await seedOf(this.game, this.newest, secrets),
          draws: null,
        };
      }
      this.known[by] = { beat, secret: share, entry: n };
      [this.newest, this.opener] = [beat, opens ? by : null];
      return completed;
    }
  }

  /** Recompute the draws of a beat: of k outcomes, number D mod k is drawn. @param {Beat} beat @param {Told} told */
  async function redraw(beat, told) {
    demand(
      told?.entry === beat.entry && told.beat === beat.beat,
      6,
      tr("beat {beat} has no draws", { beat: beat.beat }),
    );
    const draws = [];
    for (const [j, { rule, outcomes, outcome }] of told.draws.entries()) {
      const digest = await drawOf(beat.seed, j);
      const number = Number(BigInt("0x" + digest) % BigInt(outcomes.length));
      demand(
        canonical(outcomes[number]) === canonical(outcome),
        6,
        tr("draw {draw} of beat {beat} gives outcome number {number}, not the one stated", {
          draw: j,
          beat: beat.beat,
          number,
        }),
      );
      draws.push({ rule, outcomes, outcome, digest, number });
    }
    return draws;
  }

  /** Sections 6 and 12, as far as they can be checked without the rules: who may write what now. That beat 1 is due shows
   *  only when its share arrives. */
  class Turns {
    constructor() {
      /** @type {{by: string, takeback?: number, retract?: number} | null} */
      this.proposal = null;
      /** The seat that must write next, if an answer determines it. @type {string | null} */
      this.writer = null;
      /** The previous entry. @type {Mapping} */
      this.last = {};
      this.barred = "";
      this.over = false;
      /** The unopened seals, by seat. @type {Record<string, string[]>} */
      this.sealed = Object.create(null);
      /** The unopened seals after each entry, or null if a take-back may not return to it.
       *  @type {(Record<string, string[]> | null)[]} */
      this.marks = [];
      /** The unopened seals before the orders of each entry, or null if it has none.
       *  @type {(Record<string, string[]> | null)[]} */
      this.questions = [];
      /** The writer of each entry. @type {string[]} */
      this.writers = [];
    }

    /** @param {Mapping} entry @param {Chains} chains  as they are before it */
    check({ by, kind, beat, share, orders, what }, chains) {
      demand(!this.over, 10, tr("an entry follows the end of the game"));
      const waits = this.proposal !== null || chains.opener !== null;
      demand(
        by !== (this.proposal?.by ?? chains.opener) && by === (this.writer ?? by),
        6,
        tr("this entry is from {side}, but it is the other side's turn", { side: side(by) }),
      );
      if (kind === "play") {
        demand(this.proposal === null, 6, tr("this is a play, but the proposal must be answered first"));
        demand(
          share !== undefined || chains.opener === null,
          6,
          tr("the share of beat {beat} is missing", { beat: chains.newest }),
        );
        demand(share !== undefined || orders !== undefined, 2, tr("a play needs orders or a share"));
        demand(
          orders !== undefined || chains.opener !== null || this.isBeatDue(by, chains),
          6,
          tr("a share of beat {beat} does not belong here", { beat }),
        );
      } else if (kind === "propose") {
        demand(!waits && by !== this.barred, 6, tr("nothing may be proposed here"));
        const { takeback, retract, draw } = what;
        demand(
          takeback === undefined || (takeback > 0 && !!this.marks[takeback]),
          6,
          tr("a take-back to entry {entry} is not allowed", { entry: takeback }),
        );
        demand(
          retract === undefined || !!this.questions[retract],
          6,
          tr("entry {entry} has no orders to take back", { entry: retract }),
        );
        demand(
          draw || 2 * (chains.limit - chains.newest) >= chains.limit,
          6,
          tr("too few beats are left for a take-back"),
        );
      } else if (kind === "answer") {
        demand(this.proposal !== null, 6, tr("this is an answer, but nothing was proposed"));
      }
      this.questions.push(orders === undefined ? null : { ...this.sealed });
    }

    /** Section 12, `bound`: whether the offering seat may have to open beat 1, without orders: only just after the other
     *  seat's accept or orders.
     *  @param {string} by @param {Chains} chains */
    isBeatDue(by, chains) {
      const { by: other, kind, orders } = this.last;
      return by === chains.first && by !== other && (kind === "accept" || orders !== undefined);
    }

    /** The proposal that an entry grants, if it does. @param {Mapping} entry */
    grantedProposal({ kind, accept }) {
      return kind === "answer" && accept ? this.proposal : null;
    }

    /** @param {Mapping} entry a valid one @param {Chains} chains as they are after it */
    take(entry, chains) {
      const { by, kind, orders, what, accept } = entry;
      if (kind === "resign") this.over = true;
      if (kind === "play" && this.barred === by) this.barred = "";
      if (kind === "play" && chains.opener === by && orders === undefined)
        this.marks[this.marks.length - 1] = null;
      this.writer = null;
      if (kind === "answer" && this.proposal) this.settle(this.proposal, accept);
      this.proposal = kind === "propose" ? { ...what, by } : null;
      this.last = entry;
      this.writers.push(by);
      const rests = !this.proposal && chains.opener === null && !this.over;
      this.marks.push(rests ? { ...this.sealed } : null);
    }

    /** Carry out the answer to a proposal.
     *  @param {{by: string, takeback?: number, retract?: number}} proposal @param {boolean} accept */
    settle({ by, takeback, retract }, accept) {
      if (!accept) this.barred = this.writer = by;
      else if (takeback !== undefined) {
        this.sealed = { ...this.marks[takeback] };
        this.writer = this.writers[takeback + 1];
      } else if (retract !== undefined) {
        this.sealed = { ...this.questions[retract] };
        this.writer = this.writers[retract];
      } else this.over = true;
    }
  }

  /** A check in progress: everything that has held so far. */
  class Check {
    /** @param {any[]} log @param {Beside | null} beside @param {boolean} signatures */
    constructor(log, beside, signatures) {
      this.log = log;
      this.beside = beside;
      this.known = gameFacts.game(log?.[0]);
      this.positions = new positions.Positions(beside && beside.positions);
      this.signatures = signatures;
      this.chains = new Chains("", 0, null);
      this.table = new Turns();
      /** @type {Record<string, Uint8Array<ArrayBuffer>>} */
      this.keys = Object.create(null);
      /** @type {string[]} */
      this.ids = [];
      /** @type {Player[]} */
      this.players = [];
      /** @type {Beat[]} */
      this.beats = [];
      /** @type {OpenedSeal[]} */
      this.seals = [];
      this.staff = new commanders.CommanderCheck();
    }

    /** Check everything that can be checked of one entry; raises `Fault`. @param {any} entry @param {number} n */
    async checkEntry(entry, n) {
      checkForm(entry, this.log[0]);
      const signedText = message(entry);
      checkLink(entry, n, this.ids[n - 1]);
      if (n < 2) await this.takeSeat(entry);
      demand(entry.by in this.keys, 4, tr("'{seat}' is not one of the two seats", { seat: entry.by }));
      const good = !this.signatures || (await isSigned(this.keys[entry.by], signedText, entry.sig));
      demand(good, 5, tr("the signature was not made with the key of {side}", { side: side(entry.by) }));
      if (entry.parts) await this.staff.check(entry, this.log, this.ids, this.signatures);
      this.ids.push(hex(await hash(signedText)));
      this.table.check(entry, this.chains);
      const before = this.positions.now.state;
      const use = this.chains.shareUse(entry);
      const beat = entry.share === undefined ? null : await this.chains.take(entry);
      await this.positions.take(entry, use, this.table.grantedProposal(entry));
      if (beat) await this.checkDraws(beat, before);
      this.checkRetraction(entry);
      if (entry.orders?.length === 1) await this.checkSeal(entry);
      this.table.take(entry, this.chains);
    }

    /** Section 4: take a seat. @param {Mapping} entry */
    async takeSeat(entry) {
      const { n, by, seat, game, beats, to, scenario } = entry;
      const offer = this.log[0];
      if (n === 0) {
        this.chains = new Chains(game, beats, needs(entry, "bound") ? by : null);
        if (to !== undefined) publicKey(to);
        const { data, sha256 } = scenario;
        demand(
          data === undefined || hex(await hash(canonical(data))) === sha256,
          2,
          tr("the scenario does not match its digest"),
        );
      } else {
        demand(by !== offer.by, 4, tr("the seat of {side} is not free", { side: side(by) }));
        for (const what of ["nonce", "anchor"])
          demand(seat[what] !== offer.seat[what], 4, tr("both seats have the same {what}", { what }));
        demand((offer.to ?? seat.key) === seat.key, 4, tr("the offer was made to another key"));
      }
      this.keys[by] = publicKey(seat.key);
      this.chains.known[by] = { beat: 0, secret: seat.anchor, entry: n };
      const print = await fingerprint(this.keys[by]);
      await this.staff.addSeat(entry);
      this.players.push({ seat: by, name: seat.name, fingerprint: print, anchor: seat.anchor });
    }

    /** Section 5: recompute the draws of a beat.
     *  @param {Beat} beat @param {State | null} before the position before
     *  the entry that completes it */
    async checkDraws(beat, before) {
      if (this.beside) {
        beat.draws = await redraw(beat, this.beside.beats[this.beats.length]);
        const after = this.positions.now.state;
        if (this.known) {
          demand(
            before !== null && after !== null,
            8,
            tr("the page lacks a position before or after these draws"),
          );
          this.known.lists(before, after, beat.draws);
        }
      }
      this.beats.push(beat);
    }

    /** Section 12: the draws before the orders taken back lead to the position the page states.
     *  @param {Mapping} entry a valid one */
    checkRetraction(entry) {
      const named = this.table.grantedProposal(entry)?.retract;
      const beat = this.beats.find((one) => one.entry === named);
      const { state, entry: signed } = this.positions.now;
      if (!beat?.draws || !this.known || !state || signed !== null) return;
      const { state: before } = this.positions.after[beat.entry - 1];
      if (before) this.known.lists(before, state, beat.draws);
    }

    /** Section 8: orders that are sealed, or opened. @param {Mapping} entry */
    async checkSeal({ n, by, orders: [order] }) {
      if (hex32(order.seal)) hands.checkFresh(this.log[0].rules, order.seal, this.table.sealed);
      if (hex32(order.seal)) this.table.sealed[by] = [...(this.table.sealed[by] ?? []), order.seal];
      const { salt, orders } = order.open ?? {};
      if (!hex32(salt) || !Array.isArray(orders)) return;
      const found = await sealOf(this.chains.game, by, salt, orders);
      const closed = this.table.sealed[by] ?? [];
      demand(closed.includes(found), 9, tr("salt and orders do not match the seal"));
      this.seals.push({ entry: n, seat: by, seal: found, salt, orders: canonical(orders) });
      this.table.sealed[by] = closed.filter((seal) => seal !== found);
    }

    /** Check that the log is as long as the page says, so that nothing was cut off. */
    checkComplete() {
      const { ids, beats } = this;
      const { length } = this.log;
      const told = this.beside ?? { head: ids.at(-1), beats, positions: { length } };
      demand(
        told.head === ids.at(-1) && told.beats.length === beats.length && told.positions.length === length,
        3,
        tr("the log ends here, but it was longer when the page was written"),
      );
    }
  }

  /** The result before anything has been checked. @type {Proven} */
  const NOTHING = {
    state: "unchecked",
    failed: null,
    step: null,
    problem: "",
    signatures: false,
    game: "",
    rules: "",
    ids: [],
    players: [],
    beats: [],
    seals: [],
    commanders: [],
    parts: [],
    positions: [],
    known: null,
    titles: [],
    hands: [],
  };

  /**
   * Check a log, entry by entry, up to the first that fails.
   * @param {any} log the entries as plain data @param {Beside | null} beside  the data beside it in a page
   * @returns {Promise<Proven>}
   */
  async function check(log, beside = null) {
    if (!globalThis.crypto?.subtle)
      return { ...NOTHING, problem: tr("this browser does not allow a page like this to use SHA-256") };
    const signatures = await hasEd25519();
    const done = new Check(log, beside, signatures);
    /** @type {Pick<Proven, "state" | "failed" | "step" | "problem">} */
    let found = { state: signatures ? "holds" : "unchecked", failed: null, step: null, problem: "" };
    /** @type {HandFound[]} */
    let opened = [];
    let n = 0;
    try {
      demand(Array.isArray(log) && log.length > 0, 2, tr("there is no log"));
      for (; n < log.length; n += 1) await done.checkEntry(log[n], n);
      await done.checkComplete();
      opened = hands.find(log[0].rules, done.positions.after, done.seals);
    } catch (fault) {
      const { step, message: problem } =
        fault instanceof Fault ? fault : new Fault(2, tr("the log does not have the right form"));
      found = { state: "fails", failed: n, step, problem };
    }
    const { ids, players, beats, seals, chains, staff } = done;
    const shared = { commanders: staff.all, parts: staff.parts };
    const rules = ids.length ? log[0].rules : "";
    const shown = {
      positions: done.positions.after.slice(0, n),
      known: done.known,
      titles: [],
      hands: opened,
    };
    return {
      ...found,
      signatures,
      game: chains.game,
      rules,
      ids,
      players,
      beats,
      seals,
      ...shared,
      ...shown,
    };
  }

  return { check, NOTHING };
})();
