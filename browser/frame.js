"use strict";
/*
 * In each page of the browser edition, before its own scripts: it replaces `transport.js` and `preferences.js` of
 * pbem/web. Requests, files to save and links to other pages go to the surrounding page, which has the worker. A page is
 * in a sandbox: it has no origin, and so no access to anything the browser stores.
 */

const { transport, preferences } = (() => {
  /** From the surrounding page: the part of the address after #, what the tab keeps, what the user prefers, an offer, and
   *  whether it can make an invitation. */
  const { fragment, kept, preferred, brought, invites } = JSON.parse(
    document.getElementById("given").textContent,
  );
  /** @type {Map<number, {done: (found: any) => void, fail: (fault: Error) => void}>} */
  const waiting = new Map();
  let last = 0;
  let told = (/** @type {string} */ _problem) => {};

  addEventListener("message", ({ source, data: { id, found, fault, problem } }) => {
    if (source !== parent) return;
    if (problem !== undefined) return told(problem);
    const { done, fail } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (fault === undefined) done?.(found);
    else fail?.(new Error(fault));
  });

  /** @param {object} message */
  const tell = (message) => parent.postMessage(message, "*"); // a page without an origin cannot name the one around it

  /** @param {string} what @param {object} [request] @returns {Promise<any>} */
  const ask = (what, request = {}) =>
    new Promise((done, fail) => {
      waiting.set(++last, { done, fail });
      tell({ id: last, ask: what, body: JSON.stringify(request) });
    });

  // Links: one to a place in this page would lead to that place in the surrounding page.
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    const page = link?.getAttribute("href");
    if (!page || link?.hasAttribute("download")) return;
    if (page.startsWith("#")) {
      if (!event.defaultPrevented) location.hash = page;
    } else tell({ go: page });
    event.preventDefault();
  });
  addEventListener("hashchange", () => tell({ fragment: location.hash }));
  if (fragment) location.hash = fragment;

  const transport = {
    inBrowser: true,
    brought,
    /** @type {((offer: object) => void) | null} */
    invite: invites ? (offer) => tell({ invite: offer }) : null,
    ask,
    /** @param {(problem: string) => void} act */
    watch: (act) => (told = act),
    /** @param {{name: string, data: string}} file */
    save: (file) => tell({ save: file }),
    /** @param {string} page */
    go: (page) => tell({ go: page }),
    reload: () => tell({ go: "" }),
    /** @param {string} name @returns {string | null} */
    kept: (name) => kept[name] ?? null,
    /** @param {string} name @param {string} value */
    keep(name, value) {
      kept[name] = value;
      tell({ keep: [name, value] });
    },
  };

  const preferences = {
    /** @param {string} name @returns {string | null} */
    recall: (name) => preferred[name] ?? null,
    /** @param {string} name @param {string} value */
    keep(name, value) {
      preferred[name] = value;
      tell({ prefer: [name, value] });
    },
  };

  return { transport, preferences };
})();
