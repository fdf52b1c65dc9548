"use strict";
/*
 * Sorts the tables of a club's page by the column whose heading is clicked; a second click reverses the order. Without
 * this script they stay in their original order.
 */

const club = (() => {
  const order = new Intl.Collator(document.documentElement.lang, { numeric: true });

  for (const table of document.querySelectorAll("table")) {
    table.querySelectorAll("th").forEach((head, column) => {
      if (!head.textContent) return; // the column of remarks
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sort(table, head, column));
    });
  }

  /** @param {HTMLTableElement} table @param {HTMLTableCellElement} head @param {number} column */
  function sort(table, head, column) {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const up = head.getAttribute("aria-sort") !== "ascending";
    rows.sort((one, other) => (up ? 1 : -1) * compareCells(one.cells[column], other.cells[column]));
    for (const each of table.querySelectorAll("th")) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    body.append(...rows);
  }

  /** @param {HTMLTableCellElement} one @param {HTMLTableCellElement} other */
  function compareCells(one, other) {
    const [first, second] = [one.dataset.key, other.dataset.key];
    if (first !== undefined && second !== undefined) return Number(first) - Number(second);
    return order.compare(one.textContent ?? "", other.textContent ?? "");
  }

  addEventListener("hashchange", openTarget);
  openTarget();

  /** A link to a player opens their folded details. */
  function openTarget() {
    const found = document.getElementById(location.hash.slice(1));
    if (found instanceof HTMLDetailsElement) found.open = true;
  }

  return { sort };
})();
