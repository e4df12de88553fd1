// The words picked for comparison: a button for each that removes it, a field to add one, and a switch to show only these.

import { visible } from "../desk/grid_order.js";

const AXES = { column: ["targets", "target"], row: ["features", "feature"] };

// events: {pick(axis, word), alone(whether), clear(), set(axis, word, against)}
export class Picks {
  constructor(element, events) {
    Object.assign(this, { element, events, table: null });
    for (const name of ["chips", "alone", "clear", "adding", "words", "set"]) this[name] = element.querySelector(`.${name}`);
    this.alone.addEventListener("change", () => events.alone(this.alone.checked));
    this.clear.addEventListener("click", () => events.clear());
    this.set.addEventListener("click", () => events.set(...this.two));
    this.adding.addEventListener("change", () => this.add());
  }

  show(view, table) {
    if (this.table !== table) this.offer(table);
    this.chips.replaceChildren(...Object.entries(AXES).flatMap(([axis, [name, kind]]) => view[name].map((word) => this.chip(axis, kind, word))));
    const some = view.targets.length + view.features.length > 0;
    for (const one of [this.alone, this.clear]) one.disabled = !some;
    this.alone.checked = view.alone && some;
    this.two = this.pair(view);
    this.set.hidden = !this.two;
  }

  // Two picked targets, else two picked features, which can be set against each other.
  pair(view) {
    const found = Object.entries(AXES).map(([axis, [name]]) => [axis, ...view[name].filter((word) => this.table.words[axis].includes(word))]);
    return found.find((one) => one.length === 3) ?? null;
  }

  // A word that the list does not show stays picked, and counts again when it is shown.
  chip(axis, kind, word) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "quiet chip";
    const isHere = this.table.words[axis].includes(word);
    made.setAttribute("aria-label", `Remove the ${kind} ${visible(word)}${isHere ? "" : ", which is not in this table"}`);
    made.classList.toggle("away", !isHere);
    const label = document.createElement("bdi");
    label.textContent = visible(word);
    made.append(label, ` ${kind} ×`);
    made.addEventListener("click", () => this.events.pick(axis, word));
    return made;
  }

  offer(table) {
    this.table = table;
    const options = Object.keys(AXES).flatMap((axis) => table.words[axis].map((word) => new Option(AXES[axis][1], word)));
    this.words.replaceChildren(...options);
  }

  // The typed or chosen word: a target if both axes have it.
  add() {
    const typed = this.adding.value.trim().toLowerCase();
    for (const axis of Object.keys(AXES)) {
      const word = this.table?.words[axis].find((one) => one.toLowerCase() === typed);
      if (word === undefined) continue;
      this.adding.value = "";
      return this.events.pick(axis, word);
    }
  }
}
