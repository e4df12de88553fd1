// All words across at once, each a dot: up by its score with one word, to the right by its score with another.

import { coloursOf, number } from "../desk/grid_paint.js";
import { wrapped } from "../desk/grid_picture.js";
import { LINE, MARGIN, SMALL, TOP, bothScores, colourOf, dot, foot, heading, stroke, write } from "./chart_parts.js";
import { apart, correlation, endOf, farthest } from "./word_pair.js";

const TOLD = 5, LABELS = 24, AXIS = 40, WIDEST = 540;

// names: {own, against}. Returns the view and its text for screen readers.
export function scatter(element, entries, about, names) {
  const measure = document.createElement("canvas").getContext("2d");
  const width = Math.min(WIDEST, Math.max(320, element.parentElement.clientWidth - 4));
  const told = sentences(entries, names);
  const key = `Up: ${names.own}. To the right: ${names.against}. On the diagonal both scores are equal. Full colour: an effect of ${names.own} is present.`;
  const below = [told, key, about.caveat].flatMap((text) => wrapped(measure, text, width - 2 * MARGIN));
  const side = width - 2 * MARGIN - AXIS;
  const height = TOP + side + AXIS + (below.length + 1) * LINE;
  const scene = { entries, about, below, names, colours: coloursOf(element), end: endOf(entries.flatMap(({ x, y }) => [x, y])), width, height, side };
  return { view: { width, height, measure, paintOn: (context) => paint(context, scene) }, told };
}

function sentences(entries, names) {
  const r = correlation(entries);
  const alike = r === null ? "" : `r = ${number(r)} over ${entries.length} words. `;
  const far = farthest(entries).slice(0, TOLD).map(bothScores).join(", ");
  return `${alike}Farthest apart: ${far || "none has both scores"}.`;
}

function paint(context, scene) {
  heading(context, scene);
  frame(context, scene);
  const places = farthest(scene.entries).map((one) => ({ ...one, at: placeOf(scene, one) }));
  for (const one of [...places].reverse()) dot(context, colourOf(scene.colours, one.y, one.present), ...one.at);
  label(context, scene, places.slice(0, LABELS));
  foot(context, scene);
}

function placeOf({ side, end }, { x, y }) {
  const scale = side / 2 / end;
  return [MARGIN + AXIS + side / 2 + x * scale, TOP + side / 2 - y * scale];
}

function frame(context, scene) {
  const { colours, side, end, names, width } = scene;
  const [left, top, right, bottom] = [MARGIN + AXIS, TOP, MARGIN + AXIS + side, TOP + side];
  const [middleX, middleY] = placeOf(scene, { x: 0, y: 0 });
  for (const [from, to] of [[[left, middleY], [right, middleY]], [[middleX, top], [middleX, bottom]], [[left, bottom], [right, top]]]) stroke(context, colours.line, from, to);
  for (const value of [-end, 0, end]) {
    const [x, y] = placeOf(scene, { x: value, y: value });
    write(context, SMALL, colours.faint, number(value), Math.min(Math.max(x, left + 12), right - 12), bottom + 10, AXIS, "center");
    write(context, SMALL, colours.faint, number(value), left - 6, Math.min(Math.max(y, top + 6), bottom - 6), AXIS, "right");
  }
  write(context, SMALL, colours.ink, `${names.against} →`, right, bottom + 26, width / 2, "right");
  write(context, SMALL, colours.ink, `↑ ${names.own}`, left + 4, top + 8, width / 2);
}

// The words of the largest differences, where there is room.
function label(context, { colours, side }, places) {
  context.font = SMALL;
  const right = MARGIN + AXIS + side;
  const boxes = places.map(({ label: text, at: [x, y] }) => {
    const width = Math.min(140, context.measureText(text).width);
    return [x + 7 + width > right ? x - 7 - width : x + 7, y - 6, width, 12];
  });
  apart(boxes).forEach((isFree, at) => isFree && write(context, SMALL, colours.ink, places[at].label, boxes[at][0], places[at].at[1], 140));
}
