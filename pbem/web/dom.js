"use strict";
/*
 * Small parts of a page, made of words: every word goes in as text.
 */

const dom = (() => {
  /** @param {Element} place @param {(Element | string)[]} parts */
  function lay(place, parts) {
    place.replaceChildren(...parts);
  }

  /** @param {string} words */
  function line(words) {
    const made = document.createElement("p");
    made.append(words);
    return made;
  }

  /** @param {string} words */
  function item(words) {
    const made = document.createElement("li");
    made.append(words);
    return made;
  }

  /** @param {string} words @param {() => void} deed */
  function button(words, deed) {
    const made = document.createElement("button");
    made.type = "button";
    made.append(words);
    made.onclick = deed;
    return made;
  }

  /** @param {string} sign @param {string} words @param {() => void} deed */
  function small(sign, words, deed) {
    const made = button(sign, deed);
    made.className = "small";
    made.setAttribute("aria-label", words);
    return made;
  }

  return { lay, line, item, button, small };
})();
