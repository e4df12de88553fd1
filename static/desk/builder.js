// The form and the YAML follow each other: each edit asks the server, whose page replaces the parts that changed.
// Without this script the button Check does the same.
const form = document.querySelector("[data-builder]");
const PAUSE = 500;
let timer = 0;
let asking = false;
let edited = false;

async function check() {
  clearTimeout(timer);
  if (asking) return; // The answer asks again if somebody edits meanwhile.
  asking = true;
  edited = false;
  try {
    const body = new URLSearchParams([...new FormData(form), ["do", "check"]]);
    const answer = await fetch(window.location.href, { method: "POST", body });
    const text = await answer.text();
    if (answer.ok && !answer.redirected && !edited) replaceParts(text);
  } catch {
    // The buttons still work.
  } finally {
    asking = false;
    if (edited) wait();
    else showBusy(false);
  }
}

function wait() {
  clearTimeout(timer);
  timer = setTimeout(check, PAUSE);
}

function edit(event, then) {
  if (event.target.matches("[data-find]")) return event.type === "input" && find(event.target);
  edited = true;
  showBusy(true);
  then();
}

/** Mark what the plan asks and can detect as being computed anew, so that nobody reads the figures of the plan before. */
function showBusy(isBusy) {
  form.querySelector('[data-part="estimate"]')?.setAttribute("aria-busy", isBusy);
}

function replaceParts(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = page.querySelector("[data-builder]");
  if (!fresh) return;
  const open = new Set([...form.querySelectorAll("details[open][data-keep]")].map((one) => one.dataset.keep));
  const places = new Map([...form.querySelectorAll("[data-part]")].map((one) => [one.dataset.part, one]));
  const parts = [...fresh.querySelectorAll("[data-part]")];
  // Another method has other parts.
  if (parts.map((one) => one.dataset.part).join() !== [...places.keys()].join()) {
    form.replaceChildren(...fresh.childNodes);
  } else {
    for (const part of parts) replacePart(places.get(part.dataset.part), part);
  }
  for (const one of form.querySelectorAll("details[data-keep]")) one.open ||= open.has(one.dataset.keep);
  showSearches();
}

function replacePart(old, fresh) {
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  if (!focused) {
    if (old.innerHTML !== fresh.innerHTML) old.replaceChildren(...fresh.childNodes);
    return;
  }
  // The control in use stays as it is; its new twin takes its place and its caret.
  const twin = focused.name && [...fresh.querySelectorAll("[name]")].find(
    (one) => one.name === focused.name && (one.type !== "checkbox" || one.value === focused.value),
  );
  const caret = [focused.selectionStart, focused.selectionEnd];
  const scrolls = [...old.querySelectorAll(".choices, .ticks, textarea")].map((one) => one.scrollTop);
  old.replaceChildren(...fresh.childNodes);
  [...old.querySelectorAll(".choices, .ticks, textarea")].forEach((one, at) => (one.scrollTop = scrolls[at] ?? 0));
  if (!twin) return;
  for (let box = twin.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  twin.focus({ preventScroll: true });
  if (caret[0] !== null && caret[0] !== undefined) twin.setSelectionRange(...caret);
}

function showSearches() {
  for (const one of form.querySelectorAll(".find")) one.hidden = false;
}

function find(input) {
  const wanted = input.value.trim().toLowerCase();
  for (const one of input.closest("details").querySelectorAll("[data-choice]")) {
    one.hidden = !one.textContent.toLowerCase().includes(wanted);
  }
}

if (form) {
  showSearches();
  form.addEventListener("input", (event) => edit(event, wait));
  form.addEventListener("change", (event) => edit(event, check));
}
