// The view as a real table, the sensitive words as its first rows.

import { number } from "../desk/grid_paint.js";
import { table as asTable } from "../desk/grid_table.js";

export function viewTable({ table, shown, pinned }) {
  const made = asTable(table, shown.rows, shown.columns);
  for (const own of [...pinned].reverse()) {
    const row = made.tBodies[0].insertRow(0), head = document.createElement("th");
    head.scope = "row";
    head.textContent = own.label;
    row.append(head);
    for (const column of shown.columns) {
      const at = own.at(column), value = own.grid.value[at] ?? null;
      row.insertCell().textContent = value === null ? "" : number(value) + (own.grid.isPresent(at) ? "*" : "");
    }
  }
  return made;
}
