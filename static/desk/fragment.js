// Parts of a page that take longer than the page: fetched once it is shown, in place of the link that leads to them.
for (const place of document.querySelectorAll("[data-fragment]")) {
  fetch(place.dataset.fragment)
    .then(async (answer) => {
      if (answer.ok && !answer.redirected) place.innerHTML = await answer.text();
    })
    .catch(() => {}); // The link stays.
}
