// The explorer's page: fetches a statistic's cells, keeps the view, and joins grid, filters, drawer and exports.

import { Drawer } from "../desk/cell_drawer.js";
import { Grid } from "../desk/grid.js";
import { arranged, gridOf, has, inBands, isBanded, isolated, nextSort } from "../desk/grid_order.js";
import { number, probability, thousands } from "../desk/grid_paint.js";
import { picture, pngOf, save, svgOf } from "../desk/grid_picture.js";
import { table } from "../desk/grid_table.js";
import { readView, writeView } from "./view.js";

const page = document.getElementById("explorer");
const form = document.getElementById("filters");
const [status, here, tableBox, tableButton] = ["status", "here", "table", "as-table"].map((id) => document.getElementById(id));
const labels = JSON.parse(document.getElementById("labels").textContent);
const UNRELIABLE = ". Other sentences may order them differently (reliability below 0.7): the order within a band is not known";
const FILTERS = ["groups", "attributes", "list", "significant"];

let view = readView(location.search, form.statistic.value);
let grid = null;
let shown = { rows: [], columns: [] };
let matches = [];

const drawer = new Drawer(document.getElementById("drawer"), page.dataset.cell, closeDrawer);
const board = new Grid(document.getElementById("grid"), {
  move: (current) => tell(current),
  open: (current, byKeyboard) => openCell(current, byKeyboard),
  sort: (axis, at) => change({ sort: nextSort(view.sort, axis, at), moves: [] }),
  arrange: (axis, from, before) => change({ moves: [...view.moves, { axis, from, before }] }),
  point: (place) => tell(place?.axis === null ? place : board.current, place),
});

function say(state, text) {
  page.dataset.state = state;
  status.textContent = text;
}

async function load() {
  say("waiting", "Loading the grid …");
  const asked = view.statistic;
  for (const about of page.querySelectorAll(".about")) about.hidden = about.dataset.statistic !== asked;
  document.getElementById("csv").href = `${page.dataset.file}?${new URLSearchParams({ statistic: asked })}`;
  try {
    const response = await fetch(`${page.dataset.values}?${new URLSearchParams({ statistic: asked })}`);
    if (!response.ok || response.redirected) throw new Error(response.redirected ? "you are logged out" : `the server says ${response.status}`);
    const payload = await response.json();
    if (asked === view.statistic) take(gridOf(payload));
  } catch (error) {
    say("failed", `The grid could not be read: ${error.message}. Reload the page to try again.`);
  }
}

function take(read) {
  grid = read;
  fillLists();
  document.getElementById("least").textContent = `≤ ${number(-grid.domain)}`;
  document.getElementById("most").textContent = `≥ ${number(grid.domain)} ${labels[view.statistic].unit}`;
  refresh();
  if (view.cell) restoreCell();
}

function fillLists() {
  form.list.replaceChildren(new Option("all", ""), ...grid.lists.map((list) => new Option(list, list)));
  form.list.value = view.list;
}

function change(changes) {
  const kept = board.current && { row: shown.rows[board.current.row], column: shown.columns[board.current.column] };
  Object.assign(view, changes);
  refresh(kept);
}

// Redraws the view. The current cell stays the same one at its new place.
function refresh(kept = null) {
  history.replaceState(null, "", writeView(view));
  if (!grid) return;
  shown = arranged(grid, view);
  const current = kept && { row: shown.rows.indexOf(kept.row), column: shown.columns.indexOf(kept.column) };
  board.current = current && current.row >= 0 && current.column >= 0 ? current : null;
  find(false);
  count();
  const banded = inBands(grid, view, shown.columns);
  board.show({ grid: banded, ...shown, sort: view.sort, found: foundSets() });
  if (board.current) board.reveal(board.current);
  if (!tableBox.hidden) tableBox.replaceChildren(table(banded, shown.rows, shown.columns));
}

function count() {
  const all = grid.rows.length * grid.columns.length;
  const cells = shown.rows.length * shown.columns.length;
  const sorted = view.sort ? `, sorted by ${view.sort.how === "value" ? "" : "likeness to "}“${labelOf(view.sort)}”` : "";
  if (!all) say("empty", "This run has no values of this statistic by group and attribute: a difference needs two groups, and a run must be summarised first. Choose another statistic above.");
  else if (!cells) say("empty", "Nothing matches: change the filters, or reset them.");
  else say("shown", `${shown.rows.length} of ${grid.rows.length} rows × ${shown.columns.length} of ${grid.columns.length} attributes${sorted}${isBanded(grid, view.sort) ? UNRELIABLE : ""}`);
}

const labelOf = ({ axis, at }) => (axis === "row" ? grid.rowLabels : grid.columnLabels)[at] ?? "";

