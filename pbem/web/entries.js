"use strict";
/*
 * The form of a log's entries, as far as the proof needs it (docs/FORMAT.md, sections 4 and 11 to 13): their keys and
 * values, number and link. The meaning of the values is not known here.
 */

const entries = (() => {
  const { tr } = texts;
  /** @param {RegExp} pattern @returns {(value: any) => boolean} */
  const like = (pattern) => (value) => typeof value === "string" && pattern.test(value);
  /** @param {any} value */
  const text = (value) => typeof value === "string";
  /** @param {any} value */
  const count = (value) => Number.isSafeInteger(value) && value >= 0;
  /** Section 12: step 6 checks which entry it may name. @param {any} value */
  const proposal = (value) =>
    only(value, "draw")
      ? value.draw === true
      : only(value, "takeback")
        ? Number.isSafeInteger(value.takeback)
        : only(value, "retract") && Number.isSafeInteger(value.retract);
  /** @param {any} value */
  const mapping = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const hex32 = like(/^[0-9a-f]{64}$/);
  const printable = /^[^\p{Cc}\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/u;
  /** Printable text of at most this many code points. @param {any} value @param {number} most */
  const line = (value, most) => text(value) && printable.test(value) && [...value].length <= most;
  /** Whether a mapping has exactly these keys. @param {any} value @param {string} keys */
  const only = (value, keys) => mapping(value) && Object.keys(value).sort().join() === keys;
  /** Section 11. @param {any} value */
  const commander = (value) =>
    only(value, "key,name,of") &&
    line(value.name, 64) &&
    text(value.key) &&
    Array.isArray(value.of) &&
    value.of.length > 0 &&
    value.of.every(text);
  /** Section 11: one to three. @param {any} value */
  const commanders = (value) =>
    Array.isArray(value) && value.length > 0 && value.length <= 3 && value.every(commander);
  /** @param {any} value */
  const orders = (value) => Array.isArray(value) && value.every(mapping);
  /** @param {any} value */
  const part = (value) =>
    only(value, "by,orders,sig") && count(value.by) && orders(value.orders) && text(value.sig);
  /** Section 11: at most one by each commander. @param {any} value */
  const parts = (value) =>
    Array.isArray(value) && value.every(part) && new Set(value.map(({ by }) => by)).size === value.length;
  /** @param {any} value */
  const seat = (value) =>
    mapping(value) &&
    line(value.name, 64) &&
    line(value.mail ?? "-", 254) &&
    hex32(value.nonce) &&
    hex32(value.anchor) &&
    (value.commanders === undefined || commanders(value.commanders));

  /** The valid values of each key. @type {Record<string, (value: any) => boolean>} */ // prettier-ignore
  const FORM = {
    n: count, by: like(/^[a-z][a-z0-9_]{0,15}$/), kind: text, prev: hex32, sig: text, at: text, x: mapping,
    game: like(/^[0-9a-f]{32}$/), rules: text, options: mapping, scenario: mapping, beats: count, seat, to: text,
    say: (value) => text(value) && new TextEncoder().encode(value).length <= 1000,
    orders,
    beat: (value) => count(value) && value > 0, share: hex32, position: hex32,
    what: proposal,
    accept: (value) => typeof value === "boolean",
    needs: Array.isArray, parts,
  };
  const ALWAYS = ["n", "by", "kind", "sig"];
  const SOMETIMES = ["prev", "at", "say", "x"];

  /** The keys required in each kind of entry, and those allowed. @type {Record<string, [string[], string[]]>} */
  const KINDS = {
    offer: [
      ["game", "rules", "options", "scenario", "beats", "seat"],
      ["to", "needs"],
    ],
    accept: [["seat"], ["orders", "beat", "share", "position"]],
    play: [[], ["orders", "beat", "share", "position"]],
    propose: [["what"], ["needs"]],
    answer: [["accept"], []],
    resign: [[], []],
  };

  /** The extensions of sections 11 to 13. */
  const EXTENSIONS = ["bound", "commanders", "results", "retract"];

  /** Whether an offer names an extension. @param {any} offer @param {string} extension */
  const needs = (offer, extension) =>
    offer?.kind === "offer" && Array.isArray(offer.needs) && offer.needs.includes(extension);

  /** Section 4: each extension is known, and named once, in the offer. @param {Mapping} entry */
  function checkNeeds({ kind, needs: names = [] }) {
    demand(
      !Array.isArray(names) || names.every((name) => EXTENSIONS.includes(name)),
      2,
      tr("this file needs an extension unknown to this page"),
    );
    demand(
      names.length === 0 || (kind === "offer" && new Set(names).size === names.length),
      2,
      tr("an extension may be named only once, in the offer"),
    );
  }

  /** Section 4, and sections 11 and 12 if the offer names them. @param {any} entry @param {any} offer */
  function checkForm(entry, offer) {
    demand(mapping(entry), 2, tr("this is not a mapping"));
    checkNeeds(entry);
    const shared = needs(offer, "commanders");
    demand(text(entry.kind) && Object.hasOwn(KINDS, entry.kind), 2, tr("there is no entry of this kind"));
    const [must, own] = KINDS[entry.kind];
    const may = shared && own.includes("orders") ? [...own, "parts"] : own;
    for (const key of [...ALWAYS, ...must])
      demand(Object.hasOwn(entry, key), 2, tr("{key} is missing", { key }));
    for (const key of Object.keys(entry)) {
      const known = [...ALWAYS, ...SOMETIMES, ...must, ...may].includes(key);
      demand(known, 2, tr("this kind of entry has no key {key}", { key: JSON.stringify(key) }));
      demand(FORM[key](entry[key]), 2, tr("this {key} is not allowed here", { key }));
    }
    demand(
      shared || entry.seat?.commanders === undefined,
      2,
      tr("there are commanders, but the offer does not allow them"),
    );
    demand(
      needs(offer, "retract") || !("retract" in (entry.what ?? {})),
      2,
      tr("the offer does not allow a take-back of orders only"),
    );
    demand(
      !needs(offer, "results") || entry.what?.draw !== true,
      6,
      tr("a draw cannot be proposed: the rules settle the result"),
    );
    demand(!("parts" in entry) || "orders" in entry, 2, tr("parts need orders beside them"));
    demand("beat" in entry === "share" in entry, 2, tr("beat and share appear together or not at all"));
  }

  /** Section 4: number, link, and one offer and one accept.
   *  @param {Mapping} entry @param {number} n @param {string} prev */
  function checkLink(entry, n, prev) {
    demand(entry.n === n, 3, tr("n must be {expected}, not {found}", { found: entry.n, expected: n }));
    demand(
      n === 0 ? !("prev" in entry) : entry.prev === prev,
      3,
      tr("prev is not the id of the previous entry"),
    );
    demand((entry.kind === "offer") === (n === 0), 3, tr("the first entry must be the offer, and no other"));
    demand(
      (entry.kind === "accept") === (n === 1),
      3,
      tr("the second entry must be the accept, and no other"),
    );
  }

  return { checkForm, checkLink, needs, mapping, hex32, orders };
})();
