// The order of the indirect table: features in rows, targets in columns (thesis, section 4.1.2 and appendix B.1).
// Pure. A table is a grid of grid_order.js turned over; a sort names its word, so it can come from another table.

import { line, moved, significantOnly } from "../desk/grid_order.js";

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const EXTREMES = 5;

// Transposes a grid: the server has targets in rows, and this page has them in columns.
export function turned(grid) {
  const own = (added, labels) => labels.map((label) => (added.has(label) ? `${label} (added)` : label));
  const added = { row: new Set(grid.added.features), column: new Set(grid.added.targets) };
  const [rows, columns] = [grid.columns, grid.rows];
  return {
    ...grid,
    rows,
    columns,
    words: { row: rows.map(([word]) => word), column: columns.map(([word]) => word) },
    rowLabels: own(added.row, grid.columnLabels),
    columnLabels: own(added.column, grid.rowLabels),
    hasBands: false,
    corner: "Feature",
    at: (row, column) => (row < 0 || column < 0 ? undefined : grid.at(column, row)),
  };
}

export const other = (axis) => (axis === "row" ? "column" : "row");

// The cosine of the angle between two lines of values, over their shared places; null if one has only zeros.
export function cosine(a, b) {
  let aa = 0, bb = 0, ab = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i], y = b[i];
    if (x === null || y === null) continue;
    aa += x * x; bb += y * y; ab += x * y;
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : null;
}

// The sort values of the words of an axis, from one table; null if it has none of them.
export function ranking(table, axis, sort) {
  const at = table.words[sort.axis].indexOf(sort.word);
  if (at < 0 || (axis === sort.axis && sort.how === "value")) return null;
  const own = line(table, sort.axis, at);
  if (axis !== sort.axis) return new Map(table.words[axis].map((word, number) => [word, own[number]]));
  return likenesses(table, axis, own).set(sort.word, Infinity);
}

const likenesses = (table, axis, own) => new Map(table.words[axis].map((word, number) => [word, cosine(own, line(table, axis, number))]));

// How like the words of the shown table are to a word of another one, such as sports to a word of gender: over the words
// of the other axis that both tables have. Null if the other table lacks the word.
function likenessAcross(table, source, axis, sort) {
  const at = source.words[axis].indexOf(sort.word), across = other(axis);
  if (at < 0) return null;
  const own = line(source, axis, at);
  const values = new Map(source.words[across].map((word, number) => [word, own[number]]));
  return likenesses(table, axis, table.words[across].map((word) => values.get(word) ?? null));
}

// The table that orders an axis: the sorted one, or the shown one if the sorted one has none of these words.
export function ordering(table, source, axis, sort) {
  if (!sort) return null;
  for (const one of source ? [source, table] : [table]) {
    const found = ranking(one, axis, sort);
    if (found && table.words[axis].some((word) => found.has(word))) return { table: one, ranks: found };
  }
  if (!source || axis !== sort.axis || sort.how !== "similarity") return null;
  const ranks = likenessAcross(table, source, axis, sort);
  return ranks && { table, ranks };
}

// The words of an axis without a sort: by alphabet and number, or in the order of the list.
export function plain(table, axis) {
  const words = table.words[axis], all = words.map((_, number) => number);
  if (axis === "row" && table.listed) return all;
  return all.sort((a, b) => collator.compare(words[a], words[b]) || a - b);
}

// view: {sort, moves: [[axis, word, before | null]], find, targets, features, alone, significant}
export function arranged(table, source, view) {
  const [rows, columns] = ["row", "column"].map((axis) => chosen(table, axis, view, own(table, source, axis, view)));
  return view.significant ? significantOnly(table, rows, columns) : { rows, columns };
}

function own(table, source, axis, { sort, moves }) {
  const base = plain(table, axis), found = ordering(table, source, axis, sort);
  if (found) {
    const rank = base.map((number) => found.ranks.get(table.words[axis][number]) ?? -Number.MAX_VALUE);
    const place = new Map(base.map((number, at) => [number, at]));
    base.sort((a, b) => (rank[place.get(a)] < rank[place.get(b)] ? 1 : rank[place.get(a)] > rank[place.get(b)] ? -1 : 0) || place.get(a) - place.get(b));
  }
  const number = (word) => (word === null ? null : table.words[axis].indexOf(word));
  return moved(base, moves.filter(([one]) => one === axis).map(([, from, before]) => ({ from: number(from), before: number(before) })));
}

// Only the picks, if picks are shown alone; all words of an axis without a pick.
function chosen(table, axis, view, order) {
  const words = table.words[axis], picks = new Set(view.alone ? view[axis === "row" ? "features" : "targets"] : []);
  const isPicked = words.some((word) => picks.has(word)) ? (number) => picks.has(words[number]) : () => true;
  return order.filter(isPicked);
}

// The five highest and the five lowest of a ranking, [word, value], without the word itself.
export function extremes(ranks) {
  const known = [...ranks].filter(([, value]) => value !== null && value !== undefined && value !== Infinity).sort((a, b) => b[1] - a[1]);
  const most = Math.min(EXTREMES, Math.ceil(known.length / 2));
  return { most: known.slice(0, most), least: known.slice(Math.max(most, known.length - EXTREMES)).reverse() };
}

// The first click sorts by values, the second also by likeness, the third restores the order. Another header, or the same
// one of another table, starts again.
export function nextSort(sort, axis, word, from) {
  const isSame = sort && sort.axis === axis && sort.word === word && isFrom(sort, from);
  if (!isSame) return { axis, word, how: "value", from };
  return sort.how === "value" ? { axis, word, how: "similarity", from } : null;
}

export const isFrom = (sort, from) => ["run", "statistic", "variant", "list"].every((name) => sort.from[name] === from[name]);
