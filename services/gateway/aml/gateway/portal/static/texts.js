// The scripts' words, out of the same catalogue as the pages'.
export const language = document.documentElement.lang.startsWith("zh") ? "zh" : "en";

const { default: texts } = await import(`./texts_${language}.js`);

function find(key) {
  return key.split(".").reduce((found, step) => found?.[step], texts);
}

/** The text of `key`, with `{name}` filled in. An unknown key shows itself. */
export function t(key, values = {}) {
  const text = find(key);
  if (typeof text !== "string") return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** A word of a closed list, such as a state's; a word that is not in the catalogue is shown as it is. */
export function word(group, value) {
  if (value === null || value === undefined) return t("none");
  const text = find(`${group}.${value}`);
  return typeof text === "string" ? text : String(value);
}
