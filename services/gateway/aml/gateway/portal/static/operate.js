// The operators' console: what runs, what stands still, and the keys.
import { call } from "./api.js";
import { onSubmit } from "./busy_form.js";
import { confirmStep } from "./confirm_step.js";
import { mountCopyButtons } from "./copy_button.js";
import { valuesOf } from "./form_values.js";
import { count, instant } from "./formats.js";
import { sayFailure, showRows } from "./listed.js";
import { checkItem } from "./record.js";
import { byId, element, fill, foreign, nameOf, rowOf } from "./slots.js";
import { t, word } from "./texts.js";
import { mountKey } from "./verify_key.js";

let key = null;

async function showAll() {
  await Promise.all([showOverview(), showParked(), showKeys()]);
}

async function showOverview() {
  let overview;
  try {
    overview = await call("GET", "/operator/overview", { key });
  } catch (refusal) {
    byId("overview-status").textContent = refusal.message;
    return;
  }
  byId("overview-status").textContent = t("operate.asked", { when: instant(new Date().toISOString()) });
  const problems = Object.entries(overview.problems).map(([name, problem]) => checkItem(name, "warn", foreign(problem)));
  byId("problems").replaceChildren(...(problems.length ? problems : [checkItem("✓", "fine", t("operate.all_well"))]));
  fill(byId("numbers"), Object.fromEntries(["parked", "outbox_waiting", "projection_waiting", "open_access_requests", "open_reviews", "open_proposals", "overdue_attestations"].map((name) => [name, count(overview[name])])));
  showRows("open_jobs", overview.open_jobs.map(jobRow));
  showRows("lanes", (overview.lanes ?? []).map((lane) => rowOf([element("code", lane.name), [count(lane.waiting), "num"], [count(lane.in_work), "num"], [count(lane.given_again), "num"], [count(lane.slots), "num"]])));
}

function jobRow(job) {
  const name = element("span");
  name.append(nameOf(job), element("small", job.job_id));
  return rowOf([name, foreign(job.organisation), word("modes", job.mode), word("job_states", job.state), [`${count(job.ended)} / ${count(job.questions)}`, "num"], [count(job.parked), "num"], [instant(job.last_at), "nowrap"], button(t("operate.cancel"), "danger", () => cancel(job))]);
}

async function showParked() {
  try {
    const { parked } = await call("GET", "/operator/parked", { key });
    showRows("parked", parked.map((each) => rowOf([element("code", each.unit.slice(0, 20)), element("code", each.job_id), word("stages", each.stage), foreign(each.error), [instant(each.parked_at), "nowrap"], button(t("operate.requeue"), "quiet", () => requeue(each.job_id))])));
  } catch (refusal) {
    sayFailure("parked", refusal);
  }
}

async function showKeys() {
  try {
    const { keys } = await call("GET", "/operator/keys?limit=500", { key });
    showRows("keys", keys.map((each) => rowOf([foreign(each.label), word("roles", each.role), element("code", each.prefix ? `${each.prefix}…` : t("none")), [instant(each.created_at), "nowrap"], keyState(each), each.revoked_at ? "" : button(t("operate.revoke"), "danger", () => revoke(each))])));
  } catch (refusal) {
    sayFailure("keys", refusal);
  }
}

function keyState(each) {
  if (each.revoked_at) return t("operate.revoked", { when: instant(each.revoked_at) });
  if (each.expires_at) return t("operate.expires", { when: instant(each.expires_at) });
  return each.prefix ? t("operate.valid") : t("operate.unclaimed");
}

function button(text, kind, does) {
  const made = element("button", text, { type: "button", className: `button ${kind} small` });
  made.addEventListener("click", async () => {
    try {
      await does();
    } catch (refusal) {
      byId("overview-status").textContent = refusal.message;
      byId("keys-status").textContent = refusal.message;
    }
  });
  return made;
}

async function cancel(job) {
  const answer = await confirmStep({ title: t("job.cancel_title"), text: `${job.system} ${job.version} · ${job.job_id}`, yes: t("job.cancel_yes"), reason: "required" });
  if (!answer) return;
  await call("POST", `/jobs/${encodeURIComponent(job.job_id)}/cancel`, { key, body: { reason: answer.reason } });
  await showOverview();
}

async function requeue(jobId) {
  const answer = await confirmStep({ title: t("operate.requeue_title"), text: t("operate.requeue_text", { id: jobId }), yes: t("operate.requeue") });
  if (!answer) return;
  await call("POST", `/operator/jobs/${encodeURIComponent(jobId)}/requeue`, { key });
  await showAll();
}

async function revoke(each) {
  const answer = await confirmStep({ title: t("operate.revoke_title", { label: each.label }), text: t("operate.revoke_text"), yes: t("operate.revoke"), reason: "required" });
  if (!answer) return;
  await call("POST", `/operator/keys/${encodeURIComponent(each.key_id)}/revoke`, { key, body: { reason: answer.reason } });
  await showKeys();
}

onSubmit(byId("key-order-form"), async (once) => {
  const order = valuesOf(byId("key-order-form"));
  const until = byId("order-expires").value;
  const body = until ? { ...order, expires_at: `${until}T23:59:59Z` } : order;
  const made = await call("POST", "/operator/keys", { key, body, once });
  byId("made-key").textContent = made.key;
  byId("made").hidden = false;
  mountCopyButtons(byId("made"));
  byId("made").focus();
  byId("order-label").value = "";
  await showKeys();
});

byId("overview-refresh").addEventListener("click", showAll);
mountKey({
  roles: ["operator"],
  onKnown: async (_me, known) => {
    key = known;
    await showAll();
  },
  onGone: () => {
    key = null;
    for (const id of ["open_jobs", "parked", "lanes", "keys"]) byId(id).replaceChildren();
  },
});
