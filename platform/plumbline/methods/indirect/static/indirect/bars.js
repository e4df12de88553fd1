// All scores of one target, or of one feature, as a bar chart. The page shows the same SVG that it offers as a file.

import { line } from "../desk/grid_order.js";
import { FONT, coloursOf, cut, number } from "../desk/grid_paint.js";
import { pngOf, save, svgOf, wrapped } from "../desk/grid_picture.js";
import { SvgContext } from "../desk/grid_svg.js";
import { other } from "./order.js";

const ROW = 20, LABEL = 170, CHART = 360, FIGURES = 200, MARGIN = 16, TOP = 64, LINE = 18;
const WIDTH = LABEL + CHART + FIGURES + 2 * MARGIN;
const SMALL = FONT.replace("13px", "11px"), BOLD = FONT.replace("13px", "600 15px");

export class Bars {
  constructor(element, onClose) {
    Object.assign(this, { element, figure: element.querySelector(".figure"), view: null, name: "" });
    element.querySelector(".close").addEventListener("click", onClose);
    for (const [kind, render] of [["svg", svgOf], ["png", pngOf]]) {
      element.querySelector(`.${kind}`).addEventListener("click", async () => save(await render(this.view), `${this.name}.${kind}`));
    }
  }

  // about: {title, subtitle, caveat, name}
  show(table, axis, at, about) {
    const entries = entriesOf(table, axis, at);
    const measure = document.createElement("canvas").getContext("2d");
    const key = `The thin line is the interval. Full colour: an effect is present. ${about.caveat}`;
    const below = wrapped(measure, key, WIDTH - 2 * MARGIN);
    const height = TOP + entries.length * ROW + (below.length + 1) * LINE;
    const scene = { entries, about, below, colours: coloursOf(this.element), end: endOf(entries), height };
    this.view = { width: WIDTH, height, measure, paintOn: (context) => paint(context, scene) };
    this.name = about.name;
    this.figure.replaceChildren(drawn(this.view, about, entries));
    this.element.hidden = false;
  }

  close() {
    this.element.hidden = true;
    this.figure.replaceChildren();
  }
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

function drawn(view, about, entries) {
  const text = new DOMParser().parseFromString(svgText(view), "image/svg+xml");
  const made = document.importNode(text.documentElement, true);
  const told = entries.slice(0, 5).map(({ label, value }) => `${label} ${value === null ? "not scorable" : number(value)}`).join(", ");
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", `${about.title}, highest first: ${told}${entries.length > 5 ? " …" : ""}`);
  return made;
}

function svgText(view) {
  const context = new SvgContext(view.width, view.height, view.measure);
  view.paintOn(context);
  return context.toString();
}

function paint(context, scene) {
  const { entries, about, below, colours, end, height } = scene;
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, WIDTH, height);
  write(context, BOLD, colours.ink, about.title, MARGIN, 20, WIDTH - 2 * MARGIN);
  write(context, FONT, colours.faint, about.subtitle, MARGIN, 42, WIDTH - 2 * MARGIN);
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
  const ramp = value < 0 ? colours.less : colours.more;
  context.fillStyle = ramp[significant ? ramp.length - 1 : Math.round(ramp.length * 0.4)];
  context.fillRect(Math.min(middle, middle + value * scale), y + 3, Math.max(1, Math.abs(value * scale)), ROW - 6);
  if (low === null) return;
  context.fillStyle = colours.ink;
  context.fillRect(middle + low * scale, y + ROW / 2 - 0.5, Math.max(1, (high - low) * scale), 1);
}

function write(context, font, colour, text, x, y, width) {
  Object.assign(context, { font, fillStyle: colour, textAlign: "left", textBaseline: "middle" });
  context.fillText(cut(context, text, width), x, y);
}
