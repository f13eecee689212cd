"use strict";
// The report says all it has to say without this: it filters questions, opens and closes them, and changes the colours.
const root = document.documentElement;
const theme = document.querySelector("[data-theme]");
theme.hidden = false;
theme.addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});

const form = document.querySelector("[data-filters]");
const questions = [...document.querySelectorAll(".question")];
const groups = [...document.querySelectorAll("[data-group]")];

function reveal() {
  const aimed = location.hash && document.getElementById(location.hash.slice(1));
  if (aimed instanceof HTMLDetailsElement) aimed.open = true;
}

if (form) {
  form.hidden = false;
  const output = form.querySelector("[data-shown]");
  const said = new Map(questions.map((each) => [each, each.textContent.toLowerCase()]));
  const apply = () => {
    const words = form.querySelector("[data-text]").value.trim().toLowerCase();
    const wanted = [...form.querySelectorAll("[data-filter]")]
      .map((field) => [field.dataset.filter, field.type === "checkbox" ? (field.checked ? field.value : "") : field.value])
      .filter(([, value]) => value);
    let shown = 0;
    for (const each of questions) {
      const fits = wanted.every(([name, value]) => name === "category"
        ? each.dataset.category === value
        : (each.dataset[name] || "").split(" ").includes(value));
      each.hidden = !(fits && said.get(each).includes(words));
      if (!each.hidden) shown += 1;
    }
    for (const group of groups) group.hidden = !group.querySelector(".question:not([hidden])");
    output.textContent = output.dataset.text.replace("{shown}", () => shown).replace("{all}", () => questions.length);
  };
  const openAll = (open) => {
    for (const each of questions) if (!each.hidden) each.open = open;
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.querySelector("[data-open]").addEventListener("click", () => openAll(true));
  form.querySelector("[data-close]").addEventListener("click", () => openAll(false));
  apply();
}

let closed = [];
addEventListener("beforeprint", () => {
  closed = questions.filter((each) => !each.open && !each.hidden);
  for (const each of closed) each.open = true;
});
addEventListener("afterprint", () => {
  for (const each of closed) each.open = false;
});
addEventListener("hashchange", reveal);
reveal();
