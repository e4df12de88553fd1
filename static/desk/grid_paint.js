// Painting a grid: on a canvas, or on anything that takes the same calls (grid_svg.js).

export const FONT = '13px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
export const BAND = 20; // pixels above the column headers, for the dimensions
const SMALL = FONT.replace("13px", "11px");
const NUMBER_FROM = 44; // the least width of a cell, in pixels, that shows its number with the sign
const STEPS = 32;
const PALE = 0.5;

// The colours of the page, light or dark, as ready strings for both signs.
export function coloursOf(element) {
  const style = getComputedStyle(element);
  const [paper, ink, faint, line, accent, more, less] = ["paper", "ink", "faint", "line", "accent", "more", "less"].map(
    (name) => style.getPropertyValue(`--${name}`).trim(),
  );
  const ramp = (end) => Array.from({ length: STEPS + 1 }, (_, step) => mixed(paper, end, step / STEPS));
  return { paper, ink, faint, line, accent, more: ramp(more), less: ramp(less) };
}

function mixed(from, to, share) {
  const [a, b] = [from, to].map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));
  return `rgb(${a.map((one, i) => Math.round(one + (b[i] - one) * share)).join(" ")})`;
}

// How strong a cell is drawn, 0 to 1: its share of the domain, paler if it is not significant.
function strength(value, domain, significant) {
  const share = Math.min(1, Math.abs(value) / domain);
  return significant ? 0.1 + 0.9 * share : PALE * share;
}

const ROUNDING = 1e-12;

// The number of decimals that shows two significant figures, without powers of ten for small values.
function decimals(size) {
  return size >= 0.095 ? 2 : 1 - Number(size.toExponential(1).split("e")[1]);
}

// The same as number() of spec/numbers.py: two significant figures, with the sign except at zero.
export function number(value) {
  const size = Math.abs(value);
  if (size < ROUNDING) return value === null ? "-" : "0";
  return (value < 0 ? "-" : "+") + size.toFixed(decimals(size));
}

export const thousands = (n) => n.toLocaleString("en");

export function probability(value) {
  if (!value) return value === null ? "-" : "0";
  return value >= 0.095 ? value.toFixed(2) : value.toFixed(decimals(value)).replace(/0+$/, "");
}

// The part of the grid between two pixels of the content.
export function range(start, end, size, count) {
  return [Math.max(0, Math.floor(start / size)), Math.min(count, Math.ceil(end / size))];
}

const widths = new Map();

// A label, cut to a width with an ellipsis. Each label is measured once.
export function cut(context, text, width) {
  const key = `${Math.round(width)} ${text}`;
  if (!widths.has(key)) {
    if (widths.size > 20000) widths.clear();
    widths.set(key, measured(context, text, width));
  }
  return widths.get(key);
}

function measured(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  const letters = [...text];
  let low = 0, high = letters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(`${letters.slice(0, middle).join("")}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join("")}…`;
}

// scene: {grid, rows, columns, cell: {width, height}, head: {width, height, labels}, scroll: {x, y}, width, height,
//         colours, current: {row, column} | null, found and picked: {row: Set, column: Set}, sort,
//         drop: {axis, at} | null, veiled: no cell shows its value, pinned: [{grid, label, at(column)}]}
// Pinned rows are below the column headers and scroll only sideways. They are the rows -1, -2 ... from below.
export function paint(context, scene) {
  const { width, height, colours, head, pinned } = scene;
  const right = width - head.width, below = height - head.height, band = head.height - head.labels;
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, width, height);
  within(context, head.width, head.height, right, below, () => paintCells(context, scene, shown(scene).rows));
  within(context, head.width, 0, right, head.labels, () => paintColumnHeads(context, scene));
  within(context, 0, head.height, head.width, below, () => paintRowHeads(context, scene, shown(scene).rows));
  if (pinned.length) {
    const rows = [-pinned.length, 0];
    within(context, head.width, head.labels, right, band, () => paintCells(context, scene, rows));
    within(context, 0, head.labels, head.width, band, () => paintRowHeads(context, scene, rows));
    context.fillStyle = colours.accent;
    context.fillRect(0, head.height - 2, width, 2);
  }
  context.fillStyle = colours.line;
  context.fillRect(0, head.labels - 1, width, 1);
  context.fillRect(head.width - 1, 0, 1, height);
}

