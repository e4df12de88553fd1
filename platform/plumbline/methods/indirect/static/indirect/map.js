// The map of the targets: requests it from a worker, draws it, and keeps its view in the address.

import { has, visible } from "../desk/grid_order.js";
import { coloursOf, number } from "../desk/grid_paint.js";
import { save, pngOf, svgOf } from "../desk/grid_picture.js";
import { keys, setKeys } from "./address.js";
import { fillValues, placesTable } from "./map_list.js";
import { paint } from "./map_paint.js";
import { HEIGHT as PICTURE_HEIGHT, WIDTH, mapPicture } from "./map_picture.js";
import { ALL, fitted, isArrow, moved, nearest, onward, placed, wayOf, zoomed } from "./map_view.js";
import { percent, restsOn } from "./map_words.js";
import { plainScores } from "./reading.js";
import { Tables } from "./tables.js";

const page = document.getElementById("indirect"), box = document.getElementById("indirect-map"), form = document.getElementById("map-form");
const [told, sheet, paper, here, legend, actions, places] = [".told", ".sheet", ".canvas", ".here", ".legend", ".actions", "details"].map((one) => box.querySelector(one));
const canvas = paper.querySelector("canvas");
const labels = JSON.parse(document.getElementById("labels").textContent);
const sensitive = JSON.parse(document.getElementById("sensitive").textContent);
const HEIGHT = 480, NEAR = 14, STEP = 60, LOOK_AGAIN = 400, KIND = { tsne: "Perplexity", isomap: "Neighbours", umap: "Neighbours" };
const PROMISE = told.textContent;
const tables = new Tables(page.dataset.values, Number(page.dataset.run));

let shown = null; // the latest content of the table
let map = null, wanted = "", isAsking = false;
let view = readView(), colour = null, current = -1, dotPlaces = [], drag = null, pending = 0;

function readView() {
  const [zoom, x, y] = (keys().get("map_at") ?? "").split(",").map(Number);
  return zoom >= 1 && zoom <= 40 && [x, y].every(Number.isFinite) ? { zoom, x, y } : { ...ALL };
}

function fillForm() {
  const query = keys();
  const method = query.get("map");
  if ([...form.method.options].some(({ value }) => value === method)) form.method.value = method;
  for (const name of ["parameter", "seed"]) if (/^\d{1,10}$/.test(query.get(`map_${name}`) ?? "")) form[name].value = query.get(`map_${name}`);
  nameParameter();
}

function nameParameter() {
  const method = form.method.value;
  for (const label of form.querySelectorAll(".free")) label.hidden = method === "pca";
  form.parameter.parentElement.firstChild.textContent = `${KIND[method] ?? "Neighbours"} `;
  form.seed.parentElement.hidden = method === "pca" || method === "isomap";
}

const asked = () => {
  const { statistic, variant, list } = shown;
  const { method, parameter, seed } = form;
  return new URLSearchParams({ statistic, variant, list, method: method.value, parameter: parameter.value, seed: seed.value });
};

// The stored map for the form and the table. `ask` requests one from a worker if there is none.
async function look(ask = false) {
  if (!shown) return;
  const query = asked(), own = query.toString();
  clearTimeout(pending);
  if (own !== wanted) box.dataset.state = "reading";
  wanted = own;
  try {
    let found = await fetched(`${box.dataset.map}?${query}`);
    if (own !== wanted) return;
    if (ask && ["unasked", "failed"].includes(found.state)) found = await fetched(`${box.dataset.ask}?${query}`, { method: "POST", body: new FormData(form) });
    if (own !== wanted) return;
    take(found);
    if (["waiting", "working"].includes(found.state)) pending = setTimeout(look, LOOK_AGAIN);
  } catch (error) {
    take({ state: "failed", error: `The map could not be read: ${error.message}. Press the button to try again.` });
  }
}

