// A picture of the view that is complete in itself: with title, model, date, n, unit, key and caveat.

import { FONT, paint, thousands } from "./grid_paint.js";
import { SvgContext } from "./grid_svg.js";

const MARGIN = 16, LINE = 20, MOST_CELLS = 20000, SCALE = 2, LEAST_WIDTH = 640;
const BOLD = FONT.replace("13px", "600 15px");

// scene: as painted on the page. labels: the texts that a picture must have, from the server.
export function picture(scene, labels) {
  const whole = scene.rows.length * scene.columns.length <= MOST_CELLS;
  const own = whole ? { ...scene, scroll: { x: 0, y: 0 }, ...fullSize(scene) } : scene;
  const measure = document.createElement("canvas").getContext("2d");
  const width = Math.max(LEAST_WIDTH, Math.ceil(own.width)) + 2 * MARGIN;
  const [above, below] = words({ ...own, current: null }, labels, whole);
  const caveat = below.flatMap((text) => wrapped(measure, text, width - 2 * MARGIN));
  const height = 2 * MARGIN + (above.length + caveat.length + 1) * LINE + Math.ceil(own.height);
  return {
    width,
    height,
    paintOn: (context) => paintAll(context, { ...own, current: null, drop: null }, { width, height, above, caveat }),
    measure,
  };
}

export function svgOf(view) {
  const context = new SvgContext(view.width, view.height, view.measure);
  view.paintOn(context);
  return new Blob([context.toString()], { type: "image/svg+xml" });
}

export function pngOf(view) {
  const canvas = document.createElement("canvas");
  const scale = Math.min(SCALE, 16000 / view.width, 16000 / view.height);
  canvas.width = Math.floor(view.width * scale);
  canvas.height = Math.floor(view.height * scale);
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  view.paintOn(context);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function fullSize({ head, cell, rows, columns }) {
  return { width: head.width + columns.length * cell.width, height: head.height + rows.length * cell.height };
}

function words(scene, labels, whole) {
  const { grid, rows, columns } = scene;
  const counts = rows.flatMap((row) => columns.map((column) => grid.n[grid.at(row, column)])).filter((n) => n !== null);
  const [least, most] = counts.reduce(([low, high], n) => [Math.min(low, n), Math.max(high, n)], [Infinity, -Infinity]);
  const n = counts.length ? `n = ${least === most ? thousands(least) : `${thousands(least)} to ${thousands(most)}`} ${labels.counted ?? "items"} a cell` : "";
  const cells = `${rows.length} × ${columns.length} cells${whole ? "" : " (a part of these is shown)"}`;
  const above = [labels.title, `${labels.model}, run ${labels.run}, ${labels.date}; ${labels.statistic} in ${labels.unit}; ${cells}; ${n}`];
  const key = `Orange, ▲, +: above zero. Purple, ▼, -: below zero. Colours end at ±${grid.domain}. Outlined: an effect is present; paler: none is shown. Hatched: not scorable.`;
  return [above, [key, labels.caveat]];
}

export function wrapped(measure, text, width) {
  measure.font = FONT;
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (measure.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function paintAll(context, scene, { width, height, above, caveat }) {
  context.fillStyle = scene.colours.paper;
  context.fillRect(0, 0, width, height);
  write(context, scene, above, MARGIN, true);
  const top = MARGIN + above.length * LINE + 8;
  context.save();
  context.translate(MARGIN, top);
  paint(context, scene);
  context.restore();
  write(context, scene, caveat, top + scene.height + 12, false);
}

function write(context, { colours }, lines, top, titled) {
  context.textAlign = "left";
  context.textBaseline = "middle";
  lines.forEach((text, number) => {
    context.font = titled && number === 0 ? BOLD : FONT;
    context.fillStyle = titled && number === 0 ? colours.ink : colours.faint;
    context.fillText(text, MARGIN, top + (number + 0.5) * LINE);
  });
}
