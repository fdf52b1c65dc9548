"use strict";
/*
 * What the user of this browser prefers, at every page and for good: which drawers are open, whether notes sound. A cookie,
 * since each board has a port of its own; a page out of a file keeps none. In the browser edition `browser/frame.js` takes
 * the place of this file.
 */

const preferences = (() => {
  const YEAR = 365 * 24 * 3600;

  /** What was kept under a name; null where nothing was, or the browser keeps nothing. @param {string} name */
  function recall(name) {
    try {
      const cookie = document.cookie.split("; ").find((one) => one.startsWith(`${name}=`));
      return cookie?.slice(name.length + 1) ?? localStorage.getItem(name);
    } catch {
      return null;
    }
  }

  /** @param {string} name @param {string} value without a semicolon */
  function keep(name, value) {
    try {
      if (location.protocol === "file:") localStorage.setItem(name, value);
      else document.cookie = `${name}=${value}; max-age=${YEAR}; path=/; samesite=strict`;
    } catch {
      // then it is forgotten
    }
  }

  return { recall, keep };
})();
