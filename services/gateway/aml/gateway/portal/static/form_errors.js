// What is wrong with a form: a summary that takes the focus, linked to each field, and the problem beside the field.
import { element } from "./slots.js";
import { t } from "./texts.js";

export function showRefusal(form, refusal) {
  clearErrors(form);
  const summary = form.querySelector("[data-errors]");
  const parts = [element("h3", t("form.not_sent")), element("p", refusal.message)];
  if (refusal.fields?.length) {
    const items = element("ul");
    for (const { field, problem } of refusal.fields) items.append(itemOf(form, field, problem));
    parts.push(items);
  }
  summary.replaceChildren(...parts);
  summary.hidden = false;
  summary.focus();
}

function itemOf(form, field, problem) {
  const item = element("li");
  const control = controlOf(form, field);
  if (!control) {
    item.textContent = `${field}: ${problem}`;
    return item;
  }
  const label = form.querySelector(`label[for="${control.id}"]`)?.firstChild?.textContent.trim().replace(/[.。]$/, "") ?? field;
  const link = element("a", `${label}: ${problem}`, { href: `#${control.id}` });
  link.addEventListener("click", (event) => {
    event.preventDefault();
    for (let around = control.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
    control.focus();
  });
  item.append(link);
  mark(control, problem);
  return item;
}

/** By the field's own name, or by the nearest one around it: `checklist` for `checklist.smoke_passed`. */
function controlOf(form, field) {
  const controls = [...form.elements].filter((each) => each.name);
  const wanted = field.replace(/\[\d+\]/g, "");
  return controls.find((each) => each.name === wanted) ?? controls.find((each) => each.name.startsWith(`${wanted}.`)) ?? controls.find((each) => each.name.split(".").at(-1) === wanted);
}

function mark(control, problem) {
  const note = element("p", problem, { className: "problem", id: `${control.id}-problem` });
  control.setAttribute("aria-invalid", "true");
  control.dataset.described = control.getAttribute("aria-describedby") ?? "";
  control.setAttribute("aria-describedby", `${control.dataset.described} ${note.id}`.trim());
  control.closest("[data-field]")?.append(note);
}

export function clearErrors(form) {
  const summary = form.querySelector("[data-errors]");
  summary.hidden = true;
  summary.replaceChildren();
  for (const note of form.querySelectorAll(".problem[id]")) note.remove();
  for (const control of form.querySelectorAll("[aria-invalid]")) {
    control.removeAttribute("aria-invalid");
    if (control.dataset.described) control.setAttribute("aria-describedby", control.dataset.described);
    else control.removeAttribute("aria-describedby");
  }
}

/** Required fields that are empty, in the form's order. The platform checks everything again. */
export function missingFields(form) {
  return [...form.elements]
    .filter((each) => each.name && each.required && !each.disabled && !each.closest("[hidden]") && (each.type === "checkbox" ? !each.checked : !each.value.trim()))
    .map((each) => ({ field: each.name, problem: t(each.type === "checkbox" ? "form.unconfirmed" : "form.missing") }));
}
