// The words with the highest and the lowest scores with a sorted word, and those most and least similar to it: five each,
// as buttons. The highest score may be below zero, so no heading calls it an association.

import { visible } from "../desk/grid_order.js";
import { number, probability } from "../desk/grid_paint.js";
import { extremes, ordering, other } from "./order.js";

const KINDS = { row: ["feature", "features"], column: ["target", "targets"] };

// events: {choose(axis, word), bars(axis, word), pick(axis, word)}
export class Panel {
  constructor(element, events) {
    Object.assign(this, { element, events });
  }

  // from: the table of a sort in words, if it is not the shown one.
  show(table, source, sort, from) {
    this.element.hidden = !sort;
    if (!sort) return this.element.replaceChildren();
    const across = other(sort.axis);
    const parts = [this.heading(sort, from)];
    const values = ordering(table, source, across, { ...sort, how: "value" });
    if (values) parts.push(this.lists(values, sort, across, ["Highest", "Lowest"], "scores", (one) => figures(values.table, sort, one)));
    const likes = sort.how === "similarity" ? ordering(table, source, sort.axis, sort) : null;
    if (likes) parts.push(this.lists(likes, sort, sort.axis, ["Most", "Least"], `similar ${KINDS[sort.axis][1]}`, ([, value]) => `cosine ${number(value)}`));
    this.element.replaceChildren(...parts);
  }

  heading(sort, from) {
    const made = element("div", "bar");
    const title = element("h2");
    const word = element("bdi", "", visible(sort.word));
    title.append(word, element("span", "note", ` ${KINDS[sort.axis][0]}${from ? `, ${from}` : ""}`));
    const bars = button("All as bars", () => this.events.bars(sort.axis, sort.word));
    const pick = button("Pick to compare", () => this.events.pick(sort.axis, sort.word));
    made.append(title, bars, pick);
    return made;
  }

  lists(found, sort, axis, ends, kind, told) {
    const made = element("div", "extremes");
    const { most, least } = extremes(found.ranks);
    for (const [end, entries] of [[ends[0], most], [ends[1], least]]) {
      const box = element("div");
      const list = element("ol");
      list.setAttribute("aria-label", `${end} ${kind}`);
      for (const entry of entries) list.append(this.entry(sort, axis, entry, told(entry)));
      box.append(element("h3", "", `${end} ${kind}`), list);
      made.append(box);
    }
    return made;
  }

  entry(sort, axis, [word], told) {
    const made = element("li");
    const own = button("", () => this.events.choose(axis, word));
    own.append(element("bdi", "", visible(word)));
    made.append(own, element("span", "figures", ` ${told}`));
    return made;
  }
}

// A score with its interval, as in its own table, and with q if it is not significant.
function figures(table, sort, [word, value]) {
  const across = table.words[other(sort.axis)].indexOf(word), at = table.words[sort.axis].indexOf(sort.word);
  const cell = sort.axis === "row" ? table.at(at, across) : table.at(across, at);
  const interval = table.low[cell] === null ? "" : ` [${number(table.low[cell])}, ${number(table.high[cell])}]`;
  return `${number(value)}${interval}${table.q[cell] === null || table.isPresent(cell) ? "" : `  q = ${probability(table.q[cell])}`}`;
}

function element(name, style = "", text = "") {
  const made = document.createElement(name);
  if (style) made.className = style;
  made.textContent = text;
  return made;
}

function button(text, onClick) {
  const made = element("button", "quiet", text);
  made.type = "button";
  made.addEventListener("click", onClick);
  return made;
}
