"use strict";
/*
 * The player's games: those where it is their turn first, offers apart, finished ones folded.
 */

/**
 * @typedef {object} GameRow
 * @property {string} game
 * @property {string} brief
 * @property {"yours" | "theirs" | "over" | "damaged"} group
 * @property {string} title
 * @property {string} players
 * @property {string} state
 * @property {string} since
 * @property {string} problem
 * @property {string} page
 * @property {boolean} news
 * @property {boolean} review
 * @property {Rematch | null} rematch
 *
 * @typedef {object} LobbyState
 * @property {string} name
 * @property {string} lang
 * @property {string} get_it
 * @property {boolean} has_key
 * @property {boolean} locked
 * @property {boolean} protected
 * @property {string} fingerprint
 * @property {string} folder
 * @property {string} mail
 * @property {GameRow[]} games
 * @property {GameRow[]} offers
 */

const lobbyGames = (() => {
  const { byId, setContent, paragraph, button } = dom;
  const { tr, plural } = texts;
  const { act } = lobbyDialogs;

  /** @param {LobbyState} state */
  function show({ games, offers }) {
    const over = games.filter(({ group, news }) => group === "over" && !news);
    const open = games.filter((row) => !over.includes(row));
    byId("mine").hidden = !games.length && !offers.length;
    setContent(byId("games"), open.map(gameItem));
    setContent(byId("offers"), offers.map(offerItem));
    byId("offered").hidden = !offers.length;
    setContent(byId("over"), over.map(gameItem));
    byId("finished").hidden = !over.length;
    byId("finished").querySelector("summary").textContent = plural(
      "{number} finished game",
      "{number} finished games",
      over.length,
    );
  }

  /** @param {GameRow} row */
  function gameItem(row) {
    if (row.problem) return damagedItem(row);
    const mark = row.group === "yours" ? tr("Your move") : row.news ? tr("New") : "";
    const board = !row.page.endsWith("page");
    const verb = row.group === "yours" ? tr("Take your turn") : board ? tr("Open") : tr("View");
    /** @type {HTMLElement[]} */
    const deeds = [link(verb, row.page, row.group === "yours")];
    if (row.review) deeds.push(link(tr("Review"), `${row.page}#look-over`, false));
    if (row.group === "theirs" && board)
      deeds.push(button(tr("Send"), () => act(() => departure.show(row.game))));
    if (!board && row.group !== "over")
      deeds.push(button(tr("Play on"), () => openedGame.showKnown(row.game)));
    const { rematch } = row;
    if (rematch) deeds.push(button(tr("Rematch"), () => newGame.rematch(rematch)));
    return item(row, mark, deeds);
  }

  /** @param {GameRow} row */
  function offerItem(row) {
    if (row.problem) return damagedItem(row);
    return item(row, "", [button(tr("Look at the offer"), () => openedGame.showKnown(row.game))]);
  }

  /** @param {GameRow} row */
  function damagedItem(row) {
    const made = document.createElement("li");
    made.className = "damaged";
    made.append(
      paragraph(tr("Game {game} is damaged: {problem}", { game: row.brief, problem: row.problem })),
    );
    return made;
  }

  /** @param {GameRow} row @param {string} mark @param {Element[]} deeds */
  function item(row, mark, deeds) {
    const made = document.createElement("li");
    made.className = row.group;
    made.dataset.game = row.game;
    const title = paragraph("");
    const strong = document.createElement("strong");
    strong.append(row.title);
    title.append(strong, ` · ${row.players}`);
    const state = paragraph("");
    if (mark) {
      const marked = document.createElement("span");
      marked.className = "mark";
      marked.append(mark, ": ");
      state.append(marked);
    }
    state.append(row.state);
    const place = document.createElement("div");
    place.className = "deeds";
    place.append(...deeds);
    made.append(title, state, place);
    if (row.since) {
      const since = paragraph(row.since);
      since.className = "quiet";
      made.append(since);
    }
    return made;
  }

  /** @param {string} words @param {string} page @param {boolean} first */
  function link(words, page, first) {
    const made = document.createElement("a");
    made.className = first ? "button first" : "button";
    made.href = page;
    made.append(words);
    return made;
  }

  return { show };
})();
