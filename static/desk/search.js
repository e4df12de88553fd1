// The search box in the head of each page: / or Ctrl+K leads to it, hits appear while you write, arrows choose one.
const form = document.querySelector("form.search");
const input = form?.elements.q;
const PAUSE = 200;

const isTyping = (element) => element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName);

document.addEventListener("keydown", (event) => {
  const isSlash = event.key === "/" && !isTyping(event.target) && !event.ctrlKey && !event.metaKey && !event.altKey;
  const isK = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
  if (!input || (!isSlash && !isK)) return;
  event.preventDefault();
  input.focus();
  input.select();
});

if (form) {
  const hits = form.querySelector("[data-hits]");
  const links = () => [...hits.querySelectorAll("a")];
  let timer = 0, asked = "";

  const close = () => { hits.hidden = true; input.setAttribute("aria-expanded", "false"); };
  const ask = async () => {
    const text = input.value.trim();
    asked = text;
    if (!text) return close();
    const answer = await fetch(`${form.action}?${new URLSearchParams({ q: text, hits: 1 })}`).catch(() => null);
    if (asked !== text || !answer?.ok || answer.redirected) return; // An older answer, or logged out: Enter still works.
    hits.innerHTML = await answer.text();
    hits.hidden = false;
    input.setAttribute("aria-expanded", "true");
  };

  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, PAUSE); });
  form.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") { close(); input.focus(); }
    if (!step || hits.hidden) return;
    event.preventDefault();
    const all = [input, ...links()];
    all.at((all.indexOf(document.activeElement) + step) % all.length).focus();
  });
  form.addEventListener("focusout", (event) => { if (!form.contains(event.relatedTarget)) close(); });
}
