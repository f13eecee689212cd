// Filling what the server's templates left open. Text goes in as text and is never read as HTML.

/** A copy of `<template id>`'s only element, its slots filled. */
export function copyOf(id, values = {}) {
  const node = document.getElementById(id).content.firstElementChild.cloneNode(true);
  fill(node, values);
  return node;
}

/** Sets `[data-slot=name]` to each value. A missing value leaves the slot; null empties it. */
export function fill(node, values) {
  for (const [name, value] of Object.entries(values)) {
    const found = node.dataset?.slot === name ? [node] : [];
    for (const slot of [...found, ...node.querySelectorAll(`[data-slot="${name}"]`)]) {
      if (value instanceof Node) slot.replaceChildren(value);
      else if (slot.localName === "progress") setProgress(slot, value);
      else slot.textContent = value ?? "";
    }
  }
}

function setProgress(bar, { done, total }) {
  if (total === null || total === undefined) bar.removeAttribute("value");
  else {
    bar.max = Math.max(1, total);
    bar.value = total === 0 ? 1 : done;
  }
}

export function slot(node, name) {
  return node.querySelector(`[data-slot="${name}"]`);
}

export function byId(id) {
  return document.getElementById(id);
}

/** An element with text; for the few that no template holds. */
export function element(name, text, properties = {}) {
  const node = document.createElement(name);
  if (text !== undefined) node.textContent = text;
  Object.assign(node, properties);
  return node;
}

/** A text of others, kept apart from the direction of the text around it. */
export function foreign(text) {
  return element("bdi", text);
}

/** A system and its version, each kept apart: a right-to-left name would else turn the number around. */
export function nameOf({ system, version }) {
  return list(foreign(system), " ", foreign(version));
}

export function rowOf(cells, head = true) {
  const row = document.createElement("tr");
  for (const [place, content] of cells.entries()) {
    const isHead = head && place === 0;
    const cell = document.createElement(isHead ? "th" : "td");
    if (isHead) cell.scope = "row";
    const [value, className] = Array.isArray(content) ? content : [content, ""];
    if (className) cell.className = className;
    if (value instanceof Node) cell.append(value);
    else cell.textContent = value ?? "";
    row.append(cell);
  }
  return row;
}

export function list(...nodes) {
  const parts = document.createDocumentFragment();
  parts.append(...nodes);
  return parts;
}
