// Parts of a page that take longer than the page. They are fetched once it is shown, and replace the link to them.
for (const place of document.querySelectorAll("[data-fragment]")) {
  fetch(place.dataset.fragment)
    .then(async (answer) => {
      if (answer.ok && !answer.redirected) place.innerHTML = await answer.text();
    })
    .catch(() => {}); // The link stays.
}
