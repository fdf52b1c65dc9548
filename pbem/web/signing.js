"use strict";
/*
 * What leaves the player's hand: the words that he signs, which are shown first, the mail with them, and undo before it.
 */

/**
 * What the page that is played at gives for it: its orders, and how it takes an answer.
 * @typedef {object} Playing
 * @property {() => {bound: string, lines: string[], faces: number}} wish
 * @property {(answer: Situation & Instead) => Promise<void>} settle
 */

const signing = (() => {
  const { part } = board;
  const { said } = texts;
  const { lay, line, item } = parts;

  /** @type {Playing} */
  let table;
  /** What the window shows that asks for the signature. @type {{act: Act, entry: number, digest: string}} */
  let toSign = { act: "orders", entry: 0, digest: "" };

  /** @param {Playing} given */
  function start(given) {
    table = given;
    part("finish").onclick = () => confirm("orders");
    part("sign").onclick = sign;
    part("not-yet").onclick = () => part("confirm").close();
    part("say").onchange = () => confirm(toSign.act, toSign.entry);
    part("unsign").onclick = undo;
    part("by-program").onclick = () => mail("program");
    part("post").onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      mail(part("by-server").hidden ? "program" : "server");
    };
  }

  /** Show the words that would be signed. @param {Act} act @param {number} [entry] */
  function confirm(act, entry = 0) {
    return desk.guarded(async () => {
      part("sign").disabled = true;
      const wish = { ...table.wish(), act, entry, say: part("say").value };
      /** @type {Draft & Instead} */
      const draft = await desk.ask("confirm", wish);
      if (draft.stale) {
        part("confirm").close();
        table.settle(/** @type {any} */ (draft));
        return;
      }
      part("cannot").textContent = draft.refused?.error ?? "";
      part("cannot").hidden = !draft.refused;
      if (!draft.refused) {
        lay(part("words"), draft.words.map(item));
        lay(part("outcome"), draft.told.map(item));
        lay(part("said"), draft.say.map(line));
        toSign = { act, entry, digest: draft.digest };
        part("sign").disabled = false;
      }
      if (!part("confirm").open) part("confirm").showModal();
    });
  }

  /** Sign what is shown. */
  function sign() {
    return desk.guarded(async () => {
      part("sign").disabled = true;
      try {
        const { bound, faces } = table.wish();
        const answer = await desk.ask("sign", { bound, faces, digest: toSign.digest });
        if (answer.refused) throw new Error(answer.refused.error);
        part("say").value = "";
        lay(part("undone"), []);
        table.settle(answer);
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
    return desk.guarded(async () => {
      const answer = await desk.ask("mail", { bound: table.wish().bound, how, to: part("to").value });
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
    return desk.guarded(async () => {
      const { bound, faces } = table.wish();
      const answer = await desk.ask("undo", { bound, faces });
      if (answer.refused) throw new Error(answer.refused.error);
      await table.settle(answer);
      lay(part("undone"), (answer.undone ?? []).map(line));
    });
  }

  return { start, confirm, mailing, undoing };
})();
