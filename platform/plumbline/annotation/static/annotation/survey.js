// Sliders of the survey: one that nobody moved has no name, so it is no answer. Without this script people type numbers.
const form = document.getElementById("survey");
const missing = document.getElementById("missing");
const rate = document.getElementById("rate");
const sliders = [...form.querySelectorAll(".slider")];
const UNKNOWN = "0";

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
  input.addEventListener("pointercancel", () => before && moveBack(slider, before));
  input.addEventListener("input", () => move(slider));
  input.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    move(slider);
  });
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
form.classList.add("scripted");
showOrHide();
