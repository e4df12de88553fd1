// The number of unread alerts beside the inbox's name in the navigation.
const place = document.querySelector("[data-unread]");
if (place) {
  fetch(place.dataset.unread)
    .then(async (answer) => {
      if (answer.ok && !answer.redirected) place.textContent = (await answer.text()).trim();
    })
    .catch(() => {}); // The inbox itself tells.
}
