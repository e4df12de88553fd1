// The page of the indirect method: reads a table, keeps the view, and holds table, panel, drawer, chart and exports
// together. The map, added words and expectations are modules of their own, which speak with it by events.

import { Drawer } from "../desk/cell_drawer.js";
import { Grid } from "../desk/grid.js";
import { has, isolated, likeness, visible } from "../desk/grid_order.js";
import { number, placeOf, probability, thousands } from "../desk/grid_paint.js";
import { picture, pngOf, save, svgOf } from "../desk/grid_picture.js";
import { table as asTable } from "../desk/grid_table.js";
import { Bars } from "./bars.js";
import { arranged, isFrom, line, nextSort, ordering, other } from "./order.js";
import { Panel } from "./panel.js";
import { Picks } from "./picks.js";
import { Tables } from "./tables.js";
import { readView, unsorted, writeView } from "./view.js";

const page = document.getElementById("indirect");
const form = document.getElementById("filters");
const [status, here, tableBox, tableButton] = ["status", "here", "table", "as-table"].map((id) => document.getElementById(id));
const labels = JSON.parse(document.getElementById("labels").textContent);
const sensitive = JSON.parse(document.getElementById("sensitive").textContent);
const run = Number(page.dataset.run);
const PICKED = { row: "features", column: "targets" };

let view = readView();
let table = null, source = null, pinned = [];
let shown = { rows: [], columns: [] };
let matches = [];
let isFirst = true;

const tables = new Tables(page.dataset.values, run);
const drawer = new Drawer(document.getElementById("drawer"), page.dataset.cell, closeDrawer);
const board = new Grid(document.getElementById("grid"), {
  move: (current) => tell(current),
  open: (current, byKeyboard) => openCell(current, byKeyboard),
  sort: (axis, at) => (at < 0 ? sortByPinned(at) : sortBy(axis, table.words[axis][at], here_())),
  arrange: (axis, from, before) => change({ moves: [...view.moves, [axis, wordOf(axis, from), before === null ? null : wordOf(axis, before)]] }),
  point: (place) => tell(place?.axis === null ? place : board.current, place),
  pick: (axis, at) => at >= 0 && pick(axis, table.words[axis][at]),
  key: pressed,
});
const bars = new Bars(document.getElementById("bars"), () => {
  change({ bars: null });
  board.scroller.focus();
});
const panel = new Panel(document.getElementById("panel"), { choose: (axis, word) => goTo(axis, word, true), bars: (axis, word) => change({ bars: [axis, word] }), pick });
const picks = new Picks(document.getElementById("picks"), { pick, alone: (alone) => change({ alone }), clear: () => change({ targets: [], features: [], alone: false }) });

const wordOf = (axis, at) => table.words[axis][at];
// The table that is shown, as a sort names it.
const here_ = () => ({ run, statistic: view.statistic, variant: view.variant, list: view.list });
const labelsNow = () => labels[form.statistic.value];

function say(state, text) {
  page.dataset.state = state;
  status.textContent = text;
}

// Reads what the view needs: its own table, the one that its order comes from, and those of the sensitive words.
async function load() {
  if (isFirst || !table) say("waiting", "Loading the table …");
  fillForm();
  const asked = here_(), wanted = JSON.stringify([asked, view.sort, view.with]);
  try {
    const [own, from, beside] = await Promise.all([tables.read(asked), sourceOf(view.sort), Promise.all(view.with.map(pinnedOf))]);
    if (wanted !== JSON.stringify([here_(), view.sort, view.with])) return;
    [table, source, pinned] = [own, from, beside.filter(Boolean)];
    refresh(kept());
  } catch (error) {
    say("failed", `The table could not be read: ${error.message}. Reload the page to try again.`);
  }
}

async function sourceOf(sort) {
  if (!sort || isFrom(sort, here_())) return null;
  try {
    return await tables.read(sort.from);
  } catch {
    return null; // a run that is gone: the order is then the plain one
  }
}

// What a score without a sensitive set is compared with: the score over all names, also of the set's own words.
function overAllNames() {
  return form.statistic.dataset.score;
}

