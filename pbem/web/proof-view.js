"use strict";
/*
 * Shows what proof.js has found: the verdict, the ten steps of docs/FORMAT.md section 9 and which of them these were,
 * the players' fingerprints, and the recipe of every draw and every seal with the very values. Whatever comes from
 * a file is put on the page as text, never as markup.
 */

const proofView = (() => {
  const { said, plural, laid, side } = texts;

  /** What is done here of the steps of FORMAT section 9: all, a part, or nothing. @type {[string, "all" | "part" | "none", string][]} */
  const STEPS = [
    [said("the YAML subset"), "none", said("a page holds the log as data")],
    [
      said("the schema, the rules' version, options and scenario"),
      "part",
      said("the entries' keys; options and scenario are the rules' matter"),
    ],
    [said("every entry follows the one before, in this game"), "all", ""],
    [said("seats, keys, nonces and anchors"), "all", ""],
    [said("every signature"), "all", ""],
    [
      said("who writes, and every share"),
      "part",
      said("all shares; whose turn it is by the rules is not known here"),
    ],
    [said("every order against the rules"), "none", said("this page does not know the rules")],
    [
      said("every position"),
      "part",
      said("each is the one that is signed; that it follows from the orders is the rules' matter"),
    ],
    [
      said("sealed orders"),
      "part",
      said("what was opened fits its seal; whether the orders were legal is the rules' matter"),
    ],
    [
      said("nothing follows the end"),
      "part",
      said("after a resignation or an agreed draw; another end is the rules' matter"),
    ],
  ];

  /** What is otherwise where a game file was read: the first and the eighth. @type {{[index: number]: [string, "part" | "none", string]}} */
  const OF_FILE = {
    0: [said("the YAML subset"), "part", said("read strictly; the budgets are the matter of pbem verify")],
    7: [said("every position"), "none", said("a game file holds none: they follow from the rules")],
  };

  /** An element with text and elements in it; a text stays a text. @param {string} tag @param {...(string | Node)} inside */
  function made(tag, ...inside) {
    const element = document.createElement(tag);
    element.append(...inside);
    return element;
  }

  /** The same with a class. @param {string} name @param {string} tag @param {...(string | Node)} inside */
  function classed(name, tag, ...inside) {
    const element = made(tag, ...inside);
    element.className = name;
    return element;
  }

  /** A stranger's words on one line, without what is invisible or turns the line round. @param {any} text @param {number} most */
  function harmless(text, most = 2000) {
    const shown = String(text)
      .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?")
      .replace(/\p{Z}/gu, " ");
    return shown.length > most ? shown.slice(0, most) + "…" : shown;
  }

  /** The same between quotation marks that it cannot close. @param {any} text */
  const named = (text) => `"${harmless(text, 64).replace(/["“”„‟″]/g, "'")}"`;

  /** The groups of units that a commander has. @param {string[]} of */
  const listed = (of) => harmless(of.join(", "), 100);

  /** An outcome as the game calls it. @param {any} outcome */
  const called = (outcome) => harmless(typeof outcome === "string" ? outcome : JSON.stringify(outcome), 40);

  /** In one sentence what came of the check. @param {Proven} proven */
  function verdict({ state, failed, step, problem, ids, beats, signatures }) {
    if (state === "fails") {
      const found = { step, entry: failed, problem: harmless(problem, 300) };
      return failed === null
        ? said("DOES NOT HOLD, step {step}. {problem}.", found)
        : said("DOES NOT HOLD, step {step}. Entry {entry}: {problem}.", found);
    }
    if (problem) return said("Not checked here: {problem}.", { problem });
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
      return said("Holds: every signature, and {done}. The rules are not checked here.", { done });
    return said(
      "Signatures are not checked here, as this browser has no Ed25519; nor are the rules. The rest holds: {done}.",
      { done },
    );
  }

  const PAINTED = said(
    "Whoever alters a page can paint it green too: only a checker from elsewhere (pbem page --checker) resists that.",
  );
  const NOT_READ = said(
    "Not read here: the page's story and words, what its map looks like and what lies over it, chances and luck.",
  );
  const DRAWN_FOR = said("Told, not proven: what each card or die was for, and how many dice there were.");
  const UNKNOWN = said(
    "This game is not known here: what the map shows, and what each draw was drawn among, is told too.",
  );

  /** What is not proven of a page in which all holds. @param {Proven} proven @param {boolean} itself whether it is the
   *  page that says so, and not a checker */
  function told({ state, positions, known, problem }, itself) {
    if (state === "fails" || problem) return [];
    const signed = positions.findIndex(({ entry }) => entry !== null);
    const more = known ? [] : [UNKNOWN];
    if (!itself) return [NOT_READ, DRAWN_FOR, ...more];
    const first = signed < 0 ? positions.length : signed;
    const words = said(
      "Told, not proven: title, edition and scenario; the words and arrows of the story; the words beside the map; " +
        "what hexes and counters look like, and what else lies over the map; chances and luck; what each card or " +
        "die was for, and how many dice there were; the map before entry {first}, the first to sign a position.",
      { first },
    );
    return [words, ...more, PAINTED];
  }

  /** How a step went, as a mark with a word. @param {Proven} proven @param {number} step @param {"all" | "part" | "none"} part */
  function mark({ step: failing, problem, signatures }, step, part) {
    if (step === failing) return ["fails", said("✗ fails")];
    if (part === "none" || (problem && failing === null) || (step === 5 && !signatures))
      return ["unchecked", said("– not checked here")];
    if (failing !== null) return ["unchecked", said("– up to the entry that fails")];
    return ["holds", part === "part" ? said("✓ holds, in part") : said("✓ holds")];
  }

  /** The ten steps. @param {Proven} proven @param {boolean} ofFile whether the log was read from a game file */
  function steps(proven, ofFile) {
    const rows = STEPS.map((step, index) => {
      const [title, part, note] = (ofFile && OF_FILE[index]) || step;
      const [state, words] = mark(proven, index + 1, part);
      const what = made("td", title, ...(note ? [classed("quiet", "small", note)] : []));
      return made("tr", made("td", String(index + 1)), what, classed(state, "td", words));
    });
    const head = made(
      "tr",
      ...["", said("step of pbem verify"), said("here")].map((title) => made("th", title)),
    );
    return made("table", made("thead", head), made("tbody", ...rows));
  }

  /** Who plays, by which key, from which anchor; and where the log ends. @param {Proven} proven */
  function players({ players: seated, commanders: staff, ids, failed }) {
    const shared = staff.map(({ seat, name, of, fingerprint }) =>
      made(
        "li",
        `${side(seat).name}, ${listed(of)}: `,
        made("bdi", named(name)),
        " ",
        made("code", fingerprint),
      ),
    );
    const lines = seated.map(({ seat, name, fingerprint, anchor }) =>
      made(
        "li",
        `${side(seat).name}: `,
        made("bdi", named(name)),
        " ",
        made("code", fingerprint),
        ...laid(said(", anchor {anchor}"), { anchor: made("code", anchor) }),
      ),
    );
    const last = ids
      .slice(0, failed ?? ids.length)
      .map((id, n) =>
        made(
          "li",
          ...laid(said("entry {entry}, the last that holds: {id}"), {
            entry: String(n),
            id: made("code", id),
          }),
        ),
      )
      .slice(-1);
    return made("ul", ...lines, ...shared, ...last);
  }

  /** Which game it is and who plays, by which key, as far as that holds. @param {Proven} proven */
  function head({ rules, ids, players: seated, commanders: staff, failed }) {
    const sure = seated.slice(0, failed ?? seated.length);
    const own = staff.filter(({ seat }) => sure.some((one) => one.seat === seat));
    const lines = [...sure, ...own].map(({ seat, name, fingerprint }) =>
      made("li", `${side(seat).name}: `, made("bdi", named(name)), " ", made("code", fingerprint)),
    );
    const which = said("{rules}, game {id}", { rules: harmless(rules, 40), id: ids[0]?.slice(0, 12) });
    return sure.length ? [made("li", which), ...lines] : [];
  }

  /** A line of a recipe: a name, what is done, what comes out. @param {string} name @param {string} done @param {string} result */
  const line = (name, done, result) =>
    made("p", made("b", name), ` = ${done} = `, classed("value", "code", result));

  /** How a beat's secrets, seed and draws come about. @param {string} game @param {Beat} beat */
  function beatRecipe(game, beat) {
    const b = beat.beat;
    const lines = beat.secrets.map(({ seat, secret, entry, above }) =>
      above
        ? line(
            said("{value} of {side}", { value: `x[${b}]`, side: side(seat) }),
            said("SHA-256({bytes} ‖ {above}, the share in entry {entry})", {
              bytes: `"pbem/1 link\\n${game}\\n${seat}\\n"`,
              above,
              entry,
            }),
            secret,
          )
        : line(
            said("{value} of {side}", { value: `x[${b}]`, side: side(seat) }),
            said("the share in entry {entry}", { entry }),
            secret,
          ),
    );
    const secrets = beat.secrets.map(({ secret }) => secret).join(" ‖ ");
    lines.push(line(`R[${b}]`, `SHA-256("pbem/1 beat\\n${game}\\n${b}\\n" ‖ ${secrets})`, beat.seed));
    for (const [j, draw] of (beat.draws ?? []).entries()) lines.push(...drawRecipe(beat, j, draw));
    if (beat.draws === null)
      lines.push(
        made("p", said("A game file does not say what was drawn among: that follows from the rules.")),
      );
    const outcomes = (beat.draws ?? []).map(({ outcome }) => called(outcome)).join(", ");
    const recipe = made(
      "details",
      made(
        "summary",
        said("Entry {entry}, beat {beat}: {drawn}", {
          entry: beat.entry,
          beat: b,
          drawn: outcomes || said("its seed"),
        }),
      ),
      ...lines,
    );
    recipe.id = `beat-${b}`;
    return recipe;
  }

  /** How one draw comes about. @param {Beat} beat @param {number} j @param {Draw} draw */
  function drawRecipe({ beat, seed }, j, { rule, outcomes, outcome, digest, number }) {
    const k = outcomes.length;
    const among = outcomes.map((one, place) => (place === number ? made("mark", called(one)) : called(one)));
    return [
      line(
        `D[${beat}][${j}]`,
        `SHA-256("pbem/1 draw\\n" ‖ ${seed} ‖ ${j.toString(16).padStart(8, "0")})`,
        digest,
      ),
      line(
        `D[${beat}][${j}] mod ${k}`,
        said("the number of the outcome, counted from 0"),
        `${number}: ${called(outcome)}`,
      ),
      made(
        "p",
        said("Rule {rule} draws among these {number}, in this order:", {
          rule: harmless(rule, 20),
          number: k,
        }),
        " ",
        ...among.flatMap((one) => [one, " "]),
      ),
    ];
  }

  /** How a seal was checked. @param {string} game @param {Opened} seal */
  function sealRecipe(game, { entry, seat, seal, salt, orders }) {
    const preimage = `SHA-256("pbem/1 seal\\n${game}\\n${seat}\\n" ‖ ${salt} ‖ ${harmless(orders, 20000)})`;
    return made(
      "details",
      made(
        "summary",
        said("Entry {entry}: {side} {side:opens its|open their} seal", { entry, side: side(seat) }),
      ),
      line(said("seal"), preimage, seal),
    );
  }

  /** How a commander's part was checked. @param {Part} part */
  function partRecipe({ entry, commander, orders, message, sig }) {
    const { seat, name, of, fingerprint } = commander;
    const title = plural(
      "Entry {entry}, {side:name}: {number} order of {name} ({units})",
      "Entry {entry}, {side:name}: {number} orders of {name} ({units})",
      orders.length,
      { entry, side: side(seat), units: listed(of) },
    );
    return made(
      "details",
      made("summary", ...laid(title, { name: made("bdi", named(name)) })),
      made(
        "p",
        ...laid(said("Signed: {message}"), {
          message: classed("value", "code", harmless(message.replace("\n", "\\n"), 20000)),
        }),
      ),
      made(
        "p",
        ...laid(said("Ed25519: {signature} by {fingerprint}"), {
          signature: classed("value", "code", sig),
          fingerprint: made("code", fingerprint),
        }),
      ),
    );
  }

  const RULES = said(
    "The rules of the game are not known here: pbem verify checks them, and the program that wrote a page has " +
      "checked them before it wrote.",
  );
  const COMPARE = said(
    "Compare the fingerprints with your opponent by telephone, and the id of the last entry with what pbem verify " +
      "prints for the game file, its first twelve digits: it fixes every entry up to there.",
  );
  const PARTS = said(
    "What stands in a part stands in the orders of its entry too, in the same sequence. Whether the units are its " +
      "commander's the rules say.",
  );
  const SECRETS = said(
    "Every secret x[b] was hashed, link by link, down to x[0], the anchor that its player signed before the first " +
      "move. ‖ joins bytes, 64 digits are 32 bytes, and \\n is a line feed.",
  );

  /** Everything about a check, into an element. @param {Element} place @param {Proven} proven @param {"file" | "page" | "here"} of what the log
   *  was read from: by a checker from a file or a page, or by a page from itself */
  function show(place, proven, of) {
    const [ofFile, ofPage] = [of === "file", of === "page"];
    const { game, beats, seals, parts, state } = proven;
    const draws = [
      made("h3", said("Every draw")),
      made("p", SECRETS),
      ...beats.map((beat) => beatRecipe(game, beat)),
    ];
    const opened = [made("h3", said("Every seal")), ...seals.map((seal) => sealRecipe(game, seal))];
    const signed = [made("h3", said("Every commander's part")), made("p", PARTS), ...parts.map(partRecipe)];
    place.replaceChildren(
      classed(`verdict ${state}`, "p", verdict(proven)),
      ...(ofPage ? told(proven, false).map((line) => classed("unproven", "p", line)) : []),
      made("p", RULES),
      steps(proven, ofFile),
      made("h3", said("Whose keys, and which log")),
      players(proven),
      made("p", COMPARE),
      ...(beats.length ? draws : []),
      ...(seals.length ? opened : []),
      ...(parts.length ? signed : []),
    );
  }

  return { show, verdict, told, head, made, classed, harmless };
})();
