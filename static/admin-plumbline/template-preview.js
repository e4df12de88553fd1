// The server's filled sentences, below the template field that has the focus. There is one preview per page.
"use strict";

(() => {
  const PAUSE = 250;
  let panel = null;
  let field = null;
  let timer = 0;
  let asking = new AbortController();

  const isOurs = (element) => element instanceof HTMLInputElement && Boolean(element.dataset.preview);

  async function part(address, options = {}) {
    const answer = await fetch(address, { credentials: "same-origin", ...options });
    if (!answer.ok || answer.redirected) {
      throw new Error(answer.redirected ? "log in again" : `the server answered ${answer.status}`);
    }
    const holder = document.createElement("template");
    holder.innerHTML = await answer.text(); // escaped by the server
    return holder.content;
  }

  async function ask() {
    asking.abort();
    asking = new AbortController();
    const body = new FormData();
    body.set("template", field.value);
    for (const select of panel.querySelectorAll("select")) body.set(select.dataset.fills, select.value);
    const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
    const room = panel.querySelector("[aria-live]");
    try {
      const options = { method: "POST", body, headers: { "X-CSRFToken": token }, signal: asking.signal };
      room.replaceChildren(await part(field.dataset.preview, options));
    } catch (error) {
      if (error.name !== "AbortError") room.textContent = `The preview could not be loaded: ${error.message}. Edit the template to try again.`;
    }
  }

  function askSoon() {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  }

  async function show(chosen) {
    if (field === chosen) return;
    field = chosen;
    if (!panel) {
      const loaded = await part(chosen.dataset.preview).catch(() => null);
      if (!loaded || panel) return;
      panel = loaded.firstElementChild;
      panel.addEventListener("change", askSoon);
    }
    (field.closest("td") ?? field.parentElement).append(panel);
    askSoon();
  }

  document.addEventListener("focusin", (event) => isOurs(event.target) && show(event.target));
  document.addEventListener("input", (event) => isOurs(event.target) && panel && askSoon());
  document.addEventListener("DOMContentLoaded", () => {
    const alone = document.querySelector("#id_template");
    if (isOurs(alone)) show(alone);
  });
})();
