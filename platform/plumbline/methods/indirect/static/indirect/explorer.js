// The page of the indirect method: joins state, table, panel, drawer, chart and exports. The map, added words and
// expectations are modules of their own, which communicate with it by events.

import { Drawer } from "../desk/cell_drawer.js";
import { Grid } from "../desk/grid.js";
import { number } from "../desk/grid_paint.js";
import { picture, pngOf, save, svgOf } from "../desk/grid_picture.js";
import { cellSentence, fromInWords, headerLabel, shownSize, sortedSo, threeWaySentences } from "./cell_words.js";
import { Filters } from "./filters.js";
import { nextSort } from "./order.js";
import { OpenedCell } from "./opened_cell.js";
import { Panel } from "./panel.js";
import { Picks } from "./picks.js";
import { plainScores, readTables } from "./reading.js";
import { State } from "./state.js";
import { Tables } from "./tables.js";
import { viewTable } from "./view_table.js";
import { WordChart } from "./word_chart.js";
import { readView, unsorted, writeView } from "./view.js";

const page = document.getElementById("indirect");
const [status, here, tableBox, tableButton] = ["status", "here", "table", "as-table"].map((id) => document.getElementById(id));
const [labels, sensitive] = ["labels", "sensitive"].map((id) => JSON.parse(document.getElementById(id).textContent));
const state = new State(Number(page.dataset.run), readView());
let isFirst = true;

const tables = new Tables(page.dataset.values, state.run);
const drawer = new Drawer(document.getElementById("drawer"), page.dataset.cell, () => cell.close());
const board = new Grid(document.getElementById("grid"), {
  move: (current) => tell(current),
  open: (current, byKeyboard) => cell.open(current, byKeyboard),
  sort: (axis, at) => (at < 0 ? sortByPinned(at) : sortBy(axis, state.wordOf(axis, at), state.currentView())),
  arrange: (axis, from, before) => change({ moves: [...state.view.moves, [axis, state.wordOf(axis, from), before === null ? null : state.wordOf(axis, before)]] }),
  point: (place) => tell(place?.axis === null ? place : board.current, place),
  pick: (axis, at) => at >= 0 && pick(axis, state.wordOf(axis, at)),
  key: pressed,
});
const chart = new WordChart(document.getElementById("bars"), {
  close: () => {
    change({ bars: null });
    board.scroller.focus();
  },
  change,
});
const panel = new Panel(document.getElementById("panel"), { choose: (axis, word) => goTo(axis, word, true), bars: (axis, word) => draw({ bars: [axis, word], chart: "" }), pick });
const picks = new Picks(document.getElementById("picks"), { pick, alone: (alone) => change({ alone }), clear: () => change({ targets: [], features: [], alone: false }), set: (axis, one, against) => draw({ bars: [axis, one], against, chart: "scatter" }) });
const form = document.getElementById("filters");
const filters = new Filters(page, form, sensitive, { change, find: findText, next: nextMatch });
const cell = new OpenedCell(state, drawer, board, filters, () => {
  writeView(state.view);
  announce();
});

const labelsNow = () => labels[filters.key];

function say(name, text) {
  page.dataset.state = name;
  status.textContent = text;
}

async function load() {
  if (isFirst || !state.table) say("waiting", "Loading the table …");
  filters.correct(state.view);
  filters.fill(state.view);
  const needs = state.needs();
  try {
    const found = await readTables(tables, state, filters.plain);
    if (needs !== state.needs()) return;
    const current = state.cellAt(board.current);
    state.take(found);
    refresh(current);
  } catch (error) {
    say("failed", `The table could not be read: ${error.message}. Reload the page to try again.`);
  }
}

function change(changes) {
  const needs = state.needs(), current = state.cellAt(board.current);
  Object.assign(state.view, changes);
  writeView(state.view);
  if (needs !== state.needs()) load();
  else refresh(current);
}

// Redraws the view. The current cell stays the same one at its new place.
function refresh(current = null) {
  const { view } = state;
  if (!state.table) return;
  state.arrange();
  board.current = state.placeOfCell(current);
  count();
  const { table, source, pinned, shown } = state;
  board.show({ grid: table, ...shown, sort: state.sortPlace(), found: state.found(), picked: state.picked(), pinned });
  if (board.current) board.reveal(board.current), tell(board.current);
  fillLegend();
  panel.show(table, source, view.sort, fromInWords(state, labels));
  picks.show(view, table);
  showBars();
  tellThreeWay();
  if (!tableBox.hidden) fillTable();
  if (isFirst) firstPaint();
  announce();
}

// The time from a start until its frame was painted, which tests compare with the limits.
function afterPaint(name, start) {
  requestAnimationFrame(() => setTimeout(() => performance.measure(name, { start, end: performance.now() })));
}

function firstPaint() {
  isFirst = false;
  const named = cell.named();
  if (named) cell.open(named, false), tell(named);
  afterPaint("indirect-first-paint", 0);
}

function announce() {
  const { view: { statistic, variant, list, target, feature }, table, shown } = state;
  const [features, targets] = [["row", shown.rows], ["column", shown.columns]].map(([axis, order]) => order.map((at) => state.wordOf(axis, at)));
  const detail = { statistic, variant, list, targets, features, target, feature, sensitive: state.view.with, table };
  page.dispatchEvent(new CustomEvent("shown", { detail }));
}

