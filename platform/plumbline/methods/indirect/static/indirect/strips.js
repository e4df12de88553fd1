// Parallel strips: each strip is one word, each dot the score of a word across, and a line joins the same word's dots.

import { coloursOf, number } from "../desk/grid_paint.js";
import { wrapped } from "../desk/grid_picture.js";
import { LINE, MARGIN, SMALL, TOP, bothScores, colourOf, dot, foot, heading, stroke, write } from "./chart_parts.js";
import { apart, endOf, farthest } from "./word_pair.js";

const STRIP = 110, WIDEST = 900, LABELS = 8, TOLD = 5, NAME = 36;
const MOST_LINES = 100; // more lines hide each other: then only the largest changes have one

// lines: [{name, scores: [value | null], present: [bool]}], the first the word itself; labels: the words across.
export function strips(element, lines, labels, about) {
  const measure = document.createElement("canvas").getContext("2d");
  const width = Math.min(WIDEST, Math.max(320, element.parentElement.clientWidth - 4));
  const told = sentences(lines, labels);
  const key = `Each strip has a dot for every word. ${labels.length > MOST_LINES ? "Lines join" : "A line joins the dots of one word; dark lines are"} the largest changes between the first two strips.`;
  const below = [told, key, about.caveat].flatMap((text) => wrapped(measure, text, width - 2 * MARGIN));
  const height = TOP + NAME + (lines.length - 1) * STRIP + 40 + (below.length + 1) * LINE;
  const scene = { lines, labels, about, below, colours: coloursOf(element), end: endOf(lines.flatMap(({ scores }) => scores)), width, height };
  return { view: { width, height, measure, paintOn: (context) => paint(context, scene) }, told };
}

function changes([first, second], labels) {
  const both = labels.map((label, at) => ({ label, at, y: first.scores[at], x: second?.scores[at] ?? null }));
  return farthest(both.filter(({ x, y }) => x !== null && y !== null));
}

function sentences(lines, labels) {
  const [first, second] = lines, far = changes(lines, labels).slice(0, TOLD).map(bothScores).join(", ");
  return second ? `Farthest apart between ${first.name} and ${second.name}: ${far || "no word has both scores"}.` : "";
}

function paint(context, scene) {
  const { lines, labels, colours } = scene;
  heading(context, scene);
  const marked = changes(lines, labels).slice(0, LABELS);
  lines.slice(0, -1).forEach((_, at) => join(context, scene, at, new Set(marked.map((one) => one.at))));
  lines.forEach((one, at) => strip(context, scene, one, at));
  for (const at of lines.length > 1 ? [0, 1] : [0]) label(context, scene, at, marked);
  const bottom = yOf(lines.length - 1) + 32;
  for (const value of [-scene.end, 0, scene.end]) {
    write(context, SMALL, colours.faint, number(value), Math.min(Math.max(xOf(scene, value), MARGIN + 14), scene.width - MARGIN - 14), bottom, 60, "center");
  }
  foot(context, scene);
}

const xOf = ({ width, end }, value) => width / 2 + (value * (width / 2 - MARGIN - 6)) / end;
const yOf = (at) => TOP + at * STRIP + NAME;

function join(context, scene, at, marked) {
  const [above, below] = [scene.lines[at].scores, scene.lines[at + 1].scores];
  const draw = (isMarked) => above.forEach((value, one) => {
    if (value === null || below[one] === null || marked.has(one) !== isMarked) return;
    stroke(context, isMarked ? scene.colours.ink : scene.colours.line, [xOf(scene, value), yOf(at)], [xOf(scene, below[one]), yOf(at + 1)]);
  });
  if (scene.labels.length <= MOST_LINES) draw(false);
  draw(true);
}

function strip(context, scene, { name, scores, present }, at) {
  const { colours, width } = scene;
  stroke(context, colours.faint, [MARGIN, yOf(at)], [width - MARGIN, yOf(at)]);
  stroke(context, colours.faint, [xOf(scene, 0), yOf(at) - 7], [xOf(scene, 0), yOf(at) + 7]);
  scores.forEach((value, one) => value !== null && dot(context, colourOf(colours, value, present[one]), xOf(scene, value), yOf(at)));
  context.font = SMALL;
  context.fillStyle = colours.paper;
  context.fillRect(MARGIN, yOf(at) - 38, context.measureText(name).width + 6, 16);
  write(context, SMALL, colours.ink, name, MARGIN, yOf(at) - 30, width - 2 * MARGIN);
}

// The words of the largest changes above or below their strip, where there is room.
function label(context, scene, at, marked) {
  context.font = SMALL;
  const { scores } = scene.lines[at], places = marked.map((one) => [one.label, xOf(scene, scores[one.at])]);
  const boxes = places.map(([text, x]) => {
    const width = Math.min(120, context.measureText(text).width);
    return [Math.min(Math.max(x - width / 2, MARGIN), scene.width - MARGIN - width), 0, width + 6, 1];
  });
  const y = yOf(at) + (at ? 15 : -15);
  apart(boxes).forEach((isFree, one) => isFree && write(context, SMALL, scene.colours.ink, places[one][0], boxes[one][0], y, 120));
}