// A sensitive word as a row under the headers: its scores, found by the targets' words.
async function pinnedOf([list, word]) {
  try {
    const grid = await tables.read({ ...here_(), list, ...(view.variant ? { statistic: overAllNames(), variant: "" } : {}) });
    const row = grid.words.row.indexOf(word);
    const place = new Map(grid.words.column.map((target, at) => [target, at]));
    return row < 0 ? null : { grid, list, word, row, label: `◆ ${grid.rowLabels[row]}`, at: (column) => grid.at(row, place.get(wordOf("column", column)) ?? -1) };
  } catch {
    return null;
  }
}

const kept = () => board.current && table && { row: wordAt("row", board.current.row), column: wordAt("column", board.current.column), at: board.current.row };
const wordAt = (axis, at) => (at < 0 ? null : table.words[axis][shown[`${axis}s`][at]]);
const placeOfWord = (axis, word) => shown[`${axis}s`].findIndex((at) => table.words[axis][at] === word);

function change(changes) {
  const before = JSON.stringify([here_(), view.sort?.from, view.with]);
  const current = kept();
  Object.assign(view, changes);
  writeView(view);
  if (before !== JSON.stringify([here_(), view.sort?.from, view.with])) load();
  else refresh(current);
}

// Draws the view anew; the current cell stays the same one, wherever it now stands.
function refresh(current = null) {
  if (!table) return;
  shown = arranged(table, source, view);
  const at = current && { row: current.at < 0 ? current.at : placeOfWord("row", current.row), column: placeOfWord("column", current.column) };
  const isThere = at && (current.at < 0 ? at.row >= -pinned.length : at.row >= 0) && at.column >= 0;
  board.current = isThere ? at : null;
  find();
  count();
  const sort = view.sort && { ...view.sort, at: table.words[view.sort.axis].indexOf(view.sort.word) };
  board.show({ grid: table, ...shown, sort, found: foundSets(), picked: pickedSets(), pinned });
  if (board.current) board.reveal(board.current), tell(board.current);
  fillLegend();
  panel.show(table, source, view.sort, fromInWords());
  picks.show(view, table);
  showBars();
  tellThreeWay();
  if (!tableBox.hidden) fillTable();
  if (isFirst) firstPaint();
  announce();
}

// How long it took from a start until the frame that shows it was painted: what tests hold to the limits.
function afterPaint(name, start) {
  requestAnimationFrame(() => setTimeout(() => performance.measure(name, { start, end: performance.now() })));
}

function firstPaint() {
  isFirst = false;
  if (view.target && view.feature) restoreCell();
  afterPaint("indirect-first-paint", 0);
}

function announce() {
  const { statistic, variant, list, target, feature } = view;
  const [features, targets] = [["row", shown.rows], ["column", shown.columns]].map(([axis, order]) => order.map((at) => table.words[axis][at]));
  const detail = { statistic, variant, list, targets, features, target, feature, sensitive: view.with, table };
  page.dispatchEvent(new CustomEvent("shown", { detail }));
}

function count() {
  const { rows, columns } = shown;
  if (!table.rows.length || !table.columns.length) say("empty", "This statistic has no values for this list: choose another one of either.");
  else if (!rows.length || !columns.length) say("empty", "Nothing is like that: change the filters, or reset them.");
  else say("shown", `${columns.length} of ${table.columns.length} targets × ${rows.length} of ${table.rows.length} features${sortedSo()}`);
}

function sortedSo() {
  const { sort } = view;
  if (!sort) return "";
  const from = fromInWords();
  return `, sorted by ${sort.how === "value" ? "" : "likeness to "}“${visible(sort.word)}”${from ? ` (${from})` : ""}`;
}

// Where a sort is from, as far as that is not what is shown.
function fromInWords() {
  const { sort } = view;
  if (!sort || isFrom(sort, here_())) return "";
  const { from } = sort, own = here_(), told = [];
  if (from.list !== own.list) told.push(`of ${from.list || "features"}`);
  if (from.statistic !== own.statistic || from.variant !== own.variant) told.push(`by ${labels[`${from.statistic} ${from.variant}`.trim()]?.title.split(":")[0] ?? from.statistic}`);
  if (from.run !== own.run) told.push(`of run ${from.run}`);
  return told.join(" ");
}

