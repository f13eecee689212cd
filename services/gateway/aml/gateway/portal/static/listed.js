// A table that is filled from the platform, with its "nothing here" line and a button in each row's head.
import { byId, element, foreign } from "./slots.js";

export function showRows(id, rows) {
  byId(`${id}-none`).hidden = rows.length > 0;
  byId(id).closest(".table-frame").hidden = rows.length === 0;
  byId(id).replaceChildren(...rows);
}

export function pickButton(text, onPick) {
  const button = element("button", "", { type: "button", className: "button quiet small" });
  button.append(typeof text === "string" ? foreign(text) : text);
  button.addEventListener("click", onPick);
  return button;
}

export function sayFailure(id, refusal) {
  byId(`${id}-none`).hidden = false;
  byId(`${id}-none`).textContent = refusal.message;
}
