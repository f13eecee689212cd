// Sorting, filters with ranks counted anew, columns, and the rows to compare: all of it in the page's address, so that a view
// can be handed on. The page says all that it has to say without this file.
"use strict";

const tables = [...document.querySelectorAll("table[data-board]")];
const controls = document.querySelector("[data-controls]");
const FIXED = new Set(["rank", "system", "overall"]);
const collator = new Intl.Collator(document.documentElement.lang, { numeric: true, sensitivity: "base" });

function viewFromAddress() {
  const query = new URLSearchParams(location.search);
  const [column, direction] = (query.get("sort") ?? "").split(":");
  const list = (name) => (query.get(name) ?? "").split(",").filter(Boolean);
  return {
    text: query.get("q") ?? "",
    division: query.get("division") ?? "",
    minimum: Math.max(0, Number.parseInt(query.get("n") ?? "0", 10) || 0),
    complete: query.get("complete") === "1",
    baselines: query.get("baselines") !== "0",
    column: column || "rank",
    direction: direction === "desc" ? -1 : 1,
    hidden: new Set(list("hide")),
    picked: list("compare").slice(0, AML_COMPARE_LIMIT),
  };
}

function addressOf(view) {
  const query = new URLSearchParams();
  if (view.text) query.set("q", view.text);
  if (view.division) query.set("division", view.division);
  if (view.minimum) query.set("n", view.minimum);
  if (view.complete) query.set("complete", "1");
  if (!view.baselines) query.set("baselines", "0");
  if (view.column !== "rank" || view.direction !== 1) query.set("sort", `${view.column}:${view.direction === 1 ? "asc" : "desc"}`);
  if (view.hidden.size) query.set("hide", [...view.hidden].join(","));
  if (view.picked.length) query.set("compare", view.picked.join(","));
  return query.toString();
}

// The same rule as `aml.rules.shared_ranks`, over the rows that are shown: of equal scores the widest interval counts.
function sharedRanks(rows) {
  const found = [];
  let reach = null;
  let rank = 0;
  for (let start = 0; start < rows.length;) {
    let end = start + 1;
    while (end < rows.length && rows[end].score === rows[start].score) end += 1;
    const block = rows.slice(start, end);
    if (reach === null || Math.max(...block.map((row) => row.high)) < reach) {
      reach = Math.min(...block.map((row) => row.low));
      rank = start + 1;
    }
    block.forEach(() => found.push(rank));
    start = end;
  }
  return found;
}

function rowOf(element, place) {
  const data = element.dataset;
  return {
    element, place,
    job: data.job,
    guest: "guest" in data,
    complete: "complete" in data,
    scored: Number(data.n),
    low: Number(data.low),
    high: Number(data.high),
    score: Number(element.querySelector("td.overall").dataset.value),
    text: element.querySelector("th.system").dataset.text.toLocaleLowerCase(),
  };
}

// A head's text without the denominators below it.
function columnName(head) {
  return (head.querySelector("button span") ?? head).firstChild.textContent.trim();
}

function boardOf(table) {
  const heads = [...table.tHead.rows[0].cells];
  return {
    table, heads,
    section: table.closest("[data-division]"),
    columns: new Map(heads.map((head, index) => [head.dataset.col, index])),
    rows: [...table.tBodies[0].rows].map(rowOf),
    sortedBy: "rank:1",
  };
}

// "Not available" sorts last in both directions; equal values keep the published order, and the rank is that order.
function sortBoard(board, column, direction) {
  const index = board.columns.get(column);
  if (index === undefined || board.sortedBy === `${column}:${direction}`) return;
  board.sortedBy = `${column}:${direction}`;
  const numeric = board.heads[index].dataset.sort === "number";
  const keys = new Map(board.rows.map((row) => {
    const data = row.element.cells[index].dataset;
    if (column === "rank") return [row, row.place];
    if (!numeric) return [row, data.text ?? ""];
    return [row, data.value === "" ? null : Number(data.value)];
  }));
  const ordered = [...board.rows].sort((one, other) => {
    const [a, b] = [keys.get(one), keys.get(other)];
    if (a === null || b === null) return (a === null) - (b === null) || one.place - other.place;
    const order = numeric ? a - b : collator.compare(a, b);
    return order * direction || one.place - other.place;
  });
  board.table.tBodies[0].append(...ordered.map((row) => row.element));
}

