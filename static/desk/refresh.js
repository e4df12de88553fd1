// Parts of a page that change by themselves, fetched again while it is visible: often while it shows live work. A part
// that holds the focus stays as it is, so that nobody loses their place.
const OFTEN = 4000;
const SELDOM = 60000;

async function refresh() {
  if (document.hidden) return;
  const answer = await fetch(location.href);
  if (!answer.ok || answer.redirected) return;
  const later = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of document.querySelectorAll("[data-refreshed]")) {
    const now = later.querySelector(`[data-refreshed="${part.dataset.refreshed}"]`);
    if (now && now.innerHTML !== part.innerHTML && !part.contains(document.activeElement)) part.innerHTML = now.innerHTML;
  }
}

function wait() {
  setTimeout(() => refresh().catch(() => {}).finally(wait), document.querySelector("[data-live]") ? OFTEN : SELDOM);
}

wait();
