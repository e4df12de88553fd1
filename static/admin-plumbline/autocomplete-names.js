// Names of fields for screen readers. Fields that look up their choices (select2) hide the select that the page's label
// names: this script gives the name to the field that replaces it and to its search box. Fields in the cells of a table
// have no label, so they get the name of their column.
"use strict";
{
  const nameOf = (select) => {
    const label = document.querySelector(`label[for="${CSS.escape(select.id)}"]`);
    const column = select.closest("td") && select.closest("table")?.tHead?.rows[0]?.cells[select.closest("td").cellIndex];
    const said = label?.textContent || select.getAttribute("aria-label") || column?.textContent || select.name.replaceAll("_", " ");
    return said.replace(/[\s*:]+$/, "").trim();
  };

  function name(select) {
    const shown = select.nextElementSibling?.querySelector(".select2-selection");
    if (!shown) return;
    const value = shown.getAttribute("aria-labelledby") ?? "";
    shown.id ||= `${select.id}-shown`;
    shown.setAttribute("aria-label", nameOf(select));
    // The field's name comes first, then its value.
    if (!value.startsWith(shown.id)) shown.setAttribute("aria-labelledby", `${shown.id} ${value}`.trim());
    // The value is text: as a text box it would need a name of its own.
    const text = shown.querySelector(".select2-selection__rendered[role=textbox]");
    for (const one of ["role", "aria-readonly"]) text?.removeAttribute(one);
    for (const box of shown.querySelectorAll(".select2-search__field")) box.setAttribute("aria-label", nameOf(select));
  }

  const columnOf = (field) => field.closest("table").tHead?.rows[0]?.cells[field.closest("td").cellIndex]?.textContent;

  function nameCell(field) {
    if (field.labels?.length) return;
    const said = columnOf(field)?.trim() || field.name.split("-").at(-1).replaceAll("_", " ");
    field.setAttribute("aria-label", said.replace(/[\s*:]+$/, "").replace(/\s+/g, " "));
  }

  function nameCells() {
    const fields = ["input:not([type=hidden])", "select", "textarea"].map((one) => `td ${one}:not([aria-label])`);
    document.querySelectorAll(fields.join()).forEach(nameCell);
    for (const head of document.querySelectorAll("thead th:last-child")) {
      if (!head.textContent.trim() && !head.querySelector("input")) head.textContent = "Remove";
    }
  }

  function nameAll() {
    nameCells();
    document.querySelectorAll("select.select2-hidden-accessible").forEach(name);
    const open = document.querySelector(".select2-container--open .select2-selection");
    const select = open?.closest(".select2-container")?.previousElementSibling;
    const box = document.querySelector(".select2-dropdown .select2-search__field");
    if (select && box) box.setAttribute("aria-label", `Find: ${nameOf(select)}`);
  }

  document.addEventListener("DOMContentLoaded", () => {
    nameAll();
    new MutationObserver(nameAll).observe(document.body, { childList: true, subtree: true });
  });
}
