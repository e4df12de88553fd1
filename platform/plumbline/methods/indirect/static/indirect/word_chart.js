// All scores of one word as a picture: bars, a scatter or parallel strips. The page shows the SVG that it offers as a file.

import { line } from "../desk/grid_order.js";
import { pngOf, save, svgOf } from "../desk/grid_picture.js";
import { bars } from "./bars.js";
import { drawn } from "./chart_parts.js";
import { other } from "./order.js";
import { scatter } from "./scatter.js";
import { strips } from "./strips.js";
import { pairOf, scoresOf } from "./word_pair.js";

const NAMES = { "": "Bars", scatter: "Scatter", strips: "Strips" };
const MOST_STRIPS = 6;

export class WordChart {
  // events: {close(), change({chart, against})}
  constructor(element, events) {
    Object.assign(this, { element, figure: element.querySelector(".figure"), view: null, name: "" });
    const [chart, against] = ["chart", "against"].map((name) => element.querySelector(`[name=${name}]`));
    Object.assign(this, { chart, against });
    element.querySelector(".close").addEventListener("click", events.close);
    chart.addEventListener("change", () => events.change({ chart: chart.value }));
    against.addEventListener("change", () => events.change({ against: against.value }));
    for (const [kind, render] of [["svg", svgOf], ["png", pngOf]]) {
      element.querySelector(`.${kind}`).addEventListener("click", async () => save(await render(this.view), `${this.name}.${kind}`));
    }
  }

  // view: {chart, against, targets, features}; about: {title, subtitle, caveat, name}
  show(table, axis, at, view, about) {
    const chart = view.chart in NAMES ? view.chart : "";
    this.element.hidden = false;
    this.fill(table, axis, at, { ...view, chart });
    const { view: picture, told } = this.made(table, axis, at, { ...view, chart }, about);
    Object.assign(this, { view: picture, name: about.name });
    this.figure.replaceChildren(drawn(picture, `${about.title}, ${told}`));
  }

  made(table, axis, at, view, about) {
    if (!view.chart) return bars(this.element, table, axis, at, about);
    const own = table[`${axis}Labels`][at], against = this.against.selectedOptions[0].textContent;
    if (view.chart === "scatter") return scatter(this.figure, pairOf(table, axis, at, view.against), about, { own, against });
    return strips(this.figure, linesOf(table, axis, at, view, against), table[`${other(axis)}Labels`], about);
  }

  fill(table, axis, at, { chart, against }) {
    this.chart.value = chart;
    const kind = axis === "row" ? "features" : "targets";
    const words = table.words[axis].filter((_, one) => one !== at);
    const label = (word) => table[`${axis}Labels`][table.words[axis].indexOf(word)];
    this.against.replaceChildren(new Option(`mean of the other ${kind}`, ""), ...words.map((word) => new Option(label(word), word)));
    this.against.value = words.includes(against) ? against : "";
    this.against.closest("label").hidden = !chart;
    for (const name of ["png", "svg"]) this.element.querySelector(`.${name}`).textContent = `${NAMES[chart]} (${name.toUpperCase()})`;
    this.element.querySelector(".close").textContent = `Close the ${NAMES[chart].toLowerCase()}`;
  }

  close() {
    this.element.hidden = true;
    this.figure.replaceChildren();
  }
}

// The strips: the word, the one that it is set against, and the picked ones.
function linesOf(table, axis, at, view, against) {
  const own = table.words[axis][at], picked = view[axis === "row" ? "features" : "targets"];
  const others = [...new Set(picked)].filter((word) => ![own, view.against].includes(word) && table.words[axis].includes(word));
  const rest = others.map((word) => lineOf(table, axis, table.words[axis].indexOf(word)));
  const second = table.words[axis].indexOf(view.against);
  const mean = { name: against, scores: scoresOf(table, axis, at, ""), present: table.words[other(axis)].map(() => true) };
  return [lineOf(table, axis, at), second < 0 ? mean : lineOf(table, axis, second), ...rest].slice(0, MOST_STRIPS);
}

function lineOf(table, axis, at) {
  const present = table.words[other(axis)].map((_, one) => table.isPresent(axis === "row" ? table.at(at, one) : table.at(one, at)));
  return { name: table[`${axis}Labels`][at], scores: line(table, axis, at), present };
}
