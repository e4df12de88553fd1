// Keyboard shortcuts of the annotation pages. Without this script the pages work by mouse and Tab.
const form = document.querySelector("[data-annotate]");
const kind = form?.dataset.annotate;
const aspects = [...document.querySelectorAll(".aspect")];

function typing(event) {
  return event.ctrlKey || event.metaKey || event.altKey || event.target.closest("a, button, summary, input[type=text]");
}

function mark() {
  const open = aspects.find((one) => !one.querySelector(":checked"));
  for (const one of aspects) one.classList.toggle("now", one === open);
  return open;
}

function rate(key) {
  const chosen = mark()?.querySelector(`input[value="${key}"]`);
  if (chosen) chosen.checked = true;
  mark();
}

function take(key) {
  const box = form.querySelector(`input[data-key="${CSS.escape(key)}"]`);
  if (box) box.checked = !box.checked;
  return Boolean(box);
}

function choose(key) {
  const option = form.querySelector(`input[data-key="${CSS.escape(key)}"]`);
  if (option) option.checked = true;
}

document.addEventListener("keydown", (event) => {
  if (typing(event) || event.repeat) return;
  if (event.key === "Backspace") {
    event.preventDefault();
    document.getElementById("undo")?.requestSubmit();
  } else if (form && event.key === "Enter") {
    event.preventDefault();
    form.requestSubmit();
  } else if (kind === "mapping" && take(event.key)) {
    event.preventDefault();
  } else if (kind === "rating" && /^[1-5]$/.test(event.key)) {
    event.preventDefault();
    rate(event.key);
  } else if (kind === "validation" && /^[1-3]$/.test(event.key)) {
    event.preventDefault();
    choose(event.key);
  }
});

mark();
