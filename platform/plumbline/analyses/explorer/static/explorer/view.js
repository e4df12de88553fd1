// The whole view in the address, so that a link shows the sender's view.

const TEXTS = ["statistic", "find", "groups", "attributes", "list"];
const CELL = ["group", "other", "attribute"];

export function readView(search, statistic) {
  const query = new URLSearchParams(search);
  const view = Object.fromEntries(TEXTS.map((name) => [name, query.get(name) ?? ""]));
  return {
    ...view,
    statistic: view.statistic || statistic,
    significant: query.get("significant") === "1",
    sort: readSort(query.get("sort") ?? ""),
    moves: (query.get("moves") ?? "").split(".").map(readMove).filter(Boolean),
    cell: query.has("attribute") ? Object.fromEntries(CELL.map((name) => [name, query.get(name) ?? ""])) : null,
  };
}

export function writeView(view) {
  const query = new URLSearchParams();
  for (const name of TEXTS) if (view[name]) query.set(name, view[name]);
  if (view.significant) query.set("significant", "1");
  if (view.sort) query.set("sort", `${view.sort.axis}-${view.sort.at}-${view.sort.how}`);
  if (view.moves.length) query.set("moves", view.moves.map(writeMove).join("."));
  if (view.cell) for (const name of CELL) if (view.cell[name]) query.set(name, view.cell[name]);
  return `?${query}`;
}

function readSort(text) {
  const found = /^(row|column)-(\d+)-(value|similarity)$/.exec(text);
  return found && { axis: found[1], at: Number(found[2]), how: found[3] };
}

// r5-2: row 5 before row 2; c7-: column 7 to the end.
function readMove(text) {
  const found = /^([rc])(\d+)-(\d*)$/.exec(text);
  if (!found) return null;
  return { axis: found[1] === "r" ? "row" : "column", from: Number(found[2]), before: found[3] ? Number(found[3]) : null };
}

const writeMove = ({ axis, from, before }) => `${axis[0]}${from}-${before ?? ""}`;
