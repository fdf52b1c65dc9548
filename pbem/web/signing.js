"use strict";
/*
 * What leaves the player's hand: the words that he signs, which are shown first, the mail with them, and undo before it.
 */

/**
 * What the page that is played at gives for it: its orders, how it takes an answer, and the order that is being typed,
 * which goes into the list if it is legal.
 * @typedef {object} Playing
 * @property {() => {bound: string, lines: string[], faces: number}} wish
 * @property {(answer: Situation & Instead) => Promise<void>} settle
 * @property {() => Promise<boolean>} typed
 */

const signing = (() => {
  const { part } = board;
  const { lay, line, item } = dom;
  const { said } = texts;

  /** @type {Playing} */
  let table;
  /** What the window shows that asks for the signature. @type {{act: Act, entry: number}} */
  let toSign = { act: "orders", entry: 0 };
  /** The words and what comes of them, as they are shown: no other is signed. */
  let seen = "";
  /** The same of the orders, beside the map. */
  let beside = "";

  /** @param {Playing} given */
  function start(given) {
    table = given;
    part("finish").onclick = () => sign("orders", 0, beside);
    part("sign").onclick = () => sign(toSign.act, toSign.entry, seen);
    part("not-yet").onclick = () => part("confirm").close();
    part("confirm").onclose = () => part("speak-here").append(part("speak"));
    part("unsign").onclick = undo;
    part("by-program").onclick = () => mail("program");
    part("post").onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      mail(part("by-server").hidden ? "program" : "server");
    };
  }

  /** What would be signed, as it is shown. @param {{words: string[], told: string[]} | null} draft */
  function shown(draft) {
    return draft ? JSON.stringify([draft.words, draft.told]) : "";
  }

  /** Show what the orders are that would be signed, and what may leave or be undone. @param {Situation} now */
  function ready(now) {
    beside = shown(now.signs);
    const words = now.signs?.words ?? [];
    const same = words.length === now.lines.length && words.every((one, index) => one === now.lines[index]);
    lay(part("whole-words"), same ? [] : words.map(item));
    mailing(now);
    undoing(now);
  }

  /** Have the program say what would be signed; nothing where that is refused, or the game has gone on.
   *  @param {Act} act @param {number} entry @returns {Promise<Draft | undefined>} */
  async function draft(act, entry) {
    const wish = { ...table.wish(), act, entry, say: part("say").value };
    /** @type {Draft & Instead} */
    const found = await server.ask("confirm", wish);
    if (found.stale) {
      part("confirm").close();
      await table.settle(/** @type {any} */ (found));
      return undefined;
    }
    if (!found.refused) return found;
    if (!part("confirm").open) throw new Error(found.refused.error);
    part("cannot").textContent = found.refused.error;
    part("cannot").hidden = false;
    return undefined;
  }

  /** Show the words that would be signed. @param {Act} act @param {number} [entry] */
  function confirm(act, entry = 0) {
    return server.guarded(async () => {
      const found = await draft(act, entry);
      if (found) show(found, act, entry);
    });
  }

  /** @param {Draft} found @param {Act} act @param {number} entry */
  function show(found, act, entry) {
    part("cannot").hidden = true;
    lay(part("words"), found.words.map(item));
    lay(part("outcome"), found.told.map(item));
    toSign = { act, entry };
    seen = shown(found);
    part("sign").before(part("speak"));
    if (!part("confirm").open) part("confirm").showModal();
  }

  /** Sign what is shown; what would be signed otherwise is shown first. @param {Act} act @param {number} entry
   *  @param {string} before what the player has seen */
  function sign(act, entry, before) {
    const asked = table.wish().bound;
    return server.guarded(async () => {
      if (table.wish().bound !== asked) return; // the first of two clicks has signed
      if (act === "orders" && !(await table.typed())) return;
      const found = await draft(act, entry);
      if (!found) return;
      if (shown(found) !== before) {
        show(found, act, entry);
        return;
      }
      try {
        const { bound, faces } = table.wish();
        const answer = await server.ask("sign", { bound, faces, digest: found.digest });
        if (answer.refused) throw new Error(answer.refused.error);
        part("say").value = "";
        lay(part("undone"), []);
        await table.settle(answer);
      } finally {
        part("confirm").close();
      }
    });
  }

  // Mail

  /** What is signed is to go to the opponent. @param {Situation} now */
  function mailing({ post }) {
    part("post").hidden = !post;
    part("sent").textContent = "";
    if (!post) return;
    part("post-words").textContent = post.problem || said("This is for {name} now.", { name: post.called });
    part("to").value = post.to;
    part("by-server").hidden = !post.server;
  }

  /** @param {"server" | "program"} how */
  function mail(how) {
    return server.guarded(async () => {
      const answer = await server.ask("mail", { bound: table.wish().bound, how, to: part("to").value });
      if (answer.stale) location.reload();
      part("sent").textContent = answer.refused?.error ?? answer.sent ?? "";
      if (answer.sent) part("signed").hidden = true;
    });
  }

  // Undo

  /** What is signed may be undone. @param {Situation} now */
  function undoing({ undo: stake }) {
    part("signed").hidden = !stake.length;
    part("signed").open = false;
    lay(part("at-stake"), stake.map(line));
  }

  /** He is sure that nobody has got it. What became of it all stands there until something is signed. */
  function undo() {
    return server.guarded(async () => {
      const { bound, faces } = table.wish();
      const answer = await server.ask("undo", { bound, faces });
      if (answer.refused) throw new Error(answer.refused.error);
      await table.settle(answer);
      lay(part("undone"), (answer.undone ?? []).map(line));
    });
  }

  return { start, confirm, ready };
})();