function sortBy(axis, word, from) {
  const start = performance.now();
  const hasOther = view.sort && !isFrom(view.sort, from);
  if (hasOther) source = null;
  change({ sort: nextSort(view.sort, axis, word, from), moves: [] });
  afterPaint("indirect-sort", start);
}

// By a word of the band: its own table is the one that orders the targets.
function sortByPinned(at) {
  const own = pinned[pinned.length + at];
  const ofScores = view.variant ? { statistic: overAllNames(), variant: "" } : {};
  sortBy("row", own.word, { ...here_(), ...ofScores, list: own.list });
}

// A cell in words; on a header its whole label, which may be cut in the grid.
function tell(current, place = null) {
  if (place?.axis) here.textContent = place.at < 0 ? pinned[pinned.length + place.at].word : table[`${place.axis}Labels`][shown[`${place.axis}s`][place.at]];
  else here.textContent = current && table ? sentence(current) : "";
}

function sentence({ row, column }) {
  const [grid, at] = placeOf(board.scene(), row, column);
  const feature = row < 0 ? pinned[pinned.length + row].label : grid.rowLabels[shown.rows[row]];
  const name = `${isolated(table.columnLabels[shown.columns[column]])} × ${isolated(feature)}`;
  const value = grid.value[at] ?? null;
  if (value === null) return `${name}: ${grid.reason[at] ? `not scorable (${grid.reasons[grid.reason[at]]})` : "not asked"}`;
  const interval = grid.low[at] === null ? "" : ` [${number(grid.low[at])}, ${number(grid.high[at])}]`;
  return `${name}: ${number(value)}${interval}  n = ${thousands(grid.n[at])}  q = ${probability(grid.q[at])}`;
}

// Target, feature and sensitive word together: how far they go the same way over the targets that are shown.
function tellThreeWay() {
  const box = document.getElementById("three-way");
  const found = view.sort?.axis === "row" ? ordering(table, source, "column", view.sort) : null;
  const told = found ? pinned.map((own) => togetherOf(own, found.ranks)).filter(Boolean) : [];
  const missing = view.with.filter(([list, word]) => !pinned.some((own) => own.list === list && own.word === word));
  told.push(...missing.map(([, word]) => `“${isolated(visible(word))}” has no values of this statistic.`));
  box.textContent = told.join(" ");
  box.hidden = !told.length;
}

function togetherOf({ grid, word, at }, ranks) {
  if (word === view.sort.word) return null;
  const [a, b] = [(column) => ranks.get(wordOf("column", column)) ?? null, (column) => grid.value[at(column)] ?? null].map((read) => shown.columns.map(read));
  const r = likeness(a, b), n = a.filter((one, place) => one !== null && b[place] !== null).length;
  if (r === null) return null;
  const way = Math.abs(r) < 2 / Math.sqrt(n) ? "have little in common" : r < 0 ? "go opposite ways" : "go the same way";
  return `Over ${n} targets, “${isolated(visible(view.sort.word))}” and “${isolated(visible(word))}” ${way}: r = ${number(r)}.`;
}

function openCell({ row, column }, byKeyboard) {
  const list = row < 0 ? pinned[pinned.length + row].list : view.list;
  const feature = row < 0 ? pinned[pinned.length + row].word : wordAt("row", row), target = wordAt("column", column);
  if (target === undefined || feature === undefined) return;
  Object.assign(view, { target, feature, cell_list: list === view.list ? "" : list });
  writeView(view);
  // What takes a sensitive set out is of neutral features alone.
  const statistic = row < 0 && view.variant ? { statistic: overAllNames() } : { statistic: view.statistic, variant: view.variant };
  drawer.open({ ...statistic, list, target, feature }, byKeyboard);
  board.select({ row, column });
  announce();
}

function closeDrawer() {
  drawer.close();
  Object.assign(view, { target: "", feature: "", cell_list: "" });
  writeView(view);
  board.scroller.focus();
  announce();
}

