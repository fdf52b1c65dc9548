"use strict";
/*
 * What is asked and ordered, in words: the question, the list of orders and what comes of it, what else may be signed.
 */

const orderList = (() => {
  const { part } = board;
  const { said } = texts;
  const { lay, line, item, button, small } = dom;
  /** @type {{[act: string]: string}} */
  const CALLED = {
    share: said("Do what is due"),
    yes: said("Agree"),
    no: said("Refuse"),
    draw: said("Propose a draw"),
    resign: said("Resign"),
    takeback: said("Take back"),
  };
  /** What waits for the player, and is shown first. */
  const ANSWERS = new Set(["share", "yes", "no"]);

  /** Show it. @param {Situation} now @param {(lines: string[]) => void} judge has a list of orders judged */
  function tell(now, judge) {
    part("prompt").textContent = now.shown.owed;
    replay.figures(now.shown);
    lay(
      part("list"),
      now.lines.map((_, index) => listed(now.lines, index, judge)),
    );
    lay(part("notes"), now.notes.map(item));
    part("missing").textContent = now.missing && said("Still to do: {what}", { what: now.missing });
    lay(part("effects"), (now.signs?.told ?? now.told).map(item));
    if (now.news) lay(part("news"), now.news.map(item));
    part("finish").disabled = !now.whole;
    part("undo").disabled = part("clear").disabled = !now.lines.length;
    for (const id of ["typed", "buttons", "several", "speak"]) part(id).hidden = !now.seat;
    part("line").placeholder = now.free.at(-1)?.[0] ?? "";
    deeds(now);
    const drafted = button(said("Take in what they have signed"), () => judge([...now.lines, ...now.drafts]));
    const told = [...now.staff, ...(now.drafted ? [now.drafted] : [])];
    lay(part("staff"), [...told.map(line), ...(now.drafts.length ? [drafted] : [])]);
  }

  /** What else may be signed, and why the rest may not. @param {Situation} now */
  function deeds(now) {
    const made = now.acts.flatMap((act) =>
      CALLED[act] && act !== "takeback" ? [deed(CALLED[act], act)] : [],
    );
    const backs = now.backs.map(([entry, words]) =>
      deed(said("Take back: {orders}", { orders: words }), "takeback", entry),
    );
    const decides = now.acts.includes("orders"); // then what is due goes with them
    const answers = made.filter(
      ({ dataset: { act = "" } }) => ANSWERS.has(act) && !(decides && act === "share"),
    );
    lay(part("answers"), [...(now.proposal ? [line(now.proposal)] : []), ...answers]);
    lay(part("others"), [...made.filter((one) => !answers.includes(one)), ...backs]);
    const closed = now.closed.map(([act, why]) => item(`${CALLED[act]}: ${why}`));
    lay(part("closed"), closed);
    part("more").hidden = !part("others").childElementCount && !part("closed").childElementCount;
  }

  /** A button for something else that may be signed. @param {string} words @param {Act} act @param {number} [entry] */
  function deed(words, act, entry) {
    const made = button(`${words} …`, () => signing.confirm(act, entry));
    made.dataset.act = act;
    return made;
  }

  /** An order of the list, with what can be done to it.
   *  @param {string[]} lines @param {number} index @param {(lines: string[]) => void} judge */
  function listed(lines, index, judge) {
    const words = lines[index];
    const made = item(words);
    const others = lines.filter((_, other) => other !== index);
    /** @param {number} to */
    const moved = (to) => [...others.slice(0, to), words, ...others.slice(to)];
    if (index > 0)
      made.append(small("↑", said("Earlier: {orders}", { orders: words }), () => judge(moved(index - 1))));
    if (index < lines.length - 1)
      made.append(small("↓", said("Later: {orders}", { orders: words }), () => judge(moved(index + 1))));
    made.append(small("×", said("Leave out: {orders}", { orders: words }), () => judge(others)));
    return made;
  }

  /** Say why orders are refused; nothing: they are not. The number of the rule opens it. @param {Refusal} [refused] */
  function refuse(refused) {
    const number = refused?.number ?? "";
    part("refused").hidden = !refused;
    if (part("ruling").dataset.number !== number) part("ruling").hidden = true;
    part("ruling").dataset.number = number;
    part("ruling").querySelector("p").textContent = refused?.rule ?? "";
    if (!refused) return;
    const words = [refused.line, refused.error, refused.hint].filter(Boolean).join(" — ");
    const at = words.indexOf(number);
    if (!number) lay(part("refused"), [words]);
    else if (at < 0) lay(part("refused"), [words, " ", opener(number)]);
    else lay(part("refused"), [words.slice(0, at), opener(number), words.slice(at + number.length)]);
  }

  /** The number of a rule, which opens and shuts it. @param {string} number */
  function opener(number) {
    const made = button(number, () => {
      part("ruling").hidden = !part("ruling").hidden;
      made.setAttribute("aria-expanded", String(!part("ruling").hidden));
    });
    made.className = "rule";
    made.title = said("The rule");
    made.setAttribute("aria-controls", "ruling");
    made.setAttribute("aria-expanded", String(!part("ruling").hidden));
    return made;
  }

  return { tell, refuse };
})();
