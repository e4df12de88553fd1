// One word against another of the same axis, or against the mean of all others: two scores for each word across. Pure.

import { likeness, line } from "../desk/grid_order.js";
import { other } from "./order.js";

// [{label, x, y, present}]: y is the score of the word, x that of the other one. Words without both scores are left out.
export function pairOf(table, axis, at, against) {
  const across = other(axis), own = line(table, axis, at), others = scoresOf(table, axis, at, against);
  const entries = own.map((y, one) => ({ label: table[`${across}Labels`][one], x: others[one], y, present: isPresent(table, axis, at, one) }));
  return entries.filter(({ x, y }) => x !== null && y !== null);
}

// The scores of a word, or for an unknown one the means over all words of the axis but one.
export function scoresOf(table, axis, at, word) {
  const found = table.words[axis].indexOf(word);
  if (found >= 0) return line(table, axis, found);
  const lines = table.words[axis].map((_, one) => one).filter((one) => one !== at).map((one) => line(table, axis, one));
  return line(table, axis, at).map((_, place) => meanOf(lines.map((own) => own[place])));
}

function meanOf(values) {
  const known = values.filter((one) => one !== null);
  return known.length ? known.reduce((sum, one) => sum + one, 0) / known.length : null;
}

const isPresent = (table, axis, at, one) => table.isPresent(axis === "row" ? table.at(at, one) : table.at(one, at));

// The largest differences first.
export const farthest = (entries) => [...entries].sort((a, b) => Math.abs(b.y - b.x) - Math.abs(a.y - a.x));

export const correlation = (entries) => likeness(entries.map(({ x }) => x), entries.map(({ y }) => y));

// The end of a scale around 0 that holds all scores, rounded up to one figure.
export function endOf(values) {
  const most = Math.max(1e-9, ...values.map((one) => Math.abs(one ?? 0)));
  const step = 10 ** Math.floor(Math.log10(most));
  return Math.ceil(most / step - 1e-9) * step;
}

// Which boxes [x, y, width, height] can be drawn without an overlap, the first ones first.
export function apart(boxes) {
  const kept = [];
  return boxes.map(([x, y, width, height]) => {
    const isFree = kept.every(([a, b, w, h]) => x + width < a || a + w < x || y + height < b || b + h < y);
    if (isFree) kept.push([x, y, width, height]);
    return isFree;
  });
}
