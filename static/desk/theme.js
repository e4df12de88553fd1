// The colours of all pages: as the system, light or dark. The choice lies where the admin's own switch keeps it, so it holds
// for both sites. The page loads this script before it is painted, so that no page flashes in other colours.
"use strict";
{
  const KEY = "adminTheme";
  const root = document.documentElement;

  function chosen() {
    try {
      const found = JSON.parse(localStorage.getItem(KEY));
      return found === "light" || found === "dark" ? found : "auto";
    } catch {
      return "auto";
    }
  }

  function apply() {
    const theme = chosen();
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    document.dispatchEvent(new Event("themechange"));
  }

  apply();
  addEventListener("storage", apply);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
  document.addEventListener("DOMContentLoaded", () => {
    const choice = document.querySelector("[data-theme-choice]");
    if (!choice) return;
    choice.hidden = false;
    choice.value = chosen();
    choice.addEventListener("change", () => {
      localStorage.setItem(KEY, JSON.stringify(choice.value));
      apply();
    });
  });
}