function count() {
  const { table, shown } = state;
  if (!table.rows.length || !table.columns.length) say("empty", "This statistic has no values for this list. Choose another statistic or list.");
  else if (!shown.rows.length || !shown.columns.length) say("empty", "Nothing matches: change the filters, or reset them.");
  else say("shown", shownSize(state) + sortedSo(state, labels));
}

function sortBy(axis, word, from) {
  const start = performance.now();
  if (state.isSortedBeside(from)) state.source = null;
  change({ sort: nextSort(state.view.sort, axis, word, from), moves: [] });
  afterPaint("indirect-sort", start);
}

// By a word of the band: its own table is the one that orders the targets.
function sortByPinned(at) {
  const own = state.pinnedAt(at);
  sortBy("row", own.word, { ...state.currentView(), ...plainScores(state.view, filters.plain), list: own.list });
}

// A cell in words, or a header.
function tell(current, place = null) {
  if (place?.axis) here.textContent = headerLabel(state, place);
  else here.textContent = current && state.table ? cellSentence(state, current) : "";
}

function tellThreeWay() {
  const box = document.getElementById("three-way"), told = threeWaySentences(state);
  box.textContent = told.join(" ");
  box.hidden = !told.length;
}

function pick(axis, word) {
  change(state.picking(axis, word));
}

// The keys of this page: x picks the target, Shift x the feature; b shows all of the target as bars, Shift b of the feature.
function pressed(event, current) {
  const key = event.key.toLowerCase(), axis = event.shiftKey ? "row" : "column", word = state.wordAt(axis, current[axis]);
  if (!["x", "b", "a"].includes(key) || event.altKey || event.ctrlKey || !word) return false;
  if (key === "x") pick(axis, word);
  else if (key === "b") draw({ bars: [axis, word] });
  else change({ alone: !state.view.alone });
  return true;
}

// The chart stands below the table, often below the screen.
function draw(changes) {
  change(changes);
  chart.element.scrollIntoView({ block: "nearest" });
}

function showBars() {
  const { view, table } = state, at = view.bars ? table.words[view.bars[0]].indexOf(view.bars[1]) : -1;
  if (at < 0) return chart.close();
  const [axis] = view.bars, about = labelsNow();
  const title = `${table[`${axis}Labels`][at]}: all ${axis === "row" ? "targets" : view.list || "features"}`;
  const subtitle = `${about.title.split(":")[0]}, ${about.unit}; ${about.model}, run ${about.run}, ${about.date}`;
  chart.show(table, axis, at, view, { title, subtitle, caveat: about.caveat, name: `run-${about.run}-${view.bars[1]}` });
}

function findText(find) {
  change({ find });
  goToMatch();
}

function nextMatch() {
  if (state.matches.length) state.matches.push(state.matches.shift());
  goToMatch();
}

function goToMatch() {
  const [first] = state.matches;
  if (first) goTo(first.axis, state.wordOf(first.axis, first.at), false);
}

// Goes to a word's header, or, from the panel, to its cell with the word that sorts the table.
function goTo(axis, word, andOpen) {
  const place = state.placeOfWord(axis, word);
  if (place < 0) return;
  board.current = { row: 0, column: 0, ...board.current, [axis]: place };
  const { sort } = state.view;
  const met = andOpen && sort && sort.axis !== axis ? state.placeOfWord(sort.axis, sort.word) : -1;
  if (met >= 0) return cell.open({ ...board.current, [sort.axis]: met }, false);
  board.select(board.current);
  tell(null, { axis, at: place });
}

function fillTable() {
  tableBox.replaceChildren(viewTable(state));
}

function fillLegend() {
  const { domain } = state.table;
  document.getElementById("least").textContent = `≤ ${number(-domain)}`;
  document.getElementById("most").textContent = `≥ ${number(domain)} ${labelsNow().unit}`;
}

form.find.addEventListener("keydown", ({ key }) => key === "Escape" && board.scroller.focus());
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input, select, textarea");
  if (event.key === "/" && !isTyping && state.table) {
    event.preventDefault();
    form.find.focus();
    form.find.select();
  } else if (event.key === "Escape" && drawer.isOpen && !isTyping) cell.close();
});
page.addEventListener("choose", ({ detail: { target, feature } }) => {
  const column = target === undefined ? -1 : state.placeOfWord("column", target), row = feature === undefined ? -1 : state.placeOfWord("row", feature);
  if (row >= 0 && column >= 0) cell.open({ row, column }, false);
  else if (column >= 0) change({ bars: ["column", target] }), goTo("column", target, false);
  else if (row >= 0) change({ bars: ["row", feature] }), goTo("row", feature, false);
});
// A module that loads after the table requests its content.
page.addEventListener("tell", () => state.table && announce());
page.addEventListener("reload", () => {
  tables.forget();
  load();
});
document.getElementById("reset").addEventListener("click", () => change(unsorted()));
tableButton.addEventListener("click", () => {
  tableBox.hidden = !tableBox.hidden;
  tableButton.setAttribute("aria-expanded", String(!tableBox.hidden));
  if (!tableBox.hidden && state.table) fillTable();
});
for (const [id, render] of [["png", pngOf], ["svg", svgOf]]) {
  document.getElementById(id).addEventListener("click", async () => {
    const { table, shown, view } = state;
    if (!table || !shown.rows.length || !shown.columns.length) return void (here.textContent = "There is nothing to draw.");
    const about = labelsNow();
    const title = `${about.title} (${view.list || "features"}${sortedSo(state, labels)})`;
    save(await render(picture(board.scene(), { ...about, title, counted: "names" })), `run-${about.run}-${about.statistic}.${id}`);
  });
}

load();
