// All scores of one target, or of one feature, as a bar chart: highest first, with intervals.

import { line } from "../desk/grid_order.js";
import { FONT, coloursOf, number } from "../desk/grid_paint.js";
import { wrapped } from "../desk/grid_picture.js";
import { LINE, MARGIN, SMALL, TOP, colourOf, heading, write } from "./chart_parts.js";
import { other } from "./order.js";

const ROW = 20, LABEL = 170, CHART = 360, FIGURES = 200;
const WIDTH = LABEL + CHART + FIGURES + 2 * MARGIN;

// about: {title, subtitle, caveat}. Returns the view and its text for screen readers.
export function bars(element, table, axis, at, about) {
  const entries = entriesOf(table, axis, at);
  const measure = document.createElement("canvas").getContext("2d");
  const key = `The thin line is the interval. Full colour: an effect is present. ${about.caveat}`;
  const below = wrapped(measure, key, WIDTH - 2 * MARGIN);
  const height = TOP + entries.length * ROW + (below.length + 1) * LINE;
  const scene = { entries, about, below, colours: coloursOf(element), end: endOf(entries), width: WIDTH, height };
  const told = entries.slice(0, 5).map(({ label, value }) => `${label} ${value === null ? "not scorable" : number(value)}`).join(", ");
  const more = entries.length > 5 ? " …" : "";
  return { view: { width: WIDTH, height, measure, paintOn: (context) => paint(context, scene) }, told: `highest first: ${told}${more}` };
}

// The highest score first; missing scores last, with their reasons.
function entriesOf(table, axis, at) {
  const across = other(axis), values = line(table, axis, at);
  const placed = values.map((value, one) => ({ value, label: table[`${across}Labels`][one], at: axis === "row" ? table.at(at, one) : table.at(one, at) }));
  const known = placed.filter(({ value }) => value !== null).sort((a, b) => b.value - a.value);
  return [...known, ...placed.filter(({ value }) => value === null)].map((one) => ({
    ...one,
    low: table.low[one.at],
    high: table.high[one.at],
    significant: table.isPresent(one.at),
    reason: table.reasons[table.reason[one.at] ?? 0],
  }));
}

const endOf = (entries) => Math.max(1e-9, ...entries.flatMap(({ value, low, high }) => [value, low, high].map((one) => Math.abs(one ?? 0))));

function paint(context, scene) {
  const { entries, below, colours, end } = scene;
  heading(context, scene);
  const middle = MARGIN + LABEL + CHART / 2, scale = CHART / 2 / end;
  entries.forEach((entry, at) => paintBar(context, { entry, colours, middle, scale, y: TOP + at * ROW }));
  context.fillStyle = colours.faint;
  context.fillRect(middle, TOP - 4, 1, entries.length * ROW + 8);
  const foot = TOP + entries.length * ROW + LINE;
  below.forEach((text, at) => write(context, FONT, colours.faint, text, MARGIN, foot + at * LINE, WIDTH - MARGIN));
}

function paintBar(context, { entry, colours, middle, scale, y }) {
  const { label, value, low, high, significant, reason } = entry;
  write(context, FONT, colours.ink, label, MARGIN, y + ROW / 2, LABEL - 8);
  const figures = value === null ? `not scorable: ${reason}` : `${number(value)}${low === null ? "" : ` [${number(low)}, ${number(high)}]`}`;
  write(context, SMALL, colours.ink, figures, MARGIN + LABEL + CHART + 12, y + ROW / 2, FIGURES - 12);
  if (value === null) return;
  context.fillStyle = colourOf(colours, value, significant);
  context.fillRect(Math.min(middle, middle + value * scale), y + 3, Math.max(1, Math.abs(value * scale)), ROW - 6);
  if (low === null) return;
  context.fillStyle = colours.ink;
  context.fillRect(middle + low * scale, y + ROW / 2 - 0.5, Math.max(1, (high - low) * scale), 1);
}
