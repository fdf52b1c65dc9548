"use strict";
/*
 * The dialogs of the lobby, and its requests: a refusal is shown in the open dialog.
 */

/** @typedef {{error: string, hint: string}} LobbyRefusal */

const lobbyDialogs = (() => {
  const { byId } = dom;

  /** Open a dialog without any problem shown. @param {string} id */
  function open(id) {
    showProblem("");
    if (!byId(id).open) byId(id).showModal();
    showProblem("");
  }

  /** Show a problem, in the open dialog or above the page; empty: there is none. @param {string} words */
  function showProblem(words) {
    const place = document.querySelector("dialog[open] .problem") ?? byId("alarm");
    place.textContent = words;
    /** @type {HTMLElement} */ (place).hidden = !words;
  }

  /** The number of pending requests. */
  let waiting = 0;

  /** Do something that sends requests; if it fails, show the reason. @param {() => Promise<void>} deed */
  async function act(deed) {
    waiting += 1;
    document.body.setAttribute("aria-busy", "true");
    showProblem("");
    try {
      await deed();
    } catch (fault) {
      showProblem(fault instanceof Error ? fault.message : String(fault));
    }
    waiting -= 1;
    if (!waiting) document.body.removeAttribute("aria-busy");
  }

  /** pbem's answer to a request; a refusal is thrown as an error.
   *  @param {string} what @param {object} [request] @returns {Promise<any>} */
  async function ask(what, request) {
    const answer = await transport.ask(what, request);
    /** @type {LobbyRefusal | undefined} */
    const refused = answer.refused;
    if (refused) throw new Error([refused.error, refused.hint].filter(Boolean).join(" — "));
    return answer;
  }

  /** Set what a form does when submitted. @param {string} id @param {() => Promise<void>} deed */
  function onSubmit(id, deed) {
    byId(id).addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      act(deed);
    });
  }

  for (const shut of document.querySelectorAll("dialog .shut"))
    shut.addEventListener("click", () => /** @type {HTMLDialogElement} */ (shut.closest("dialog")).close());

  return { open, act, ask, onSubmit, showProblem };
})();
