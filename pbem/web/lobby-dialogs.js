"use strict";
/*
 * The dialogs of the lobby, and how it asks the program: a refusal is shown in the dialog that is open.
 */

/** @typedef {{error: string, hint: string}} LobbyRefusal */

const lobbyDialogs = (() => {
  const { byId } = dom;

  /** Show a dialog, with nothing refused in it. @param {string} id */
  function open(id) {
    showProblem("");
    if (!byId(id).open) byId(id).showModal();
    showProblem("");
  }

  /** Show what is wrong, in the open dialog or above the page; nothing: it is mended. @param {string} words */
  function showProblem(words) {
    const place = document.querySelector("dialog[open] .problem") ?? byId("alarm");
    place.textContent = words;
    /** @type {HTMLElement} */ (place).hidden = !words;
  }

  /** How many requests are under way. */
  let waiting = 0;

  /** Do something that asks the program; where that fails it says why. @param {() => Promise<void>} deed */
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

  /** What the program answers; an error has its refusal. @param {string} what @param {object} [request] @returns {Promise<any>} */
  async function ask(what, request) {
    const answer = await transport.ask(what, request);
    /** @type {LobbyRefusal | undefined} */
    const refused = answer.refused;
    if (refused) throw new Error([refused.error, refused.hint].filter(Boolean).join(" — "));
    return answer;
  }

  /** What is done where a form is sent. @param {string} id @param {() => Promise<void>} deed */
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
