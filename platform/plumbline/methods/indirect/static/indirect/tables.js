// The tables of the indirect page, each read from the server once.

import { gridOf } from "../desk/grid_order.js";
import { turned } from "./order.js";

export class Tables {
  // values: the address of the page's own run
  constructor(values, run) {
    Object.assign(this, { values, run, known: new Map() });
  }

  // which: {run, statistic, variant, list}. Returns the promise of its table. Throws an Error with the cause.
  read({ run, statistic, variant, list }) {
    const base = this.values.replace(`/runs/${this.run}/`, `/runs/${Number(run)}/`);
    const query = new URLSearchParams({ statistic, list, ...(variant ? { variant } : {}) });
    const address = `${base}?${query}`;
    if (!this.known.has(address)) this.known.set(address, this.asked(address));
    return this.known.get(address);
  }

  async asked(address) {
    try {
      return await fetched(address);
    } catch (error) {
      this.known.delete(address); // the next call tries again
      throw error;
    }
  }

  forget() {
    this.known.clear();
  }
}

async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok || response.redirected) throw new Error(response.redirected ? "you are logged out" : `the server says ${response.status}`);
  return turned(gridOf(spread(await response.json())));
}

// Expands arrays that came as one number because all their values are equal.
function spread(payload) {
  const whole = (values) => (Array.isArray(values) ? values : new Array(payload.value.length).fill(values));
  return { ...payload, n: whole(payload.n), reason: whole(payload.reason) };
}
