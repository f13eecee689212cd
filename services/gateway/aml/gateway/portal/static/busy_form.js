// Sending a form once: the button rests while the answer is awaited, and a refusal is shown where it belongs.
import { onceOnly } from "./api.js";
import { clearErrors, missingFields, showRefusal } from "./form_errors.js";
import { t } from "./texts.js";

/** `send(once)` gets the same `once` for the same content, so that a second click creates nothing twice. */
export function onSubmit(form, send) {
  let sent = null;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = event.submitter ?? form.querySelector("[type=submit]");
    if (button.getAttribute("aria-disabled") === "true") return;
    clearErrors(form);
    const said = form.querySelector("[role=status]");
    if (said) said.textContent = "";
    const missing = missingFields(form);
    if (missing.length) {
      showRefusal(form, { message: t("form.correct"), fields: missing });
      return;
    }
    const content = [...new FormData(form).entries()].map(([name, value]) => `${name}=${value?.name ?? value}`).join("\n");
    if (sent?.content !== content) sent = { content, once: onceOnly() };
    button.setAttribute("aria-disabled", "true");
    try {
      await send(sent.once);
      sent = null;
    } catch (refusal) {
      if (refusal.message === undefined) throw refusal;
      showRefusal(form, refusal);
    } finally {
      button.removeAttribute("aria-disabled");
    }
  });
}
