"use strict";
/*
 * Reads a game file: the YAML subset of docs/FORMAT.md section 1, strictly, into plain data. In doubt it refuses, with
 * line and column: it would rather refuse a file that pbem reads than read a different value from it.
 */

const yaml = (() => {
  const { tr } = texts;
  const MOST_BYTES = 16 * 1024 * 1024;
  const MOST_LEVELS = 16;
  const NOT_LITERAL = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/;
  const INTEGER = /^(?:0|-?[1-9][0-9]{0,15})$/;
  /** Plain scalars that some YAML reader would not read as a string. */
  const DOUBTFUL =
    /^(?:|y|n|yes|no|on|off|true|false|null|~|=|<<|[-+]?\.?[0-9][0-9_.:]*(?:e[-+]?[0-9]+)?|[-+]?0[xob][0-9a-f_]+|[-+]?\.(?:inf|nan)|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*)$/i;
  /** @type {Record<string, string>} */ // prettier-ignore
  const ESCAPES = {
    0: "\0", a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r", e: "\x1b", " ": " ", '"': '"',
    "/": "/", "\\": "\\", N: "\x85", _: "\xa0", L: "\u2028", P: "\u2029",
  };
  /** @type {Record<string, number>} */
  const CODES = { x: 2, u: 4, U: 8 };

  /** The text of a file: strict UTF-8, lines without anything mail may have added at their ends.
   *  @param {Uint8Array} bytes */
  function decode(bytes) {
    demand(
      bytes.length <= MOST_BYTES,
      1,
      tr("{bytes} bytes are too many: at most {most}", { bytes: bytes.length, most: MOST_BYTES }),
    );
    let text = "";
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      demand(false, 1, tr("this is not UTF-8 text"));
    }
    const lines = trimLines(text.split("\n")).join("\n");
    const whole = lines.includes("\r") ? trimLines(lines.split(/[\r\n]/)).join("\n") : lines;
    return whole.replace(/^\ufeff/, "");
  }

  /** Lines without trailing spaces and carriage returns. @param {string[]} lines */
  function trimLines(lines) {
    return lines.map((line, index) => {
      let end = line.length;
      while (line[end - 1] === " " || (line[end - 1] === "\r" && index < lines.length - 1)) end -= 1;
      return line.slice(0, end);
    });
  }

  /** A position in a text, and the parser from there. */
  class Reader {
    /** @param {string} text */
    constructor(text) {
      this.text = text;
      this.at = 0;
      this.depth = 0;
      const found = NOT_LITERAL.exec(text);
      if (found) {
        this.at = found.index;
        this.refuse(tr("this character is allowed only as an escape"));
      }
    }

    /** @param {string} problem @returns {never} */
    refuse(problem) {
      const line = this.text.slice(0, this.at).split("\n").length;
      const column = this.column + 1;
      throw new Fault(1, tr("{problem}, at line {line}, column {column}", { problem, line, column }));
    }

    get column() {
      return this.at === 0 ? 0 : this.at - this.text.lastIndexOf("\n", this.at - 1) - 1;
    }

    peek() {
      return this.text[this.at] ?? "";
    }

    /** Whether the character `ahead` places from here is a space, a newline or the end. */
    blank(ahead = 1) {
      return " \n".includes(this.text[this.at + ahead] ?? "");
    }

    /** Skip spaces, comments and newlines. Returns whether a line ended. */
    skip() {
      let ended = this.at === 0;
      for (;;) {
        if (this.peek() === "\n") ended = true;
        else if (this.peek() === "#" && (this.at === 0 || " \n".includes(this.text[this.at - 1]))) {
          const end = this.text.indexOf("\n", this.at);
          this.at = end < 0 ? this.text.length : end;
          continue;
        } else if (this.peek() !== " ") break;
        this.at += 1;
      }
      this.checkMarker();
      return ended;
    }

    /** Refuse the markers of a further document. */
    checkMarker() {
      const marks = this.text.startsWith("---", this.at) || this.text.startsWith("...", this.at);
      if (marks && this.column === 0 && this.blank(3))
        this.refuse(tr("the marker '...' is not allowed here"));
    }

    /** The value of the only document. */
    document() {
      const marker = /^(?: *(?:#[^\n]*)?\n)*---(?=\n| +#)/.exec(this.text);
      if (marker) this.at = marker[0].length;
      this.skip();
      if (this.peek() === "%") this.refuse(tr("a directive (%) is not allowed"));
      const value = this.node(-1);
      this.skip();
      if (this.at < this.text.length) this.refuse(tr("a file holds one document, and a second begins here"));
      return value;
    }

    /** A value that begins here, at a column right of `parent`. @param {number} parent @returns {any} */
    node(parent) {
      const column = this.column;
      if (this.peek() === "-" && this.blank()) return this.inside(() => this.list(column));
      if ((this.peek() === "?" && this.blank()) || this.isKey())
        return this.inside(() => this.mapping(column));
      return this.inline(parent);
    }

    /** @param {() => any} read a list or mapping @returns {any} */
    inside(read) {
      this.depth += 1;
      if (this.depth > MOST_LEVELS)
        this.refuse(tr("there are more than {levels} levels, the most allowed", { levels: MOST_LEVELS }));
      const value = read();
      this.depth -= 1;
      return value;
    }

    /** Whether a key and its colon begin here. */
    isKey() {
      const start = this.at;
      const quote = this.peek() === '"' || this.peek() === "'";
      if (!quote && !this.beginsPlain(false)) return false;
      if (quote) this.quoted();
      else this.plainLine(false);
      const alone = !this.text.slice(start, this.at).includes("\n") && this.at - start <= 1000;
      while (this.peek() === " ") this.at += 1;
      const found = alone && this.peek() === ":" && this.blank();
      this.at = start;
      return found;
    }

    /** A list in block style. @param {number} column  that of its dashes */
    list(column) {
      const items = [];
      do {
        this.at += 1;
        this.skip();
        if (this.at === this.text.length || this.column <= column) this.refuse(tr("a value is missing"));
        items.push(this.node(column));
      } while (this.next(column) && this.peek() === "-" && this.blank());
      return items;
    }

    /** A mapping in block style. @param {number} column  that of its keys */
    mapping(column) {
      const values = Object.create(null);
      do {
        let key;
        if (this.peek() === "?" && this.blank()) {
          this.at += 1;
          if (this.skip() && this.column <= column) this.refuse(tr("a key is missing"));
          key = this.keyOf(() => this.inline(column));
          if (!this.next(column) || this.peek() !== ":" || !this.blank())
            this.refuse(tr("a colon is missing"));
        } else {
          if (!this.isKey()) this.refuse(tr("a key is missing"));
          key = this.keyOf(() => this.scalar(column, false, true));
          while (this.peek() === " ") this.at += 1;
        }
        if (key in values) this.refuse(tr("this key appears here a second time"));
        this.at += 1;
        values[key] = this.value(column);
      } while (this.next(column));
      return values;
    }

    /** @param {() => any} read @returns {string} */
    keyOf(read) {
      const key = read();
      if (typeof key !== "string" || !/^[\x00-\x7f]*$/.test(key)) this.refuse(tr("a key is not ASCII"));
      return key;
    }

    /** The value after a key's colon. @param {number} column of the key @returns {any} */
    value(column) {
      if (!this.skip()) return this.inline(column);
      const dash = this.peek() === "-" && this.blank();
      if (this.at < this.text.length && (this.column > column || (dash && this.column === column)))
        return this.node(column);
      return this.refuse(tr("a value is missing"));
    }

    /** Skip to the next line that is not a comment. Returns whether it begins at this column. @param {number} column */
    next(column) {
      this.skip();
      if (this.at === this.text.length) return false;
      const before = this.text.slice(this.at - this.column, this.at);
      if (/[^ ]/.test(before) || this.column > column)
        this.refuse(tr("something that is not allowed follows the value"));
      return this.column === column;
    }

    /** A scalar, or a list or mapping in brackets, with nothing after it on its line.
     *  @param {number} parent @returns {any} */
    inline(parent) {
      const value = this.peek() === "|" ? this.block(parent) : this.flow(parent, false);
      if (!/^(?: *| +#.*)$/.test(this.restOfLine()))
        this.refuse(tr("something that is not allowed follows the value"));
      return value;
    }

    /** A value that is allowed in brackets. @param {number} parent @param {boolean} inFlow @returns {any} */
    flow(parent, inFlow) {
      if (this.peek() === "[") return this.inside(() => this.flowList(parent));
      if (this.peek() === "{") return this.inside(() => this.flowMapping(parent));
      return this.scalar(parent, inFlow, false);
    }

    /** @param {number} parent */
    flowList(parent) {
      const items = [];
      for (let first = true; !this.closes("]", first); first = false) items.push(this.flow(parent, true));
      return items;
    }

    /** @param {number} parent */
    flowMapping(parent) {
      const values = Object.create(null);
      for (let first = true; !this.closes("}", first); first = false) {
        const start = this.at;
        const quote = this.peek() === '"' || this.peek() === "'";
        const key = this.keyOf(() => this.scalar(parent, true, true));
        if (this.text.slice(start, this.at).includes("\n")) this.refuse(tr("a key spans several lines"));
        while (this.peek() === " ") this.at += 1;
        if (this.peek() !== ":" || !(quote || this.blank())) this.refuse(tr("a value is missing"));
        if (key in values) this.refuse(tr("this key appears here a second time"));
        this.at += 1;
        this.skip();
        values[key] = this.flow(parent, true);
      }
      return values;
    }

    /** Skip the bracket or comma before the next member. Returns whether the brackets close.
     *  @param {string} bracket @param {boolean} first */
    closes(bracket, first) {
      if (!first) this.skip();
      if (!first && this.peek() !== bracket && this.peek() !== ",")
        this.refuse(tr("a comma or a {bracket} is missing", { bracket }));
      if (first || this.peek() === ",") {
        this.at += 1;
        this.skip();
      }
      if (this.peek() !== bracket) return false;
      this.at += 1;
      return true;
    }

    /** A string, or the value of a plain scalar.
     *  @param {number} parent @param {boolean} inFlow @param {boolean} isKey @returns {any} */
    scalar(parent, inFlow, isKey) {
      if (this.peek() === '"' || this.peek() === "'") return this.quoted();
      if (!this.beginsPlain(inFlow)) this.refuse(tr("this value is not allowed here"));
      const text = isKey ? this.plainLine(inFlow) : this.plain(parent, inFlow);
      if (isKey && text === "n") return text;
      if (text === "true" || text === "false") return text === "true";
      if (text === "null") return null;
      if (INTEGER.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
      if (DOUBTFUL.test(text)) this.refuse(tr("this text needs quotes"));
      return text;
    }

    /** Whether a plain scalar can begin here. @param {boolean} inFlow */
    beginsPlain(inFlow) {
      const first = this.peek();
      if (!/[-?:]/.test(first)) return first !== "" && !/[\s,[\]{}#&*!|>'"%@`]/.test(first);
      return !this.blank() && !(inFlow && (first === ":" || ",[]{}".includes(this.text[this.at + 1])));
    }

    /** A plain scalar, as far as it extends on this line. @param {boolean} inFlow */
    plainLine(inFlow) {
      const start = this.at;
      while (this.peek() !== "\n" && this.at < this.text.length) {
        if (this.peek() === ":" && this.blank()) break;
        if (this.peek() === "#" && this.text[this.at - 1] === " ") break;
        if (inFlow && ",[]{}".includes(this.peek())) break;
        const colon = this.peek() === ":" && ",[]{}".includes(this.text[this.at + 1]);
        if (inFlow && (colon || this.peek() === "?"))
          this.refuse(tr("this mark needs quotes inside brackets"));
        this.at += 1;
      }
      while (this.text[this.at - 1] === " " && this.at > start) this.at -= 1;
      return this.text.slice(start, this.at);
    }

    /** A plain scalar; its further lines are right of `parent`. @param {number} parent @param {boolean} inFlow */
    plain(parent, inFlow) {
      let text = this.plainLine(inFlow);
      for (;;) {
        const end = this.at;
        const lines = this.breaks();
        const ended = lines === 0 || this.peek() === "" || this.peek() === "#";
        if (ended || (inFlow ? /[,[\]{}:?]/.test(this.peek()) : this.column <= parent)) {
          this.at = end;
          return text;
        }
        text += (lines === 1 ? " " : "\n".repeat(lines - 1)) + this.plainLine(inFlow);
        if (/^ *:(?: |$)/.test(this.restOfLine()))
          this.refuse(tr("a text on several lines cannot be followed by a colon"));
      }
    }

    /** A string in single or double quotes. */
    quoted() {
      const quote = this.peek();
      let text = "";
      this.at += 1;
      while (this.peek() !== quote || (quote === "'" && this.text[this.at + 1] === "'")) {
        if (this.at >= this.text.length) this.refuse(tr("the closing quote is missing"));
        if (this.peek() === "\n") {
          const lines = this.breaks();
          text += lines === 1 ? " " : "\n".repeat(lines - 1);
        } else if (this.peek() === "\\" && quote === '"') {
          text += this.escaped();
        } else {
          if (this.peek() === "'" && quote === "'") this.at += 1;
          text += this.peek();
          this.at += 1;
        }
      }
      this.at += 1;
      return text;
    }

    /** Skip newlines, and the spaces at the beginnings of lines. Returns how many lines ended. */
    breaks() {
      let lines = 0;
      while (this.peek() === "\n") {
        lines += 1;
        this.at += 1;
        this.checkMarker();
        while (this.peek() === " ") this.at += 1;
      }
      return lines;
    }

    /** The character of an escape in double quotes. */
    escaped() {
      const letter = this.text[this.at + 1] ?? "";
      this.at += 1;
      if (letter === "\n") return "\n".repeat(this.breaks() - 1);
      this.at += 1;
      if (Object.hasOwn(ESCAPES, letter)) return ESCAPES[letter];
      const digits = this.text.slice(this.at, this.at + (CODES[letter] ?? 0));
      const code = parseInt(digits, 16);
      const good = digits.length === CODES[letter] && /^[0-9A-Fa-f]+$/.test(digits) && code <= 0x10ffff;
      if (!good) this.refuse(tr("there is no such escape"));
      if (code >= 0xd800 && code <= 0xdfff)
        this.refuse(tr("an escape stands for half a character (a surrogate)"));
      this.at += digits.length;
      return String.fromCodePoint(code);
    }

    /** A literal block, whose lines are right of `parent`. @param {number} parent */
    block(parent) {
      const header = /^\|(?:([1-9])([-+]?)|([-+])([1-9])?)?(?: +#.*| *)$/.exec(this.restOfLine());
      if (!header) this.refuse(tr("the first line of a block is missing"));
      const digit = header[1] ?? header[4];
      let width = digit ? Math.max(parent, 0) + Number(digit) : 0;
      const lines = [];
      this.at += header[0].length;
      while (this.peek() === "\n" && this.at + 1 < this.text.length) {
        this.at += 1;
        const line = this.restOfLine();
        const indent = line.search(/[^ ]/);
        if (line !== "" && !width) width = Math.max(indent, parent + 1, 1);
        if (line !== "" && indent < width) {
          this.at -= 1;
          break;
        }
        lines.push(line.slice(width));
        this.at += line.length;
      }
      const chomp = header[2] || header[3];
      if (lines.length && this.at < this.text.length) lines.push(""); // the last line has an end
      if (chomp === "+") return lines.join("\n");
      let end = lines.length;
      while (end && lines[end - 1] === "") end -= 1;
      return lines.slice(0, end).join("\n") + (chomp !== "-" && end && end < lines.length ? "\n" : "");
    }

    /** The rest of the line. */
    restOfLine() {
      const end = this.text.indexOf("\n", this.at);
      return this.text.slice(this.at, end < 0 ? this.text.length : end);
    }
  }

  /** The value in a file. Raises `Fault` of step 1. @param {Uint8Array} bytes */
  const read = (bytes) => new Reader(decode(bytes)).document();

  return { read };
})();
