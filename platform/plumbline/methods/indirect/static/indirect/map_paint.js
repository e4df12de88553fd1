// Painting a map of targets: on a canvas, or on anything that takes the same calls (grid_svg.js).

import { FONT, cut } from "../desk/grid_paint.js";

const SIZE = 6, LONGEST = 160, LINE = 16;
const SMALL = FONT.replace("13px", "12px"), STRONG = FONT.replace("13px", "600 13px");
const CORNERS = 20;

// scene: {width, height, colours, domain, dots: [{label, x, y, value (undefined: nothing colours), significant, found,
//         current, faded}], axes: [horizontal, vertical] | null}
export function paint(context, scene) {
  const { width, height, colours, dots, axes } = scene;
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, width, height);
  context.save();
  context.beginPath();
  context.rect(0, 0, width, height);
  context.clip();
  const seen = dots.filter(({ x, y }) => x > -20 && y > -20 && x < width + 20 && y < height + 20);
  // The most important dots are painted last and named first.
  const ranked = [...seen].sort((a, b) => rank(a) - rank(b));
  for (const dot of ranked) paintDot(context, scene, dot);
  paintLabels(context, scene, ranked.reverse());
  if (axes) paintAxes(context, scene);
  context.restore();
}

const rank = ({ current, found, faded }) => (current ? 3 : found ? 2 : faded ? 0 : 1);

function paintDot(context, { colours, domain }, dot) {
  const { x, y, value, significant, current, found, faded } = dot;
  const size = current || found ? SIZE + 2 : SIZE;
  outline(context, value, x, y, size);
  if (value === null) context.fillStyle = colours.paper;
  else if (value === undefined) context.fillStyle = faded ? colours.line : colours.faint;
  else {
    const ramp = value < 0 ? colours.less : colours.more, share = Math.min(1, Math.abs(value) / domain);
    context.fillStyle = ramp[Math.round((ramp.length - 1) * (significant ? 0.35 + 0.65 * share : 0.25 + 0.25 * share))];
  }
  context.fill();
  context.strokeStyle = current || found ? colours.accent : significant ? colours.ink : colours.faint;
  context.lineWidth = current ? 3 : found ? 2 : 1;
  context.stroke();
}

// The shape gives the sign without colour: upward above zero, downward below zero, otherwise a disc.
function outline(context, value, x, y, size) {
  const corners = value > 0 ? triangle(1) : value < 0 ? triangle(-1) : DISC;
  context.beginPath();
  corners.forEach(([dx, dy], at) => (at ? context.lineTo(x + dx * size, y + dy * size) : context.moveTo(x + dx * size, y + dy * size)));
  context.closePath();
}

const triangle = (up) => [[0, -1.2 * up], [1.1, 0.8 * up], [-1.1, 0.8 * up]];
const DISC = Array.from({ length: CORNERS }, (_, at) => [Math.cos((2 * Math.PI * at) / CORNERS), Math.sin((2 * Math.PI * at) / CORNERS)]);

// As many names as fit. A name that would cover another name or a dot is left out.
function paintLabels(context, scene, dots) {
  const taken = dots.map(({ x, y }) => [x - SIZE, y - SIZE, x + SIZE, y + SIZE]);
  for (const [number, dot] of dots.entries()) {
    context.font = dot.current || dot.found ? STRONG : SMALL;
    const text = cut(context, dot.label, LONGEST), width = context.measureText(text).width;
    const box = roomFor(dot, width, taken, number, scene) ?? (dot.current ? boxes(dot, width)[0] : null);
    if (!box) continue;
    taken.push(box);
    Object.assign(context, { fillStyle: dot.faded ? scene.colours.faint : scene.colours.ink, textAlign: "left", textBaseline: "middle" });
    context.fillText(text, box[0], (box[1] + box[3]) / 2);
  }
}

const boxes = ({ x, y }, width) => [
  [x + 10, y - LINE / 2, x + 10 + width, y + LINE / 2],
  [x - 10 - width, y - LINE / 2, x - 10, y + LINE / 2],
  [x - width / 2, y - 10 - LINE, x + width / 2, y - 10],
  [x - width / 2, y + 10, x + width / 2, y + 10 + LINE],
];

function roomFor(dot, width, taken, own, scene) {
  return boxes(dot, width).find(
    ([left, top, right, below]) =>
      left >= 0 && right <= scene.width && top >= 0 && below <= scene.height &&
      !taken.some(([l, t, r, b], at) => at !== own && left < r && right > l && top < b && below > t),
  );
}

// Only principal components have axes with a meaning.
function paintAxes(context, { width, height, axes, colours }) {
  Object.assign(context, { font: SMALL, fillStyle: colours.faint, textBaseline: "middle", textAlign: "right" });
  context.fillText(axes[0], width - 8, height - 12);
  context.textAlign = "left";
  context.fillText(axes[1], 8, 12);
  context.fillRect(0, height - 1, width, 1);
  context.fillRect(0, 0, 1, height);
}