// The grid and the place in it of a row and a column of the view; undefined if a pinned row has no such place.
export function placeOf({ grid, rows, columns, pinned }, row, column) {
  if (row >= 0) return [grid, grid.at(rows[row], columns[column])];
  const own = pinned[pinned.length + row];
  return [own.grid, own.at(columns[column])];
}

function within(context, x, y, width, height, draw) {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  draw();
  context.restore();
}

function shown(scene) {
  const { scroll, cell, head, width, height, rows, columns } = scene;
  return {
    rows: range(scroll.y, scroll.y + height - head.height, cell.height, rows.length),
    columns: range(scroll.x, scroll.x + width - head.width, cell.width, columns.length),
  };
}

const xOf = (scene, at) => scene.head.width + at * scene.cell.width - scene.scroll.x;
const yOf = (scene, at) => scene.head.height + at * scene.cell.height - (at < 0 ? 0 : scene.scroll.y);

function paintCells(context, scene, [firstRow, endRow]) {
  const { cell, colours } = scene;
  const [firstColumn, endColumn] = shown(scene).columns;
  const marks = { hatched: [], outlined: [], onPaper: [], onColour: [] };
  for (let r = firstRow; r < endRow; r++) {
    for (let c = firstColumn; c < endColumn; c++) {
      const [grid, at] = placeOf(scene, r, c);
      const value = grid.value[at] ?? null;
      const place = [xOf(scene, c), yOf(scene, r), value];
      if (scene.veiled) {
        context.fillStyle = colours.line;
        context.fillRect(place[0], place[1], cell.width - 1, cell.height - 1);
        continue;
      }
      if (value === null) {
        if (grid.reason[at]) marks.hatched.push(place);
        continue;
      }
      const significant = grid.isPresent(at);
      const strong = strength(value, grid.domain, significant);
      context.fillStyle = (value < 0 ? colours.less : colours.more)[Math.round(strong * STEPS)];
      context.fillRect(place[0], place[1], cell.width - 1, cell.height - 1);
      if (significant) marks.outlined.push(place);
      (strong > 0.55 ? marks.onColour : marks.onPaper).push(place);
    }
  }
  paintHatches(context, scene, marks.hatched);
  paintOutlines(context, scene, marks.outlined);
  paintSigns(context, scene, marks.onPaper, colours.ink);
  paintSigns(context, scene, marks.onColour, colours.paper);
  if (scene.current) paintCurrent(context, scene);
}

function paintHatches(context, { cell, colours }, places) {
  context.strokeStyle = colours.faint;
  context.lineWidth = 0.75;
  context.beginPath();
  for (const [x, y] of places) {
    const width = cell.width - 2, height = cell.height - 2;
    for (let start = 5 - height; start < width; start += 6) {
      const from = Math.max(0, start), to = Math.min(width, start + height);
      context.moveTo(x + from, y + height - (from - start));
      context.lineTo(x + to, y + height - (to - start));
    }
  }
  context.stroke();
}

function paintOutlines(context, { cell, colours }, places) {
  context.strokeStyle = colours.ink;
  context.lineWidth = 1.5;
  for (const [x, y] of places) context.strokeRect(x + 1, y + 1, cell.width - 3, cell.height - 3);
}

// The sign without colour: the number if it fits, otherwise a triangle that points up or down.
function paintSigns(context, { cell }, places, colour) {
  context.fillStyle = colour;
  if (cell.width >= NUMBER_FROM) {
    context.font = SMALL;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const [x, y, value] of places) context.fillText(number(value), x + cell.width / 2, y + cell.height / 2);
    return;
  }
  context.beginPath();
  for (const [x, y, value] of places) {
    const up = -Math.sign(value); // 0: a dash
    const middle = x + (cell.width - 1) / 2, base = y + (cell.height - 1) / 2 - up * 2.5;
    context.moveTo(middle - 3.5, base);
    context.lineTo(middle + 3.5, base);
    if (up) context.lineTo(middle, base + up * 5.5);
    else context.lineTo(middle + 3.5, base + 1.5), context.lineTo(middle - 3.5, base + 1.5);
    context.closePath();
  }
  context.fill();
}