async function fetched(address, options) {
  const response = await fetch(address, options);
  if (response.redirected) throw new Error("you are logged out");
  if (![200, 400, 409].includes(response.status)) throw new Error(`the server says ${response.status}`);
  return response.json();
}

const SAYS = {
  unasked: () => PROMISE,
  waiting: ({ nobody }) => (nobody ? `The map waits: ${nobody}.` : "The map waits for a worker …"),
  working: () => `A worker computes the map …${form.method.value === "umap" ? " The first map by UMAP on a worker takes longer: its compiler is loaded." : ""}`,
  failed: ({ error }) => `There is no map: ${error}`,
  done: (found) => restsOn(found, addedTargets()),
};

const addedTargets = () => shown.table.added?.targets ?? [];

function take(found) {
  const isNew = found.state === "done" && JSON.stringify(found.positions) !== JSON.stringify(map?.positions);
  box.dataset.state = found.state;
  told.textContent = SAYS[found.state](found);
  told.classList.toggle("notice", found.state === "failed" || Boolean(found.nobody));
  if (found.state === "done" || found.state === "failed" || found.state === "unasked") map = found.state === "done" ? found : null;
  for (const one of [sheet, actions, places]) one.hidden = !map;
  if (isNew) {
    current = -1;
    places.querySelector(".places").replaceChildren(placesTable(map.positions));
  }
  draw();
}

// The select of colours: all features of the list that the table shows, and all sensitive words.
function fillColours() {
  const chosen = keys().get("map_colour") ?? "";
  const group = (title, list, words) => {
    const made = document.createElement("optgroup");
    made.label = title;
    made.append(...words.map((word) => new Option(visible(word), JSON.stringify([list, word]))));
    return made;
  };
  const own = shown.table.words.row;
  const rest = Object.entries(sensitive).filter(([list]) => list !== shown.list).map(([list, words]) => group(list, list, words));
  form.colour.replaceChildren(new Option("nothing", ""), group(shown.list || "features", shown.list, own), ...rest);
  form.colour.value = chosen;
  if (form.colour.selectedIndex < 0) form.colour.value = "";
}

// The scores that colour the dots: by target [value, significant].
async function readColour() {
  const key = form.colour.value;
  // A veiled table shows no score here either.
  if (!key || page.hasAttribute("data-veiled")) colour = null;
  else {
    const [list, word] = JSON.parse(key);
    const table = list === shown.list ? shown.table : await tables.read(plainTable(list));
    if (key !== form.colour.value) return;
    const row = table.words.row.indexOf(word);
    colour = { word, domain: table.domain, of: new Map(table.words.column.map((target, at) => [target, cellOf(table, row, at)])) };
  }
  draw();
  if (map && current >= 0) tell(current);
}

function plainTable(list) {
  const { statistic, variant } = shown;
  return { run: Number(page.dataset.run), list, statistic, variant, ...plainScores(shown, Object.keys(labels)[0]) };
}

function cellOf(table, row, column) {
  const at = table.at(row, column);
  return [table.value[at] ?? null, at !== undefined && table.isPresent(at)];
}

function sceneOf(width, height, own = view) {
  const fit = fitted(map.positions, width, height), find = keys().get("find") ?? "", visibleTargets = new Set(shown.targets);
  const dots = map.positions.map((one, at) => {
    const [word] = one, [x, y] = placed(one, fit, own, width, height), [value, significant] = colour?.of.get(word) ?? [colour ? null : undefined, false];
    return { label: visible(word), x, y, value, significant, found: Boolean(find) && has(visible(word), find), current: at === current || word === shown.target, faded: !visibleTargets.has(word) };
  });
  const axes = map.explained.length ? [`1st component, ${percent(map.explained[0])} of the variance`, `2nd, ${percent(map.explained[1])}`] : null;
  return { width, height, dots, axes, domain: colour?.domain ?? 1, colours: coloursOf(box) };
}

