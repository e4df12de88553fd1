// The editor of the SQL page. Without this script the form works as a plain page.

const form = document.getElementById("question");
const text = document.getElementById("text");
const answer = document.getElementById("answer");
const cancelButton = document.getElementById("cancel");
let running = null;

form.addEventListener("submit", (event) => {
  if (event.submitter?.hasAttribute("formaction")) return;
  event.preventDefault();
  ask();
});

text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit();
  } else if (event.key === "Escape") {
    text.dataset.leaving = "yes";
  } else if (event.key === "Tab" && !event.shiftKey && !text.dataset.leaving) {
    event.preventDefault();
    write("  ");
  } else if (event.key !== "Tab" && event.key !== "Shift") {
    delete text.dataset.leaving;
  }
});
text.addEventListener("blur", () => delete text.dataset.leaving);

document.addEventListener("click", (event) => {
  const insert = event.target.closest("[data-insert]")?.dataset.insert;
  if (insert) write(insert);
});
cancelButton.addEventListener("click", cancel);
// Leaving the page cancels the query.
addEventListener("pagehide", () => running && cancel());

async function ask() {
  if (running) return;
  running = new AbortController();
  const stop = waiting();
  try {
    const response = await fetch(form.action, {
      method: "POST",
      body: new FormData(form),
      headers: { "X-Requested-With": "fetch" },
      signal: running.signal,
    });
    if (response.ok && !response.redirected) answer.innerHTML = await response.text();
    else complain(`The server answered ${response.status}. Load this page again; you may have to log in.`);
  } catch {
    complain("The server did not answer. Check that it is running, then run the query again.");
  } finally {
    running = null;
    stop();
    markFault();
  }
}

// Shows how long the query runs, until the returned function is called.
function waiting() {
  const started = performance.now();
  const button = form.querySelector("button:not([formaction])");
  const label = button.textContent;
  const tick = () => { button.textContent = `Running, ${Math.floor((performance.now() - started) / 1000)} s`; };
  tick();
  const timer = setInterval(tick, 1000);
  button.disabled = true;
  cancelButton.hidden = false;
  answer.setAttribute("aria-busy", "true");
  return () => {
    clearInterval(timer);
    button.textContent = label;
    button.disabled = false;
    cancelButton.hidden = true;
    answer.removeAttribute("aria-busy");
  };
}

function cancel() {
  const data = new FormData();
  for (const name of ["token", "csrfmiddlewaretoken"]) data.append(name, form.elements[name].value);
  navigator.sendBeacon(form.dataset.cancel, data);
}

function complain(message) {
  const notice = document.createElement("p");
  notice.className = "notice error";
  notice.setAttribute("role", "alert");
  notice.textContent = message;
  answer.replaceChildren(notice);
}

// PostgreSQL counts characters, the editor UTF-16 units.
function markFault() {
  const position = Number(answer.querySelector("[data-position]")?.dataset.position);
  if (!position) return;
  const before = Array.from(text.value).slice(0, position - 1).join("").length;
  const word = text.value.slice(before).match(/^\w+|^[^]?/)[0];
  text.focus();
  text.setSelectionRange(before, before + word.length);
}

function write(words) {
  text.focus();
  // Unlike an assignment this can be undone.
  if (!document.execCommand("insertText", false, words)) text.setRangeText(words, text.selectionStart, text.selectionEnd, "end");
}

markFault();
