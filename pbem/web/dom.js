"use strict";
/*
 * Small elements made of words, which are always inserted as text.
 */

const dom = (() => {
  /** The element with that id; without it the page is not ours. @param {string} id @returns {any} */
  function byId(id) {
    const found = document.getElementById(id);
    if (!found) throw new Error(`the page has no ${id}`);
    return found;
  }

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

  /** The bytes of a file in base64. @param {Blob} file @returns {Promise<string>} */
  function toBase64(file) {
    return new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
      reader.onerror = () => reject(reader.error);
      reader.readAsDataURL(file);
    });
  }

  /** Copy the text of a field; false where the browser refuses it. @param {HTMLTextAreaElement} field */
  async function copyText(field) {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      return true;
    } catch {
      return document.execCommand("copy"); // the older way, which some browsers still allow
    }
  }

  return { byId, setContent, paragraph, listItem, button, smallButton, toBase64, copyText };
})();
