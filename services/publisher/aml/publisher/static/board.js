// Sorting, filtering and the theme's toggle. The page says all that it has to say without this file.
"use strict";

const themeToggle = document.querySelector("[data-theme-toggle]");
if (themeToggle) {
  themeToggle.hidden = false;
  themeToggle.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try {
      localStorage.setItem("aml-theme", root.dataset.theme);
    } catch {
      // The choice then lasts as long as the page.
    }
  });
}

const tables = [...document.querySelectorAll("table[data-board]")];

// "Not available" sorts last in both directions; equal values keep the published order.
function sortBy(table, column, kind, direction) {
  const value = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
  const body = table.tBodies[0];
  const rows = [...body.rows].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === "" || b === "") return (a === "") - (b === "") || one.dataset.place - other.dataset.place;
    const order = kind === "number" ? a - b : a.localeCompare(b);
    return order * direction || one.dataset.place - other.dataset.place;
  });
  body.append(...rows);
}

for (const table of tables) {
  [...table.tBodies[0].rows].forEach((row, place) => { row.dataset.place = place; });
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const kind = head.dataset.sort;
    if (!kind) return;
    const button = document.createElement("button");
    button.type = "button";
    button.title = table.dataset.sortHint;
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const first = head.classList.contains("overall") ? "descending" : "ascending";
      const now = head.getAttribute("aria-sort");
      const next = now ? (now === "ascending" ? "descending" : "ascending") : first;
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", next);
      if (column === 0 && next === "ascending") {
        // The published order has the baselines in between, at their scores.
        table.tBodies[0].append(...[...table.tBodies[0].rows].sort((a, b) => a.dataset.place - b.dataset.place));
      } else {
        sortBy(table, column, kind, next === "ascending" ? 1 : -1);
      }
    });
  });
}

// Ranks count among the rows that are shown; equal published ranks stay equal.
function renumber(table) {
  const shown = [...table.tBodies[0].rows]
    .filter((row) => !row.hidden && row.cells[0].dataset.value !== "")
    .sort((one, other) => one.cells[0].dataset.value - other.cells[0].dataset.value);
  let last = null;
  let rank = 0;
  shown.forEach((row, index) => {
    if (row.cells[0].dataset.value !== last) rank = index + 1;
    last = row.cells[0].dataset.value;
    row.cells[0].textContent = rank;
  });
}

const controls = document.querySelector("[data-controls]");
if (controls) {
  controls.hidden = false;
  const search = controls.querySelector("[data-filter]");
  const baselines = controls.querySelector("[data-baselines]");
  const result = controls.querySelector("[data-filter-result]");
  const apply = () => {
    const wanted = search.value.trim().toLocaleLowerCase();
    let all = 0;
    let shown = 0;
    for (const table of tables) {
      for (const row of table.tBodies[0].rows) {
        const guest = "guest" in row.dataset;
        const matches = row.cells[1].dataset.text.toLocaleLowerCase().includes(wanted);
        row.hidden = !matches || (guest && baselines && !baselines.checked);
        if (!guest) {
          all += 1;
          shown += row.hidden ? 0 : 1;
        }
      }
      renumber(table);
    }
    result.textContent = wanted ? result.dataset.text.replace("{shown}", shown).replace("{all}", all) : "";
    const query = new URLSearchParams(location.search);
    if (search.value) query.set("q", search.value); else query.delete("q");
    try {
      history.replaceState(null, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
    } catch {
      // A page opened from a file has no address to keep.
    }
  };
  search.value = new URLSearchParams(location.search).get("q") ?? "";
  search.addEventListener("input", apply);
  baselines?.addEventListener("change", apply);
  if (search.value) apply();
}
