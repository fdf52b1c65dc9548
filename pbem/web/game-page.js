"use strict";
/*
 * The page of a game: it opens at the end, or at the entry in its address, and shows what is proven of each entry.
 */

(() => {
  const { byId } = board;
  const { tr } = texts;

  /** @type {Scene} */
  const scene = JSON.parse(byId("scene").textContent);
  story.showLocalTimes(byId("story"));
  /** What has been proven of the page, once it is. @type {Proven} */
  let proven = proof.NOTHING;

  /** The position of an entry as it was signed, in the words of the game's schema. @param {number} entry */
  function showSigned(entry) {
    const found = proven.positions[entry];
    byId("position").hidden = !found?.state;
    if (!found?.state) return;
    const [title, ...lines] = byId("position").children;
    title.textContent =
      found.entry === null
        ? tr("The position, which nobody has signed yet")
        : tr("The position as it was signed in entry {entry}", { entry: found.entry });
    for (const line of lines) line.remove();
    byId("position").append(...Object.entries(found.state).map(memberLine));
  }

  /** @param {[string, any]} member */
  function memberLine([name, value]) {
    const made = document.createElement("p");
    made.append(`${name}: ${plainText(value)}`);
    return made;
  }

  /** Plain data on one line. @param {any} value @returns {string} */
  function plainText(value) {
    if (Array.isArray(value)) return value.map(plainText).join(" ");
    if (typeof value !== "object" || value === null) return String(value);
    return Object.entries(value)
      .map(([key, inner]) => `${key} ${plainText(inner)}`)
      .join(", ");
  }

  board.start(scene);
  replay.start({ scene, also: showSigned, title: (entry, box) => proven.titles[entry]?.[box] });
  replay.setFrames(scene.frames);
  if (!replay.openAddress()) replay.go(replay.lastStep());
  board.frame();
  byId("again").onclick = () => {
    replay.go(0);
    replay.play(false);
  };
  pageProof.then((found) => {
    proven = found;
    replay.go(Number(byId("when").value));
  });
})();
