// The progress of a running run, fetched every two seconds while the page is visible and seldom while it is hidden. The
// page reloads at the end, and again once the findings are written; while it is hidden, its title tells the end.
const EVERY = 2000;
const SELDOM = 20000;
const place = document.querySelector("[data-progress]");
const said = document.querySelector("[data-said]");

function show(html) {
  const folded = [...place.querySelectorAll("details[data-keep]")].map((one) => [one.dataset.keep, one.open]);
  place.innerHTML = html;
  for (const [name, open] of folded) place.querySelector(`details[data-keep="${name}"]`)?.toggleAttribute("open", open);
}

async function ask() {
  const answer = await fetch(place.dataset.progress, { headers: { Accept: "application/json" } });
  if (answer.redirected || answer.status === 403) return location.reload();
  if (!answer.ok) throw new Error(String(answer.status));
  const found = await answer.json();
  if (!found.live || (found.ended && !place.hasAttribute("data-ended"))) return document.hidden ? tell(found.state) : location.reload();
  show(found.html);
  if (found.state !== place.dataset.state) {
    place.dataset.state = found.state;
    said.textContent = `The run is ${found.state}.`;
  }
  setTimeout(look, document.hidden ? SELDOM : EVERY);
}

function tell(state) {
  document.title = `${state} · ${document.title}`;
  document.addEventListener("visibilitychange", () => location.reload(), { once: true });
}

function look() {
  ask().catch(() => {
    said.textContent = "The server cannot be reached; trying again.";
    setTimeout(look, 3 * EVERY);
  });
}

if (place?.dataset.live === "yes") setTimeout(look, EVERY);
