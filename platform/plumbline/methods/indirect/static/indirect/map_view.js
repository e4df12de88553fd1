// The places of a map's dots on the canvas: fitted, zoomed and moved. Pure.

const MARGIN = 36, MOST_ZOOM = 40;

export const ALL = { zoom: 1, x: 0, y: 0 };

// positions: [[word, x, y]]; one scale for both axes, so that distances look alike in all directions.
export function fitted(positions, width, height) {
  const [xs, ys] = [1, 2].map((axis) => positions.map((one) => one[axis]));
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.min((width - 2 * MARGIN) / (right - left || 1), (height - 2 * MARGIN) / (high - low || 1));
  return { scale, x: width / 2 - (scale * (left + right)) / 2, y: height / 2 + (scale * (low + high)) / 2 };
}

// The place of a dot in pixels; up is up.
export function placed([, x, y], fit, view, width, height) {
  const [px, py] = [fit.x + fit.scale * x, fit.y - fit.scale * y];
  return [(px - width / 2) * view.zoom + width / 2 + view.x, (py - height / 2) * view.zoom + height / 2 + view.y];
}

// Zooms in or out and keeps the place under the pointer.
export function zoomed(view, factor, [x, y], width, height) {
  const zoom = Math.min(MOST_ZOOM, Math.max(1, view.zoom * factor)), by = zoom / view.zoom;
  if (zoom === 1) return { ...ALL };
  const [dx, dy] = [x - width / 2, y - height / 2];
  return kept({ zoom, x: dx - (dx - view.x) * by, y: dy - (dy - view.y) * by }, width, height);
}

export const moved = (view, dx, dy, width, height) => kept({ ...view, x: view.x + dx, y: view.y + dy }, width, height);

// Keeps a part of the map visible.
function kept(view, width, height) {
  const [most, tallest] = [width, height].map((size) => (size * view.zoom) / 2);
  return { ...view, x: Math.max(-most, Math.min(most, view.x)), y: Math.max(-tallest, Math.min(tallest, view.y)) };
}

// The dot nearest to a point, within a number of pixels; -1 for none.
export function nearest(places, [x, y], most) {
  let found = -1, least = most * most;
  places.forEach(([px, py], at) => {
    const distance = (px - x) ** 2 + (py - y) ** 2;
    if (distance <= least) [found, least] = [at, distance];
  });
  return found;
}

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The dot that an arrow key selects: the nearest one in its quarter of the canvas, or the current one if there is none.
export function onward(places, from, key) {
  const [wx, wy] = WAYS[key];
  let found = from, least = Infinity;
  places.forEach(([x, y], at) => {
    const [dx, dy] = [x - places[from][0], y - places[from][1]];
    const along = dx * wx + dy * wy, across = Math.abs(dx * wy) + Math.abs(dy * wx);
    if (at === from || along <= 0 || across > along) return;
    const far = along + 2 * across;
    if (far < least) [found, least] = [at, far];
  });
  return found;
}

export const isArrow = (key) => key in WAYS;
export const wayOf = (key) => WAYS[key];
