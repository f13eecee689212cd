// What every page has: the theme's toggle, copy buttons, and a language switch that keeps what the address says.
import { mountCopyButtons } from "./copy_button.js";

const toggle = document.querySelector("[data-theme-toggle]");
toggle.hidden = false;
toggle.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try {
    localStorage.setItem("aml-theme", root.dataset.theme);
  } catch {
    // The choice then lasts as long as the page.
  }
});

const languageSwitch = document.querySelector("[data-language-switch]");
languageSwitch.addEventListener("click", () => {
  languageSwitch.search = location.search;
  languageSwitch.hash = location.hash;
});

function openTarget() {
  const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  const around = target?.closest("details");
  if (around && !around.open) {
    around.open = true;
    target.scrollIntoView();
  }
}
addEventListener("hashchange", openTarget);
openTarget();
mountCopyButtons();
