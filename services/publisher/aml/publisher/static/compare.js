// The rows that are ticked, side by side. Figures come from the tables; those by capability from the board's rows.json, where
// it can be read (a page that was opened from a file shows the others).
"use strict";

const AML_COMPARE_LIMIT = 8;

function compareArea(area, onRemove, onClear) {
  const head = area.querySelector("thead tr");
  const body = area.querySelector("tbody");
  const state = area.querySelector("[data-compare-state]");
  let details = null;
  area.querySelector("[data-compare-clear]").addEventListener("click", onClear);

  function cell(tag, text, className) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.textContent = text;
    return made;
  }

  function heading(row) {
    const made = document.createElement("th");
    made.scope = "col";
    made.className = "num";
    const name = document.createElement("bdi");
    const link = row.querySelector("th.system a");
    name.textContent = link.textContent;
    const anchor = document.createElement("a");
    anchor.href = link.href;
    anchor.append(name);
    const version = cell("small", row.querySelector("th.system small bdi").textContent);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "remove";
    button.textContent = "×";
    button.setAttribute("aria-label", area.dataset.remove.replace("{system}", () => link.textContent));
    button.addEventListener("click", () => onRemove(row.dataset.job));
    made.append(anchor, button, version);
    return made;
  }

  // `values` are millionths or other numbers; only scores (0 to 100) get a difference.
  function line(name, texts, values, isScore) {
    const made = document.createElement("tr");
    const title = cell("th", name);
    title.scope = "row";
    made.append(title);
    texts.forEach((text, place) => {
      const each = cell("td", text, "num");
      const [first, own] = [values[0], values[place]];
      if (isScore && place > 0 && first !== null && own !== null) {
        const tenths = Math.round(own / 1000) - Math.round(first / 1000);
        each.append(cell("small", `${tenths > 0 ? "+" : tenths < 0 ? "−" : "±"}${(Math.abs(tenths) / 10).toFixed(1)}`));
      }
      made.append(each);
    });
    return made;
  }

  function fromTables(rows) {
    const heads = [...rows[0].closest("table").tHead.rows[0].cells];
    return heads.map((th, column) => [th, column]).filter(([th]) => !["rank", "system", "date", "gate"].includes(th.dataset.col)).map(([th, column]) => {
      const cells = rows.map((row) => row.cells[column]);
      const texts = cells.map((each) => (each.querySelector(".score") ?? each.firstChild).textContent.trim());
      const values = cells.map((each) => (each.dataset.value === "" ? null : Number(each.dataset.value)));
      return line(columnName(th), texts, values, th.dataset.col === "overall" || th.dataset.col.startsWith("d."));
    });
  }

  function fromDetails(rows) {
    if (!details) return [];
    const found = rows.map((row) => details.get(row.dataset.job)?.capabilities ?? {});
    const names = Object.keys(area.dataset).filter((key) => key.startsWith("capability"));
    return names.flatMap((key) => {
      const capability = key.replace("capability", "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, "");
      const scores = found.map((each) => each[capability]?.score ?? null);
      if (scores.every((each) => each === null)) return [];
      const texts = scores.map((each) => (each === null ? "—" : (Math.round(each / 1000) / 10).toFixed(1)));
      return [line(area.dataset[key], texts, scores, true)];
    });
  }

  async function load() {
    details = new Map();
    try {
      const answer = await fetch(area.dataset.rows);
      if (answer.ok) details = new Map((await answer.json()).rows.map((row) => [row.job_id, row]));
    } catch {
      // A page opened from a file may not read another one: the tables' own figures stay.
    }
  }

  async function show(rows, refused) {
    area.hidden = rows.length === 0;
    if (area.hidden) return;
    const draw = () => {
      head.replaceChildren(head.firstElementChild, ...rows.map(heading));
      body.replaceChildren(...fromTables(rows), ...fromDetails(rows));
      state.textContent = refused ? area.dataset.many : rows.length === 1 ? area.dataset.one : "";
    };
    draw();
    if (details === null) {
      await load();
      latest();
    }
  }

  let latest = () => {};
  return (rows, refused = false) => {
    latest = () => show(rows, refused);
    return latest();
  };
}
