// Sentences about the table: its order, a cell, and the agreement of target, feature and sensitive word.

import { isolated, likeness, visible } from "../desk/grid_order.js";
import { number, placeOf, probability, thousands } from "../desk/grid_paint.js";
import { ordering } from "./order.js";

export function sortedSo(state, labels) {
  const { sort } = state.view;
  if (!sort) return "";
  const from = fromInWords(state, labels);
  return `, sorted by ${sort.how === "value" ? "" : "likeness to "}“${visible(sort.word)}”${from ? ` (${from})` : ""}`;
}

// The source of a sort, as far as it differs from the shown table.
export function fromInWords(state, labels) {
  const from = state.otherSource(), own = state.currentView(), told = [];
  if (!from) return "";
  if (from.list !== own.list) told.push(`of ${from.list || "features"}`);
  if (from.statistic !== own.statistic || from.variant !== own.variant) told.push(`by ${labels[`${from.statistic} ${from.variant}`.trim()]?.title.split(":")[0] ?? from.statistic}`);
  if (from.run !== own.run) told.push(`of run ${from.run}`);
  return told.join(" ");
}

export function shownSize({ table, shown: { rows, columns } }) {
  return `${columns.length} of ${table.columns.length} targets × ${rows.length} of ${table.rows.length} features`;
}

// The whole label of a header, which may be cut in the grid.
export function headerLabel(state, { axis, at }) {
  return at < 0 ? state.pinnedAt(at).word : state.table[`${axis}Labels`][state.shown[`${axis}s`][at]];
}

export function cellSentence(state, { row, column }) {
  const { table, shown, pinned } = state;
  const [grid, at] = placeOf({ grid: table, ...shown, pinned }, row, column);
  const feature = row < 0 ? state.pinnedAt(row).label : grid.rowLabels[shown.rows[row]];
  const name = `${isolated(table.columnLabels[shown.columns[column]])} × ${isolated(feature)}`;
  const value = grid.value[at] ?? null;
  if (value === null) return `${name}: ${grid.reason[at] ? `not scorable (${grid.reasons[grid.reason[at]]})` : "not asked"}`;
  const interval = grid.low[at] === null ? "" : ` [${number(grid.low[at])}, ${number(grid.high[at])}]`;
  return `${name}: ${number(value)}${interval}  n = ${thousands(grid.n[at])} names  q = ${probability(grid.q[at])}`;
}

// Target, feature and sensitive word: how far they agree over the shown targets.
export function threeWaySentences(state) {
  const { table, source, pinned, view } = state;
  const found = view.sort?.axis === "row" ? ordering(table, source, "column", view.sort) : null;
  const told = found ? pinned.map((own) => togetherOf(state, own, found.ranks)).filter(Boolean) : [];
  const missing = view.with.filter(([list, word]) => !pinned.some((own) => own.list === list && own.word === word));
  return [...told, ...missing.map(([, word]) => `“${isolated(visible(word))}” has no values of this statistic.`)];
}

function togetherOf(state, { grid, word, at }, ranks) {
  const { sort } = state.view;
  if (word === sort.word) return null;
  const reads = [(column) => ranks.get(state.wordOf("column", column)) ?? null, (column) => grid.value[at(column)] ?? null];
  const [a, b] = reads.map((read) => state.shown.columns.map(read));
  const r = likeness(a, b), n = a.filter((one, place) => one !== null && b[place] !== null).length;
  if (r === null) return null;
  const way = Math.abs(r) < 2 / Math.sqrt(n) ? "have little in common" : r < 0 ? "go opposite ways" : "go the same way";
  return `Over ${n} targets, “${isolated(visible(sort.word))}” and “${isolated(visible(word))}” ${way}: r = ${number(r)}.`;
}
