"use strict";
/*
 * The formulas of docs/FORMAT.md: canonical form, keys and signatures (section 2), links, beats and draws (section 5),
 * seals (section 8), parts of orders (section 11). SHA-256 and Ed25519 are the browser's. Nothing here knows a game, a
 * log or a page.
 */

/** @typedef {{[key: string]: any}} Mapping  data of a file, which is not trusted */

/** A check fails: the step of FORMAT section 9, and what was found and expected. */
class Fault extends Error {
  /** @param {number} step @param {string} problem */
  constructor(step, problem) {
    super(problem);
    this.step = step;
  }
}

/** @param {boolean} holds @param {number} step @param {string} problem @returns {asserts holds} */
function demand(holds, step, problem) {
  if (!holds) throw new Fault(step, problem);
}

const formulas = (() => {
  const { tr } = texts;
  // Bytes

  /** All parts joined; a text stands for its UTF-8. @param {(string | Uint8Array)[]} parts */
  function joinBytes(parts) {
    const pieces = parts.map((part) => (typeof part === "string" ? new TextEncoder().encode(part) : part));
    const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }

  /** H: the SHA-256 of all parts joined. @param {(string | Uint8Array)[]} parts */
  async function hash(...parts) {
    return new Uint8Array(await crypto.subtle.digest("SHA-256", joinBytes(parts)));
  }

  /** @param {Uint8Array} bytes */
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

  /** @param {string} text an even number of hexadecimal digits */
  const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

  /** The bytes of a text in canonical base64; null for any other text. @param {any} text */
  function unbase64(text) {
    try {
      const binary = atob(text);
      return btoa(binary) === text ? Uint8Array.from(binary, (letter) => letter.charCodeAt(0)) : null;
    } catch {
      return null;
    }
  }

  /** @param {Uint8Array} bytes read from the last to the first, as Ed25519 has its numbers */
  const number = (bytes) => BigInt("0x" + hex(bytes.slice().reverse()));

  // Section 2: canonical form, keys, signatures

  /**
   * C(value), RFC 8785: the form of JSON.stringify, except for the order of the keys.
   * @param {any} value @param {number} depth the deepest nesting of lists and mappings
   * @returns {string}
   */
  function canonical(value, depth = 16) {
    demand(depth >= 0, 1, tr("there are more than 16 levels, the most allowed"));
    if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth - 1)).join(",")}]`;
    if (typeof value === "object" && value !== null) {
      const keys = Object.keys(value).sort();
      demand(
        keys.every((key) => /^[\x00-\x7f]*$/.test(key)),
        1,
        tr("a key is not ASCII"),
      );
      const members = keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key], depth - 1)}`);
      return `{${members.join(",")}}`;
    }
    if (typeof value === "number")
      demand(Number.isSafeInteger(value), 1, tr("a number is not a whole number, or too large"));
    else if (typeof value === "string")
      demand(!/\p{Surrogate}/u.test(value), 1, tr("a text contains half a character"));
    else demand(value === null || typeof value === "boolean", 1, tr("a value is not plain data"));
    return JSON.stringify(value);
  }

  /** M(entry): the text that is signed, and hashed for the entry's id. @param {Mapping} entry */
  function message(entry) {
    const { sig, ...rest } = entry;
    return "pbem/1 entry\n" + canonical(rest);
  }

  const P = 2n ** 255n - 19n;
  const WIRE = joinBytes(["\0\0\0\x0bssh-ed25519\0\0\0\x20"]);
  const Y8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
  /** The y of the points of small order: with such a key, one signature fits every message. */
  const SMALL_ORDER = [0n, 1n, P - 1n, Y8, P - Y8];

  /** The 32 bytes of a key in OpenSSH form. @param {any} text */
  function publicKey(text) {
    const wire = unbase64(String(text).slice("ssh-ed25519 ".length));
    const good = String(text).startsWith("ssh-ed25519 ") && wire?.length === WIRE.length + 32;
    demand(
      good && wire.slice(0, WIRE.length).every((byte, i) => byte === WIRE[i]),
      4,
      tr("this is not an Ed25519 key"),
    );
    const raw = wire.slice(WIRE.length);
    const y = number(raw) & (2n ** 255n - 1n);
    demand(
      y < P && !SMALL_ORDER.includes(y),
      4,
      tr("the key is of small order, or out of range: it proves nothing"),
    );
    return raw;
  }

  /** `SHA256:…`, as `ssh-keygen -l` prints it. @param {Uint8Array} raw */
  async function fingerprint(raw) {
    const digest = await hash(WIRE, raw);
    return "SHA256:" + btoa(String.fromCharCode(...digest)).replace(/=+$/, "");
  }

  /**
   * Whether a signature was made with the key; WebCrypto promises RFC 8032, 5.1.7, with S < L.
   * @param {Uint8Array<ArrayBuffer>} raw @param {string} text @param {any} sig
   */
  async function isSigned(raw, text, sig) {
    const bytes = unbase64(sig);
    if (bytes?.length !== 64) return false;
    const key = await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
    return crypto.subtle.verify("Ed25519", key, bytes, joinBytes([text]));
  }

  /** Whether this browser has Ed25519, tested with the first example of RFC 8032, 7.1. */
  async function hasEd25519() {
    const raw = unhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    const sig = "5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc+bRr0lv18FlbviRlUUFDjnoQCw==";
    try {
      return (await isSigned(raw, "", sig)) && !(await isSigned(raw, " ", sig));
    } catch {
      return false;
    }
  }

  // Section 5: links, beats, draws

  /** x[i] from x[i + 1]. @param {string} game @param {string} seat @param {string} above */
  const link = async (game, seat, above) => hex(await hash(`pbem/1 link\n${game}\n${seat}\n`, unhex(above)));

  /** R[beat]. @param {string} game @param {number} beat @param {{secret: string}[]} secrets of the seats by their names */
  const seedOf = async (game, beat, secrets) =>
    hex(await hash(`pbem/1 beat\n${game}\n${beat}\n`, ...secrets.map(({ secret }) => unhex(secret))));

  /** D[beat][j]; j as 4 bytes. @param {string} seed @param {number} j */
  const drawOf = async (seed, j) =>
    hex(await hash("pbem/1 draw\n", unhex(seed + j.toString(16).padStart(8, "0"))));

  /** Section 8. @param {string} game @param {string} seat @param {string} salt @param {any} orders */
  const sealOf = async (game, seat, salt, orders) =>
    hex(await hash(`pbem/1 seal\n${game}\n${seat}\n`, unhex(salt), canonical(orders)));

  /** Section 11: the text that a commander signs.
   *  @param {{game: string, prev: string, seat: string, by: number, orders: any}} part */
  const partMessage = (part) => "pbem/1 part\n" + canonical(part);

  return {
    hash,
    hex,
    unhex,
    canonical,
    message,
    publicKey,
    fingerprint,
    isSigned,
    hasEd25519,
    link,
    seedOf,
    drawOf,
    sealOf,
    partMessage,
  };
})();
