// Words added to the run: requests each from a worker, shows its progress, and adds its scores to the table.

import { visible } from "../desk/grid_order.js";
import { thousands } from "../desk/grid_paint.js";

const page = document.getElementById("indirect"), box = document.getElementById("indirect-words"), form = document.getElementById("word-form");
const [said, list] = [".said", ".added"].map((one) => box.querySelector(one));
const LOOK_AGAIN = 400, LIVE = ["waiting", "working", "summarising"];

let shown = null, words = [], forms = {}, nobody = "", taken = [], pending = 0, isFirst = true;

function say(text, isFault = false) {
  said.textContent = text;
  said.classList.toggle("notice", Boolean(text));
  said.classList.toggle("error", isFault);
}

async function fetched(address, body = null) {
  const response = await fetch(address, body ? { method: "POST", body } : {});
  if (response.redirected) throw new Error("you are logged out: reload the page");
  if (response.status === 403) throw new Error("you may not do that");
  if (![200, 400].includes(response.status)) throw new Error(`the server says ${response.status}`);
  const found = await response.json();
  if (!response.ok) throw new Error(found.error);
  return found;
}

const token = () => {
  const body = new FormData();
  body.append("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
  return body;
};

async function look() {
  clearTimeout(pending);
  try {
    const found = await fetched(box.dataset.words);
    const before = new Map(words.map((one) => [one.id, one.state]));
    ({ words, forms, nobody } = found);
    const ended = isFirst ? [] : words.filter(({ id, state }) => state === "done" && before.get(id) !== "done");
    isFirst = false;
    for (const one of ended) say(`“${visible(one.word)}” is in the table, after ${one.seconds.toFixed(1)} seconds.`);
    if (ended.length) page.dispatchEvent(new CustomEvent("reload"));
  } catch (error) {
    say(`The added words could not be read: ${error.message}.`, true);
  }
  show();
  fillForm();
  if (words.some(({ state }) => LIVE.includes(state))) pending = setTimeout(look, LOOK_AGAIN);
}

const HOW = {
  waiting: () => (nobody ? `waits: ${nobody}` : "waits for a worker …"),
  working: ({ done, items }) => (items ? `the model is asked: ${thousands(done)} of ${thousands(items)}` : "the model is asked …"),
  summarising: () => "the scores are computed …",
  done: ({ seconds, by }) => `in the table (${seconds.toFixed(1)} s; added by ${by})`,
  failed: ({ error }) => `cannot be added: ${error}`,
  cancelled: ({ error }) => `stopped: ${error}`,
};

function show() {
  const lines = [...words.map(lineOf), ...taken.map(takenLine)];
  list.replaceChildren(...lines);
}

function lineOf(one) {
  const made = named(one);
  made.append(` ${HOW[one.state](one)} `);
  if (LIVE.includes(one.state) && one.items) {
    const bar = document.createElement("progress");
    Object.assign(bar, { max: one.items, value: one.done });
    bar.setAttribute("aria-label", `How far “${one.word}” is`);
    made.append(bar);
  }
  if (one.state === "done") made.append(button("Show it", () => choose(one)));
  if (form) made.append(button(LIVE.includes(one.state) ? "Stop" : "Take away", () => take(one)));
  return made;
}

function takenLine(one) {
  const made = named(one);
  made.append(" was taken away. ", button("Undo", () => give(one)));
  return made;
}

function named(one) {
  const made = document.createElement("li"), name = document.createElement("bdi");
  name.textContent = visible(one.word);
  made.append(name, ` (${one.kind}${one.list ? ` of ${one.list}` : ""})`);
  made.dataset.state = one.state;
  made.dataset.word = one.word;
  return made;
}

function button(text, onClick) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", className: "quiet", textContent: text });
  made.addEventListener("click", onClick);
  return made;
}

function choose(one) {
  page.scrollIntoView({ block: "start" });
  page.dispatchEvent(new CustomEvent("choose", { detail: one.kind === "target" ? { target: one.word } : { feature: one.word } }));
}

async function take(one) {
  await tried(async () => {
    await fetched(box.dataset.take.replace("/0/", `/${one.id}/`), token());
    taken.push(one);
    say("");
    if (one.state === "done") page.dispatchEvent(new CustomEvent("reload"));
  });
}

async function give(one) {
  await tried(async () => {
    const { state } = await fetched(box.dataset.give.replace("/0/", `/${one.id}/`), token());
    taken = taken.filter(({ id }) => id !== one.id);
    if (state === "done") page.dispatchEvent(new CustomEvent("reload"));
  });
}

async function tried(act) {
  try {
    await act();
  } catch (error) {
    say(`${error.message[0].toUpperCase()}${error.message.slice(1)}`, true);
  }
  await look();
}

// The word forms that the sentences of the kind and of the shown list need.
function fillForm() {
  if (!form || !shown) return;
  const { kind } = form.elements, own = kind.value === "target" ? forms.target : forms.features?.[shown.list];
  const asked = new Set([...(own?.needs ?? []), ...(own?.groups.length ? ["group"] : [])]);
  for (const label of form.querySelectorAll("[data-form]")) {
    label.hidden = !asked.has(label.dataset.form);
    const field = label.querySelector("input");
    field.required = label.dataset.form === "plural" && asked.has("plural");
    if (label.hidden) field.value = "";
  }
  document.getElementById("word-groups").replaceChildren(...(own?.groups ?? []).map((one) => new Option(one)));
  kind.options[1].textContent = `feature (a row of ${shown.list || "the features"})`;
  form.elements.list.value = kind.value === "feature" ? shown.list : "";
}

form?.addEventListener("change", fillForm);
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  fillForm();
  const word = form.elements.word.value;
  await tried(async () => {
    const body = new FormData(form);
    const found = await fetched(box.dataset.add, body);
    taken = taken.filter(({ id }) => id !== found.id);
    say("");
    for (const name of ["word", "plural", "article", "group"]) form.elements[name].value = "";
    if (found.state === "done") {
      say(`“${visible(word)}” is in the table again.`);
      page.dispatchEvent(new CustomEvent("reload"));
    }
  });
});
page.addEventListener("shown", ({ detail }) => {
  shown = detail;
  fillForm();
});
look();
page.dispatchEvent(new Event("tell"));
