"use strict";
/*
 * The player's plan: its steps as text, whether it answers for him, and the orders that it would give now, to look at.
 */

/**
 * The plan as it is kept: its text, whether it is armed here, what is to be said of it, and its orders as typed.
 * @typedef {{text: string, armed: boolean, says: string[], orders: string[]}} Planned
 *
 * What the page gives for it: the question that it shows, and how it takes a list of orders.
 * @typedef {{bound: () => string, give: (lines: string[]) => void}} Planner
 */

const planning = (() => {
  const { part } = board;
  const { said } = texts;
  const { lay, line } = dom;

  /** @type {Planner} */
  let table;
  /** @type {Planned} */
  let plan = { text: "", armed: false, says: [], orders: [] };

  /** @param {Planner} given */
  function start(given) {
    table = given;
    part("plan").ontoggle = refresh;
    part("plan-keep").onclick = () => ask("keep", part("plan-text").value);
    part("plan-arm").onclick = () => ask(plan.armed ? "disarm" : "arm");
    part("plan-take").onclick = () => table.give(plan.orders);
    part("plan-text").oninput = show;
    part("plan-add").onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      ask("add", part("plan-word").value);
    };
  }

  /** Show what the plan says now, if the player looks at it. */
  function refresh() {
    if (part("plan").open) ask("look");
  }

  /** @param {"look" | "keep" | "add" | "arm" | "disarm"} act @param {string} [text] */
  function ask(act, text = "") {
    return server.guarded(async () => {
      /** @type {Planned & Instead} */
      const answer = await server.ask("plan", { bound: table.bound(), act, text });
      if (answer.stale) location.reload();
      if (answer.refused) {
        lay(part("plan-says"), [answer.refused.error, answer.refused.hint].filter(Boolean).map(line));
        return;
      }
      plan = answer;
      part("plan-text").value = plan.text;
      if (act === "add") part("plan-word").value = "";
      lay(part("plan-says"), plan.says.map(line));
      show();
    });
  }

  /** What can be done with the plan; where it has been changed, it is to be kept first. */
  function show() {
    const changed = part("plan-text").value.trim() !== plan.text;
    part("plan-keep").disabled = !changed;
    part("plan-arm").disabled = changed || !plan.text;
    part("plan-arm").textContent = plan.armed ? said("Disarm") : said("Arm");
    part("plan-take").disabled = changed || !plan.orders.length;
  }

  return { start, refresh };
})();
