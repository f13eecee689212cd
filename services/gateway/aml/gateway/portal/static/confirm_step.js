// One more step before what cannot be taken back. The dialog is the page's own; Escape means no.
import { byId, fill, slot } from "./slots.js";
import { t } from "./texts.js";

/** Resolves to `{reason}` for yes and to null for no. `reason`: null asks for none, "optional" or "required". */
export function confirmStep({ title, text, yes, reason = null }) {
  const dialog = byId("confirm");
  const field = dialog.querySelector("[data-reason]");
  const box = byId("confirm-reason");
  fill(dialog, { title, text, yes, reason_label: t(reason === "required" ? "confirm.reason_required" : "confirm.reason") });
  field.hidden = reason === null;
  box.value = "";
  const problem = slot(dialog, "problem");
  problem.hidden = true;
  dialog.returnValue = "no";
  const refuse = (event) => {
    if (event.submitter?.value === "yes" && reason === "required" && !box.value.trim()) {
      event.preventDefault();
      problem.textContent = t("form.missing");
      problem.hidden = false;
      box.focus();
    }
  };
  const form = dialog.querySelector("form");
  form.addEventListener("submit", refuse);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener(
      "close",
      () => {
        form.removeEventListener("submit", refuse);
        resolve(dialog.returnValue === "yes" ? { reason: box.value.trim() } : null);
      },
      { once: true },
    );
  });
}
