"use strict";
/*
 * A guided first turn of Stand at Mortain, for the US side: eight steps, each one sentence and one click. It shows where
 * to click; the board does the rest, as always.
 */

const guide = (() => {
  const { tr } = texts;

  /**
   * A step: its words, where to click, and whether it is done.
   * @typedef {{words: string, place: () => Element | null, done: () => boolean}} GuideStep
   */

  /** The number of orders so far. */
  const placed = () => tableState.now.lines.length;
  /** Whether the game has continued after the question at which the guide began. */
  const signed = () => tableState.now.bound !== began;
  let began = "";

  /** @param {string} words @param {string} unit @returns {GuideStep} */
  function choosing(words, unit) {
    return {
      words,
      place: () => document.querySelector(`#hand [data-unit="${unit}"]`),
      done: () => tableState.chosen.has(unit) || placed() > 0,
    };
  }

  /** @param {string} words @param {string} number @param {number} orders @returns {GuideStep} */
  function placing(words, number, orders) {
    return { words, place: () => hexElement(number), done: () => placed() >= orders || signed() };
  }

  /** @param {string} number */
  function hexElement(number) {
    const index = tableState.scene.hexes.findIndex(([one]) => one === number);
    return document.querySelector(`[data-hex="${index}"]`);
  }

  let watched = false;

  /** @returns {GuideStep[]} */
  function steps() {
    return [
      choosing(
        tr("Five American units are waiting beside the map. Click the infantry unit 117Inf."),
        "117Inf",
      ),
      placing(
        tr("The Germans come from the right. Click Hill 314, which overlooks their approach."),
        "1501",
        1,
      ),
      placing(
        tr("The next unit, 119Inf, is already chosen. Two may share a hex: click the hill again."),
        "1501",
        2,
      ),
      placing(tr("120Inf goes to the other hill, farther back: click it."), "1302", 3),
      placing(tr("The tank destroyers, 823TD, go into Mortain: a town gives cover."), "1403", 4),
      placing(tr("The last unit, SPTD, goes behind the town."), "1304", 5),
      {
        words: tr("Your orders are complete. Click 'Sign and save': the computer answers at once."),
        place: () => document.getElementById("finish"),
        done: signed,
      },
      {
        words: tr(
          "A card was drawn, and its colour decides who may act. Click 'News' to watch what happened.",
        ),
        place: () => document.getElementById("watch"),
        done: () => watched || Boolean(document.getElementById("watch")?.hidden && signed()),
      },
    ];
  }

  /** Begin, if the address says so and the game asks for that set-up. */
  function start() {
    if (location.hash !== "#guide" || !tableState.now.able.includes("117Inf")) return;
    began = tableState.now.bound;
    const all = steps();
    let at = 0;
    const box = document.createElement("aside");
    box.id = "guide";
    box.setAttribute("aria-live", "polite");
    const words = dom.paragraph("");
    const leave = dom.button(tr("Leave the guide"), end);
    box.append(words, leave);
    document.getElementById("stage")?.before(box);
    document.getElementById("watch")?.addEventListener("click", () => {
      watched = true;
      refresh();
    });
    document.addEventListener("settled", refresh);
    refresh();

    function end() {
      document.removeEventListener("settled", refresh);
      mark(null);
      box.remove();
      location.hash = ""; // so that it does not begin again when the page is reloaded
    }

    function refresh() {
      if (!box.isConnected) return;
      while (at < all.length && all[at].done()) at += 1;
      if (at === all.length) {
        words.textContent = tr(
          "Now you know how to play. On a red card your units may act, those outlined on the map. Click one, then a hex or an order, and sign.",
        );
        leave.textContent = tr("Play on");
        delete box.dataset.step;
        mark(null);
        return;
      }
      box.dataset.step = String(at + 1); // in a narrow window it leaves room for where to click, and nothing else
      words.textContent = tr("{step} of {all}: {words}", {
        step: at + 1,
        all: all.length,
        words: all[at].words,
      });
      mark(all[at].place());
    }
  }

  /** Highlight one place, and no other. @param {Element | null} place */
  function mark(place) {
    for (const one of document.querySelectorAll(".here")) one.classList.remove("here");
    place?.classList.add("here");
    if (place instanceof HTMLElement) place.scrollIntoView({ block: "nearest" });
  }

  return { start };
})();
