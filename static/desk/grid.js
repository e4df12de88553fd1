// The grid on the page: sizes, scrolling, the pointer and the keyboard. Its content comes from the caller.

import { BAND, FONT, coloursOf, paint } from "./grid_paint.js";

const CELL_HEIGHT = 24;
const NARROWEST = 22, WIDEST = 56;
const DRAGGED_FROM = 4; // pixels: a shorter movement is a click
const STEPS = { ArrowUp: ["row", -1], ArrowDown: ["row", 1], ArrowLeft: ["column", -1], ArrowRight: ["column", 1] };

const nothing = () => ({ row: new Set(), column: new Set() });

// events: {move(current), open(current, byKeyboard), sort(axis, number), arrange(axis, from, before), point(text)}
// and, if a page needs them, {pick(axis, number), key(event, current): whether the page used the key}.
// The numbers of pinned rows are below zero, as in grid_paint.js.
export class Grid {
  constructor(scroller, events) {
    const [sheet, canvas] = [scroller.firstElementChild, scroller.querySelector("canvas")];
    Object.assign(this, { scroller, sheet, canvas, events, context: canvas.getContext("2d"), grid: null });
    Object.assign(this, { rows: [], columns: [], current: null, found: nothing(), picked: nothing(), pinned: [], sort: null, drag: null });
    this.colours = coloursOf(scroller);
    scroller.addEventListener("scroll", () => this.draw(), { passive: true });
    scroller.addEventListener("keydown", (event) => this.pressed(event));
    for (const name of ["pointerdown", "pointermove", "pointerup", "pointercancel", "pointerleave"]) {
      canvas.addEventListener(name, (event) => this[name](event));
    }
    new ResizeObserver(() => this.resize()).observe(scroller);
    document.addEventListener("themechange", () => {
      this.colours = coloursOf(scroller);
      this.draw();
    });
  }

  // The content: the grid, the order of its rows and columns, the sort and the found labels.
  show(shown) {
    Object.assign(this, shown);
    this.resize();
  }

  resize() {
    if (!this.grid) return;
    this.measure();
    const { head, cell, rows, columns, sheet, canvas, scroller } = this;
    sheet.style.width = `${head.width + columns.length * cell.width}px`;
    sheet.style.height = `${head.height + rows.length * cell.height}px`;
    const width = Math.min(scroller.clientWidth, sheet.offsetWidth), height = Math.min(scroller.clientHeight, sheet.offsetHeight);
    const scale = window.devicePixelRatio || 1;
    Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    Object.assign(this, { width, height, scale });
    this.paint();
  }

  // Headers are as wide as their labels, within limits. Cells are as wide as the space allows.
  measure() {
    const { grid, context, columns, scroller, pinned } = this;
    context.font = FONT;
    const widest = (labels) => Math.max(0, ...labels.map((label) => context.measureText(label).width));
    if (this.measured?.grid !== grid) {
      this.measured = { grid, row: widest(grid.rowLabels), column: widest(grid.columnLabels) };
    }
    const within = (value, least, most) => Math.round(Math.min(most, Math.max(least, value)));
    const labels = within(this.measured.column + 36, 64, 170) + (grid.hasBands ? BAND : 0);
    this.head = {
      width: within(Math.max(this.measured.row, widest(pinned.map(({ label }) => label))) + 32, 72, Math.min(240, scroller.clientWidth * 0.4)),
      height: labels + pinned.length * CELL_HEIGHT,
      labels,
    };
    const room = (scroller.clientWidth - this.head.width - 16) / Math.max(1, columns.length);
    this.cell = { width: within(Math.floor(room), NARROWEST, WIDEST), height: CELL_HEIGHT };
  }

  draw() {
    this.frame ??= requestAnimationFrame(() => this.paint());
  }

  paint() {
    if (this.frame) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    if (!this.grid) return;
    this.context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    paint(this.context, this.scene());
  }

  scene() {
    const { grid, rows, columns, cell, head, width, height, colours, current, found, picked, pinned, sort, drag, scroller } = this;
    const scroll = { x: scroller.scrollLeft, y: scroller.scrollTop };
    const drop = drag?.moved ? { axis: drag.axis, at: drag.at } : null;
    return { grid, rows, columns, cell, head, scroll, width, height, colours, current, found, picked, pinned, sort, drop, veiled: "veiled" in scroller.dataset };
  }

  select(current) {
    this.current = current;
    if (current) this.reveal(current);
    this.draw();
  }

  // Scrolls as little as needed to show a cell or one header.
  reveal({ row, column }) {
    const { scroller, cell, head } = this;
    const into = (start, place, size, room) => Math.min(place, Math.max(start, place + size - room));
    if (row >= 0) scroller.scrollTop = into(scroller.scrollTop, row * cell.height, cell.height, this.height - head.height);
    if (column !== undefined) scroller.scrollLeft = into(scroller.scrollLeft, column * cell.width, cell.width, this.width - head.width);
  }

