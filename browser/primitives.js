/*
 * The arithmetic of `pbem/format/noble_primitives.py`, using @noble's packages, which were audited, and bcrypt-pbkdf.
 * Everything is synchronous: Python cannot wait for a promise.
 */
import { ctr } from "@noble/ciphers/aes.js";
import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import { ed25519 } from "@noble/curves/ed25519.js";
import { sha512 } from "@noble/hashes/sha2.js";
import bcrypt from "bcrypt-pbkdf";

const { Point } = ed25519;
const GROUP_ORDER = Point.Fn.ORDER;

/** @param {Uint8Array} bytes the lowest byte first */
const asNumber = (bytes) => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

const WINDOW = 4; // bits: the table of a point's multiples takes 4 ms, and saves 0.7 ms with each of its signatures
const MOST_POINTS = 16;
/** The points of the keys used last: a game is signed with the same two throughout. @type {Map<string, any>} */
const points = new Map();

/** The point of a public key; undefined if it is not one. @param {Uint8Array} key */
function pointOf(key) {
  const name = key.join();
  if (!points.has(name)) {
    try {
      const point = Point.fromBytes(key);
      if (points.size === MOST_POINTS) points.clear();
      points.set(name, point.precompute(WINDOW, false));
    } catch {
      return undefined;
    }
  }
  return points.get(name);
}

/**
 * RFC 8032, 5.1.7, without cofactor: R is S·B - k·A, as bytes. @noble's own `verify` multiplies by the cofactor, and
 * accepts signatures that others refuse. Python has already checked that S < L, and refused certain keys.
 * @noble's own `verify` multiplies by the cofactor, and
 * takes signatures that others refuse. S < L, and which keys are refused, Python has seen to.
 * @param {Uint8Array} key @param {Uint8Array} message @param {Uint8Array} signature
 */
function verify(key, message, signature) {
  const R = signature.subarray(0, 32);
  const A = pointOf(key);
  if (!A) return false;
  const hashed = new Uint8Array(64 + message.length);
  hashed.set(R);
  hashed.set(key, 32);
  hashed.set(message, 64);
  const k = asNumber(sha512(hashed)) % GROUP_ORDER;
  const S = asNumber(signature.subarray(32));
  const found = Point.BASE.multiplyUnsafe(S).subtract(A.multiplyUnsafe(k)).toBytes();
  return found.every((byte, n) => byte === R[n]);
}

export const primitives = {
  publicKey: (seed) => ed25519.getPublicKey(seed),
  sign: (seed, message) => ed25519.sign(message, seed),
  verify,
  encrypt: (key, nonce, content, also) => chacha20poly1305(key, nonce, also).encrypt(content),
  /** AES-256-CTR with a key that bcrypt derives from a passphrase, as in OpenSSH key files */
  keyCipher(passphrase, salt, rounds, data) {
    const derived = new Uint8Array(48); // a key of 32 bytes, and the initial counter
    if (bcrypt.pbkdf(passphrase, passphrase.length, salt, salt.length, derived, 48, rounds))
      throw new Error("bcrypt");
    return ctr(derived.subarray(0, 32), derived.subarray(32)).encrypt(data);
  },
  /** undefined if the box does not open */
  decrypt(key, nonce, data, also) {
    try {
      return chacha20poly1305(key, nonce, also).decrypt(data);
    } catch {
      return undefined;
    }
  },
};