function draw() {
  legend.hidden = !map || !colour;
  if (!map || !shown) return;
  const width = paper.clientWidth, scale = window.devicePixelRatio || 1;
  if (!width) return;
  [canvas.width, canvas.height] = [width * scale, HEIGHT * scale];
  const context = canvas.getContext("2d"), scene = sceneOf(width, HEIGHT);
  context.scale(scale, scale);
  paint(context, scene);
  dotPlaces = scene.dots.map(({ x, y }) => [x, y]);
  if (colour) {
    legend.querySelector(".least").textContent = number(-colour.domain);
    legend.querySelector(".most").textContent = number(colour.domain);
  }
  fillValues(places.querySelector("table"), map.positions, colour);
}

function moveView(changes) {
  view = changes;
  const { zoom, x, y } = view;
  setKeys({ map_at: zoom === 1 && !x && !y ? null : [zoom.toFixed(3), x.toFixed(1), y.toFixed(1)].join(",") });
  requestAnimationFrame(draw);
}

const size = () => [paper.clientWidth, HEIGHT];
const middle = () => size().map((one) => one / 2);

function tell(at) {
  if (at < 0) return void (here.textContent = "");
  const [word] = map.positions[at], [value, significant] = colour?.of.get(word) ?? [];
  here.textContent = colour ? `${visible(word)}: ${value === null || value === undefined ? "no score" : number(value)} with ${visible(colour.word)}${significant ? " (q < 0.05)" : ""}` : visible(word);
}

function goTo(at) {
  current = at;
  const [x, y] = dotPlaces[at], [width, height] = size();
  const [dx, dy] = [x < 20 ? 20 - x + width / 4 : x > width - 20 ? width - 20 - x - width / 4 : 0, y < 20 ? 20 - y + height / 4 : y > height - 20 ? height - 20 - y - height / 4 : 0];
  if (dx || dy) moveView(moved(view, dx, dy, width, height));
  else draw();
  tell(at);
}

function choose(at) {
  if (at < 0) return;
  goTo(at);
  page.dispatchEvent(new CustomEvent("choose", { detail: { target: map.positions[at][0] } }));
}

const pointOf = (event) => {
  const edge = canvas.getBoundingClientRect();
  return [event.clientX - edge.left, event.clientY - edge.top];
};

paper.addEventListener("keydown", (event) => {
  if (!map || event.altKey || event.ctrlKey || event.metaKey) return;
  const { key } = event;
  if (isArrow(key) && event.shiftKey) moveView(moved(view, -STEP * wayOf(key)[0], -STEP * wayOf(key)[1], ...size()));
  else if (isArrow(key)) goTo(current < 0 ? Math.max(0, nearest(dotPlaces, middle(), Infinity)) : onward(dotPlaces, current, key));
  else if (key === "Enter" || key === " ") choose(current);
  else if (key === "+" || key === "=") moveView(zoomed(view, 1.5, current < 0 ? middle() : dotPlaces[current], ...size()));
  else if (key === "-") moveView(zoomed(view, 1 / 1.5, middle(), ...size()));
  else if (key === "0") moveView({ ...ALL });
  else return;
  event.preventDefault();
});
paper.addEventListener("wheel", (event) => {
  // The wheel scrolls the page unless the map is zoomed or has the focus.
  if (!map || (!event.ctrlKey && document.activeElement !== paper)) return;
  event.preventDefault();
  moveView(zoomed(view, Math.exp(-event.deltaY / 400), pointOf(event), ...size()));
}, { passive: false });
paper.addEventListener("pointerdown", (event) => {
  drag = { from: pointOf(event), view, isMoved: false };
  paper.setPointerCapture(event.pointerId);
});
paper.addEventListener("pointermove", (event) => {
  const point = pointOf(event);
  if (drag) {
    const [dx, dy] = [point[0] - drag.from[0], point[1] - drag.from[1]];
    drag.isMoved ||= Math.hypot(dx, dy) > 4;
    if (drag.isMoved) moveView(moved(drag.view, dx, dy, ...size()));
    return;
  }
  const at = map ? nearest(dotPlaces, point, NEAR) : -1;
  paper.classList.toggle("over", at >= 0);
  if (at >= 0 && at !== current) goTo(at);
});
paper.addEventListener("pointerup", (event) => {
  if (drag && !drag.isMoved && map) choose(nearest(dotPlaces, pointOf(event), NEAR));
  drag = null;
});
paper.addEventListener("pointercancel", () => (drag = null));
box.querySelector(".zoom").addEventListener("click", ({ target }) => {
  const how = target.closest("[data-zoom]")?.dataset.zoom;
  if (how === "all") moveView({ ...ALL });
  else if (how) moveView(zoomed(view, how === "in" ? 1.5 : 1 / 1.5, current < 0 ? middle() : dotPlaces[current], ...size()));
});

