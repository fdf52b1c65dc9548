"use strict";
/*
 * How a page asks the program: it sends the name of a function and its request as JSON, and gets plain data. The list of
 * these functions is `pages.py`. Nothing else in the scripts knows that a server answers: something else that answers
 * them, such as a worker, takes the place of this file.
 */

const transport = (() => {
  const { tr } = texts;

  /**
   * Ask the program; an error has a message for the player.
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
      throw new Error(tr("pbem does not answer: nothing was signed. Type pbem play again."));
    }
    if (!answer.ok) throw new Error((await answer.text()).trim());
    return answer.json();
  }

  /** Keep a connection open by which the program knows that the page is open.
   *  @param {(problem: string) => void} told what to do where it breaks, and with an empty text where it is there again */
  function watch(told) {
    const life = new EventSource("life");
    life.onerror = () =>
      told(tr("pbem has been closed. Nothing is lost but orders not signed: type pbem play."));
    life.onopen = () => told("");
  }

  return { ask, watch };
})();
