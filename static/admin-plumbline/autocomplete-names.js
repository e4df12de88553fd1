// Fields that look up their choices (select2) hide the select that the page's label names. This script gives the name to
// the field that replaces it and to its search box.
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
    for (const box of shown.querySelectorAll(".select2-search__field")) box.setAttribute("aria-label", nameOf(select));
  }

  function nameAll() {
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
