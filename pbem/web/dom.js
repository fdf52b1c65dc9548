"use strict";
/*
 * Small elements made of words, which are always inserted as text.
 */

const dom = (() => {
  /** @param {Element} place @param {(Element | string)[]} parts */
  function setContent(place, parts) {
    place.replaceChildren(...parts);
  }

  /** @param {string} words */
  function paragraph(words) {
    const made = document.createElement("p");
    made.append(words);
    return made;
  }

  /** @param {string} words */
  function listItem(words) {
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
  function smallButton(sign, words, deed) {
    const made = button(sign, deed);
    made.className = "small";
    made.setAttribute("aria-label", words);
    return made;
  }

  /** Have the browser save a file. @param {{name: string, data: string}} file its bytes in base64 */
  function saveFile({ name, data }) {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  return { saveFile, setContent, paragraph, listItem, button, smallButton };
})();
