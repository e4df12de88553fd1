// The form above the table: shows the choices of the view and reports changes.

import { visible } from "../desk/grid_order.js";

// events: {change(changes), find(text), next()}
export class Filters {
  // sensitive: {list: [word]}
  constructor(page, form, sensitive, events) {
    Object.assign(this, { page, form, events });
    this.offer(sensitive);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", ({ target }) => this.chosen(target));
    form.find.addEventListener("keydown", (event) => event.key === "Enter" && events.next());
    page.addEventListener("click", ({ target }) => this.takeOut(target.closest(".take-out")));
  }

  // A score without a sensitive set is compared with the score over all names, also for the set's own words.
  get plain() {
    return this.form.statistic.dataset.score;
  }

  // The key of the chosen statistic, which finds its labels.
  get key() {
    return this.form.statistic.value;
  }

  offer(sensitive) {
    for (const select of [this.form.sensitive1, this.form.sensitive2]) {
      for (const [list, words] of Object.entries(sensitive)) {
        const group = document.createElement("optgroup");
        group.label = list;
        group.append(...words.map((word) => new Option(visible(word), JSON.stringify([list, word]))));
        select.append(group);
      }
    }
  }

  // An unknown statistic or list becomes the first one of the page.
  correct(view) {
    const { statistic, list } = this.form, has = (select, wanted) => [...select.options].some(({ value }) => value === wanted);
    if (!has(statistic, keyOf(view))) [view.statistic, view.variant] = split(statistic.options[0].value);
    // The list as the address has it: the first one has no key.
    if (!has(list, view.list)) view.list = list.options[0].value;
  }

  fill(view) {
    const { form, page } = this;
    form.statistic.value = keyOf(view);
    form.list.value = view.list;
    form.find.value = view.find;
    form.significant.checked = view.significant;
    for (const [at, select] of [form.sensitive1, form.sensitive2].entries()) select.value = view.with[at] ? JSON.stringify(view.with[at]) : "";
    for (const about of page.querySelectorAll(".about")) about.hidden = about.dataset.statistic !== this.key;
    for (const one of page.querySelectorAll(".take-out")) {
      const isOut = one.dataset.statisticKey === this.key;
      one.hidden = !isOut && !view.with.some(([list]) => list === one.dataset.without);
      one.setAttribute("aria-pressed", String(isOut));
    }
    const { statistic, variant, list } = view;
    document.getElementById("csv").href = `${page.dataset.file}?${new URLSearchParams({ statistic, ...(variant ? { variant } : {}), list })}`;
  }

  chosen({ name, value, checked }) {
    const { form, events } = this;
    if (name === "statistic") this.choose(value);
    else if (name === "list") events.change({ list: value });
    else if (name.startsWith("sensitive")) {
      const chosen = [form.sensitive1.value, form.sensitive2.value].filter(Boolean);
      events.change({ with: [...new Set(chosen)].map((one) => JSON.parse(one)) });
    } else if (name === "beside") {
      if (value) location.href = `${value}${location.search}`;
    } else if (name === "find") events.find(value);
    else if (name === "significant") events.change({ significant: checked });
  }

  choose(key) {
    const [statistic, variant] = split(key);
    this.events.change({ statistic, variant });
  }

  takeOut(button) {
    if (button) this.choose(button.getAttribute("aria-pressed") === "true" ? this.plain : button.dataset.statisticKey);
  }
}

const keyOf = ({ statistic, variant }) => `${statistic} ${variant}`.trim();
const split = (key) => [...key.split(" "), ""].slice(0, 2);
