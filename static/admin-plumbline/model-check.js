// A page that shows an open check of a model asks every two seconds whether a worker has answered, seldom while it is
// hidden, and then reloads. A form with unsaved changes is not reloaded: the page says that there is an answer.
"use strict";

(() => {
  const EVERY = 2000;
  const SELDOM = 20000;
  const DONE = "The check is done. Save or reload the page to see its result.";
  let edited = false;

  function show(checks) {
    if (!edited) return location.reload();
    for (const one of checks) one.textContent = DONE;
  }

  async function ask(checks) {
    const answer = await fetch(checks[0].dataset.openChecks, { headers: { Accept: "application/json" } });
    if (answer.redirected || answer.status === 403) return;
    if (!answer.ok) throw new Error(String(answer.status));
    const { open } = await answer.json();
    const answered = checks.filter((one) => !open.includes(Number(one.dataset.openCheck)));
    if (answered.length) return show(answered);
    later(checks, document.hidden ? SELDOM : EVERY);
  }

  function later(checks, wait) {
    setTimeout(() => ask(checks).catch(() => later(checks, 3 * EVERY)), wait);
  }

  document.addEventListener("DOMContentLoaded", () => {
    const checks = [...document.querySelectorAll("[data-open-check]")];
    if (!checks.length) return;
    document.addEventListener("input", () => (edited = true));
    document.addEventListener("change", () => (edited = true));
    later(checks, EVERY);
  });
})();
