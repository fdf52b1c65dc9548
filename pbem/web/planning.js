"use strict";
/*
 * The player's plan: a step is made of the orders in the list and of conditions, chosen from those the game offers and
 * those of the hex clicked last. Experts can also edit its steps as text.
 */

/**
 * The saved plan: its text, whether it is armed here, remarks on it, and its orders as typed.
 * Conditions for a step are those the game offers now, and those of the hex clicked last.
 * @typedef {{text: string, armed: boolean, says: string[], orders: string[], conditions: string[], here: string[]}} Plan
 *
 * What the page provides: the question it shows, the orders so far, the hex clicked last, and how to submit orders.
 * @typedef {{bound: () => string, lines: () => string[], hex: () => number, submit: (lines: string[]) => void}} PlanContext
 */

const planning = (() => {
  const { byId } = board;
  const { tr } = texts;
  const { setContent, paragraph, listItem, smallButton } = dom;

  /** @type {PlanContext} */
  let table;
  /** @type {Plan} */
  let plan = { text: "", armed: false, says: [], orders: [], conditions: [], here: [] };
  /** The conditions chosen for the next step; each can be negated. @type {{words: string, negated: boolean}[]} */
  let chosen = [];

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
      const lines = chosen.map(({ words, negated }) => `when ${negated ? "not " : ""}${words}\n`);
      ask("add", `${lines.join("")}do ${table.lines().join("; ")}`);
    };
    byId("plan-when").onchange = () => {
      const words = byId("plan-when").value;
      if (words && !chosen.some((one) => one.words === words)) chosen.push({ words, negated: false });
      show();
    };
    byId("plan-add").onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      ask("add", byId("plan-word").value);
    };
  }

  /** Show what the plan would do now, if the player looks at it. */
  function refresh() {
    if (byId("plan").open) ask("look");
  }

  /** @param {"look" | "keep" | "add" | "arm" | "disarm"} act @param {string} [text] */
  function ask(act, text = "") {
    return server.enqueue(async () => {
      /** @type {Plan & Instead} */
      const answer = await server.ask("plan", {
        bound: table.bound(),
        act,
        text,
        hex: table.hex(),
      });
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
      if (act === "add") {
        byId("plan-word").value = "";
        chosen = [];
      }
      setContent(byId("plan-says"), plan.says.map(paragraph));
      show();
    });
  }

  /** Show the actions for the plan; if it was edited, it has to be saved first. */
  function show() {
    const none = chosen.length ? tr("and when …") : tr("always, or choose when …");
    setContent(byId("plan-when"), [
      new Option(none, ""),
      group(tr("The hex that you clicked"), plan.here),
      group(tr("The game now"), plan.conditions),
    ]);
    setContent(byId("plan-chosen"), chosen.map(chosenItem));
    setContent(byId("plan-steps"), plan.text ? plan.text.split(/\n\n+/).map(listItem) : []);
    byId("plan-step").querySelector("p > button").disabled = !table.lines().length;
    const changed = byId("plan-text").value.trim() !== plan.text;
    byId("plan-keep").disabled = !changed;
    byId("plan-arm").disabled = changed || !plan.text;
    byId("plan-arm").textContent = plan.armed ? tr("Disarm") : tr("Arm");
    byId("plan-take").disabled = changed || !plan.orders.length;
  }

  /** @param {string} label @param {string[]} conditions */
  function group(label, conditions) {
    const made = document.createElement("optgroup");
    made.label = label;
    made.hidden = !conditions.length;
    made.append(...conditions.map((condition) => new Option(condition)));
    return made;
  }

  /** A chosen condition, which can be negated, and removed again. @param {{words: string, negated: boolean}} one */
  function chosenItem(one) {
    const not = smallButton(tr("not"), tr("Negate this condition"), () => {
      one.negated = !one.negated;
      show();
    });
    not.setAttribute("aria-pressed", String(one.negated));
    const out = smallButton("×", tr("Remove this condition"), () => {
      chosen = chosen.filter((other) => other !== one);
      show();
    });
    const made = listItem(`when ${one.negated ? "not " : ""}${one.words} `);
    made.append(not, out);
    return made;
  }

  return { start, refresh };
})();
