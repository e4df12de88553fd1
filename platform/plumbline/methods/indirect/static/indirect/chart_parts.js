// What the pictures of one word share: text, dots, lines, and an SVG of the view for the page.

import { FONT, cut, number } from "../desk/grid_paint.js";
import { SvgContext } from "../desk/grid_svg.js";

export const MARGIN = 16, TOP = 64, LINE = 18;
export const SMALL = FONT.replace("13px", "11px"), BOLD = FONT.replace("13px", "600 15px");

export function write(context, font, colour, text, x, y, width, align = "left") {
  Object.assign(context, { font, fillStyle: colour, textAlign: align, textBaseline: "middle" });
  context.fillText(cut(context, text, width), x, y);
}

export function heading(context, { colours, about, width, height }) {
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, width, height);
  write(context, BOLD, colours.ink, about.title, MARGIN, 20, width - 2 * MARGIN);
  write(context, FONT, colours.faint, about.subtitle, MARGIN, 42, width - 2 * MARGIN);
}

export function foot(context, { colours, below, width, height }) {
  const top = height - below.length * LINE;
  below.forEach((text, at) => write(context, FONT, colours.faint, text, MARGIN, top + at * LINE, width - MARGIN));
}

// Above zero one colour, below zero the other; paler if no effect is shown.
export function colourOf(colours, value, isPresent) {
  const ramp = value < 0 ? colours.less : colours.more;
  return ramp[isPresent ? ramp.length - 1 : Math.round(ramp.length * 0.4)];
}

export function dot(context, colour, x, y, size = 4) {
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(x - size, y);
  context.lineTo(x, y - size);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.closePath();
  context.fill();
}

export function stroke(context, colour, [x, y], [toX, toY]) {
  Object.assign(context, { strokeStyle: colour, lineWidth: 1 });
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(toX, toY);
  context.stroke();
}

// The picture of a view as an element with a name for screen readers.
export function drawn(view, label) {
  const context = new SvgContext(view.width, view.height, view.measure);
  view.paintOn(context);
  const made = document.importNode(new DOMParser().parseFromString(context.toString(), "image/svg+xml").documentElement, true);
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", label);
  return made;
}

export const bothScores = ({ label, x, y }) => `${label} (${number(y)} against ${number(x)})`;