// The cell that the address names.
function restoreCell() {
  const column = placeOfWord("column", view.target);
  const band = view.cell_list ? pinned.findIndex(({ list, word }) => list === view.cell_list && word === view.feature) : -1;
  const row = view.cell_list ? (band < 0 ? NaN : band - pinned.length) : placeOfWord("row", view.feature);
  const there = column >= 0 && (row >= 0 || (view.cell_list && row < 0));
  if (there) openCell({ row, column }, false), tell({ row, column });
}

function pick(axis, word) {
  const name = PICKED[axis], isPicked = view[name].includes(word);
  change({ [name]: isPicked ? view[name].filter((one) => one !== word) : [...view[name], word] });
}

// The keys of this page: x picks the target, Shift x the feature; b shows all of the target as bars, Shift b of the feature.
function pressed(event, current) {
  const key = event.key.toLowerCase(), axis = event.shiftKey ? "row" : "column", word = wordAt(axis, current[axis]);
  if (!["x", "b", "a"].includes(key) || event.altKey || event.ctrlKey || !word) return false;
  if (key === "x") pick(axis, word);
  else if (key === "b") change({ bars: [axis, word] });
  else change({ alone: !view.alone });
  return true;
}

function showBars() {
  const at = view.bars ? table.words[view.bars[0]].indexOf(view.bars[1]) : -1;
  if (at < 0) return bars.close();
  const [axis] = view.bars, about = labelsNow();
  const title = `${table[`${axis}Labels`][at]}: all ${axis === "row" ? "targets" : view.list || "features"}`;
  const subtitle = `${about.title.split(":")[0]}, ${about.unit}; ${about.model}, run ${about.run}, ${about.date}`;
  bars.show(table, axis, at, { title, subtitle, caveat: about.caveat, name: `run-${about.run}-${view.bars[1]}` });
}

function find() {
  const on = (axis) => shown[`${axis}s`].map((at, place) => ({ axis, at, place }));
  matches = view.find ? [...on("row"), ...on("column")].filter(({ axis, at }) => has(table[`${axis}Labels`][at], view.find)) : [];
}

function foundSets() {
  const of = (axis) => new Set(matches.filter((one) => one.axis === axis).map((one) => one.at));
  return { row: of("row"), column: of("column") };
}

function pickedSets() {
  const of = (axis) => new Set(view[PICKED[axis]].map((word) => table.words[axis].indexOf(word)));
  return { row: of("row"), column: of("column") };
}

// To a word's header, and, from the panel, to the cell where it meets the word that the table is sorted by.
function goTo(axis, word, andOpen) {
  const place = placeOfWord(axis, word);
  if (place < 0) return;
  board.current = { row: 0, column: 0, ...board.current, [axis]: place };
  const { sort } = view;
  const met = andOpen && sort && sort.axis !== axis ? placeOfWord(sort.axis, sort.word) : -1;
  if (met >= 0) return openCell({ ...board.current, [sort.axis]: met }, false);
  board.select(board.current);
  tell(null, { axis, at: place });
}

function fillTable() {
  const made = asTable(table, shown.rows, shown.columns);
  for (const own of [...pinned].reverse()) {
    const row = made.tBodies[0].insertRow(0), head = document.createElement("th");
    head.scope = "row";
    head.textContent = own.label;
    row.append(head);
    for (const column of shown.columns) {
      const value = own.grid.value[own.at(column)] ?? null;
      row.insertCell().textContent = value === null ? "" : number(value) + (own.grid.isPresent(own.at(column)) ? "*" : "");
    }
  }
  tableBox.replaceChildren(made);
}

function fillLegend() {
  document.getElementById("least").textContent = `≤ ${number(-table.domain)}`;
  document.getElementById("most").textContent = `≥ ${number(table.domain)} ${labelsNow().unit}`;
}

