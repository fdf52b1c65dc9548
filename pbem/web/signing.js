"use strict";
/*
 * Signing: the words to sign are shown first, then the mail with them, and before that undo.
 */

/**
 * What the board provides: its orders, how it takes an answer, and the order being typed,
 * which goes into the list if it is legal.
 * @typedef {object} SigningContext
 * @property {() => {bound: string, lines: string[], faces: number}} request
 * @property {(answer: Situation & Instead) => Promise<void>} settle
 * @property {() => Promise<boolean>} addTyped
 */

const signing = (() => {
  const { byId } = board;
  const { setContent, paragraph, listItem, copyText } = dom;
  const { tr } = texts;

  /** @type {SigningContext} */
  let table;
  /** The action in the dialog that asks for a signature. @type {{act: Act, entry: number}} */
  let toSign = { act: "orders", entry: 0 };
  /** Whether the player has confirmed once that they resign. */
  let resigns = false;
  /** The words and effects as shown: nothing else is signed. */
  let seen = "";
  /** The same for the orders beside the map. */
  let beside = "";

  /** @param {SigningContext} given */
  function start(given) {
    table = given;
    byId("finish").onclick = () => sign("orders", 0, beside);
    byId("sign").onclick = () => {
      if (toSign.act === "resign" && !resigns) askAgain();
      else sign(toSign.act, toSign.entry, seen);
    };
    byId("not-yet").onclick = () => byId("confirm").close();
    byId("confirm").onclose = () => byId("speak-here").append(byId("speak"));
    byId("unsign").onclick = undo;
    byId("by-program").onclick = () => mail("program");
    byId("copy-letter").onclick = copyLetter;
    byId("save-file").onclick = saveFile;
    byId("post").onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      mail(byId("by-server").hidden ? "program" : "server");
    };
  }

  /** What would be signed, as shown. @param {{words: string[], told: string[]} | null} draft */
  function asShown(draft) {
    return draft ? JSON.stringify([draft.words, draft.told]) : "";
  }

  /** Show the orders that would be signed, and what can be sent or undone. @param {Situation} now */
  function refresh(now) {
    beside = asShown(now.signs);
    const words = now.signs?.words ?? [];
    const same = words.length === now.lines.length && words.every((one, index) => one === now.lines[index]);
    setContent(byId("whole-words"), words.map(listItem));
    byId("in-full").hidden = same || !words.length;
    showMailing(now);
    showUndo(now);
  }

  /** Request what would be signed; undefined if that is refused, or if the game has continued.
   *  @param {Act} act @param {number} entry @returns {Promise<Draft | undefined>} */
  async function fetchDraft(act, entry) {
    const wish = { ...table.request(), act, entry, say: byId("say").value };
    /** @type {Draft & Instead} */
    const found = await server.ask("confirm", wish);
    if (found.stale) {
      byId("confirm").close();
      await table.settle(/** @type {any} */ (found));
      return undefined;
    }
    if (!found.refused) return found;
    if (!byId("confirm").open) throw new Error(found.refused.error);
    byId("cannot").textContent = found.refused.error;
    byId("cannot").hidden = false;
    return undefined;
  }

  /** Show the words that would be signed. @param {Act} act @param {number} [entry] */
  function confirm(act, entry = 0) {
    return server.enqueue(async () => {
      const found = await fetchDraft(act, entry);
      if (found) show(found, act, entry);
    });
  }

  /** @param {Draft} found @param {Act} act @param {number} entry */
  function show(found, act, entry) {
    byId("cannot").hidden = true;
    setContent(byId("words"), found.words.map(listItem));
    setContent(byId("outcome"), found.told.map(listItem));
    toSign = { act, entry };
    resigns = false;
    byId("sign").textContent = act === "resign" ? tr("Resign") : tr("Sign and save");
    byId("sign").classList.toggle("danger", act === "resign");
    seen = asShown(found);
    byId("sign").before(byId("speak"));
    if (!byId("confirm").open) byId("confirm").showModal();
  }

  /** Sign what is shown; if it has changed, show it first.
   *  @param {Act} act @param {number} entry
   *  @param {string} before what the player has seen */
  function sign(act, entry, before) {
    const asked = table.request().bound;
    return server.enqueue(async () => {
      if (table.request().bound !== asked) return; // the first of two clicks has signed
      if (act === "orders" && !(await table.addTyped())) return;
      const found = await fetchDraft(act, entry);
      if (!found) return;
      if (asShown(found) !== before) {
        show(found, act, entry);
        return;
      }
      try {
        const { bound, faces } = table.request();
        const answer = await server.ask("sign", { bound, faces, digest: found.digest });
        if (answer.refused) throw new Error(answer.refused.error);
        byId("say").value = "";
        setContent(byId("undone"), []);
        await table.settle(answer);
      } finally {
        byId("confirm").close();
      }
    });
  }

  /** Withdraw a deferred action. @param {"draw" | "takeback" | "resign"} what */
  function withdraw(what) {
    return server.enqueue(async () => {
      const { bound, faces } = table.request();
      const answer = await server.ask("withdraw", { bound, faces, what });
      if (answer.refused) throw new Error(answer.refused.error);
      await table.settle(answer);
    });
  }

  /** Resigning is confirmed twice. */
  function askAgain() {
    resigns = true;
    byId("sign").textContent = tr("Yes: I resign");
  }

  // Mail

  /** Save the file as a browser does, and say where else it is. */
  function saveFile() {
    return server.enqueue(async () => {
      transport.save(await server.ask("file"));
      await fetchLetter();
    });
  }

  /** The letter for the file, having said where the file is. @returns {Promise<string>} */
  async function fetchLetter() {
    const { letter, place, refused } = await server.ask("departure");
    if (refused) throw new Error(refused.error);
    byId("file-place").hidden = transport.inBrowser;
    byId("file-place").textContent = tr("On this computer it is in {file}.", { file: place });
    return letter;
  }

  /** Copy the letter for the file. */
  function copyLetter() {
    return server.enqueue(async () => {
      const field = showLetter(await fetchLetter());
      if (!(await copyText(field))) return;
      field.hidden = true;
      byId("sent").textContent = tr("The letter has been copied: paste it into your mail.");
    });
  }

  /** Show a letter that the browser may not let pbem copy. @param {string} letter */
  function showLetter(letter) {
    const field = byId("letter");
    field.value = letter;
    field.hidden = false;
    field.select();
    byId("sent").textContent = tr("The browser does not let pbem copy. Copy the letter above by hand.");
    return field;
  }

  /** Show how to send what was signed to the opponent. @param {Situation} now */
  function showMailing({ post }) {
    byId("post").hidden = !post;
    byId("letter").hidden = true;
    byId("sent").textContent = "";
    if (!post) return;
    byId("post-words").textContent = post.problem || tr("Send this to {name} now.", { name: post.called });
    byId("to").value = post.to;
    byId("by-server").hidden = !post.server;
  }

  /** @param {"server" | "program"} how */
  function mail(how) {
    return server.enqueue(async () => {
      const answer = await server.ask("mail", { bound: table.request().bound, how, to: byId("to").value });
      if (answer.stale) transport.reload();
      byId("sent").textContent = answer.refused?.error ?? answer.sent ?? "";
      if (answer.copied === false) showLetter(answer.mail.text);
      if (answer.sent) byId("signed").hidden = true;
    });
  }

  // Undo

  /** Show what can be undone. @param {Situation} now */
  function showUndo({ undo: stake }) {
    byId("signed").hidden = !stake.length;
    byId("signed").open = false;
    setContent(byId("at-stake"), stake.map(paragraph));
  }

  /** Undo: the player is sure that nobody has received it. The consequences are shown until something is signed. */
  function undo() {
    return server.enqueue(async () => {
      const { bound, faces } = table.request();
      const answer = await server.ask("undo", { bound, faces });
      if (answer.refused) throw new Error(answer.refused.error);
      await table.settle(answer);
      setContent(byId("undone"), (answer.undone ?? []).map(paragraph));
    });
  }

  return { start, confirm, refresh, withdraw };
})();
