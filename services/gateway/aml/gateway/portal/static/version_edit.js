// Editing a version before its full run: the form begins with what is bound, and sends what it then holds.
import { call } from "./api.js";
import { onSubmit } from "./busy_form.js";
import { valuesOf } from "./form_values.js";
import { knownVersions, showVersions } from "./job_form.js";
import { byId } from "./slots.js";
import { t, word } from "./texts.js";

export function mountEdit({ keyOf }) {
  const form = byId("edit-form");
  byId("edit-version").addEventListener("change", showBound);
  onSubmit(form, async () => {
    const version = chosen();
    const change = { description: "", run_instructions: "", ...valuesOf(form) };
    const changed = await call("PATCH", `/versions/${encodeURIComponent(version.version_id)}`, { key: keyOf(), body: change });
    byId("edit-memory_system_key").value = "";
    byId("edit-status").textContent = t(version.smoke_passed && !changed.smoke_passed ? "care.saved_smoke" : "care.saved");
    await showVersions(keyOf());
  });
}

export function offerEdit() {
  const open = knownVersions().filter((each) => !each.frozen && !each.withdrawn_at);
  byId("edit").hidden = open.length === 0;
  const before = byId("edit-version").value;
  byId("edit-version").replaceChildren(...open.map((each) => new Option(`${each.system} ${each.version} · ${word("tracks", each.track)}`, each.version_id)));
  if (open.some((each) => each.version_id === before)) byId("edit-version").value = before;
  else if (open.length) showBound();
}

function chosen() {
  return knownVersions().find((each) => each.version_id === byId("edit-version").value);
}

function showBound() {
  const version = chosen();
  const form = byId("edit-form");
  const bound = { ...version, capacity: { max_add_concurrency: version.max_add_concurrency, max_search_concurrency: version.max_search_concurrency } };
  for (const control of form.elements) {
    if (!control.name || control.name.startsWith("_") || control.type === "password") continue;
    control.value = control.name.split(".").reduce((found, step) => found?.[step], bound) ?? "";
  }
  for (const part of form.querySelectorAll("[data-division]")) part.hidden = part.dataset.division !== version.division;
  byId("edit-status").textContent = "";
}
