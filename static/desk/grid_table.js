// The view as a real table, for screen readers and for copying.

import { number } from "./grid_paint.js";

const MOST_CELLS = 10000;

export function table(grid, rows, columns) {
  const shown = columns.slice(0, MOST_CELLS);
  const first = rows.slice(0, Math.max(1, Math.floor(MOST_CELLS / Math.max(1, shown.length))));
  const made = document.createElement("table");
  made.className = "close";
  const part = first.length < rows.length ? ` The first ${first.length} of ${rows.length} rows: filter, or take the CSV, for the others.` : "";
  made.createCaption().textContent = `* stands for an effect that is present; a cell that is not scorable says so.${part}`;
  if (grid.hasBands) made.createTHead().append(bands(grid, shown));
  const header = made.createTHead().insertRow();
  header.append(head(grid.corner ?? "Group", "col"), ...shown.map((column) => head(grid.columnLabels[column], "col")));
  const body = made.createTBody();
  for (const row of first) {
    const line = body.insertRow();
    line.append(head(grid.rowLabels[row], "row"), ...shown.map((column) => cell(grid, grid.at(row, column))));
  }
  return made;
}

// The dimensions, each over its neighbouring columns.
function bands(grid, columns) {
  const line = document.createElement("tr");
  line.append(head(grid.bandsAre ?? "Dimension", "row"));
  for (let start = 0, next; start < columns.length; start = next) {
    for (next = start + 1; next < columns.length && grid.dimensions[columns[next]] === grid.dimensions[columns[start]];) next++;
    const over = head(grid.dimensions[columns[start]], "colgroup");
    over.colSpan = next - start;
    line.append(over);
  }
  return line;
}

function head(text, scope) {
  const made = document.createElement("th");
  made.scope = scope;
  made.append(bdi(text));
  return made;
}

function cell(grid, at) {
  const made = document.createElement("td");
  made.className = "number";
  const missing = grid.value[at] === null;
  made.textContent = missing ? grid.reasons[grid.reason[at] ?? 0] && "not scorable" : number(grid.value[at]) + (grid.isPresent(at) ? "*" : "");
  made.classList.toggle("hatched", missing && Boolean(grid.reason[at]));
  return made;
}

function bdi(text) {
  const made = document.createElement("bdi");
  made.textContent = text;
  return made;
}
