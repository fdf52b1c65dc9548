"use strict";
/*
 * The game as a whole, on the board: its end as a card, and its ten checks.
 */

const thisGame = (() => {
  const { byId } = board;
  const { tr } = texts;
  const { setContent, paragraph, listItem } = dom;

  /** Show how the game has ended, if it has. @param {Situation["ending"]} ending */
  function show(ending) {
    byId("ending").hidden = !ending;
    byId("this-game").hidden = Boolean(ending); // the card shows the same
    byId(ending ? "ending-deeds" : "this-game").append(byId("game-deeds"));
    byId("rematch").hidden = !ending?.rematch;
    byId("plan").hidden = Boolean(ending);
    if (!ending) return;
    byId("orders").scrollTop = 0;
    byId("ending").querySelector("h3").textContent = ending.title;
    byId("ending-why").textContent = ending.why;
  }

  /** pbem's answer; a refusal is thrown as an error. @param {string} what */
  async function ask(what) {
    const answer = await server.ask(what);
    if (answer.refused) throw new Error(answer.refused.error);
    return answer;
  }

  byId("save-game").hidden = !transport.inBrowser; // elsewhere it is in the player's folder
  byId("save-game").onclick = () => server.enqueue(async () => transport.save(await ask("file")));
  byId("verify").onclick = () =>
    server.enqueue(async () => {
      /** @type {{checks: {words: string, holds: boolean}[], failure: string[]}} */
      const { checks, failure } = await ask("verify");
      const lines = checks.map(({ words, holds }) =>
        holds ? tr("passes: {check}", { check: words }) : tr("FAILS: {check}", { check: words }),
      );
      setContent(byId("checks"), [...lines, ...failure].map(listItem));
    });

  return { show };
})();
