// Readers' expectations of a cell: asked in its drawer before the score is shown, and shown next to it afterwards.

import { isolated, visible } from "../desk/grid_order.js";
import { keys } from "./address.js";

const page = document.getElementById("indirect"), box = document.getElementById("indirect-beliefs"), tick = document.getElementById("ask-first");
const drawer = document.getElementById("drawer"), scroller = document.getElementById("grid"), form = document.getElementById("belief-form");
const KEPT = "plumbline-ask-first";
const place = document.createElement("div");
place.className = "expected";
drawer.querySelector(".leaf").before(place);

let cell = null, skipped = new Set();

// A setting of this browser, not a part of the view: a link does not veil another reader's table.
function remembered(value) {
  try {
    if (value === undefined) return localStorage.getItem(KEPT) === "1";
    localStorage.setItem(KEPT, value ? "1" : "0");
  } catch {
    // A browser without storage forgets the setting with the page.
  }
  return value ?? false;
}

function veil() {
  page.toggleAttribute("data-veiled", tick.checked);
  scroller.toggleAttribute("data-veiled", tick.checked);
  scroller.dispatchEvent(new Event("scroll"));
  page.dispatchEvent(new CustomEvent("veiled", { detail: tick.checked }));
}

async function fetched(address, body) {
  const response = await fetch(address, body ? { method: "POST", body } : {});
  if (response.redirected) throw new Error("You are logged out: reload the page.");
  if (![200, 400].includes(response.status)) throw new Error(`The server says ${response.status}.`);
  const found = await response.json();
  if (!response.ok) throw new Error(found.error);
  return found;
}

async function look() {
  const own = cell;
  if (!own) return void place.replaceChildren();
  // Veiled before the data arrive, so that no score flashes up.
  drawer.classList.toggle("asking", tick.checked && !skipped.has(own.key));
  place.replaceChildren();
  try {
    const found = await fetched(`${box.dataset.beliefs}?${new URLSearchParams(own.where)}`);
    if (own !== cell) return;
    box.querySelector(".count").textContent = found.own ? `You have said what you expect of ${found.own} cell${found.own === 1 ? "" : "s"} of this run.` : "";
    const isAsking = tick.checked && !skipped.has(own.key) && !found.beliefs.some((one) => one.own);
    drawer.classList.toggle("asking", isAsking);
    place.replaceChildren(...(isAsking ? [question(own)] : said(found.beliefs)));
    if (isAsking && drawer.contains(document.activeElement)) place.querySelector("input[type=radio]").focus();
  } catch (error) {
    if (own !== cell) return;
    drawer.classList.remove("asking");
    place.replaceChildren(paragraph(`What was expected could not be read: ${error.message}`));
  }
}

function question(own) {
  const made = form.content.cloneNode(true).firstElementChild;
  made.querySelector(".question").textContent = `What do you expect of ${isolated(visible(own.where.target))} and ${isolated(visible(own.where.feature))} in this model?`;
  made.querySelector(".unasked").addEventListener("click", () => {
    skipped.add(own.key);
    look();
    drawer.focus();
  });
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = new FormData(made);
    for (const [name, value] of Object.entries(own.where)) body.append(name, value);
    try {
      await fetched(box.dataset.keep, body);
      await look();
      drawer.focus();
    } catch (error) {
      made.querySelector(".fault").textContent = error.message;
    }
  });
  return made;
}

function said(beliefs) {
  return beliefs.map(({ own, who, expects, note, at }) => {
    const made = paragraph(`${own ? "You" : visible(who)} expected: ${expects}${note ? `. “${visible(note)}”` : ""} (${at})`);
    made.classList.toggle("own", own);
    return made;
  });
}

function paragraph(text) {
  const made = document.createElement("p");
  made.className = "note";
  made.textContent = text;
  return made;
}

tick.checked = remembered();
veil();
tick.addEventListener("change", () => {
  remembered(tick.checked);
  veil();
  look();
});
page.addEventListener("shown", ({ detail }) => {
  const { target, feature, list } = detail, where = { target, feature, list: keys().get("cell_list") || list };
  const key = JSON.stringify(where), isOpen = Boolean(target && feature) && !drawer.hidden;
  if (isOpen && cell?.key === key) return;
  cell = isOpen ? { where, key } : null;
  look();
});
page.dispatchEvent(new Event("tell"));
