// Ordering a job: the bound versions, what the release gives, the quotas, and the checklist before a full run.
import { call, query } from "./api.js";
import { onSubmit } from "./busy_form.js";
import { valuesOf } from "./form_values.js";
import { count, instant } from "./formats.js";
import { byId, element, rowOf } from "./slots.js";
import { t, word } from "./texts.js";

let versions = [];
let releases = [];
let keyNow = () => null;

export function mountJobForm({ keyOf, onCreated }) {
  keyNow = keyOf;
  const form = byId("job-form");
  form.elements.version_id.addEventListener("change", showVersion);
  form.elements.release_id.addEventListener("change", showRelease);
  form.elements.mode.addEventListener("change", showMode);
  onSubmit(form, async (once) => {
    const order = valuesOf(form);
    const job = await call("POST", "/jobs", { key: keyOf(), body: order, once });
    byId("job-status").textContent = t("job.created", { id: job.job_id });
    form.elements.run_label.value = "";
    for (const box of byId("checklist").querySelectorAll("input")) box.checked = false;
    await onCreated(job);
  });
}

export async function showVersions(key) {
  [{ versions }, { releases }] = await Promise.all([call("GET", "/versions", { key }), call("GET", "/releases")]);
  const usable = versions.filter((each) => !each.withdrawn_at);
  byId("no-versions").hidden = usable.length > 0;
  byId("job-form").hidden = usable.length === 0;
  const before = byId("version_id").value;
  byId("version_id").replaceChildren(...usable.map((each) => new Option(`${each.system} ${each.version} · ${word("tracks", each.track)}`, each.version_id)));
  if (usable.some((each) => each.version_id === before)) byId("version_id").value = before;
  if (usable.length) showVersion();
}

export function knownVersions() {
  return versions;
}

function chosenVersion() {
  return versions.find((each) => each.version_id === byId("version_id").value);
}

function chosenRelease() {
  return releases.find((each) => each.release_id === byId("release_id").value);
}

function showVersion() {
  const version = chosenVersion();
  const fitting = releases.filter((each) => each.track === version.track);
  const before = byId("release_id").value;
  byId("release_id").replaceChildren(...fitting.map((each) => new Option(each.title, each.release_id, each.default, each.default)));
  if (fitting.some((each) => each.release_id === before)) byId("release_id").value = before;
  const add = byId("add_concurrency");
  const search = byId("search_concurrency");
  [add.max, add.placeholder] = [version.max_add_concurrency, String(version.max_add_concurrency)];
  [search.max, search.placeholder] = [version.max_search_concurrency, String(version.max_search_concurrency)];
  const states = [t(version.smoke_passed ? "version.smoke_passed" : "version.smoke_missing")];
  if (version.frozen) states.push(t("version.frozen"));
  if (version.active_job_id) states.push(t("version.active", { id: version.active_job_id }));
  byId("version-state").textContent = states.join(" · ");
  showRelease();
}

function showRelease() {
  const release = chosenRelease();
  byId("top-k").textContent = release ? count(release.top_k) : t("none");
  showMode();
  showQuotas();
}

function showMode() {
  const full = byId("mode").value === "full";
  byId("checklist").hidden = !full;
  const release = chosenRelease();
  const datasets = release ? (full ? release.contract.datasets : release.contract.smoke_datasets) : [];
  byId("datasets").textContent = datasets.map((each) => t("job.dataset", { name: each.name, n: count(each.questions) })).join(", ") || t("none");
}

async function showQuotas() {
  const version = chosenVersion();
  const release = chosenRelease();
  const place = byId("quotas");
  if (!version || !release) {
    place.replaceChildren();
    return;
  }
  try {
    const { quotas } = await call("GET", `/quotas${query({ track: version.track, release_id: release.release_id })}`, { key: keyNow() });
    place.replaceChildren(...quotas.map((quota) => rowOf([word("modes", quota.mode), [used(quota), "num"], next(quota)])));
  } catch (refusal) {
    const row = rowOf([refusal.message]);
    row.firstChild.colSpan = 3;
    place.replaceChildren(row);
  }
}

function used(quota) {
  const hour = quota.limit_in_hour === null || quota.limit_in_hour === undefined ? "" : ` · ${t("quota.hour", { used: quota.used_in_hour, limit: quota.limit_in_hour })}`;
  return `${count(quota.used)} / ${count(quota.limit)}${hour}`;
}

function next(quota) {
  if (quota.possible_now) return t("quota.now");
  const why = word("quota_reasons", quota.reason);
  if (quota.available_at) {
    const text = element("span", `${why} `);
    text.append(element("time", t("quota.at", { when: instant(quota.available_at) }), { dateTime: quota.available_at }));
    return text;
  }
  return quota.active_job_id ? `${why} (${quota.active_job_id})` : why;
}
