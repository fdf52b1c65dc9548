"use strict";
/*
 * The form of a player's own scenario: its fields come from the game, and each fault is shown beside its field.
 */

/**
 * @typedef {{name: string, label: string, kind: "line" | "lines" | "choice", example: string, group: string,
 *   choices: [value: string, label: string][]}} FormField
 * @typedef {{fields: FormField[], values: {[field: string]: string}}} ScenarioFormData
 * @typedef {[name: string, seats: [seat: string, name: string][]][]} ScenarioNames
 */

const scenarioForm = (() => {
  const { byId, setContent, button } = dom;
  const { tr } = texts;
  const { act, ask, onSubmit, open } = lobbyDialogs;
  let game = "";
  /** Called when a scenario has been saved. @type {(scenarios: ScenarioNames, name: string) => void} */
  let saved;

  /** Show the form, filled with a scenario; `rematch` is the game that has it, if any.
   *  @param {{game: string, scenario: string, rematch: string}} from @param {typeof saved} done */
  function show(from, done) {
    [game, saved] = [from.game, done];
    return act(async () => {
      /** @type {ScenarioFormData} */
      const { fields, values } = await ask("scenario", from);
      const groups = [...new Set(fields.map(({ group }) => group))];
      setContent(
        byId("scenario-fields"),
        groups.map((group) =>
          groupElement(
            group,
            fields.filter((one) => one.group === group),
            values,
          ),
        ),
      );
      byId("scenario-fields").append(button(tr("Add another"), showNextGroup));
      open("scenario-form");
    });
  }

  /** Fields of one group; they are hidden if none has a value.
   *  @param {string} group @param {FormField[]} fields
   *  @param {{[field: string]: string}} values */
  function groupElement(group, fields, values) {
    const made = document.createElement(group ? "fieldset" : "div");
    made.hidden = Boolean(group) && fields.every(({ name }) => !values[name]);
    made.append(...fields.map((field) => fieldElement(field, values[field.name] ?? "")));
    return made;
  }

  /** @param {FormField} field @param {string} value */
  function fieldElement({ name, label, kind, example, choices }, value) {
    const field = document.createElement(
      kind === "choice" ? "select" : kind === "lines" ? "textarea" : "input",
    );
    if (field instanceof HTMLSelectElement)
      field.append(...choices.map(([one, words]) => new Option(words, one)));
    else field.placeholder = example;
    if (field instanceof HTMLTextAreaElement) field.rows = 4;
    field.value = value;
    field.dataset.field = name;
    const [made, words, problem] = ["p", "label", "small"].map((one) => document.createElement(one));
    problem.className = "wrong";
    problem.id = `wrong-${name}`;
    field.setAttribute("aria-describedby", problem.id);
    words.append(`${label} `, field);
    made.append(words, problem);
    return made;
  }

  function showNextGroup() {
    const next = byId("scenario-fields").querySelector("fieldset[hidden]");
    if (!next) return;
    next.hidden = false;
    next.querySelector("input").focus();
  }

  function allFields() {
    return /** @type {HTMLInputElement[]} */ ([...byId("scenario-fields").querySelectorAll("[data-field]")]);
  }

  onSubmit("scenario-made", async () => {
    const values = Object.fromEntries(allFields().map(({ dataset, value }) => [dataset.field, value]));
    /** @type {{wrong: [field: string, words: string][], name: string, scenarios: ScenarioNames}} */
    const { wrong, name, scenarios } = await ask("save_scenario", { game, values });
    for (const field of allFields()) {
      const words = wrong.filter(([one]) => one === field.dataset.field).map(([, why]) => why);
      byId(`wrong-${field.dataset.field}`).textContent = words.join(" ");
      field.setAttribute("aria-invalid", String(words.length > 0));
    }
    if (wrong.length) {
      allFields()
        .find(({ dataset }) => dataset.field === wrong[0][0])
        ?.focus();
      return;
    }
    byId("scenario-form").close();
    saved(scenarios, name);
  });

  return { show };
})();
