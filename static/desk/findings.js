// Keys for judging many findings: j and k move, x selects, Enter opens, c d a m choose a state, r goes to the reason,
// n selects the findings that wait to be judged.
const rows = [...document.querySelectorAll("[data-row]")];
const form = document.querySelector("[data-judge]");
const all = document.querySelector("[data-all]");
const told = document.querySelector("[data-selected]");
const open = document.querySelector("[data-select-new]");
const unjudged = rows.filter((row) => row.dataset.row === "waits");
const STATES = { c: "confirmed", d: "dismissed", a: "accepted", m: "mitigated" };
let here = -1;

const box = (row) => row.querySelector("input[name=finding]");

function tell() {
  const number = rows.filter((row) => box(row)?.checked).length;
  if (told) told.textContent = number ? `${number} selected finding${number === 1 ? "" : "s"}` : "the selected findings";
  if (all) all.checked = number > 0 && number === rows.length;
}

function go(to) {
  rows[here]?.classList.remove("here");
  here = Math.max(0, Math.min(rows.length - 1, to));
  const row = rows[here];
  row.classList.add("here");
  row.querySelector("a").focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

function select() {
  const one = rows[here] && box(rows[here]);
  if (!one) return;
  one.checked = !one.checked;
  tell();
}

function selectUnjudged() {
  for (const row of rows) if (box(row)) box(row).checked = unjudged.includes(row);
  tell();
}

// The browser asks for a missing reason itself, and keeps the selection.
function needReason() {
  if (form) form.elements.reason.required = !["", "confirmed"].includes(form.elements.state.value);
}

function choose(state) {
  form.elements.state.value = state;
  needReason();
}

function pressed(event) {
  const typing = event.target.closest("input:not([type=checkbox]):not([type=radio]), textarea, select");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !rows.length) return;
  const key = event.key;
  if (key === "j") go(here + 1);
  else if (key === "k") go(here - 1);
  else if (key === "x") select();
  else if (key === "n") selectUnjudged();
  else if (form && STATES[key]) choose(STATES[key]);
  else if (form && key === "r") form.elements.reason.focus();
  else return;
  event.preventDefault();
}

if (open && unjudged.length) {
  open.hidden = false;
  open.textContent = `Select the ${unjudged.length} to judge`;
  open.addEventListener("click", selectUnjudged);
}
document.addEventListener("keydown", pressed);
document.addEventListener("change", (event) => {
  if (event.target === all) for (const row of rows) box(row).checked = all.checked;
  needReason();
  tell();
});
needReason();
tell();
