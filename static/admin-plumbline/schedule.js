// The form of a schedule: only the fields of the chosen way are shown, and the next times stand below them.
"use strict";

(() => {
  const PAUSE = 250;
  const FIELDS = { daily: ["at"], weekly: ["weekdays", "at"], monthly: ["day", "at"], cron: ["cron"] };
  const TIMED = ["how_often", "weekdays", "day", "at", "cron", "zone", "paused"];
  let timer = 0;
  let asking = new AbortController();

  const rowOf = (form, name) => {
    const named = document.getElementById(`id_${name}`) ?? form.querySelector(`[name="${name}"]`);
    return named?.closest(`.field-${name}`) ?? named?.closest(".form-row, .field-row");
  };

  function showChosen(form) {
    const chosen = FIELDS[form.elements.how_often.value] ?? [];
    for (const name of new Set(Object.values(FIELDS).flat())) {
      const row = rowOf(form, name);
      if (row) row.hidden = !chosen.includes(name);
    }
  }

  async function ask(form, room) {
    asking.abort();
    asking = new AbortController();
    const body = new FormData();
    for (const [name, value] of new FormData(form)) if (TIMED.includes(name)) body.append(name, value);
    const headers = { "X-CSRFToken": form.elements.csrfmiddlewaretoken.value };
    try {
      const options = { method: "POST", body, headers, credentials: "same-origin", signal: asking.signal };
      const answer = await fetch(room.dataset.times, options);
      if (!answer.ok || answer.redirected) throw new Error(answer.redirected ? "log in again" : `the server answered ${answer.status}`);
      const holder = document.createElement("template");
      holder.innerHTML = await answer.text(); // escaped by the server
      room.replaceChildren(holder.content);
    } catch (error) {
      if (error.name !== "AbortError") room.textContent = `The next times could not be loaded: ${error.message}. Change the form to try again.`;
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const room = document.querySelector("[data-times]");
    const form = document.getElementById("id_how_often")?.form;
    if (!room || !form) return;
    rowOf(form, "zone").after(room);
    room.hidden = false;
    const change = () => {
      showChosen(form);
      clearTimeout(timer);
      timer = setTimeout(() => ask(form, room), PAUSE);
    };
    form.addEventListener("input", (event) => TIMED.includes(event.target.name) && change());
    form.addEventListener("change", (event) => TIMED.includes(event.target.name) && change());
    change();
  });
})();
