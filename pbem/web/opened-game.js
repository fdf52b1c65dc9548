"use strict";
/*
 * A game opened from a file, by dropping or by pasting: what it is, its ten checks, and what to do with it.
 */

/**
 * @typedef {object} OpenedGame
 * @property {string} game
 * @property {string} title
 * @property {string[]} lines
 * @property {string[]} says
 * @property {string} state
 * @property {{words: string, holds: boolean}[]} checks
 * @property {string[]} failure
 * @property {string[]} notes
 * @property {string} scenario
 * @property {"join" | "play" | "look" | "nothing"} role
 * @property {string} page
 * @property {string} picture
 */

const openedGame = (() => {
  const { byId, setContent, listItem } = dom;
  const { tr } = texts;
  const { act, ask, onSubmit, open } = lobbyDialogs;
  const { upload } = JSON.parse(byId("limits").textContent);

  /** @type {OpenedGame} */
  let shown;
  /** The player's name, if there is one. */
  let name = "";

  /** Open a file that was dropped, picked or pasted. @param {Blob} given @param {string} called */
  function read(given, called) {
    return act(async () => {
      if (given.size > upload)
        throw new Error(
          tr("This file is too large to be a game: it has more than {most} MB.", { most: upload >> 20 }),
        );
      show(await ask("open", { name: called, data: await dom.toBase64(given) }));
    });
  }

  /** Open the offer in an invitation. @param {{name: string, data: string}} file */
  function showBrought({ name: called, data }) {
    return act(async () => show(await ask("open", { name: called, data })));
  }

  /** Open a stored game. @param {string} game */
  function showKnown(game) {
    return act(async () => show(await ask("show", { game })));
  }

  /** @param {OpenedGame} given */
  function show(given) {
    shown = given;
    const holds = given.checks.every((check) => check.holds);
    byId("opened-title").textContent = given.title;
    byId("opened-verdict").textContent = holds
      ? tr("Everything passes: all ten checks.")
      : tr("This game does not pass: check {number} fails.", { number: given.checks.length });
    byId("opened-verdict").className = `verdict ${holds ? "holds" : "fails"}`;
    setContent(byId("opened-lines"), [...given.lines, ...given.failure].map(listItem));
    byId("opened-says").textContent = given.says.join("\n");
    byId("opened-says").hidden = !given.says.length;
    byId("opened-state").textContent = given.state;
    byId("opened-map").hidden = !given.picture;
    byId("opened-map").src = given.picture ? `data:image/svg+xml;base64,${given.picture}` : "";
    setContent(byId("opened-notes"), given.notes.map(listItem));
    setContent(byId("opened-checks").querySelector("ol"), given.checks.map(checkItem));
    byId("opened-checks").open = !holds;
    byId("opened-look").hidden = !given.page;
    byId("opened-look").href = given.page;
    showJoining(given);
    offerToPlay(given, []);
    open("opened");
    byId("opened-look").classList.toggle("first", given.role === "look");
    const first = [...byId("opened").querySelectorAll(".first")].find((one) => one.offsetParent);
    first?.focus();
  }

  /** @param {{words: string, holds: boolean}} check */
  function checkItem({ words, holds }) {
    const made = listItem(
      holds ? tr("passes: {check}", { check: words }) : tr("FAILS: {check}", { check: words }),
    );
    made.className = holds ? "holds" : "fails";
    return made;
  }

  /** @param {OpenedGame} given */
  function showJoining({ role, scenario }) {
    byId("join").hidden = role !== "join";
    byId("join-name").value = name;
    byId("join-scenario").hidden = !scenario;
    byId("join-agreed").checked = false;
    byId("join-agreed").required = Boolean(scenario);
    byId("join-scenario").querySelector("span").textContent = tr("I agree to this scenario: {scenario}", {
      scenario,
    });
  }

  /** Offer to continue the player's own game, once they have said that they know no newer state of it.
   *  @param {OpenedGame} given @param {string[]} why */
  function offerToPlay({ role }, why) {
    byId("take").hidden = role !== "play";
    setContent(byId("take-why"), why.map(listItem));
    byId("take-on").textContent = why.length
      ? tr("I do not know of a newer state: continue")
      : tr("Play on in this game");
    byId("take").dataset.newest = String(why.length > 0);
  }

  /** Continue at the board, after showing what the player should know first.
   *  @param {{page: string, notes: string[]}} entered */
  function enter({ page, notes }) {
    if (!notes.length) {
      transport.go(page);
      return;
    }
    setContent(byId("opened-notes"), notes.map(listItem));
    byId("join").hidden = true;
    byId("take").hidden = false;
    byId("take").dataset.newest = "false";
    setContent(byId("take-why"), []);
    byId("take-on").textContent = tr("To the board");
  }

  onSubmit("join", async () => {
    const [called, say] = [byId("join-name").value, byId("join-say").value];
    enter(await ask("join", { game: shown.game, name: called, say, scenario: byId("join-agreed").checked }));
  });
  onSubmit("take", async () => {
    const newest = byId("take").dataset.newest === "true";
    const answer = await ask("take", { game: shown.game, newest });
    if (answer.unconfirmed) offerToPlay(shown, answer.unconfirmed);
    else enter(answer);
  });

  // Files

  byId("file").onchange = () => {
    const [file] = byId("file").files;
    if (file) read(file, file.name);
    byId("file").value = "";
  };
  byId("pasted").oninput = () => {
    const text = byId("pasted").value;
    if (!text.trim()) return;
    byId("pasted").value = "";
    read(new Blob([text]), tr("the text"));
  };
  addEventListener("paste", (event) => {
    const typing = event.target instanceof Element && event.target.closest("input, textarea");
    const [file] = event.clipboardData?.files ?? [];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (typing && !file) return; // it goes where it is pasted
    if (file) read(file, file.name);
    else if (text.trim()) read(new Blob([text]), tr("the text"));
  });
  addEventListener("dragover", (event) => {
    event.preventDefault();
    byId("dropping").hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) byId("dropping").hidden = true;
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    byId("dropping").hidden = true;
    const [file] = event.dataTransfer?.files ?? [];
    const text = event.dataTransfer?.getData("text/plain") ?? "";
    if (file) read(file, file.name);
    else if (text.trim()) read(new Blob([text]), tr("the text"));
  });

  return { showKnown, showBrought, setName: (/** @type {string} */ own) => (name = own) };
})();