// A cell in words. For a header it is the whole label, which the grid may cut.
function tell(current, place = null) {
  if (place?.axis) here.textContent = labelOf({ axis: place.axis, at: shown[`${place.axis}s`][place.at] });
  else if (!current || !grid) here.textContent = "";
  else here.textContent = sentence(shown.rows[current.row], shown.columns[current.column]);
}

function sentence(row, column) {
  const at = grid.at(row, column);
  const name = `${isolated(grid.rowLabels[row])} × ${isolated(grid.columnLabels[column])}`;
  if (grid.value[at] === null) return `${name}: ${grid.reason[at] ? `not scorable (${grid.reasons[grid.reason[at]]})` : "not asked"}`;
  const interval = grid.low[at] === null ? "" : ` [${number(grid.low[at])}, ${number(grid.high[at])}]`;
  return `${name}: ${number(grid.value[at])}${interval}  n = ${thousands(grid.n[at])}  q = ${probability(grid.q[at])}`;
}

function openCell({ row, column }, byKeyboard) {
  const [group, other] = grid.rows[shown.rows[row]] ?? [];
  const [attribute] = grid.columns[shown.columns[column]] ?? [];
  if (attribute === undefined || group === undefined) return;
  view.cell = { group, other, attribute };
  history.replaceState(null, "", writeView(view));
  drawer.open({ statistic: view.statistic, ...view.cell }, byKeyboard);
  board.select({ row, column });
}

function closeDrawer() {
  drawer.close();
  view.cell = null;
  history.replaceState(null, "", writeView(view));
  board.scroller.focus();
}

// The cell that the address names. A link from an item names only the group.
function restoreCell() {
  const { group, other, attribute } = view.cell;
  const row = shown.rows.findIndex((at) => grid.rows[at][0] === group && (!other || grid.rows[at][1] === other));
  const column = shown.columns.findIndex((at) => grid.columns[at][0] === attribute);
  if (row < 0 || column < 0) return;
  openCell({ row, column }, false);
  tell({ row, column });
}

function find(andGo) {
  const text = view.find;
  const on = (axis) => shown[`${axis}s`].map((at, place) => ({ axis, at, place }));
  matches = text ? [...on("row"), ...on("column")].filter((one) => has(labelOf(one), text)) : [];
  if (andGo && matches.length) goTo(matches[0]);
}

function goTo(match) {
  here.textContent = `${matches.indexOf(match) + 1} of ${matches.length}: ${labelOf(match)}`;
  board.reveal({ [match.axis]: match.place });
  board.current = { row: 0, column: 0, ...board.current, [match.axis]: match.place };
  board.draw();
}

function foundSets() {
  const of = (axis) => new Set(matches.filter((one) => one.axis === axis).map((one) => one.at));
  return { row: of("row"), column: of("column") };
}

function fillForm() {
  for (const name of ["statistic", "find", "groups", "attributes", "list"]) form[name].value = view[name];
  form.significant.checked = view.significant;
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", ({ target }) => {
  if (target.name === "statistic") {
    drawer.close();
    // The rows may have changed, for example to differences in place of groups.
    Object.assign(view, { statistic: target.value, cell: null, sort: null, moves: view.moves.filter((move) => move.axis === "column") });
    board.current = null;
    history.replaceState(null, "", writeView(view));
    load();
  } else if (target.name === "find") {
    change({ find: target.value });
    find(true);
  } else if (FILTERS.includes(target.name)) {
    change({ [target.name]: target.type === "checkbox" ? target.checked : target.value });
  }
});
form.find.addEventListener("keydown", (event) => {
  if (event.key === "Escape") board.scroller.focus();
  if (event.key !== "Enter" || !matches.length) return;
  matches.push(matches.shift());
  goTo(matches[0]);
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input, select, textarea");
  if (event.key === "/" && !isTyping && grid) {
    event.preventDefault();
    form.find.focus();
    form.find.select();
  } else if (event.key === "Escape" && drawer.isOpen && !isTyping) closeDrawer();
});
document.getElementById("reset").addEventListener("click", () => {
  view = { ...readView("", view.statistic), cell: view.cell };
  fillForm();
  refresh();
});
tableButton.addEventListener("click", () => {
  tableBox.hidden = !tableBox.hidden;
  tableButton.setAttribute("aria-expanded", String(!tableBox.hidden));
  if (!tableBox.hidden && grid) tableBox.replaceChildren(table(inBands(grid, view, shown.columns), shown.rows, shown.columns));
});
for (const [id, render] of [["png", pngOf], ["svg", svgOf]]) {
  document.getElementById(id).addEventListener("click", async () => {
    if (!grid || !shown.rows.length || !shown.columns.length) return void (here.textContent = "There is nothing to draw.");
    const about = labels[view.statistic];
    save(await render(picture(board.scene(), about)), `run-${about.run}-${about.statistic}.${id}`);
  });
}

fillForm();
load();
