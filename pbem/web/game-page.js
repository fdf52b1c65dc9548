"use strict";
/*
 * The page of a game: it opens at the end, or at the entry that its address names, and shows what is proven of each.
 */

(() => {
  const { part } = board;
  const { said } = texts;

  /** @type {Scene} */
  const scene = JSON.parse(part("scene").textContent);
  /** What has been proven of the page, once it is. @type {Proven} */
  let proven = proof.NOTHING;

  /** The position of an entry as it was signed, in the words of the game's schema. @param {number} entry */
  function signed(entry) {
    const found = proven.positions[entry];
    part("position").hidden = !found?.state;
    if (!found?.state) return;
    const [title, ...lines] = part("position").children;
    title.textContent =
      found.entry === null
        ? said("The position, which nobody has signed yet")
        : said("The position as it was signed in entry {entry}", { entry: found.entry });
    for (const line of lines) line.remove();
    part("position").append(...Object.entries(found.state).map(member));
  }

  /** @param {[string, any]} member */
  function member([name, value]) {
    const made = document.createElement("p");
    made.append(`${name}: ${plain(value)}`);
    return made;
  }

  /** Plain data on one line. @param {any} value @returns {string} */
  function plain(value) {
    if (Array.isArray(value)) return value.map(plain).join(" ");
    if (typeof value !== "object" || value === null) return String(value);
    return Object.entries(value)
      .map(([key, inner]) => `${key} ${plain(inner)}`)
      .join(", ");
  }

  board.start(scene);
  replay.start({ scene, also: signed, title: (entry, box) => proven.titles[entry]?.[box] });
  replay.feed(scene.frames);
  if (!replay.openAddress()) replay.go(replay.last());
  board.frame();
  part("again").onclick = () => {
    replay.go(0);
    replay.play(false);
  };
  pageProof.then((found) => {
    proven = found;
    replay.go(Number(part("when").value));
  });
})();
