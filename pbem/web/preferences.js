"use strict";
/*
 * The preferences of this browser's user, on every page and permanently: which drawers are open, whether notes sound.
 * They are in a cookie, since each board has its own port; a page opened from a file keeps none. In the browser edition,
 * `browser/frame.js` replaces this file.
 */

const preferences = (() => {
  const YEAR = 365 * 24 * 3600;

  /** The value stored under a name; null if there is none, or if the browser stores nothing. @param {string} name */
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
      // then it is not stored
    }
  }

  return { recall, keep };
})();
