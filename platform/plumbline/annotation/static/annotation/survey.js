// Sliders of the survey: one that nobody moved has no name, so it is no answer. Without this script people type numbers.
const form = document.getElementById("survey");
const missing = document.getElementById("missing");
const rate = document.getElementById("rate");
const sliders = [...form.querySelectorAll(".slider")];
const UNKNOWN = "0";
const KEPT = `answers ${form.getAttribute("action")}`;

function move(slider) {
  const input = slider.querySelector("input");
  input.name = input.dataset.name;
  slider.classList.add("moved");
  slider.classList.remove("missed");
  if (!missing.hidden) tellMissing();
}

// A finger that scrolls the page touches sliders, too: the browser then cancels, and the slider is as it was.
function moveBack(slider, { value, moved }) {
  const input = slider.querySelector("input");
  input.value = value;
  if (moved) return;
  input.removeAttribute("name");
  slider.classList.remove("moved");
}

function open() {
  return unknown() ? [] : sliders.filter((slider) => !slider.classList.contains("moved"));
}

function tellMissing() {
  const { length } = open();
  missing.hidden = length === 0;
  missing.textContent = `${length} ${length === 1 ? "pair has" : "pairs have"} no answer yet.`;
}

function unknown() {
  return form.querySelector("#familiarity input:checked")?.value === UNKNOWN;
}

function showOrHide() {
  if (rate) rate.hidden = unknown();
  if (!missing.hidden) tellMissing();
}

for (const slider of sliders) {
  const input = slider.querySelector("input");
  let before = null;
  input.addEventListener("pointerdown", () => {
    before = { value: input.value, moved: slider.classList.contains("moved") };
    move(slider);
  });
  input.addEventListener("pointercancel", () => {
    if (before) moveBack(slider, before);
    keep();
  });
  input.addEventListener("pointerup", keep);
  input.addEventListener("input", () => move(slider));
  input.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    move(slider);
    keep();
  });
}

// What was answered on this page, and when it was first shown, stays in this tab until the next page is shown.
function keep() {
  if (!(form instanceof HTMLFormElement)) return;
  const given = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken");
  try { sessionStorage.setItem(KEPT, JSON.stringify(given)); } catch { /* a browser that stores nothing */ }
}

function kept() {
  try { return new Map(JSON.parse(sessionStorage.getItem(KEPT)) ?? []); } catch { return new Map(); }
}

function forget() {
  try { sessionStorage.removeItem(KEPT); } catch { /* a browser that stores nothing */ }
}

function restore(given) {
  form.elements.shown.value = given.get("shown");
  for (const slider of sliders) {
    const input = slider.querySelector("input");
    if (!given.has(input.dataset.name)) continue;
    input.value = given.get(input.dataset.name);
    move(slider);
  }
  for (const field of form.querySelectorAll("input[type=radio]")) {
    if (given.has(field.name)) field.checked = given.get(field.name) === field.value;
  }
  for (const field of form.querySelectorAll("select, input[type=text]")) {
    if (given.has(field.name)) field.value = given.get(field.name);
  }
}

form.addEventListener("submit", (event) => {
  const missed = open();
  for (const slider of missed) slider.classList.add("missed");
  tellMissing();
  if (missed.length === 0) return;
  event.preventDefault();
  missed[0].querySelector("input").focus();
});

form.addEventListener("change", showOrHide);
for (const text of form.querySelectorAll("input[type=text]")) {
  text.addEventListener("input", () => { text.closest("label").querySelector("input[type=radio]").checked = true; });
}
function keepFromNow() {
  const stored = kept();
  if (stored.get("step") === form.elements.step.value) restore(stored);
  keep();
  for (const kind of ["input", "change"]) form.addEventListener(kind, keep);
}

document.getElementById("withdraw")?.addEventListener("submit", forget);
form.classList.add("scripted");
if (form instanceof HTMLFormElement) keepFromNow(); // a preview stores nothing
showOrHide();
