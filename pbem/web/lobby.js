"use strict";
/*
 * The lobby: it shows the player's state and games in all its parts.
 */

const lobby = (() => {
  const { byId } = dom;
  const { act, ask, showProblem } = lobbyDialogs;

  /** @param {LobbyState} state */
  function show(state) {
    openedGame.setName(state.name);
    newGame.setName(state.name);
    lobbyGames.show(state);
    lobbySettings.show(state);
    mailForm.show(state);
  }

  /** @type {LobbyState} */
  const first = JSON.parse(byId("first").textContent);
  show(first);
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) act(async () => show(await ask("state"))); // the browser has kept the page as it was
  });
  transport.watch(showProblem);
  const { brought } = transport;
  if (brought && !first.games.some(({ game }) => game === brought.game)) openedGame.showBrought(brought);
  const { rematch } = first.games.find(({ game }) => location.hash === `#rematch-${game}`) ?? {};
  if (rematch) newGame.rematch(rematch);

  return { show };
})();
