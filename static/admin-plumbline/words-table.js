/** Edits the words of a list in place. Without this module each word leads to a form of its own. */

const section = document.querySelector("#words");
const body = section.querySelector("tbody");
const message = section.querySelector(".words-message");
const headers = new Map([...section.querySelectorAll("th[data-column]")].map((th) => [th.dataset.column, th]));
const isEditable = body.closest("section").querySelector(".words-keys") !== null;

/** Send an action and return the status and the JSON answer. */
async function send(fields) {
  const data = new URLSearchParams(fields);
  data.set("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value);
  try {
    const answer = await fetch(section.dataset.edit, { method: "POST", body: data });
    const isJson = answer.headers.get("content-type")?.includes("json");
    return { status: answer.status, json: isJson ? await answer.json() : { error: refusal(answer.status) } };
  } catch {
    return { status: 0, json: { error: "Not saved: the server cannot be reached. Press Enter to try again." } };
  }
}

function refusal(status) {
  return status === 403 ? "Not saved: you may not edit this list, or you signed out." : "Not saved. Open the page again.";
}

function say(...told) {
  message.replaceChildren(...told);
  message.hidden = !told.some(Boolean);
}

/** Return the row of an HTML text, ready to be edited. */
function rowOf(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const row = holder.content.querySelector("tr");
  prepare(row);
  return row;
}

function prepare(row) {
  const remove = row.querySelector(".words-remove");
  if (remove) remove.hidden = false;
}

const cellsOf = (row) => [...row.querySelectorAll("td[data-column]"), ...row.querySelectorAll(".words-remove button")];

function focusOn(cell) {
  for (const other of section.querySelectorAll('tbody [tabindex="0"]')) other.tabIndex = -1;
  if (!cell) return;
  cell.tabIndex = 0;
  cell.focus();
}

/** Return the cell that is so many rows and columns away, or null at the edge of the table. */
function neighbour(cell, down, right) {
  const row = cell.closest("tr");
  const rows = [...body.rows];
  const target = rows[rows.indexOf(row) + down];
  if (!target) return null;
  return cellsOf(target)[cellsOf(row).indexOf(cell) + right] ?? null;
}

/** Return the next or the previous cell in reading order. */
function following(cell, step) {
  const cells = [...body.rows].flatMap(cellsOf);
  return cells[cells.indexOf(cell) + step] ?? null;
}

function editorFor(cell) {
  const choices = headers.get(cell.dataset.column).dataset.choices;
  const editor = document.createElement(choices ? "select" : "input");
  if (choices) for (const choice of choices.split("|")) editor.append(new Option(choice || "(empty)", choice));
  editor.value = cell.dataset.text;
  editor.className = "words-editor";
  editor.setAttribute("aria-label", headers.get(cell.dataset.column).textContent);
  return editor;
}

/** Open the editor of a cell. `text` is the first character that somebody typed. */
function edit(cell, text) {
  if (cell.querySelector(".words-editor")) return;
  const editor = editorFor(cell);
  cell.shownBefore = [...cell.childNodes];
  cell.replaceChildren(editor);
  if (text !== undefined && editor.tagName === "INPUT") editor.value = text;
  editor.focus();
  if (text === undefined) editor.select?.();
  editor.addEventListener("blur", () => {
    // The browser reports a blur, too, when the editor is taken out.
    // After a refusal only Enter or Tab saves: to leave the cell must not replace what somebody else wrote.
    if (!cell.isClosing && !cell.isSaving && !cell.querySelector(".words-fault")) save(cell, null);
  });
}

function close(cell) {
  cell.isClosing = true;
  cell.replaceChildren(...cell.shownBefore);
  cell.isClosing = false;
}

function fault(cell, text) {
  const editor = cell.querySelector(".words-editor");
  cell.querySelector(".words-fault")?.remove();
  const told = document.createElement("p");
  told.className = "words-fault";
  told.id = `fault-${cell.parentElement.dataset.entry}-${cell.dataset.column}`;
  told.setAttribute("role", "alert");
  told.textContent = text;
  cell.append(told);
  editor.setAttribute("aria-invalid", "true");
  editor.setAttribute("aria-describedby", told.id);
}

/** Save the cell, then focus the cell that `next` returns; null leaves the focus where it is. */
async function save(cell, next) {
  const editor = cell.querySelector(".words-editor");
  const { entry } = cell.parentElement.dataset;
  const { column, text: shown } = cell.dataset;
  if (editor.value.trim() === shown) {
    close(cell);
    if (next) focusOn(next(cell));
    return;
  }
  cell.isSaving = true;
  const { status, json } = await send({ action: "set", entry, column, text: editor.value, shown });
  cell.isSaving = false;
  if (status !== 200) {
    if (status === 409 && json.row) cell.dataset.text = json.texts[column];
    fault(cell, json.error);
    if (next) editor.focus();
    return;
  }
  const row = rowOf(json.row);
  cell.isClosing = true;
  keepOpen(cell.parentElement, row, cell);
  cell.parentElement.replaceWith(row);
  const undo = json.event ? [`${json.changed} `, undoForm(json.event), " "] : [];
  say(...undo, json.notice, ...(json.plans ? [" ", plansLink(json.plans)] : []));
  const saved = row.querySelector(`td[data-column="${column}"]`);
  if (next) focusOn(next(saved));
}

/** Move the open editors of other cells into the new row: somebody goes on typing there. */
function keepOpen(old, row, saved) {
  for (const cell of old.querySelectorAll("td:has(> .words-editor)")) {
    if (cell === saved) continue;
    const place = row.querySelector(`td[data-column="${cell.dataset.column}"]`);
    cell.dataset.text = place.dataset.text;
    cell.shownBefore = [...place.childNodes];
    place.replaceWith(cell);
  }
}

async function remove(row) {
  const next = row.nextElementSibling ?? row.previousElementSibling;
  const { status, json } = await send({ action: "remove", entry: row.dataset.entry, seen: row.dataset.seen });
  if (status === 409 && json.row) row.replaceWith(rowOf(json.row));
  else if (status === 200 || status === 409) {
    row.remove();
    count(-1);
  }
  if (status !== 200) {
    say(json.error);
    return;
  }
  say(`Removed ${json.removed}. `, undoForm(json.event), " ", plansLink(json.plans, "Which plans asked it?"));
  message.querySelector("button").focus({ preventScroll: true });
  if (next) cellsOf(next)[0].tabIndex = 0;
}

/** Keep the numbers of words that the page shows true after a word came or went. */
function count(change) {
  for (const shown of document.querySelectorAll("[data-count]")) {
    shown.dataset.count = Number(shown.dataset.count) + change;
    shown.textContent = Number(shown.dataset.count).toLocaleString("en");
  }
}

/** Return the button that undoes a change. It sends the form of the history, which loads this page again. */
function undoForm(event) {
  const form = document.createElement("form");
  form.method = "post";
  form.action = section.dataset.undo;
  form.style.display = "inline";
  const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
  const fields = { csrfmiddlewaretoken: token, of_list: "0", number: event, back: section.dataset.back };
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    form.append(field);
  }
  const button = document.createElement("button");
  button.textContent = "Undo";
  form.append(button);
  return form;
}