function fillForm() {
  const wanted = `${view.statistic} ${view.variant}`.trim();
  if (![...form.statistic.options].some(({ value }) => value === wanted)) [view.statistic, view.variant] = split(form.statistic.options[0].value);
  form.statistic.value = `${view.statistic} ${view.variant}`.trim();
  // The list as the address has it: the first one has no key.
  if (![...form.list.options].some(({ value }) => value === view.list)) view.list = form.list.options[0].value;
  form.list.value = view.list;
  form.find.value = view.find;
  form.significant.checked = view.significant;
  for (const [at, select] of [form.sensitive1, form.sensitive2].entries()) select.value = view.with[at] ? JSON.stringify(view.with[at]) : "";
  for (const about of page.querySelectorAll(".about")) about.hidden = about.dataset.statistic !== form.statistic.value;
  for (const one of page.querySelectorAll(".take-out")) {
    const isOut = one.dataset.statisticKey === form.statistic.value;
    one.hidden = !isOut && !view.with.some(([list]) => list === one.dataset.without);
    one.setAttribute("aria-pressed", String(isOut));
  }
  document.getElementById("csv").href = `${page.dataset.file}?${new URLSearchParams({ statistic: view.statistic, ...(view.variant ? { variant: view.variant } : {}), list: view.list })}`;
}

const split = (key) => [...key.split(" "), ""].slice(0, 2);

function fillSensitive() {
  for (const select of [form.sensitive1, form.sensitive2]) {
    for (const [list, words] of Object.entries(sensitive)) {
      const group = document.createElement("optgroup");
      group.label = list;
      group.append(...words.map((word) => new Option(visible(word), JSON.stringify([list, word]))));
      select.append(group);
    }
  }
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", ({ target }) => {
  if (target.name === "statistic") {
    const [statistic, variant] = split(target.value);
    change({ statistic, variant });
  } else if (target.name === "list") change({ list: target.value });
  else if (target.name.startsWith("sensitive")) {
    const chosen = [form.sensitive1.value, form.sensitive2.value].filter(Boolean);
    change({ with: [...new Set(chosen)].map((one) => JSON.parse(one)) });
  } else if (target.name === "beside") {
    if (target.value) location.href = `${target.value}${location.search}`;
  } else if (target.name === "find") {
    change({ find: target.value });
    if (matches.length) goTo(matches[0].axis, wordOf(matches[0].axis, matches[0].at), false);
  } else if (target.name === "significant") change({ significant: target.checked });
});
form.find.addEventListener("keydown", (event) => {
  if (event.key === "Escape") board.scroller.focus();
  if (event.key !== "Enter" || !matches.length) return;
  matches.push(matches.shift());
  goTo(matches[0].axis, wordOf(matches[0].axis, matches[0].at), false);
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input, select, textarea");
  if (event.key === "/" && !isTyping && table) {
    event.preventDefault();
    form.find.focus();
    form.find.select();
  } else if (event.key === "Escape" && drawer.isOpen && !isTyping) closeDrawer();
});
page.addEventListener("click", ({ target }) => {
  const button = target.closest(".take-out");
  if (!button) return;
  const isOut = button.getAttribute("aria-pressed") === "true";
  const [name, variant] = split(isOut ? overAllNames() : button.dataset.statisticKey);
  change({ statistic: name, variant });
});
page.addEventListener("choose", ({ detail: { target, feature } }) => {
  const column = target === undefined ? -1 : placeOfWord("column", target), row = feature === undefined ? -1 : placeOfWord("row", feature);
  if (row >= 0 && column >= 0) openCell({ row, column }, false);
  else if (column >= 0) change({ bars: ["column", target] }), goTo("column", target, false);
  else if (row >= 0) change({ bars: ["row", feature] }), goTo("row", feature, false);
});
// A module that came after the table asks what it shows.
page.addEventListener("tell", () => table && announce());
page.addEventListener("reload", () => {
  tables.forget();
  load();
});
document.getElementById("reset").addEventListener("click", () => change(unsorted()));
tableButton.addEventListener("click", () => {
  tableBox.hidden = !tableBox.hidden;
  tableButton.setAttribute("aria-expanded", String(!tableBox.hidden));
  if (!tableBox.hidden && table) fillTable();
});
for (const [id, render] of [["png", pngOf], ["svg", svgOf]]) {
  document.getElementById(id).addEventListener("click", async () => {
    if (!table || !shown.rows.length || !shown.columns.length) return void (here.textContent = "There is nothing to draw.");
    const about = labelsNow();
    const title = `${about.title} (${view.list || "features"}${sortedSo()})`;
    save(await render(picture(board.scene(), { ...about, title, counted: "names" })), `run-${about.run}-${about.statistic}.${id}`);
  });
}

fillSensitive();
load();
