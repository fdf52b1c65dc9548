"use strict";
/*
 * Sending a game: its file to save, the letter to send with it, or a mail through the player's own account or program.
 */

/**
 * @typedef {object} Departure
 * @property {string} game
 * @property {string} place  the path of its file on this computer
 * @property {string} subject
 * @property {string} letter
 * @property {boolean} is_offer
 * @property {{to: string, server: boolean, called: string, problem: string} | null} post
 */

const departure = (() => {
  const { byId, copyText } = dom;
  const { tr } = texts;
  const { act, ask, open } = lobbyDialogs;

  /** @type {Departure} */
  let leaving;

  /** Show how to send the newest entries of a game. @param {string} game */
  async function show(game) {
    leaving = await ask("departure", { game });
    byId("departure-place").textContent = tr("On this computer it is in {file}.", { file: leaving.place });
    byId("departure-place").hidden = transport.inBrowser;
    byId("departure-invite").hidden = byId("departure-invites").hidden =
      !transport.invite || !leaving.is_offer;
    byId("departure-letter").value = leaving.letter;
    byId("departure-mail").hidden = !leaving.post;
    byId("departure-to").value = leaving.post?.to ?? "";
    byId("departure-server").hidden = !leaving.post?.server;
    byId("departure-done").textContent = leaving.post?.problem ?? "";
    byId("departure-board").href = `${game}/`;
    open("departure");
  }

  /** @param {"server" | "program"} how */
  function mail(how) {
    return act(async () => {
      const answer = await ask("send", { game: leaving.game, how, to: byId("departure-to").value });
      if (answer.copied === false) byId("departure-letter").value = answer.mail.text;
      byId("departure-done").textContent =
        answer.copied === false
          ? tr("The browser does not let pbem copy. Copy the letter below by hand.")
          : answer.sent;
    });
  }

  byId("departure-save").onclick = () =>
    act(async () => transport.save(await ask("file", { game: leaving.game })));
  byId("departure-invite").onclick = () =>
    act(async () =>
      transport.invite?.({ ...(await ask("file", { game: leaving.game })), game: leaving.game }),
    );
  byId("departure-copy").onclick = async () => {
    byId("departure-done").textContent = (await copyText(byId("departure-letter")))
      ? tr("The letter has been copied: paste it into your mail.")
      : tr("The browser does not let pbem copy. Copy the letter below by hand.");
  };
  byId("departure-program").onclick = () => mail("program");
  byId("departure-mail").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    mail(byId("departure-server").hidden ? "program" : "server");
  });

  return { show };
})();