function plansLink(href, textContent = "Which plans ask it?") {
  return Object.assign(document.createElement("a"), { href, textContent });
}

async function add(foot) {
  const fields = [...foot.querySelectorAll("input")];
  const texts = Object.fromEntries(fields.map((field) => [field.name, field.value]));
  const { status, json } = await send({ action: "add", ...texts });
  foot.querySelector(".words-fault")?.remove();
  for (const field of fields) field.removeAttribute("aria-invalid");
  if (status !== 200) {
    const wrong = fields.find((field) => field.name === `text-${json.column}`) ?? fields[0];
    const told = document.createElement("p");
    told.className = "words-fault";
    told.setAttribute("role", "alert");
    told.textContent = json.error;
    wrong.setAttribute("aria-invalid", "true");
    wrong.after(told);
    wrong.focus();
    return;
  }
  body.append(rowOf(json.row));
  for (const field of fields) field.value = "";
  count(1);
  say(`Added ${json.added}. `, plansLink(json.plans), json.notice && ` ${json.notice}`);
  fields[0].focus();
}

const MOVES = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function inEditor(event, cell) {
  if (event.key === "Enter") {
    event.preventDefault();
    save(cell, (saved) => saved);
  } else if (event.key === "Escape") {
    event.preventDefault();
    close(cell);
    focusOn(cell);
  } else if (event.key === "Tab") {
    const step = event.shiftKey ? -1 : 1;
    if (!following(cell, step)) return;
    event.preventDefault();
    save(cell, (saved) => following(saved, step));
  }
}

function onCell(event, cell) {
  if (MOVES[event.key]) {
    event.preventDefault();
    const next = neighbour(cell, ...MOVES[event.key]);
    if (next) focusOn(next);
    else if (event.key === "ArrowDown") section.querySelector("tfoot input")?.focus();
  } else if (event.key === "Tab") {
    const next = following(cell, event.shiftKey ? -1 : 1);
    if (!next) return;
    event.preventDefault();
    focusOn(next);
  } else if (cell.tagName === "TD" && (event.key === "Enter" || event.key === "F2")) {
    event.preventDefault();
    edit(cell);
  } else if (cell.tagName === "TD" && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    event.stopPropagation();
    edit(cell, event.key);
  }
}

function start() {
  section.classList.add("is-editable");
  for (const hidden of section.querySelectorAll(".words-keys, tfoot, thead th[hidden]")) hidden.hidden = false;
  for (const row of body.rows) prepare(row);
  const first = body.rows[0] && cellsOf(body.rows[0])[0];
  if (first) first.tabIndex = 0;
  body.addEventListener("keydown", (event) => {
    const cell = event.target.closest("td[data-column], .words-remove button");
    if (!cell) return;
    if (event.target.matches(".words-editor")) inEditor(event, cell);
    else onCell(event, cell);
  });
  body.addEventListener("click", (event) => {
    const button = event.target.closest(".words-remove button");
    if (button) return void remove(button.closest("tr"));
    const cell = event.target.closest("td[data-column]");
    if (!cell || event.target.matches(".words-editor") || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    edit(cell);
  });
  const foot = section.querySelector("tfoot");
  foot?.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input")) return;
    event.preventDefault();
    add(foot);
  });
  foot?.querySelector(".words-add").addEventListener("click", () => add(foot));
}

if (isEditable) start();
