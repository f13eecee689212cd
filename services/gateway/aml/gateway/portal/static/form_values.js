// A form's content as the JSON that the API takes: dotted names nest, empty fields are left out.

export function valuesOf(form) {
  const values = {};
  for (const control of form.elements) {
    if (!control.name || control.disabled || control.type === "submit" || control.closest("[hidden]") || control.name.startsWith("_")) continue;
    const value = valueOf(control);
    if (value !== undefined) put(values, control.name.split("."), value);
  }
  return values;
}

function valueOf(control) {
  if (control.type === "checkbox") return control.checked;
  if (control.type === "radio") return control.checked ? control.value : undefined;
  if (control.type === "file") return undefined;
  const text = control.type === "password" ? control.value : control.value.trim();
  if (text === "") return undefined;
  if (control.dataset.kind === "lines") return text.split("\n").map((line) => line.trim()).filter(Boolean);
  return control.dataset.kind === "integer" && /^-?\d+$/.test(text) ? Number(text) : text;
}

function put(values, [step, ...rest], value) {
  if (rest.length === 0) values[step] = value;
  else put((values[step] ??= {}), rest, value);
}
