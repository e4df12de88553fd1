// The cell whose drawer is open. It is in the address, so a link opens it again.

export class OpenedCell {
  // changed(): the view has another open cell
  constructor(state, drawer, board, filters, changed) {
    Object.assign(this, { state, drawer, board, filters, changed });
  }

  open({ row, column }, byKeyboard) {
    const { state, board } = this, { view } = state;
    const list = row < 0 ? state.pinnedAt(row).list : view.list;
    const feature = row < 0 ? state.pinnedAt(row).word : state.wordAt("row", row), target = state.wordAt("column", column);
    if (target === undefined || feature === undefined) return;
    Object.assign(view, { target, feature, cell_list: list === view.list ? "" : list });
    // Statistics without a sensitive set exist only for neutral features.
    const asked = row < 0 && view.variant ? { statistic: this.filters.plain } : { statistic: view.statistic, variant: view.variant };
    this.drawer.open({ ...asked, list, target, feature }, byKeyboard);
    board.select({ row, column });
    this.changed();
  }

  close() {
    this.drawer.close();
    Object.assign(this.state.view, { target: "", feature: "", cell_list: "" });
    this.board.scroller.focus();
    this.changed();
  }

  // The place of the cell that the address names; null if it is not shown.
  named() {
    const { state } = this, { target, feature, cell_list } = state.view;
    if (!target || !feature) return null;
    const column = state.placeOfWord("column", target);
    const band = state.pinned.findIndex(({ list, word }) => list === cell_list && word === feature);
    const row = !cell_list ? state.placeOfWord("row", feature) : band < 0 ? null : band - state.pinned.length;
    const isThere = column >= 0 && row !== null && (cell_list || row >= 0);
    return isThere ? { row, column } : null;
  }
}
