// Which rows and columns a grid shows, and in which order. Pure: rows and columns are numbers of the run's own order.

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

// A label for display, with invisible characters written out, as on the pages.
export const visible = (text) =>
  text.replace(HIDDEN, (one) => `⟨U+${one.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);

// A word of any writing direction inside a sentence.
export const isolated = (text) => `\u2068${text}\u2069`;

// The payload, with values that the page needs often.
export function gridOf(payload) {
  const width = payload.columns.length;
  return {
    ...payload,
    rowLabels: payload.rows.map(([group, other]) => other ? `${isolated(visible(group))} − ${isolated(visible(other))}` : visible(group)),
    columnLabels: payload.columns.map(([attribute]) => visible(attribute)),
    lists: [...new Set([...payload.columns.map(([, list]) => list), ...payload.dimensions].filter(Boolean))],
    hasBands: payload.dimensions.some(Boolean),
    at: (row, column) => row * width + column,
    isPresent: (at) => payload.present[at] === 1,
  };
}

// view: {groups, attributes, list, significant, sort: {axis, at, how} | null, moves: [{axis, from, before}]}
export function arranged(grid, view) {
  const order = (axis) => moved(sorted(grid, view.sort, axis), view.moves.filter((move) => move.axis === axis));
  const rows = order("row").filter((row) => has(grid.rowLabels[row], view.groups));
  const columns = order("column").filter(
    (column) => has(grid.columnLabels[column], view.attributes) && (!view.list || [grid.columns[column][1], grid.dimensions[column]].includes(view.list)),
  );
  return view.significant ? significantOnly(grid, rows, columns) : { rows, columns };
}

// The grid with bands in place of dimensions, if a row orders columns whose order would differ in other sentences. A
// band holds the columns whose intervals overlap with that of its first column: their order is not known.
export function inBands(grid, { sort, moves }, columns) {
  if (!isBanded(grid, sort) || moves.some((move) => move.axis === "column")) return grid;
  const dimensions = [...grid.dimensions];
  let band = 0, first = null;
  for (const column of columns) {
    const at = grid.at(sort.at, column);
    const isRanked = grid.value[at] !== null;
    if (isRanked && (first === null || !overlap(grid, first, at))) { band += 1; first = at; }
    dimensions[column] = isRanked ? `Band ${band}` : "";
  }
  return { ...grid, dimensions, hasBands: true, bandsAre: "Band" };
}

export function isBanded(grid, sort) {
  return Boolean(sort && sort.axis === "row" && sort.how === "value" && grid.unreliable?.[sort.at]);
}

function overlap(grid, one, other) {
  const limits = [grid.low[one], grid.high[one], grid.low[other], grid.high[other]];
  return limits.includes(null) || (limits[0] <= limits[3] && limits[2] <= limits[1]);
}

export function has(label, text) {
  return !text || label.toLowerCase().includes(text.toLowerCase());
}

// The first click sorts by the values of the row or column, the second by likeness to it, the third as in the run.
export function nextSort(sort, axis, at) {
  if (!sort || sort.axis !== axis || sort.at !== at) return { axis, at, how: "value" };
  return sort.how === "value" ? { axis, at, how: "similarity" } : null;
}

// A column's values order the rows, and likeness to a column orders the columns. For a row the axes are swapped.
function sorted(grid, sort, axis) {
  const all = (axis === "row" ? grid.rows : grid.columns).map((_, number) => number);
  if (!sort || (sort.how === "value") === (sort.axis === axis)) return all;
  const key = sort.how === "value"
    ? all.map((one) => grid.value[sort.axis === "column" ? grid.at(one, sort.at) : grid.at(sort.at, one)])
    : all.map((one) => (one === sort.at ? Infinity : likeness(line(grid, axis, one), line(grid, axis, sort.at))));
  return all.sort((a, b) => rank(key[b]) - rank(key[a]) || a - b);
}

// Missing values come last. -Infinity would not work, because its difference to itself is no number.
const rank = (value) => (value == null ? -Number.MAX_VALUE : value === Infinity ? Number.MAX_VALUE / 2 : value);

// The values of one row, or of one column.
export function line(grid, axis, number) {
  if (axis === "column") return grid.rows.map((_, row) => grid.value[grid.at(row, number)]);
  return grid.columns.map((_, column) => grid.value[grid.at(number, column)]);
}

// Pearson's correlation over the shared values; null below three pairs or without spread.
export function likeness(a, b) {
  let n = 0, sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i], y = b[i];
    if (x === null || y === null) continue;
    n++; sa += x; sb += y; saa += x * x; sbb += y * y; sab += x * y;
  }
  const spread = (saa - (sa * sa) / n) * (sbb - (sb * sb) / n);
  return n < 3 || !(spread > 0) ? null : (sab - (sa * sb) / n) / Math.sqrt(spread);
}

// Each move takes one out and puts it before another (before: null, at the end), in any order.
export function moved(order, moves) {
  for (const { from, before } of moves) {
    if (!order.includes(from) || from === before) continue;
    const rest = order.filter((one) => one !== from);
    const place = before === null ? rest.length : rest.indexOf(before);
    order = place < 0 ? order : [...rest.slice(0, place), from, ...rest.slice(place)];
  }
  return order;
}

// The rows and columns in which an effect is present.
export function significantOnly(grid, rows, columns) {
  const strong = (row, column) => grid.isPresent(grid.at(row, column));
  return {
    rows: rows.filter((row) => columns.some((column) => strong(row, column))),
    columns: columns.filter((column) => rows.some((row) => strong(row, column))),
  };
}