function paintCurrent(context, scene) {
  const { current, cell, colours } = scene;
  context.strokeStyle = colours.accent;
  context.lineWidth = 3;
  context.strokeRect(xOf(scene, current.column) - 0.5, yOf(scene, current.row) - 0.5, cell.width, cell.height);
}

function paintRowHeads(context, scene, [first, end]) {
  const { grid, rows, cell, head, pinned } = scene;
  context.font = FONT;
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (let r = first; r < end; r++) {
    const y = yOf(scene, r);
    paintHeadGround(context, scene, "row", r, 0, y, head.width - 1, cell.height - 1);
    const label = r < 0 ? pinned[pinned.length + r].label : mark(scene, "row", rows[r]) + grid.rowLabels[rows[r]];
    context.fillText(cut(context, label, head.width - 12), 4, y + cell.height / 2);
  }
  paintDrop(context, scene, "row");
}

function paintColumnHeads(context, scene) {
  const { grid, columns, cell, head } = scene;
  const [first, end] = shown(scene).columns;
  context.font = FONT;
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (let c = first; c < end; c++) {
    const x = xOf(scene, c);
    paintHeadGround(context, scene, "column", c, x, 0, cell.width - 1, head.labels - 1);
    const label = mark(scene, "column", columns[c]) + grid.columnLabels[columns[c]];
    context.save();
    context.translate(x + cell.width / 2, head.labels - 6);
    context.rotate(-Math.PI / 2);
    context.fillText(cut(context, label, head.labels - 12 - (grid.hasBands ? BAND : 0)), 0, 0);
    context.restore();
  }
  if (grid.hasBands) paintBands(context, scene, first, end);
  paintDrop(context, scene, "column");
}

// The dimension of neighbouring columns, above their headers. A line marks the start of the next dimension.
function paintBands(context, scene, first, end) {
  const { grid, columns, cell, head, colours } = scene;
  const bandAt = (c) => grid.dimensions[columns[c]];
  for (let start = first, next; start < end; start = next) {
    for (next = start + 1; next < end && bandAt(next) === bandAt(start);) next++;
    const left = Math.max(xOf(scene, start), head.width), width = xOf(scene, next) - left;
    context.fillStyle = colours.paper;
    context.fillRect(left, 0, width, BAND);
    context.fillStyle = colours.faint;
    context.fillRect(left, BAND - 2, width - 3, 1);
    if (start > 0 && bandAt(start - 1) !== bandAt(start)) context.fillRect(xOf(scene, start) - 1, 0, 1, head.labels);
    context.fillStyle = colours.ink;
    context.fillText(cut(context, bandAt(start), Math.max(0, width - 8)), left + 4, BAND / 2 - 1);
  }
}

// The marks of the order: ▼ by the values here, ≈ by likeness to this one. ✓: picked.
function mark({ sort, picked }, axis, at) {
  const tick = picked[axis].has(at) ? "✓ " : "";
  if (!sort || sort.axis !== axis || sort.at !== at) return tick;
  return tick + (sort.how === "value" ? "▼ " : "≈ ");
}

function paintHeadGround(context, { found, current, colours, rows, columns }, axis, at, x, y, width, height) {
  const isFound = found[axis].has((axis === "row" ? rows : columns)[at]);
  const isCurrent = current !== null && current[axis] === at;
  if (isFound || isCurrent) {
    context.fillStyle = isFound ? colours.accent : colours.line;
    context.fillRect(x, y, width, height);
  }
  context.fillStyle = isFound ? colours.paper : colours.ink;
}

function paintDrop(context, scene, axis) {
  if (scene.drop?.axis !== axis) return;
  context.fillStyle = scene.colours.accent;
  if (axis === "row") context.fillRect(0, yOf(scene, scene.drop.at) - 2, scene.head.width, 3);
  else context.fillRect(xOf(scene, scene.drop.at) - 2, 0, 3, scene.head.labels);
}
