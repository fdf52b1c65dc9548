"use strict";
/*
 * The drawer of orders, in words: the question, the list of orders and their effects, and other actions.
 */

const orderList = (() => {
  const { byId } = board;
  const { tr } = texts;
  const { setContent, paragraph, listItem, button, smallButton } = dom;
  /** @type {{[act: string]: string}} */
  const ACTION_NAMES = {
    share: tr("Continue"),
    yes: tr("Agree"),
    no: tr("Refuse"),
    draw: tr("Propose a draw"),
    resign: tr("Resign"),
    takeback: tr("Take back"),
  };
  /** The labels of the buttons that withdraw deferred actions. */
  const WITHDRAWN = {
    draw: tr("Withdraw your draw offer"),
    takeback: tr("Withdraw your take-back"),
    resign: tr("Withdraw your resignation"),
  };
  /** The actions that answer something pending, and are shown first. */
  const ANSWERS = new Set(["share", "yes", "no"]);

  /** Show the drawer. @param {Situation} now @param {(lines: string[]) => void} judge has a list of orders judged */
  function show(now, judge) {
    byId("prompt").textContent = now.task.says;
    setContent(byId("due"), now.task.due.map(listItem));
    replay.showFigures(now.shown);
    setContent(
      byId("list"),
      now.lines.map((_, index) => orderItem(now.lines, index, judge)),
    );
    setContent(byId("notes"), now.notes.map(listItem));
    setContent(byId("effects"), now.told.map(listItem));
    if (now.news) setContent(byId("news"), now.news.map(listItem));
    byId("finish").disabled = !now.whole;
    byId("undo").disabled = byId("clear").disabled = !now.lines.length;
    for (const id of ["typed", "buttons", "several", "speak"]) byId(id).hidden = !now.seat;
    byId("line").placeholder = now.free.at(-1)?.[0] ?? "";
    showActions(now);
    const drafted = button(tr("Add the orders they have signed"), () => judge([...now.lines, ...now.drafts]));
    const told = [...now.staff, ...(now.drafted ? [now.drafted] : [])];
    setContent(byId("staff"), [...told.map(paragraph), ...(now.drafts.length ? [drafted] : [])]);
  }

  /** Show the other possible actions, and why the rest are impossible. @param {Situation} now */
  function showActions(now) {
    const decides = now.acts.includes("orders"); // the due share then goes with the orders
    /** @type {{[act: string]: string}} */
    const names = { ...ACTION_NAMES, ...(decides ? { share: tr("Record the draw first") } : {}) };
    const made = now.acts.flatMap((act) =>
      names[act] && act !== "takeback" ? [actionButton(names[act], act)] : [],
    );
    const backs = now.backs.map(([entry, words]) =>
      actionButton(tr("Take back entry {entry}: {orders}", { entry, orders: words }), "takeback", entry),
    );
    const answers = made.filter(
      ({ dataset: { act = "" } }) => ANSWERS.has(act) && !(decides && act === "share"),
    );
    setContent(byId("answers"), [...(now.proposal ? [paragraph(now.proposal)] : []), ...answers]);
    const waiting = now.waits.map((what) => button(WITHDRAWN[what], () => signing.withdraw(what)));
    setContent(byId("others"), [...made.filter((one) => !answers.includes(one)), ...backs, ...waiting]);
    const closed = now.closed.map(([act, why]) => listItem(`${ACTION_NAMES[act]}: ${why}`));
    setContent(byId("closed"), closed);
    byId("more").hidden = !byId("others").childElementCount && !byId("closed").childElementCount;
  }

  /** A button for another action. @param {string} words @param {Act} act @param {number} [entry] */
  function actionButton(words, act, entry) {
    const made = button(`${words} …`, () => signing.confirm(act, entry));
    made.dataset.act = act;
    return made;
  }

  /** An order of the list, with buttons to move and delete it.
   *  @param {string[]} lines @param {number} index @param {(lines: string[]) => void} judge */
  function orderItem(lines, index, judge) {
    const words = lines[index];
    const made = listItem(words);
    const others = lines.filter((_, other) => other !== index);
    /** @param {number} to */
    const moved = (to) => [...others.slice(0, to), words, ...others.slice(to)];
    if (index > 0)
      made.append(
        smallButton("↑", tr("Move up: {orders}", { orders: words }), () => judge(moved(index - 1))),
      );
    if (index < lines.length - 1)
      made.append(
        smallButton("↓", tr("Move down: {orders}", { orders: words }), () => judge(moved(index + 1))),
      );
    made.append(smallButton("×", tr("Remove: {orders}", { orders: words }), () => judge(others)));
    return made;
  }

  /** Say why orders are refused; without a refusal, clear that. The number of the rule opens it.
   *  @param {Refusal} [refused] */
  function showRefusal(refused) {
    const number = refused?.number ?? "";
    byId("refused").hidden = !refused;
    if (byId("ruling").dataset.number !== number) byId("ruling").hidden = true;
    byId("ruling").dataset.number = number;
    byId("ruling").querySelector("p").textContent = refused?.rule ?? "";
    if (!refused) return;
    const words = [refused.line, refused.error, refused.hint].filter(Boolean).join(" — ");
    const at = words.indexOf(number);
    if (!number) setContent(byId("refused"), [words]);
    else if (at < 0) setContent(byId("refused"), [words, " ", ruleButton(number)]);
    else
      setContent(byId("refused"), [words.slice(0, at), ruleButton(number), words.slice(at + number.length)]);
  }

  /** The number of a rule, which opens and closes it. @param {string} number */
  function ruleButton(number) {
    const made = button(number, () => {
      byId("ruling").hidden = !byId("ruling").hidden;
      made.setAttribute("aria-expanded", String(!byId("ruling").hidden));
    });
    made.className = "rule";
    made.title = tr("The rule");
    made.setAttribute("aria-controls", "ruling");
    made.setAttribute("aria-expanded", String(!byId("ruling").hidden));
    return made;
  }

  return { show, showRefusal };
})();
