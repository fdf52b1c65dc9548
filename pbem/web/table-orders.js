"use strict";
/*
 * Orders by clicks on the table of a game without a map: a click opens a form with the blanks of an item's orders, and
 * the words of the order go into the list as if typed. No rules are known here.
 */

/**
 * The list of orders, and the function that judges it.
 * @typedef {{lines: () => string[], judge: (lines: string[]) => Promise<boolean>}} TableOrdersContext
 */

const tableOrders = (() => {
  const { byId } = board;
  const { tr } = texts;
  const { setContent, paragraph, button } = dom;

  /** @type {TableOrdersContext} */
  let table;
  /** The field of each blank in the open form, by its label. @type {Map<string, any>} */
  const fields = new Map();

  /** @param {TableOrdersContext} given */
  function start(given) {
    table = given;
    cardTable.start({ pick: open, set: setTrack });
    byId("order-cancel").onclick = () => byId("order-form").close();
    byId("order-form").querySelector("form").onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      byId("order-buttons").querySelector("button").click();
    };
  }

  /** Give the only order of a clicked item, if it has no blanks; otherwise open a form.
   *  @param {string} title
   *  @param {OrderForm[]} forms */
  function open(title, forms) {
    const [only, ...others] = forms;
    if (!others.length && only.parts.every((part) => typeof part === "string")) return give(only);
    fields.clear();
    setContent(byId("order-head"), [title]);
    setContent(byId("order-blanks"), blanksOf(forms).map(blankElement));
    setContent(
      byId("order-notes"),
      [...new Set(forms.map(({ note }) => note))].filter(Boolean).map(paragraph),
    );
    setContent(
      byId("order-buttons"),
      forms.map((form) => button(form.label, () => give(form))),
    );
    byId("order-refused").hidden = true;
    return byId("order-form").showModal();
  }

  /** The blanks of several forms; of those with the same label, one. @param {OrderForm[]} forms */
  function blanksOf(forms) {
    const all = forms.flatMap(({ parts }) =>
      parts.flatMap((part) => (typeof part === "string" ? [] : [part])),
    );
    return [...new Map(all.map((blank) => [blank.label, blank])).values()];
  }

  /** A blank with its label. @param {Blank} blank */
  function blankElement(blank) {
    const field = fieldOf(blank);
    fields.set(blank.label, field);
    const made = document.createElement("label");
    made.append(`${blank.label} `, field);
    return made;
  }

  /** @param {Blank} blank */
  function fieldOf({ kind, most, choices }) {
    if (kind === "choice") {
      const made = document.createElement("select");
      made.append(...choices.map(([words, label]) => new Option(label, words)));
      return made;
    }
    if (kind === "texts") return Object.assign(document.createElement("textarea"), { rows: 3 });
    const made = Object.assign(document.createElement("input"), { autocomplete: "off" });
    if (kind === "number") Object.assign(made, { type: "number", value: "1", min: "1", max: String(most) });
    if (kind === "file") Object.assign(made, { type: "file", onchange: () => nameFile(made) });
    return made;
  }

  /** A chosen file gives its name to the first empty text. @param {HTMLInputElement} field */
  function nameFile(field) {
    const text = [...fields.values()].find(({ type, value }) => type === "text" && !value);
    if (text && field.files?.length) text.value = field.files[0].name;
  }

  /** Add an order to the list; the form stays open if it is refused. @param {OrderForm} form */
  function give({ parts }) {
    return server.enqueue(async () => {
      const empty = parts.find(
        (part) => typeof part !== "string" && part.needed && !fields.get(part.label).value.trim(),
      );
      if (empty && typeof empty !== "string")
        return refuse(tr("Still to fill in: {what}", { what: empty.label }));
      const words = await Promise.all(parts.map(partWords));
      if (await table.judge([...table.lines(), words.filter(Boolean).join(" ")]))
        return byId("order-form").close();
      return refuse(byId("refused").textContent);
    });
  }

  /** @param {string} words */
  function refuse(words) {
    byId("order-refused").textContent = words;
    byId("order-refused").hidden = false;
  }

  /** A part of an order as typed; an empty blank has no words. @param {string | Blank} part */
  async function partWords(part) {
    if (typeof part === "string") return part;
    const field = fields.get(part.label);
    const filled = part.kind === "file" ? await digest(field.files[0]) : field.value.trim();
    if (!filled) return "";
    const lines =
      part.kind === "texts" ? filled.split("\n").filter((/** @type {string} */ one) => one.trim()) : [filled];
    const words = part.kind.startsWith("text") ? lines.map(quote).join(" ") : filled;
    return [part.before, words].filter(Boolean).join(" ");
  }

  /** A text in quotation marks; those inside it are replaced. @param {string} text */
  function quote(text) {
    return `"${text.trim().replace(/["\u201c-\u201f\u00ab\u00bb\uff02]/g, "'")}"`;
  }

  /** The SHA-256 of a file in hex, empty without one. @param {File | undefined} file */
  async function digest(file) {
    if (!file) return "";
    if (!globalThis.crypto?.subtle)
      throw new Error(tr("this browser does not allow a page like this to use SHA-256"));
    const found = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
    return [...new Uint8Array(found)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /** Set a track to another value with a single order, whatever it was set to before.
   *  @param {TrackValue} track @param {number} value */
  function setTrack({ words, was }, value) {
    return server.enqueue(() => {
      const others = table.lines().filter((line) => !line.startsWith(`${words} `));
      return table.judge(value === was ? others : [...others, `${words} ${value}`]);
    });
  }

  return { start };
})();
