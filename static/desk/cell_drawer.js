// The drawer next to the grid: the details of one cell, from the server.

export class Drawer {
  constructor(element, address, onClose) {
    Object.assign(this, { element, address, onClose, asked: "", leaf: element.querySelector(".leaf") });
    element.addEventListener("click", (event) => this.clicked(event));
    element.nextElementSibling.addEventListener("click", onClose);
  }

  get isOpen() { return !this.element.hidden; }

  // On a narrow page it covers the grid (see the style sheet).
  get isSheet() { return getComputedStyle(this.element).position === "fixed"; }

  async open(query, withFocus) {
    const asked = (this.asked = `${this.address}?${new URLSearchParams(query)}`);
    this.element.hidden = false;
    this.element.scrollTop = 0;
    if (withFocus || this.isSheet) this.element.focus();
    this.tell("Loading …");
    try {
      const response = await fetch(asked, { headers: { Accept: "text/html" } });
      const isOurs = response.ok && !response.redirected;
      const text = isOurs ? await response.text() : "";
      if (asked !== this.asked) return;
      if (isOurs) this.leaf.innerHTML = text; // our own template, which escapes the users' texts
      else this.tell(`The cell could not be read (${response.redirected ? "you are logged out" : response.status}). Reload the page and open it again.`);
    } catch {
      if (asked === this.asked) this.tell("The server did not answer. Open the cell again.");
    }
  }

  close() {
    this.asked = "";
    this.element.hidden = true;
    this.leaf.replaceChildren();
  }

  tell(text) {
    const made = document.createElement("p");
    made.className = "note";
    made.setAttribute("role", "status");
    made.textContent = text;
    this.leaf.replaceChildren(made);
  }

  async clicked({ target }) {
    if (target.closest(".close")?.matches("button")) this.onClose();
    const copy = target.closest(".copy-cell");
    if (!copy) return;
    try {
      await navigator.clipboard.writeText(copy.dataset.text);
      copy.textContent = "Copied";
    } catch {
      copy.textContent = "Not allowed to copy";
    }
  }
}
