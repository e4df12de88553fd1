// Sliders of the survey: one that nobody moved has no name, so it is no answer. Without this script people type numbers.
const form = document.getElementById("survey");
const missing = document.getElementById("missing");
const rate = document.getElementById("rate");
const sliders = [...form.querySelectorAll(".slider")];
const UNKNOWN = "0";
const ARROWS = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5 };
const values = new Map(); // of each slider, as the person last set it
const KEPT = `answers ${form.getAttribute("action")}`;

function move(slider) {
  const input = slider.querySelector("input");
  input.name = input.dataset.name;
  values.set(slider, input.value);
  slider.classList.add("moved");
  slider.classList.remove("missed");
  countMissing();
}

// A finger that scrolls the page touches sliders, too: the browser then cancels, and the slider is as it was.
function moveBack(slider, { value, moved, missed }) {
  const input = slider.querySelector("input");
  input.value = value;
  values.set(slider, value);
  if (moved) return;
  input.removeAttribute("name");
  slider.classList.remove("moved");
  slider.classList.toggle("missed", missed);
  countMissing();
}

function open() {
  return unknown() ? [] : sliders.filter((slider) => !slider.classList.contains("moved"));
}

// Questions with radio buttons, a menu or own words that need an answer.
function unanswered() {
  return [...form.querySelectorAll("fieldset:has(:invalid), select:invalid")];
}

function tellMissing() {
  const counts = [[unanswered().length, "question"], [open().length, "pair"]].filter(([number]) => number > 0);
  const all = counts.reduce((sum, [number]) => sum + number, 0);
  const told = counts.map(([number, what]) => `${number} ${what}${number === 1 ? "" : "s"}`).join(" and ");
  missing.hidden = all === 0;
  missing.querySelector("span").textContent = form.querySelector("input[type=text]:invalid")
    ? "You chose your own words, but wrote none: write some, or choose “Prefer not to say”."
    : `${told} ${all === 1 ? "has" : "have"} no answer yet.`;
}

// Says how many are left, once the message is there. A preview has none.
function countMissing() {
  if (missing && !missing.hidden) tellMissing();
}

// Leads to the first place without an answer. The message stays where it is: the page must not move under a finger.
function showMissed() {
  const [first] = [...unanswered(), ...open()];
  if (!first) return;
  first.scrollIntoView({ block: "center" });
  const field = first.matches("select") ? first : first.querySelector("input:invalid") ?? first.querySelector("input");
  field.focus({ preventScroll: true });
}

function unknown() {
  return form.querySelector("#familiarity input:checked")?.value === UNKNOWN;
}

function showOrHide() {
  if (rate) rate.hidden = unknown();
  if (rate) document.getElementById("skipped").hidden = !unknown();
  countMissing();
}

// Some browsers take a tap on words for one on the slider above them. Until the tap ends, others stay as they are. So
// does the slider under a finger that stops a page which still rolls, and one whose words the question covers.
const ROLLING = 120; // milliseconds
const asked = document.querySelector(".asked");
const isCovered = (slider) =>
  slider.querySelector(".pole").getBoundingClientRect().top < (asked?.getBoundingClientRect().bottom ?? 0) - 1;
let pointed = null;
let scrolled = -Infinity;
document.addEventListener("scroll", () => { scrolled = performance.now(); }, { passive: true });
document.addEventListener("pointerdown", ({ clientY, pointerType }) => {
  const isRolling = pointerType === "touch" && performance.now() - scrolled < ROLLING;
  const under = isRolling ? undefined : sliders.find((slider) => {
    const { top, bottom } = slider.querySelector("input").getBoundingClientRect();
    return top <= clientY && clientY <= bottom && !isCovered(slider);
  });
  pointed = { under };
}, { capture: true });
for (const end of ["click", "pointercancel", "keydown"]) {
  document.addEventListener(end, () => { pointed = null; }, { capture: true });
}
const isBeside = (slider) => pointed !== null && pointed.under !== slider;

for (const slider of sliders) {
  const input = slider.querySelector("input");
  let before = null; // only while a finger is on this slider: a later one must not bring back an older answer
  values.set(slider, input.value);
  input.addEventListener("pointerdown", () => {
    before = null;
    if (isBeside(slider)) return;
    const [moved, missed] = ["moved", "missed"].map((name) => slider.classList.contains(name));
    before = { value: input.value, moved, missed };
    move(slider);
  });
  input.addEventListener("pointercancel", () => {
    if (before) moveBack(slider, before);
    keep();
  });
  input.addEventListener("pointerup", keep);
  input.addEventListener("input", () => {
    if (isBeside(slider)) input.value = values.get(slider);
    else move(slider);
  });
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
    if (field.matches("input")) field.required = field.closest("label").querySelector("input[type=radio]").checked;
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
  showMissed();
  missing.scrollIntoView({ block: "center" });
});
missing?.querySelector("button").addEventListener("click", showMissed);

// A page is sent by its button alone: nobody can come back to it.
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches("input")) event.preventDefault();
});

form.addEventListener("change", (event) => {
  event.target.closest("fieldset, select")?.classList.remove("missed");
  showOrHide();
});
for (const text of form.querySelectorAll("input[type=text]")) {
  const own = text.closest("label").querySelector("input[type=radio]");
  let left = ""; // what somebody wrote before they chose another answer
  const choose = () => { text.required = own.checked; };
  text.addEventListener("input", () => { own.checked = text.value !== ""; left = ""; choose(); });
  text.closest("fieldset").addEventListener("change", (event) => {
    if (!own.checked) [left, text.value] = [text.value || left, ""];
    if (event.target !== own) return choose();
    text.value ||= left;
    text.focus();
    choose();
  });
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

document.querySelector(".leave")?.addEventListener("toggle", (event) => {
  if (event.target.open) event.target.scrollIntoView({ block: "end" });
});
document.getElementById("withdraw")?.addEventListener("submit", forget);
form.classList.add("scripted");
form.noValidate = true;
if (form instanceof HTMLFormElement) keepFromNow(); // a preview stores nothing
showOrHide();
