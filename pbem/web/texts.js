"use strict";
/*
 * Translates the scripts' messages into the language of the page. In the code a message is English, complete, with its
 * placeholders in braces; a table in the page's first script has the translations. That is a script and not data, so that
 * nobody can change what the scripts say without changing a script. pbem extracts the messages from the code and makes
 * the table: so the first argument of `tr` is a string literal, and so are the first two of `plural`.
 */

/** @typedef {{[place: string]: any}} Places  the values for the placeholders of a message */
/** @typedef {{name: string, the: string, of: string, to: string, many: boolean}} Side  the names of a side */

const texts = (() => {
  /**
   * The translation of each message; for one with a number its plural forms, after digits that say which is used for
   * 0, 1, 2 and so on, the last digit also for all higher numbers.
   * @type {{[english: string]: string | string[]}}
   */
  const table = /** @type {any} */ (globalThis).OWN.texts;

  /** The game's sides by their seats; under an empty name, a side that is not among them.
   *  @type {{[seat: string]: Side}} */
  const sides = readData("sides");

  /** @param {string} id */
  function readData(id) {
    try {
      return JSON.parse(document.getElementById(id)?.textContent ?? "{}");
    } catch {
      return {}; // not valid JSON: a side is then called by its key
    }
  }

  /** The places whose whole numbers are quantities, as in pbem/texts.py. */
  const QUANTITIES = new Set(["number", "bytes", "most"]);

  /** Writes quantities, as the program does. */
  const figures = new Intl.NumberFormat(document.documentElement.lang, { useGrouping: "always" });

  /** A message. Without `places`, its placeholders stay for `fillNodes`.
   *  @param {string} message @param {Places} [places] */
  function tr(message, places) {
    const found = table[message] ?? message;
    return fill(typeof found === "string" ? found : message, places);
  }

  /** A message with a number, for its placeholder `{number}`.
   *  @param {string} one @param {string} many
   *  @param {number} number @param {Places} [places] */
  function plural(one, many, number, places) {
    const found = table[one];
    const [which, ...forms] = Array.isArray(found) ? found : ["101", one, many];
    const at = number < 200 ? number : 100 + (number % 100); // in every language, the forms repeat from there on
    return fill(forms[Number(which[at] ?? which.at(-1))] ?? many, { ...places, number });
  }

  /** @param {string} text @param {Places} [places] */
  function fill(text, places) {
    if (!places) return text;
    return text.replace(/\{(\w+)(?::([^{}]*))?\}/g, (place, name, form) => {
      const found = places[name];
      if (Number.isInteger(found) && QUANTITIES.has(name)) return figures.format(found);
      return String((found?.the === undefined ? found : sideForm(found, form ?? "")) ?? place);
    });
  }

  /** A side in the form a message asks for, as in `pbem/core/sides.py`.
   *  @param {Side} side @param {string} form
   *  @returns {string | undefined} */
  function sideForm(side, form) {
    const [one, many] = form.split("|");
    if (many !== undefined) return side.many ? many : one;
    const found = side[/** @type {"the"} */ (form.toLowerCase() || "the")];
    return found && /^[A-Z]/.test(form) ? found[0].toUpperCase() + found.slice(1) : found;
  }

  /** The names of a seat's side; if the page does not have it, its key. @param {string} seat @returns {Side} */
  function side(seat) {
    if (Object.hasOwn(sides, seat)) return sides[seat];
    const form = /** @param {"name" | "the" | "of" | "to"} one */ (one) =>
      (sides[""]?.[one] ?? "{}").replace("{}", () => seat);
    return { name: form("name"), the: form("the"), of: form("of"), to: form("to"), many: false };
  }

  /** A message in parts, with elements for its placeholders.
   *  @param {string} text @param {Places} places
   *  @returns {(string | Node)[]} */
  function fillNodes(text, places) {
    return text.split(/\{(\w+)\}/).map((part, index) => (index % 2 ? (places[part] ?? `{${part}}`) : part));
  }

  return { tr, plural, fillNodes, side };
})();
