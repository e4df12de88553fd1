// Sliders of the survey: one that nobody moved is no answer. Without this script the middle counts as one.
const form = document.getElementById("survey");
const missing = document.getElementById("missing");
const rate = document.getElementById("rate");
const sliders = [...form.querySelectorAll(".slider")];
const UNKNOWN = "0";

function move(slider) {
  slider.classList.add("moved");
  slider.classList.remove("missed");
}

function unknown() {
  return form.querySelector("#familiarity input:checked")?.value === UNKNOWN;
}

function showOrHide() {
  if (rate) rate.hidden = unknown();
}

for (const slider of sliders) {
  const input = slider.querySelector("input");
  for (const event of ["input", "pointerdown"]) input.addEventListener(event, () => move(slider));
  input.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    move(slider);
  });
}

form.addEventListener("submit", (event) => {
  const open = unknown() ? [] : sliders.filter((slider) => !slider.classList.contains("moved"));
  for (const slider of open) slider.classList.add("missed");
  missing.hidden = open.length === 0;
  if (open.length === 0) return;
  event.preventDefault();
  missing.textContent = `${open.length} ${open.length === 1 ? "pair has" : "pairs have"} no answer yet.`;
  open[0].querySelector("input").focus();
});

form.addEventListener("change", showOrHide);
for (const text of form.querySelectorAll("input[type=text]")) {
  text.addEventListener("input", () => { text.closest("label").querySelector("input[type=radio]").checked = true; });
}
form.classList.add("scripted");
showOrHide();
