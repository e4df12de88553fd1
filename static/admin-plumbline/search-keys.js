// The search of the desk on the admin's pages: / or Ctrl+K opens a box with hits. The skin's own box is for staff alone,
// and has no key of one hand.
"use strict";
{
  const isTyping = (element) => element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName);
  const address = `${location.pathname.split("/admin/")[0]}/search/`;
  const PAUSE = 200;
  let box = null;

  function make() {
    const dialog = document.createElement("dialog");
    dialog.className = "search-everything";
    dialog.setAttribute("aria-label", "Search everything");
    const form = document.createElement("form");
    Object.assign(form, { action: address, method: "get" });
    form.setAttribute("role", "search");
    const input = document.createElement("input");
    Object.assign(input, { type: "search", name: "q", maxLength: 200, autocomplete: "off" });
    input.placeholder = "Words, lists, runs, plans, models, findings, pages";
    input.setAttribute("aria-label", "Search everything");
    const hits = document.createElement("div");
    form.append(input, hits);
    dialog.append(form);
    document.body.append(dialog);
    answerWhileTyping(input, hits);
    dialog.addEventListener("keydown", (event) => moveThroughHits(event, [input, ...hits.querySelectorAll("a")]));
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    return { dialog, input };
  }

  function answerWhileTyping(input, hits) {
    let timer = 0;
    const ask = async () => {
      const text = input.value.trim();
      if (!text) return hits.replaceChildren();
      const answer = await fetch(`${address}?${new URLSearchParams({ q: text, hits: 1 })}`).catch(() => null);
      // An older answer, or logged out: Enter still works.
      if (input.value.trim() === text && answer?.ok && !answer.redirected) hits.innerHTML = await answer.text();
    };
    input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, PAUSE); });
  }

  function moveThroughHits(event, places) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = places.indexOf(document.activeElement) + step;
    places[Math.max(0, Math.min(next, places.length - 1))].focus();
  }

  function open() {
    box ??= make();
    if (!box.dialog.open) box.dialog.showModal();
    box.input.select();
  }

  // Before the skin's own listener, so that one box opens and not two.
  window.addEventListener("keydown", (event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const isSlash = event.key === "/" && isPlain && !isTyping(event.target);
    const isK = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
    if (!isSlash && !isK) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    open();
  }, true);

  // A click on the box in the sidebar. The skin's box stays shut: it is for staff alone.
  window.addEventListener("opencommand", (event) => { event.stopImmediatePropagation(); open(); }, true);
}
