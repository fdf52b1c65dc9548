"use strict";
/*
 * Beginning a game: against the computer, guided or not, or as an offer to a friend.
 */

/**
 * A game that can be begun. Options are values as JSON, by edition.
 * @typedef {object} CatalogueEntry
 * @property {string} game
 * @property {string} title
 * @property {[name: string, seats: [seat: string, name: string][]][]} scenarios  the default first
 * @property {boolean} form  whether there is a form for scenarios
 * @property {[level: string, rating: number | null][]} levels
 * @property {string} edition
 * @property {[name: string, words: string][]} editions
 * @property {{[edition: string]: {[option: string]: string}}} options
 * @property {{[option: string]: string}} rules  the number of the rule of each option
 * @property {string} note
 *
 * The data of a rematch.
 * @typedef {{game: string, scenario: string, own: string, sides: [seat: string, name: string][], seat: string, options: {[option: string]: string}, to: string, name: string, level: string}} Rematch
 */

const newGame = (() => {
  const { byId, setContent } = dom;
  const { tr } = texts;
  const { ask, onSubmit, open } = lobbyDialogs;
  /** @type {CatalogueEntry[]} */
  const catalogue = JSON.parse(byId("catalogue").textContent);
  /** @type {{[level: string]: string}} */
  const LEVELS = {
    random: tr("at random"),
    easy: tr("easily"),
    sensible: tr("sensibly"),
    strong: tr("strongly"),
  };
  /** The game of the guide, and its side. */
  const GUIDED = { game: "mortain", seat: "us", level: "sensible" };

  /** @type {"guided" | "practice" | "offer"} */
  let kind = "practice";
  let name = "";
  /** The scenarios to choose from. @type {CatalogueEntry["scenarios"]} */
  let scenarios = [];
  /** The rematch of a game that has its own scenario. @type {Rematch | undefined} */
  let again;

  function chosen() {
    const found = catalogue.find(({ game }) => game === byId("begin-game").value);
    return found ?? catalogue[0];
  }

  /** @param {typeof kind} given @param {Rematch} [rematch] */
  function show(given, rematch) {
    kind = given;
    byId("begin-title").textContent = {
      guided: tr("Your first turn"),
      practice: tr("Play against the computer"),
      offer: rematch ? tr("Play again, with sides swapped") : tr("Play a friend"),
    }[kind];
    byId("begin-why").textContent = {
      guided: tr("You command the Americans at Mortain. Your name appears beside your side."),
      practice: tr("The computer answers at once."),
      offer: rematch?.name
        ? tr("An offer to {name}, with the same options.", { name: rematch.name })
        : tr("pbem writes a file for you to send to your friend. Anyone who opens it can join."),
    }[kind];
    byId("begin-go").textContent = kind === "offer" ? tr("Make the offer") : tr("Begin");
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (byId("begin").querySelectorAll(".choice")))
      part.hidden = kind === "guided";
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (byId("begin").querySelectorAll(".friend")))
      part.hidden = kind !== "offer";
    byId("begin-levels").hidden = kind !== "practice";
    byId("begin-name").value = name;
    setContent(
      byId("begin-game"),
      catalogue
        .filter(({ levels }) => kind !== "practice" || levels.length > 0)
        .map(({ game, title }) => new Option(title, game)),
    );
    byId("begin-game").value = rematch?.game ?? GUIDED.game;
    byId("begin-to").value = rematch?.to ?? "";
    byId("begin-deadline").value = byId("begin-mail").value = byId("begin-say").value = "";
    showGame(rematch);
    open("begin");
    if (!name) byId("begin-name").focus();
  }

  /** Show the scenarios, sides, levels and editions of the chosen game. @param {Rematch} [rematch] */
  function showGame(rematch) {
    const game = chosen();
    again = rematch?.own ? rematch : undefined;
    const others = game.scenarios.filter(([scenario]) => scenario !== again?.scenario);
    scenarios = again ? [[again.scenario, again.sides], ...others] : others;
    setContent(
      byId("begin-scenario"),
      scenarios.map(([scenario]) => new Option(scenario, scenario)),
    );
    byId("begin-scenario").value = rematch?.scenario || scenarios[0][0];
    byId("begin-own").hidden = !game.form;
    byId("begin-scenarios").hidden = kind === "guided" || scenarios.length === 1;
    showSides(rematch?.seat ?? (game.game === GUIDED.game ? GUIDED.seat : ""));
    setContent(
      byId("begin-level"),
      game.levels.map(([level, rating]) => {
        const name = LEVELS[level] ?? level;
        return new Option(rating === null ? name : `${name} (${rating})`, level);
      }),
    );
    byId("begin-ratings").hidden = game.levels.every(([, rating]) => rating === null);
    byId("begin-level").value = rematch?.level || "sensible";
    setContent(
      byId("begin-edition"),
      game.editions.map(([edition, words]) => new Option(words || edition, edition)),
    );
    byId("begin-edition").value = game.edition;
    byId("begin-note").textContent = game.note;
    showOptions(rematch?.options);
  }

  /** Show the sides of the chosen scenario; without a `side` the first is checked. @param {string} [side] */
  function showSides(side) {
    const [, seats] = scenarios[byId("begin-scenario").selectedIndex];
    setContent(
      byId("begin-seat"),
      seats.map(([seat, words]) => seatChoice(seat, words, seat === (side || seats[0][0]))),
    );
  }

  /** @param {string} seat @param {string} words @param {boolean} checked */
  function seatChoice(seat, words, checked) {
    const [label, input] = [document.createElement("label"), document.createElement("input")];
    Object.assign(input, { type: "radio", name: "seat", value: seat, checked });
    label.append(input, words);
    return label;
  }

  /** Show the options of the chosen edition, each with its rule. @param {{[option: string]: string}} [given] */
  function showOptions(given) {
    const { options, rules } = chosen();
    setContent(
      byId("begin-options"),
      Object.entries(options[byId("begin-edition").value]).map(([option, value]) => {
        const [label, input] = [document.createElement("label"), document.createElement("input")];
        input.value = given?.[option] ?? value;
        input.dataset.option = option;
        input.dataset.value = value;
        label.append([option.replaceAll("_", " "), rules[option]].filter(Boolean).join(", "), input);
        return label;
      }),
    );
  }

  /** The options that differ from the edition's own. */
  function changedOptions() {
    const inputs = /** @type {HTMLInputElement[]} */ ([...byId("begin-options").querySelectorAll("input")]);
    return Object.fromEntries(
      inputs
        .filter(({ value, dataset }) => value.trim() !== dataset.value)
        .map(({ value, dataset }) => [dataset.option, value.trim()]),
    );
  }

  /** The game that has the chosen scenario; empty if it is another scenario. */
  function ownGame() {
    return again && byId("begin-scenario").value === again.scenario ? again.own : "";
  }

  onSubmit("begin-form", async () => {
    const own = { name: byId("begin-name").value };
    if (kind === "guided") {
      const { page } = await ask("begin", { ...own, ...GUIDED });
      transport.go(`${page}#guide`);
      return;
    }
    const wish = {
      ...own,
      game: chosen().game,
      seat: byId("begin").querySelector("[name=seat]:checked").value,
      edition: byId("begin-edition").value,
      scenario: byId("begin-scenario").value,
      options: changedOptions(),
      rematch: ownGame(),
    };
    if (kind === "practice") {
      const { page } = await ask("begin", { ...wish, level: byId("begin-level").value });
      transport.go(page);
      return;
    }
    const [mail, to] = [byId("begin-mail").value, byId("begin-to").value];
    const [deadline, say] = [byId("begin-deadline").value, byId("begin-say").value];
    const { page } = await ask("begin", { ...wish, mail, to, deadline, say });
    byId("begin").close();
    await departure.show(page.slice(0, -1));
  });
  byId("begin-guided").onclick = () => show("guided");
  byId("begin-practice").onclick = () => show("practice");
  byId("begin-offer").onclick = () => show("offer");
  byId("begin-game").onchange = () => showGame();
  byId("begin-scenario").onchange = () => showSides(byId("begin").querySelector("[name=seat]:checked").value);
  byId("begin-own").onclick = () => {
    const game = chosen();
    const from = { game: game.game, scenario: byId("begin-scenario").value, rematch: ownGame() };
    scenarioForm.show(from, (all, saved) => {
      game.scenarios = all;
      showGame();
      byId("begin-scenario").value = saved;
      showSides();
    });
  };
  byId("begin-edition").onchange = () => showOptions();

  return {
    rematch: (/** @type {Rematch} */ given) => show(given.level ? "practice" : "offer", given),
    setName: (/** @type {string} */ own) => (name = own),
  };
})();