function start() {
  const boards = tables.map(boardOf);
  const view = viewFromAddress();
  const field = (name) => controls.querySelector(`[data-${name}]`);
  const parts = {
    text: field("filter"), division: field("division"), minimum: field("min-n"), complete: field("complete"),
    baselines: field("baselines"), result: field("filter-result"), columns: field("columns"), reset: field("reset"),
  };
  const byJob = new Map(boards.flatMap((board) => board.rows.filter((row) => !row.guest).map((row) => [row.job, row])));
  const area = document.querySelector("[data-compare]");
  const drawComparison = area && compareArea(area, (job) => pick(job, false), () => { view.picked = []; showPicked(); remember(); });

  function remember() {
    const query = addressOf(view);
    parts.reset.hidden = query === "";
    try {
      history.replaceState(null, "", `${location.pathname}${query && `?${query}`}${location.hash}`);
    } catch {
      // A page opened from a file has no address to keep.
    }
  }

  function filter() {
    const wanted = view.text.trim().toLocaleLowerCase();
    let all = 0;
    let shown = 0;
    for (const board of boards) {
      board.section.hidden = view.division !== "" && board.section.dataset.division !== view.division;
      const ranked = [];
      for (const row of board.rows) {
        const fits = row.text.includes(wanted) && row.scored >= view.minimum && (!view.complete || row.complete);
        row.element.hidden = !fits || (row.guest && !view.baselines);
        if (row.guest || board.section.hidden) continue;
        all += 1;
        if (row.element.hidden) continue;
        shown += 1;
        ranked.push(row);
      }
      sharedRanks(ranked).forEach((rank, index) => {
        const cell = ranked[index].element.cells[0];
        if (cell.textContent !== String(rank)) cell.textContent = rank;
      });
    }
    parts.result.textContent = shown < all ? parts.result.dataset.text.replace("{shown}", shown).replace("{all}", all) : "";
  }

  function sort() {
    for (const board of boards) {
      sortBoard(board, view.column, view.direction);
      board.heads.forEach((head) => {
        if (head.dataset.col === view.column) head.setAttribute("aria-sort", view.direction === 1 ? "ascending" : "descending");
        else head.removeAttribute("aria-sort");
      });
    }
  }

  function showColumns(changed = view.hidden) {
    for (const board of boards) {
      for (const column of changed) {
        const index = board.columns.get(column);
        if (index === undefined || FIXED.has(column)) continue;
        const hide = view.hidden.has(column);
        board.heads[index].hidden = hide;
        for (const row of board.rows) row.element.cells[index].hidden = hide;
      }
    }
  }

  function showPicked(refused = false) {
    const picked = new Set(view.picked);
    for (const [job, row] of byJob) if (row.tick && row.tick.checked !== picked.has(job)) row.tick.checked = picked.has(job);
    drawComparison?.(view.picked.map((job) => byJob.get(job)?.element).filter(Boolean), refused);
  }

  function pick(job, wanted) {
    const refused = wanted && view.picked.length >= AML_COMPARE_LIMIT;
    view.picked = view.picked.filter((each) => each !== job);
    if (wanted && !refused) view.picked.push(job);
    showPicked(refused);
    remember();
  }

  function fillControls() {
    parts.text.value = view.text;
    if (parts.division) parts.division.value = view.division;
    parts.minimum.value = view.minimum || "";
    parts.complete.checked = view.complete;
    if (parts.baselines) parts.baselines.checked = view.baselines;
    for (const box of parts.columns.querySelectorAll("input")) box.checked = !view.hidden.has(box.value);
  }

  function on(part, event, change) {
    part?.addEventListener(event, () => {
      change();
      filter();
      remember();
    });
  }

  for (const board of boards) {
    for (const head of board.heads) {
      const button = document.createElement("button");
      button.type = "button";
      button.title = board.table.dataset.sortHint;
      const label = document.createElement("span");
      label.append(...head.childNodes);
      button.append(label);
      head.append(button);
      button.addEventListener("click", () => {
        const column = head.dataset.col;
        // Scores begin with the best one; everything else with the least.
        const first = column === "overall" || column.startsWith("d.") ? -1 : 1;
        view.direction = view.column === column ? -view.direction : first;
        view.column = column;
        sort();
        remember();
      });
    }
    for (const row of board.rows) {
      if (row.guest || !drawComparison) continue;
      const tick = document.createElement("input");
      tick.type = "checkbox";
      tick.className = "pick";
      tick.autocomplete = "off";
      tick.setAttribute("aria-label", board.table.dataset.pick.replace("{system}", () => row.element.querySelector("th.system a").textContent));
      tick.addEventListener("change", () => pick(row.job, tick.checked));
      row.tick = tick;
      row.element.cells[1].prepend(tick);
    }
  }
  for (const head of boards[0].heads) {
    if (FIXED.has(head.dataset.col)) continue;
    const label = document.createElement("label");
    label.className = "check";
    const box = document.createElement("input");
    box.type = "checkbox";
    box.value = head.dataset.col;
    box.addEventListener("change", () => {
      if (box.checked) view.hidden.delete(box.value); else view.hidden.add(box.value);
      showColumns([box.value]);
      remember();
    });
    label.append(box, ` ${columnName(head)}`);
    parts.columns.append(label);
  }

  on(parts.text, "input", () => { view.text = parts.text.value; });
  on(parts.division, "change", () => { view.division = parts.division.value; });
  on(parts.minimum, "input", () => { view.minimum = Math.max(0, Number.parseInt(parts.minimum.value, 10) || 0); });
  on(parts.complete, "change", () => { view.complete = parts.complete.checked; });
  on(parts.baselines, "change", () => { view.baselines = parts.baselines.checked; });
  controls.addEventListener("submit", (event) => event.preventDefault());
  controls.querySelector("[data-copy-view]").addEventListener("click", async (event) => {
    await copyText(location.href);
    confirmOn(event.target);
  });
  parts.reset.addEventListener("click", () => {
    const hidden = view.hidden;
    Object.assign(view, { text: "", division: "", minimum: 0, complete: false, baselines: true, column: "rank", direction: 1, hidden: new Set(), picked: [] });
    showColumns(hidden);
    apply();
    parts.text.focus();
  });

  function apply() {
    fillControls();
    filter();
    sort();
    showColumns();
    showPicked();
    remember();
  }

  controls.hidden = false;
  const untouched = location.search === "";
  if (untouched) fillControls(); else apply();
  document.documentElement.dataset.ready = "board";
}

if (tables.length && controls) start();
