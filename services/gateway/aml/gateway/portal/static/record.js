// A thing's fields as a list of terms, for those who must read all of it. Every value is somebody else's text.
import { element, foreign } from "./slots.js";
import { t, word } from "./texts.js";

export function showRecord(place, thing) {
  place.replaceChildren(...termsOf(thing, ""));
}

function termsOf(thing, before) {
  return Object.entries(thing).flatMap(([name, value]) => {
    const path = before ? `${before}.${name}` : name;
    if (value === null || value === undefined || value === "") return [];
    if (Array.isArray(value)) return value.length ? pair(path, value.join("\n")) : [];
    if (typeof value === "object") return termsOf(value, path);
    return pair(path, typeof value === "boolean" ? t(value ? "yes" : "no") : String(value));
  });
}

function pair(path, text) {
  const value = element("dd");
  value.append(foreign(text));
  return [element("dt", word("fields", path.replaceAll(".", "_"))), value];
}

export function checkItem(tag, className, ...lines) {
  const item = element("li");
  const text = element("span");
  for (const [place, line] of lines.filter(Boolean).entries()) text.append(...(place ? [element("br")] : []), line);
  item.append(element("span", tag, { className: `tag ${className}` }), text);
  return item;
}

export function orNothing(items) {
  return items.length ? items : [lineItem(t("nothing"))];
}

/** A list's only line, where there is nothing to list. */
export function lineItem(text) {
  return element("li", text, { className: "plain" });
}
