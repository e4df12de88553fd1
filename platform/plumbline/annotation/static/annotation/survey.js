// Sliders of the survey: one that nobody moved has no name, so it is no answer. Without this script people type numbers.
const form = document.getElementById("survey");
const missing = document.getElementById("missing");
const rate = document.getElementById("rate");
const sliders = [...form.querySelectorAll(".slider")];
const UNKNOWN = "0";
const ARROWS = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5 };
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

// Questions with radio buttons or a menu that need an answer.
function unanswered() {
  return [...form.querySelectorAll("fieldset:has([required]), select[required]")].filter((question) => {
    const field = question.matches("select") ? question : question.querySelector("[required]");
    return !field.validity.valid;
  });
}

function tellMissing() {
  const [questions, pairs] = [unanswered().length, open().length];
  missing.hidden = questions + pairs === 0;
  missing.textContent = [
    questions ? "This question has no answer yet." : "",
    pairs ? `${pairs} ${pairs === 1 ? "pair has" : "pairs have"} no answer yet.` : "",
  ].join(" ");
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
    if (event.key !== " " && !(event.key in ARROWS)) return;
    event.preventDefault();
    input.valueAsNumber += ARROWS[event.key] ?? 0;
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

// The message stands above the first place without an answer, where the person is taken.
form.addEventListener("submit", (event) => {
  const missed = [...unanswered(), ...open()];
  for (const one of missed) one.classList.add("missed");
  if (missed.length === 0) return;
  event.preventDefault();
  missed[0].before(missing);
  tellMissing();
  missing.scrollIntoView({ block: "center" });
  (missed[0].matches("select") ? missed[0] : missed[0].querySelector("input")).focus({ preventScroll: true });
});

form.addEventListener("change", (event) => {
  event.target.closest("fieldset, select")?.classList.remove("missed");
  showOrHide();
});
for (const text of form.querySelectorAll("input[type=text]")) {
  const own = text.closest("label").querySelector("input[type=radio]");
  text.addEventListener("input", () => { own.checked = text.value !== ""; });
  text.closest("fieldset").addEventListener("change", () => { if (!own.checked) text.value = ""; });
}
function keepFromNow() {
  const stored = kept();
  if (stored.get("step") === form.elements.step.value) restore(stored);
  keep();
  for (const kind of ["input", "change"]) form.addEventListener(kind, keep);
}

// Back leads to the page that comes next, as the server shows it: a page of the browser's memory is loaded again.
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
const [navigation] = performance.getEntriesByType("navigation");
const back = document.getElementById("back");
if (back) back.hidden = navigation?.type !== "back_forward";

document.getElementById("withdraw")?.addEventListener("submit", forget);
form.classList.add("scripted");
form.noValidate = true;
if (form instanceof HTMLFormElement) keepFromNow(); // a preview stores nothing
showOrHide();
