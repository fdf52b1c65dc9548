"use strict";
/*
 * How a page sends requests to pbem, and leaves for another page: it sends the name of a function and its request as
 * JSON, and receives plain data. The list of these functions is `pages.py`. No other script knows that a server answers:
 * in the browser edition a worker does, and `browser/frame.js` replaces this file.
 */

const transport = (() => {
  const { tr } = texts;

  /**
   * Send a request to pbem; an error has a message for the player.
   * @param {string} what
   * @param {object} [request]
   * @returns {Promise<any>}
   */
  async function ask(what, request = {}) {
    let answer;
    try {
      answer = await fetch(what, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(request),
      });
    } catch {
      throw new Error(tr("pbem is not responding; nothing was signed. Type pbem play again."));
    }
    if (!answer.ok) throw new Error((await answer.text()).trim());
    return answer.json();
  }

  /** Keep a connection open, by which pbem knows that the page is open.
   *  @param {(problem: string) => void} told called when it breaks, and with an empty text when it is restored
   *  @param {() => void} [wentOn] called when the page's stored game might have continued */
  function watch(told, wentOn = () => {}) {
    let state = "";
    const life = new EventSource("life");
    life.onerror = () =>
      told(tr("pbem has been closed. Only unsigned orders are lost. To reopen the board, type pbem play."));
    life.onopen = () => told("");
    life.onmessage = ({ data }) => {
      if (state && data !== state) wentOn();
      state = data;
    };
  }

  /** Have the browser save a file. @param {{name: string, data: string}} file its bytes in base64 */
  function save({ name, data }) {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  return {
    /** Whether pbem runs in this browser: there are no accounts, folders or other programs then. */
    inBrowser: false,
    /** The offer in the open invitation. @type {{name: string, game: string, data: string} | null} */
    brought: null,
    /** Save an invitation, if that is possible.
     *  @type {((offer: {name: string, game: string, data: string}) => void) | null} */
    invite: null,
    ask,
    watch,
    save,
    /** Go to a page. @param {string} page its address from this one */
    go: (page) => location.assign(page),
    reload: () => location.reload(),
    /** Data that this tab keeps while it is open, whatever page it shows.
     *  @param {string} name @returns {string | null} */
    kept: (name) => sessionStorage.getItem(name),
    /** @param {string} name @param {string} value */
    keep: (name, value) => sessionStorage.setItem(name, value),
  };
})();
