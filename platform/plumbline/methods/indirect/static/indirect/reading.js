// Reads what the view needs: its own table, the one that its order comes from, and those of the sensitive words.

// plain: how the score over all names is called, which a score without a sensitive set is compared with.
export function readTables(tables, state, plain) {
  const { view } = state;
  const beside = Promise.all(view.with.map((one) => pinnedOf(tables, state, plain, one)));
  return Promise.all([tables.read(state.currentView()), sourceOf(tables, state.otherSource()), beside.then((all) => all.filter(Boolean))]);
}

// What takes a sensitive set out is of neutral features alone: other words are shown by their plain scores then.
export const plainScores = (view, plain) => (view.variant ? { statistic: plain, variant: "" } : {});

async function sourceOf(tables, from) {
  if (!from) return null;
  try {
    return await tables.read(from);
  } catch {
    return null; // a run that is gone: the order is then the plain one
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
