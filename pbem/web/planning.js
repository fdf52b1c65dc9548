"use strict";
/*
 * The player's plan: its steps as text, whether it answers for the player, and the orders that it would give now.
 */

/**
 * The saved plan: its text, whether it is armed here, remarks on it, and its orders as typed.
 * Conditions for a step are those that the game offers now.
 * @typedef {{text: string, armed: boolean, says: string[], orders: string[], conditions: string[]}} Plan
 *
 * What the page provides: the question that it shows, the orders so far, and how to submit a list of orders.
 * @typedef {{bound: () => string, lines: () => string[], submit: (lines: string[]) => void}} PlanContext
 */

const planning = (() => {
  const { byId } = board;
  const { tr } = texts;
  const { setContent, paragraph } = dom;

  /** @type {PlanContext} */
  let table;
  /** @type {Plan} */
  let plan = { text: "", armed: false, says: [], orders: [], conditions: [] };

  /** @param {PlanContext} given */
  function start(given) {
    table = given;
    byId("plan").ontoggle = refresh;
    byId("plan-keep").onclick = () => ask("keep", byId("plan-text").value);
    byId("plan-arm").onclick = () => ask(plan.armed ? "disarm" : "arm");
    byId("plan-take").onclick = () => table.submit(plan.orders);
    byId("plan-text").oninput = show;
    byId("plan-step").onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const when = byId("plan-when").value;
      ask("add", `${when ? `when ${when}\n` : ""}do ${table.lines().join("; ")}`);
    };
    byId("plan-add").onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      ask("add", byId("plan-word").value);
    };
  }

  /** Show what the plan says now, if the player looks at it. */
  function refresh() {
    if (byId("plan").open) ask("look");
  }

  /** @param {"look" | "keep" | "add" | "arm" | "disarm"} act @param {string} [text] */
  function ask(act, text = "") {
    return server.enqueue(async () => {
      /** @type {Plan & Instead} */
      const answer = await server.ask("plan", { bound: table.bound(), act, text });
      if (answer.stale) transport.reload();
      if (answer.refused) {
        setContent(
          byId("plan-says"),
          [answer.refused.error, answer.refused.hint].filter(Boolean).map(paragraph),
        );
        return;
      }
      plan = answer;
      byId("plan-text").value = plan.text;
      if (act === "add") byId("plan-word").value = "";
      setContent(byId("plan-says"), plan.says.map(paragraph));
      show();
    });
  }

  /** What can be done with the plan; where it has been changed, it is to be kept first. */
  function show() {
    const before = byId("plan-when").value;
    setContent(byId("plan-when"), [
      new Option(tr("always"), ""),
      ...plan.conditions.map((condition) => new Option(condition)),
    ]);
    byId("plan-when").value = plan.conditions.includes(before) ? before : "";
    byId("plan-step").querySelector("button").disabled = !table.lines().length;
    const changed = byId("plan-text").value.trim() !== plan.text;
    byId("plan-keep").disabled = !changed;
    byId("plan-arm").disabled = changed || !plan.text;
    byId("plan-arm").textContent = plan.armed ? tr("Disarm") : tr("Arm");
    byId("plan-take").disabled = changed || !plan.orders.length;
  }

  return { start, refresh };
})();
