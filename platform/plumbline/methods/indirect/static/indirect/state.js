// The state of the indirect page: its view, the tables that it read, and their order. It uses no document.

import { has } from "../desk/grid_order.js";
import { arranged, isFrom } from "./order.js";

const PICKED = { row: "features", column: "targets" };

export class State {
  // pinned: [{grid, list, word, row, label, at(column)}], the sensitive words under the headers.
  constructor(run, view) {
    Object.assign(this, { run, view, table: null, source: null, pinned: [], shown: { rows: [], columns: [] }, matches: [] });
  }

  // The shown table, by the name that a sort uses.
  currentView() {
    const { statistic, variant, list } = this.view;
    return { run: this.run, statistic, variant, list };
  }

  // The parts of the view that decide which tables are read, as a text.
  needs() {
    return JSON.stringify([this.currentView(), this.view.sort?.from, this.view.with]);
  }

  take([table, source, pinned]) {
    Object.assign(this, { table, source, pinned });
  }

  arrange() {
    this.shown = arranged(this.table, this.source, this.view);
    const on = (axis) => this.shown[`${axis}s`].map((at, place) => ({ axis, at, place }));
    const { find } = this.view;
    this.matches = find ? [...on("row"), ...on("column")].filter(({ axis, at }) => has(this.table[`${axis}Labels`][at], find)) : [];
  }

  wordOf(axis, at) {
    return this.table.words[axis][at];
  }

  // The word at a place of an axis; null on a pinned row.
  wordAt(axis, place) {
    return place < 0 ? null : this.wordOf(axis, this.shown[`${axis}s`][place]);
  }

  placeOfWord(axis, word) {
    return this.shown[`${axis}s`].findIndex((at) => this.wordOf(axis, at) === word);
  }

  // Pinned rows are the rows -1, -2 ... from below.
  pinnedAt(row) {
    return this.pinned[this.pinned.length + row];
  }

  // A cell by its words, and its place after a change of order; null if it is gone.
  cellAt(current) {
    return current && this.table && { row: this.wordAt("row", current.row), column: this.wordAt("column", current.column), at: current.row };
  }

  placeOfCell(cell) {
    if (!cell) return null;
    const row = cell.at < 0 ? cell.at : this.placeOfWord("row", cell.row), column = this.placeOfWord("column", cell.column);
    const isThere = (cell.at < 0 ? row >= -this.pinned.length : row >= 0) && column >= 0;
    return isThere ? { row, column } : null;
  }

  // The table of the sort, if another one is shown.
  otherSource() {
    return this.isSortedBeside(this.currentView()) ? this.view.sort.from : null;
  }

  // Whether the table is sorted by a word of another table than this one.
  isSortedBeside(from) {
    const { sort } = this.view;
    return Boolean(sort) && !isFrom(sort, from);
  }

  sortPlace() {
    const { sort } = this.view;
    return sort && { ...sort, at: this.table.words[sort.axis].indexOf(sort.word) };
  }

  found() {
    const of = (axis) => new Set(this.matches.filter((one) => one.axis === axis).map((one) => one.at));
    return { row: of("row"), column: of("column") };
  }

  picked() {
    const of = (axis) => new Set(this.view[PICKED[axis]].map((word) => this.table.words[axis].indexOf(word)));
    return { row: of("row"), column: of("column") };
  }

  // The change of the view that picks a word or removes the pick.
  picking(axis, word) {
    const name = PICKED[axis], words = this.view[name];
    return { [name]: words.includes(word) ? words.filter((one) => one !== word) : [...words, word] };
  }
}