  // The target of a pointer: a cell, a header, or nothing.
  under(event) {
    const { head, cell, scroller, rows, columns } = this;
    const [x, y] = [event.offsetX, event.offsetY];
    const row = y < head.labels ? null : Math.floor((y - head.height + (y < head.height ? 0 : scroller.scrollTop)) / cell.height);
    const column = x < head.width ? null : Math.floor((x - head.width + scroller.scrollLeft) / cell.width);
    if (row >= rows.length || column >= columns.length || (row === null && column === null)) return null;
    if (row === null) return { axis: "column", at: column };
    return column === null ? { axis: "row", at: row } : { axis: null, row, column };
  }

  pointerdown(event) {
    const place = this.under(event);
    if (!place || event.button !== 0) return;
    this.drag = { ...place, from: place.at, x: event.clientX, y: event.clientY, moved: false };
    // A finger on a header scrolls; it does not arrange.
    if (place.axis && event.pointerType !== "touch") this.canvas.setPointerCapture(event.pointerId);
  }

  pointermove(event) {
    const { drag } = this;
    if (!drag?.axis || drag.from < 0 || event.pointerType === "touch") return this.events.point(this.under(event));
    drag.moved ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) >= DRAGGED_FROM;
    const { head, cell, scroller } = this;
    const [place, size, count] = drag.axis === "row"
      ? [event.offsetY - head.height + scroller.scrollTop, cell.height, this.rows.length]
      : [event.offsetX - head.width + scroller.scrollLeft, cell.width, this.columns.length];
    drag.at = Math.max(0, Math.min(count, Math.round(place / size)));
    this.draw();
  }

  pointerup(event) {
    const { drag } = this;
    this.drag = null;
    if (!drag) return;
    const isPick = this.events.pick && (event.ctrlKey || event.metaKey || event.shiftKey);
    if (drag.moved) this.arrange(drag.axis, drag.from, drag.at);
    else if (drag.axis) this.events[isPick ? "pick" : "sort"](drag.axis, this.numberAt(drag.axis, drag.from));
    else this.choose({ row: drag.row, column: drag.column }, true);
    this.draw();
  }

  pointercancel() {
    this.drag = null;
    this.draw();
  }

  pointerleave() {
    this.events.point(null);
  }

  arrange(axis, from, before) {
    const order = this[`${axis}s`];
    if (before !== from && before !== from + 1) this.events.arrange(axis, order[from], order[before] ?? null);
  }

  choose(current, open) {
    this.select(current);
    this.events.move(current);
    if (open) this.events.open(current, false);
  }

  pressed(event) {
    const isForeign = event.metaKey || (event.ctrlKey && !["Home", "End"].includes(event.key));
    if (isForeign || !this.rows.length || !this.columns.length) return;
    const current = this.current ?? { row: 0, column: 0 };
    if (event.key === "Enter") this.events.open(current, true);
    else if (event.key === "s" || event.key === "S") {
      const axis = event.shiftKey ? "row" : "column";
      this.events.sort(axis, this.numberAt(axis, current[axis]));
    }
    else if (event.altKey && STEPS[event.key]) this.shift(...STEPS[event.key], current);
    else if (!this.events.key?.(event, current) && !this.step(event, current)) return;
    event.preventDefault();
  }

  // The number of the row or column at a place of an axis. Pinned rows keep their own numbers.
  numberAt(axis, at) {
    return at < 0 ? at : this[`${axis}s`][at];
  }

  // Alt and an arrow swap the row or column of the cell with its neighbour.
  shift(axis, step, current) {
    const at = current[axis], count = this[`${axis}s`].length;
    if (at < 0 || at + step < 0 || at + step >= count) return;
    this.arrange(axis, at, step > 0 ? at + 2 : at - 1);
    this.choose({ ...current, [axis]: at + step }, false);
  }

  step(event, current) {
    const first = { row: -this.pinned.length, column: 0 };
    const last = { row: this.rows.length - 1, column: this.columns.length - 1 };
    const page = Math.max(1, Math.floor((this.height - this.head.height) / this.cell.height) - 1);
    const next = { ...current };
    if (STEPS[event.key]) next[STEPS[event.key][0]] += this.current ? STEPS[event.key][1] : 0;
    else if (event.key === "PageDown" || event.key === "PageUp") next.row += event.key === "PageDown" ? page : -page;
    else if (event.key === "Home" || event.key === "End") {
      next.column = event.key === "Home" ? 0 : last.column;
      if (event.ctrlKey) next.row = event.key === "Home" ? 0 : last.row;
    } else return false;
    for (const axis of ["row", "column"]) next[axis] = Math.min(last[axis], Math.max(first[axis], next[axis]));
    this.choose(next, false);
    return true;
  }
}
