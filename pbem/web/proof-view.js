"use strict";
/*
 * Shows the result of proof.js: the verdict, the ten steps of docs/FORMAT.md section 9 and which of them were done, the
 * players' fingerprints, and the recipe of every draw and seal with its values. All content of a file is put on the page
 * as text, never as markup.
 */

const proofView = (() => {
  const { tr, plural, fillNodes, side } = texts;

  /** How much of each step of FORMAT section 9 is done here: all, a part, or none.
   *  @type {[string, "all" | "part" | "none", string][]} */
  const STEPS = [
    [tr("the YAML subset"), "none", tr("a page contains the log as data")],
    [
      tr("the schema, the rules' version, options and scenario"),
      "part",
      tr("the keys of the entries; only the rules can check options and scenario"),
    ],
    [tr("every entry follows the one before, in this game"), "all", ""],
    [tr("seats, keys, nonces and anchors"), "all", ""],
    [tr("every signature"), "all", ""],
    [tr("who writes, and every share"), "part", tr("all shares; only the rules can say whose turn it is")],
    [tr("every order against the rules"), "none", tr("this page does not know the rules")],
    [
      tr("every position"),
      "part",
      tr("each is the one signed; only the rules can say whether it follows from the orders"),
    ],
    [
      tr("sealed orders"),
      "part",
      tr("the opened orders match their seal; only the rules can say whether they were legal"),
    ],
    [
      tr("nothing follows the end"),
      "part",
      tr("after a resignation or an agreed draw; only the rules can confirm another ending"),
    ],
  ];

  /** The steps that differ if a game file was read: the first and the eighth.
   *  @type {{[index: number]: [string, "part" | "none", string]}} */
  const OF_FILE = {
    0: [tr("the YAML subset"), "part", tr("read strictly; only pbem verify checks the limits")],
    7: [tr("every position"), "none", tr("a game file contains none: they follow from the rules")],
  };

  /** An element that contains text and elements; text stays text.
   *  @param {string} tag @param {...(string | Node)} inside */
  function create(tag, ...inside) {
    const element = document.createElement(tag);
    element.append(...inside);
    return element;
  }

  /** The same with a class. @param {string} name @param {string} tag @param {...(string | Node)} inside */
  function createWithClass(name, tag, ...inside) {
    const element = create(tag, ...inside);
    element.className = name;
    return element;
  }

  /** A stranger's words on one line, without characters that are invisible or reverse the line.
   *  @param {any} text @param {number} most */
  function safeText(text, most = 2000) {
    const shown = String(text)
      .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?")
      .replace(/\p{Z}/gu, " ");
    return shown.length > most ? shown.slice(0, most) + "…" : shown;
  }

  /** The same between quotation marks it cannot close. @param {any} text */
  const quoteName = (text) => `"${safeText(text, 64).replace(/["“”„‟″]/g, "'")}"`;

  /** The groups of units that a commander has. @param {string[]} of */
  const groupList = (of) => safeText(of.join(", "), 100);

  /** An outcome in the game's words. @param {any} outcome */
  const outcomeText = (outcome) =>
    safeText(typeof outcome === "string" ? outcome : JSON.stringify(outcome), 40);

  /** The result of the check, in one sentence. @param {Proven} proven */
  function verdict({ state, failed, step, problem, ids, beats, signatures }) {
    if (state === "fails") {
      const found = { step, entry: failed, problem: safeText(problem, 300) };
      return failed === null
        ? tr("FAILS, step {step}. {problem}.", found)
        : tr("FAILS, step {step}. Entry {entry}: {problem}.", found);
    }
    if (problem) return tr("Not checked here: {problem}.", { problem });
    const done = beats.some(({ draws }) => draws === null)
      ? plural(
          "every link, key, share, seed and seal of {number} entry",
          "every link, key, share, seed and seal of {number} entries",
          ids.length,
        )
      : plural(
          "every link, key, share, draw, position and seal of {number} entry",
          "every link, key, share, draw, position and seal of {number} entries",
          ids.length,
        );
    if (signatures)
      return tr("Passes: every signature, and {done}. The rules are not checked here.", { done });
    return tr(
      "Signatures are not checked here, because this browser has no Ed25519. Nor are the rules. The rest passes: {done}.",
      { done },
    );
  }

  const PAINTED = tr(
    "Anyone who alters a page can also make it show green. Only a checker from elsewhere (pbem page --checker) protects against that.",
  );
  const NOT_READ = tr(
    "Not read here: the page's story and text, how its map looks and what is drawn over it, chances and luck.",
  );
  const DRAWN_FOR = tr("Shown, not proven: what each card or die was for, and how many dice there were.");
  const UNKNOWN = tr(
    "This game is unknown here, so two more things are shown but not proven: the map, and what each draw was drawn from.",
  );

  /** What remains unproven of a page in which everything holds.
   *  @param {Proven} proven @param {boolean} itself whether the
   *  page itself says so, rather than a checker */
  function unproven({ state, positions, known, problem }, itself) {
    if (state === "fails" || problem) return [];
    const signed = positions.findIndex(({ entry }) => entry !== null);
    const first = signed < 0 ? positions.length : signed;
    const unsigned = positions.flatMap(({ entry }, n) => (n > first && entry === null ? [n] : []));
    const more = known ? [] : [UNKNOWN];
    if (unsigned.length)
      more.push(
        tr(
          "Shown, not proven: the map after entry {entries}. A take-back led there, and no entry signs that position.",
          { entries: unsigned.join(", ") },
        ),
      );
    if (!itself) return [NOT_READ, DRAWN_FOR, ...more];
    const words = tr(
      "Shown, not proven: title, edition and scenario; the text and arrows of the story; the text beside the map; " +
        "how hexes and counters look, and what else is drawn over the map; chances and luck; what each card or " +
        "die was for, and how many dice there were; the map before entry {first}, the first to sign a position.",
      { first },
    );
    return [words, ...more, PAINTED];
  }

  /** The result of a step, as a mark with a word.
   *  @param {Proven} proven @param {number} step @param {"all" | "part" | "none"} part */
  function stepMark({ step: failing, problem, signatures }, step, part) {
    if (step === failing) return ["fails", tr("✗ fails")];
    if (part === "none" || (problem && failing === null) || (step === 5 && !signatures))
      return ["unchecked", tr("– not checked here")];
    if (failing !== null) return ["unchecked", tr("– up to the entry that fails")];
    return ["holds", part === "part" ? tr("✓ passes, in part") : tr("✓ passes")];
  }

  /** The ten steps. @param {Proven} proven @param {boolean} ofFile whether the log was read from a game file */
  function stepTable(proven, ofFile) {
    const rows = STEPS.map((step, index) => {
      const [title, part, note] = (ofFile && OF_FILE[index]) || step;
      const [state, words] = stepMark(proven, index + 1, part);
      const what = create("td", title, ...(note ? [createWithClass("quiet", "small", note)] : []));
      return create("tr", create("td", String(index + 1)), what, createWithClass(state, "td", words));
    });
    const head = create(
      "tr",
      ...["", tr("step of pbem verify"), tr("here")].map((title) => create("th", title)),
    );
    return create("table", create("thead", head), create("tbody", ...rows));
  }

  /** Who plays, with which key, from which anchor; and where the log ends. @param {Proven} proven */
  function playerList({ players: seated, commanders: staff, ids, failed }) {
    const shared = staff.map(({ seat, name, of, fingerprint }) =>
      create(
        "li",
        `${side(seat).name}, ${groupList(of)}: `,
        create("bdi", quoteName(name)),
        " ",
        create("code", fingerprint),
      ),
    );
    const lines = seated.map(({ seat, name, fingerprint, anchor }) =>
      create(
        "li",
        `${side(seat).name}: `,
        create("bdi", quoteName(name)),
        " ",
        create("code", fingerprint),
        ...fillNodes(tr(", anchor {anchor}"), { anchor: create("code", anchor) }),
      ),
    );
    const last = ids
      .slice(0, failed ?? ids.length)
      .map((id, n) =>
        create(
          "li",
          ...fillNodes(tr("entry {entry}, the last that passes: {id}"), {
            entry: String(n),
            id: create("code", id),
          }),
        ),
      )
      .slice(-1);
    return create("ul", ...lines, ...shared, ...last);
  }

  /** Which game it is and who plays, with which key, as far as that holds. @param {Proven} proven */
  function summaryItems({ rules, ids, players: seated, commanders: staff, failed, hands: found }) {
    const sure = seated.slice(0, failed ?? seated.length);
    const own = staff.filter(({ seat }) => sure.some((one) => one.seat === seat));
    const lines = [...sure, ...own].map(({ seat, name, fingerprint }) =>
      create("li", `${side(seat).name}: `, create("bdi", quoteName(name)), " ", create("code", fingerprint)),
    );
    const which = tr("{rules}, game {id}", { rules: safeText(rules, 40), id: ids[0]?.slice(0, 12) });
    const opened = found.map((one) => create("li", hands.describe(one)));
    return sure.length ? [create("li", which), ...lines, ...opened] : [];
  }

  /** A line of a recipe: a name, an operation, and its result.
   *  @param {string} name @param {string} done @param {string} result */
  const recipeLine = (name, done, result) =>
    create("p", create("b", name), ` = ${done} = `, createWithClass("value", "code", result));

  /** The computation of a beat's secrets, seed and draws. @param {string} game @param {Beat} beat */
  function beatRecipe(game, beat) {
    const b = beat.beat;
    const lines = beat.secrets.map(({ seat, secret, entry, above }) =>
      above
        ? recipeLine(
            tr("{value} of {side}", { value: `x[${b}]`, side: side(seat) }),
            tr("SHA-256({bytes} ‖ {above}, the share in entry {entry})", {
              bytes: `"pbem/1 link\\n${game}\\n${seat}\\n"`,
              above,
              entry,
            }),
            secret,
          )
        : recipeLine(
            tr("{value} of {side}", { value: `x[${b}]`, side: side(seat) }),
            tr("the share in entry {entry}", { entry }),
            secret,
          ),
    );
    const secrets = beat.secrets.map(({ secret }) => secret).join(" ‖ ");
    lines.push(recipeLine(`R[${b}]`, `SHA-256("pbem/1 beat\\n${game}\\n${b}\\n" ‖ ${secrets})`, beat.seed));
    for (const [j, draw] of (beat.draws ?? []).entries()) lines.push(...drawRecipe(beat, j, draw));
    if (beat.draws === null)
      lines.push(
        create(
          "p",
          tr("A game file does not say what each draw was drawn from: that follows from the rules."),
        ),
      );
    const outcomes = (beat.draws ?? []).map(({ outcome }) => outcomeText(outcome)).join(", ");
    const recipe = create(
      "details",
      create(
        "summary",
        tr("Entry {entry}, beat {beat}: {drawn}", {
          entry: beat.entry,
          beat: b,
          drawn: outcomes || tr("its seed"),
        }),
      ),
      ...lines,
    );
    recipe.id = `beat-${b}`;
    return recipe;
  }

  /** The computation of one draw. @param {Beat} beat @param {number} j @param {Draw} draw */
  function drawRecipe({ beat, seed }, j, { rule, outcomes, outcome, digest, number }) {
    const k = outcomes.length;
    const among = outcomes.map((one, place) =>
      place === number ? create("mark", outcomeText(one)) : outcomeText(one),
    );
    return [
      recipeLine(
        `D[${beat}][${j}]`,
        `SHA-256("pbem/1 draw\\n" ‖ ${seed} ‖ ${j.toString(16).padStart(8, "0")})`,
        digest,
      ),
      recipeLine(
        `D[${beat}][${j}] mod ${k}`,
        tr("the number of the outcome, counted from 0"),
        `${number}: ${outcomeText(outcome)}`,
      ),
      create(
        "p",
        tr("Rule {rule} draws from these {number}, in this order:", {
          rule: safeText(rule, 20),
          number: k,
        }),
        " ",
        ...among.flatMap((one) => [one, " "]),
      ),
    ];
  }

  /** How a seal was checked. @param {string} game @param {OpenedSeal} seal */
  function sealRecipe(game, { entry, seat, seal, salt, orders }) {
    const preimage = `SHA-256("pbem/1 seal\\n${game}\\n${seat}\\n" ‖ ${salt} ‖ ${safeText(orders, 20000)})`;
    return create(
      "details",
      create(
        "summary",
        tr("Entry {entry}: {side} {side:opens its|open their} seal", { entry, side: side(seat) }),
      ),
      recipeLine(tr("seal"), preimage, seal),
    );
  }

  /** How a commander's part was checked. @param {Part} part */
  function partRecipe({ entry, commander, orders, message, sig }) {
    const { seat, name, of, fingerprint } = commander;
    const title = plural(
      "Entry {entry}, {side:name}: {number} order of {name} ({units})",
      "Entry {entry}, {side:name}: {number} orders of {name} ({units})",
      orders.length,
      { entry, side: side(seat), units: groupList(of) },
    );
    return create(
      "details",
      create("summary", ...fillNodes(title, { name: create("bdi", quoteName(name)) })),
      create(
        "p",
        ...fillNodes(tr("Signed: {message}"), {
          message: createWithClass("value", "code", safeText(message.replace("\n", "\\n"), 20000)),
        }),
      ),
      create(
        "p",
        ...fillNodes(tr("Ed25519: {signature} by {fingerprint}"), {
          signature: createWithClass("value", "code", sig),
          fingerprint: create("code", fingerprint),
        }),
      ),
    );
  }

  const RULES = tr(
    "The rules of the game are unknown here: pbem verify checks them, and the program checks them before it " +
      "writes a page.",
  );
  const COMPARE = tr(
    "Compare the fingerprints with your opponent by telephone. Compare the first twelve digits of the last entry's " +
      "id with those that pbem verify prints for the game file: the id fixes every entry up to there.",
  );
  const PARTS = tr(
    "The orders in a part are also in the orders of its entry, in the same sequence. Only the rules can say whether " +
      "the units are its commander's.",
  );
  const SECRETS = tr(
    "Every secret x[b] was hashed, link by link, down to x[0], the anchor that its player signed before the first " +
      "move. ‖ joins bytes, 64 digits are 32 bytes, and \\n is a line feed.",
  );

  /** Show everything about a check in an element.
   *  @param {Element} place @param {Proven} proven @param {"file" | "page" | "here"} of the source of the log: a file or a
   *  page that a checker has read, or this page */
  function show(place, proven, of) {
    const [ofFile, ofPage] = [of === "file", of === "page"];
    const { game, beats, seals, parts, state } = proven;
    const draws = [
      create("h3", tr("Every draw")),
      create("p", SECRETS),
      ...beats.map((beat) => beatRecipe(game, beat)),
    ];
    const held = proven.hands.map((one) =>
      createWithClass(one.wrong ? "fails" : "holds", "p", hands.describe(one)),
    );
    const opened = [create("h3", tr("Every seal")), ...held, ...seals.map((seal) => sealRecipe(game, seal))];
    const signed = [create("h3", tr("Every commander's part")), create("p", PARTS), ...parts.map(partRecipe)];
    place.replaceChildren(
      createWithClass(`verdict ${state}`, "p", verdict(proven)),
      ...(ofPage ? unproven(proven, false).map((line) => createWithClass("unproven", "p", line)) : []),
      create("p", RULES),
      stepTable(proven, ofFile),
      create("h3", tr("Whose keys, and which log")),
      playerList(proven),
      create("p", COMPARE),
      ...(beats.length ? draws : []),
      ...(seals.length ? opened : []),
      ...(parts.length ? signed : []),
    );
  }

  return { show, verdict, unproven, summaryItems, create, createWithClass, safeText };
})();
