// A page that shows an open check of a model asks every two seconds whether a worker has answered, seldom while it is
// hidden. Then it shows the answer in place: a reload would lose the messages and the unsaved changes of a form.
"use strict";

(() => {
  const EVERY = 2000;
  const SELDOM = 20000;
  const FOUND = ["verdict", "fault", "kind_of_model", "parameters", "tokenizer", "vocabulary"];
  const SHOWN = [...FOUND.map((name) => `td.field-${name}`), ".readonly"].join(); // in the list, and in the form

  async function get(address, accept) {
    const answer = await fetch(address, { headers: { Accept: accept } });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer;
  }

  async function show() {
    const page = new DOMParser().parseFromString(await (await get(location.href, "text/html")).text(), "text/html");
    const [old, now] = [document, page].map((one) => [...one.querySelectorAll(SHOWN)]);
    if (old.length !== now.length) return location.reload(); // the list has other rows by now
    old.forEach((place, number) => place.replaceChildren(...now[number].childNodes));
    begin();
  }

  async function ask(checks) {
    const answer = await get(checks[0].dataset.openChecks, "application/json");
    if (answer.redirected) return; // to the login page
    const { open } = await answer.json();
    if (checks.every((one) => open.includes(Number(one.dataset.openCheck)))) return later(checks);
    await show();
  }

  function later(checks, wait = document.hidden ? SELDOM : EVERY) {
    setTimeout(() => ask(checks).catch(() => later(checks, 3 * EVERY)), wait);
  }

  function begin() {
    const checks = [...document.querySelectorAll("[data-open-check]")];
    if (checks.length) later(checks);
  }

  document.addEventListener("DOMContentLoaded", begin);
})();