// The content of the map, with its parameters and its data.
function picture() {
  const about = labels[`${shown.statistic} ${shown.variant}`.trim()], scene = sceneOf(WIDTH, PICTURE_HEIGHT, { ...ALL });
  const above = [`Map of the targets: ${about.title} (${shown.list || "features"})`, `${about.model}, run ${about.run}, ${about.date}; ${howMade()}${colour ? `; colour: ${about.statistic} with “${colour.word}”, to ±${colour.domain}` : ""}`];
  const key = colour ? "▲ orange: above zero. ▼ purple: below zero. Paler: no effect is shown. Empty: no score. " : "";
  return mapPicture(scene, above, `${key}${restsOn(map, addedTargets())} ${about.caveat}`);
}

function howMade() {
  const method = form.method.selectedOptions[0].textContent;
  if (!map.parameter) return method;
  const kind = form.parameter.parentElement.firstChild.textContent.trim().toLowerCase();
  return `${method} (${kind} ${number(map.parameter).replace("+", "").replace(/\.00$/, "")}, seed ${form.seed.value})`;
}

for (const [kind, render] of [["svg", svgOf], ["png", pngOf]]) {
  actions.querySelector(`.${kind}`).addEventListener("click", async () => save(await render(picture()), `run-${page.dataset.run}-map.${kind}`));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  isAsking = true;
  setKeys({ map: form.method.value });
  look(true);
});
form.addEventListener("change", ({ target }) => {
  if (target.name === "colour") {
    setKeys({ map_colour: target.value });
    return void readColour();
  }
  if (!["method", "parameter", "seed"].includes(target.name)) return;
  nameParameter();
  setKeys({ map: form.method.value, map_parameter: form.parameter.value === "5" ? null : form.parameter.value, map_seed: form.seed.value === "0" ? null : form.seed.value, map_at: null });
  view = { ...ALL };
  if (form.checkValidity()) look(isAsking);
  else form.reportValidity();
});
// The page has one search text, for the map and the table.
form.target.addEventListener("input", () => {
  const find = document.querySelector("#filters [name=find]");
  find.value = form.target.value;
  find.dispatchEvent(new Event("input", { bubbles: true }));
});
page.addEventListener("shown", ({ detail }) => {
  const before = shown && [shown.statistic, shown.variant, shown.list].join("\n");
  const isOther = before !== [detail.statistic, detail.variant, detail.list].join("\n"), isAnew = shown?.table !== detail.table;
  shown = detail;
  form.target.value = keys().get("find") ?? form.target.value;
  if (isAnew) {
    tables.forget();
    fillColours();
    readColour();
  }
  if (isOther || (isAnew && !map)) look(isAsking);
  else if (map) take(map);
});
page.addEventListener("veiled", () => shown && readColour());
new ResizeObserver(() => requestAnimationFrame(draw)).observe(paper);
document.addEventListener("themechange", () => requestAnimationFrame(draw));
fillForm();
page.dispatchEvent(new Event("tell"));
