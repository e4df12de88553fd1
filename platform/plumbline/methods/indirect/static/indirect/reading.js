// Reads the tables of the view: its own, the one that orders it, and those of the sensitive words.

// plain: the name of the score over all names, to which a score without a sensitive set is compared.
export function readTables(tables, state, plain) {
  const { view } = state;
  const beside = Promise.all(view.with.map((one) => pinnedOf(tables, state, plain, one)));
  return Promise.all([tables.read(state.currentView()), sourceOf(tables, state.otherSource()), beside.then((all) => all.filter(Boolean))]);
}

// Statistics without a sensitive set exist only for neutral features. Other words are then shown by their plain scores.
export const plainScores = (view, plain) => (view.variant ? { statistic: plain, variant: "" } : {});

async function sourceOf(tables, from) {
  if (!from) return null;
  try {
    return await tables.read(from);
  } catch {
    return null; // the run was deleted, so the order is the plain one
  }
}

// A sensitive word as a row under the headers: its scores, found by the targets' words.
async function pinnedOf(tables, state, plain, [list, word]) {
  try {
    const grid = await tables.read({ ...state.currentView(), list, ...plainScores(state.view, plain) });
    const row = grid.words.row.indexOf(word);
    const place = new Map(grid.words.column.map((target, at) => [target, at]));
    const at = (column) => grid.at(row, place.get(state.wordOf("column", column)) ?? -1);
    return row < 0 ? null : { grid, list, word, row, label: `◆ ${grid.rowLabels[row]}`, at };
  } catch {
    return null;
  }
}
