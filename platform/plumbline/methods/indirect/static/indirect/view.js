// The view of the indirect page, read from its address and written there. It names words by themselves, so a sort, a
// pick or a move stays valid in another list, another statistic or another model.

import { keys, setKeys } from "./address.js";

const AXES = ["row", "column"];
const isText = (one) => typeof one === "string";
const areTexts = (one) => Array.isArray(one) && one.every(isText);
const SHAPES = {
  // {axis, word, how, from: {run, statistic, variant, list}}: the word and its table
  sort: (one) => AXES.includes(one?.axis) && isText(one.word) && ["value", "similarity"].includes(one.how) && isText(one.from?.list),
  moves: (one) => Array.isArray(one) && one.every((move) => areTexts(move) || (Array.isArray(move) && areTexts(move.slice(0, 2)) && move[2] === null)),
  targets: areTexts,
  features: areTexts,
  with: (one) => Array.isArray(one) && one.length <= 2 && one.every((pair) => areTexts(pair) && pair.length === 2),
  bars: (one) => areTexts(one) && one.length === 2 && AXES.includes(one[0]),
};
const EMPTY = { sort: null, moves: [], targets: [], features: [], with: [], bars: null };
const TEXTS = ["statistic", "variant", "list", "find", "target", "feature", "cell_list", "chart", "against"];
const TICKS = ["significant", "alone"];

export function readView() {
  const query = keys();
  const view = {};
  for (const name of TEXTS) view[name] = query.get(name) ?? "";
  for (const name of TICKS) view[name] = query.get(name) === "1";
  for (const name of Object.keys(SHAPES)) view[name] = parsed(query.get(name), SHAPES[name]) ?? EMPTY[name];
  return view;
}

export function writeView(view) {
  const changes = {};
  for (const name of TEXTS) changes[name] = view[name];
  for (const name of TICKS) changes[name] = view[name] ? "1" : null;
  for (const name of Object.keys(SHAPES)) changes[name] = isEmpty(view[name]) ? null : JSON.stringify(view[name]);
  setKeys(changes);
}

// The keys that a reset clears. The statistic, the list and the open cell stay.
export const unsorted = () => ({ ...EMPTY, find: "", significant: false, alone: false });

const isEmpty = (value) => value === null || value.length === 0;

function parsed(text, fits) {
  if (!text) return null;
  try {
    const found = JSON.parse(text);
    return fits(found) ? found : null;
  } catch {
    return null;
  }
}
