// The progress of a running run, fetched every two seconds while the page is visible. At the end the page reloads.
const EVERY = 2000;
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
  if (!found.live) return location.reload();
  show(found.html);
  if (found.state !== place.dataset.state) {
    place.dataset.state = found.state;
    said.textContent = `The run is ${found.state}.`;
  }
  setTimeout(look, EVERY);
}

function look() {
  if (document.hidden) return document.addEventListener("visibilitychange", look, { once: true });
  ask().catch(() => {
    said.textContent = "The server cannot be reached; trying again.";
    setTimeout(look, 3 * EVERY);
  });
}

if (place?.dataset.live === "yes") setTimeout(look, EVERY);
