// The key's form on each page that needs one: asks the platform whose key it is, and says so.
import { call } from "./api.js";
import { clearErrors, showRefusal } from "./form_errors.js";
import { forgetKey, keepKey, readKey } from "./session_key.js";
import { byId, fill } from "./slots.js";
import { t, word } from "./texts.js";

/** Calls `onKnown(me, key)` for a good key of one of `roles`, `onGone()` when it was forgotten. */
export function mountKey({ roles, onKnown, onGone = () => {} }) {
  const form = byId("key-form");
  const status = byId("key-status");

  const verify = async (key, { quiet }) => {
    status.textContent = t("key.asking");
    try {
      const me = await call("GET", "/me", { key });
      if (!roles.includes(me.role)) {
        status.textContent = t("key.other_role", { role: word("roles", me.role), needed: roles.map((role) => word("roles", role)).join(" / ") });
        return;
      }
      keepKey(key);
      clearErrors(form);
      form.elements.key.value = "";
      form.hidden = true;
      fill(byId("key-known"), { role: word("roles", me.role), label: me.label, prefix: `${me.prefix}…` });
      byId("key-known").hidden = false;
      document.body.classList.add("has-key");
      status.textContent = t("key.verified");
      await onKnown(me, key);
    } catch (refusal) {
      status.textContent = "";
      if (refusal.status === 401) forgetKey();
      if (!quiet || refusal.status !== 401) showRefusal(form, refusal);
    }
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const key = form.elements.key.value.trim();
    if (!key) {
      showRefusal(form, { message: t("form.correct"), fields: [{ field: "key", problem: t("form.missing") }] });
      return;
    }
    await verify(key, { quiet: false });
    if (form.hidden) byId("key-forget").focus();
  });

  byId("key-forget").addEventListener("click", () => {
    forgetKey();
    byId("key-known").hidden = true;
    form.hidden = false;
    document.body.classList.remove("has-key");
    status.textContent = t("key.forgotten");
    form.elements.key.focus();
    onGone();
  });

  const kept = readKey();
  if (kept) verify(kept, { quiet: true });
}
