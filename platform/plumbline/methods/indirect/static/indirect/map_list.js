// The places of a map as a real table, with the scores that colour its dots.

import { visible } from "../desk/grid_order.js";
import { number } from "../desk/grid_paint.js";

export function placesTable(positions) {
  const made = document.createElement("table"), head = made.createTHead().insertRow(), body = made.createTBody();
  for (const name of ["Target", "x", "y", "Score"]) head.append(header(name, "col"));
  for (const [word, x, y] of positions) {
    const row = body.insertRow();
    row.append(header(visible(word), "row"));
    for (const value of [x.toFixed(2), y.toFixed(2), ""]) row.insertCell().textContent = value;
  }
  return made;
}

function header(text, scope) {
  const made = document.createElement("th");
  made.scope = scope;
  made.textContent = text;
  return made;
}

// colour: {word, of: target -> [value, significant]} | null
export function fillValues(table, positions, colour) {
  table.tHead.rows[0].cells[3].textContent = colour ? `Score with ${visible(colour.word)}` : "Score";
  positions.forEach(([word], at) => {
    const value = colour?.of.get(word)?.[0];
    table.tBodies[0].rows[at].cells[3].textContent = value === undefined || value === null ? "" : number(value);
  });
}
