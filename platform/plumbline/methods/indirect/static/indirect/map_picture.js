// A picture of a map that is complete in itself: with title, model, date, its data and the caveat.

import { FONT } from "../desk/grid_paint.js";
import { wrapped } from "../desk/grid_picture.js";
import { paint } from "./map_paint.js";

export const WIDTH = 960, HEIGHT = 640;
const MARGIN = 16, LINE = 20;

// scene: of map_paint.js, WIDTH x HEIGHT; above: lines, the first of which is the title; below: one text.
export function mapPicture(scene, above, below) {
  const measure = document.createElement("canvas").getContext("2d"), lines = wrapped(measure, below, WIDTH);
  const [width, height] = [WIDTH + 2 * MARGIN, HEIGHT + (above.length + lines.length + 2) * LINE + 2 * MARGIN];
  return { width, height, measure, paintOn: (context) => paintAll(context, scene, above, lines, { width, height }) };
}

function paintAll(context, scene, above, below, { width, height }) {
  const { paper, ink, faint } = scene.colours;
  context.fillStyle = paper;
  context.fillRect(0, 0, width, height);
  above.forEach((text, at) => write(context, text, MARGIN + (at + 0.5) * LINE, at ? FONT : FONT.replace("13px", "600 15px"), at ? faint : ink));
  const top = MARGIN + (above.length + 0.5) * LINE;
  context.save();
  context.translate(MARGIN, top);
  paint(context, { ...scene, dots: scene.dots.map((one) => ({ ...one, current: false })) });
  context.restore();
  below.forEach((text, at) => write(context, text, top + scene.height + (at + 1) * LINE, FONT, faint));
}

function write(context, text, y, font, fill) {
  Object.assign(context, { font, fillStyle: fill, textAlign: "left", textBaseline: "middle" });
  context.fillText(text, MARGIN, y);
}
