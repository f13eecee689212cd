// Access requests: what was applied for, what the visit to the endpoints found, and the decision.
import { call, query } from "./api.js";
import { confirmStep } from "./confirm_step.js";
import { showFindings } from "./endpoint_findings.js";
import { instant } from "./formats.js";
import { pickButton, sayFailure, showRows } from "./listed.js";
import { showRecord } from "./record.js";
import { byId, fill, foreign, nameOf, rowOf } from "./slots.js";
import { t, word } from "./texts.js";

let keyNow = () => null;
let shown = null;

export function mountAccesses({ keyOf }) {
  keyNow = keyOf;
  byId("accesses-state").addEventListener("change", showAccesses);
  byId("accesses-refresh").addEventListener("click", showAccesses);
  byId("access-approve").addEventListener("click", () => guarded(approve));
  byId("access-decline").addEventListener("click", () => guarded(decline));
  byId("access-check").addEventListener("click", () => guarded(async () => {
    showFindings(byId("access"), await call("POST", `/access-requests/${encodeURIComponent(shown.access_id)}/check`, { key: keyNow(), body: {} }));
  }));
}

export async function showAccesses() {
  if (!keyNow()) return;
  try {
    const { requests } = await call("GET", `/access-requests${query({ state: byId("accesses-state").value, limit: 200 })}`, { key: keyNow() });
    showRows("accesses", requests.map((each) => rowOf([
      pickButton(nameOf(each.application), () => open(each)),
      foreign(each.application.organisation),
      word("tracks", each.application.track),
      each.endpoint_check ? t(each.endpoint_check.passed ? "check.ok" : "check.bad") : t("check.none"),
      [instant(each.created_at), "nowrap"],
    ])));
  } catch (refusal) {
    sayFailure("accesses", refusal);
  }
}

function open(file) {
  shown = file;
  const panel = byId("access");
  panel.hidden = false;
  fill(panel, { title: nameOf(file.application), state: word("access.states", file.state) });
  showRecord(byId("access-facts"), { access_id: file.access_id, ...file.application, has_memory_system_key: file.has_memory_system_key, for_key_id: file.for_key_id, decided_by: file.decided_by, reason: file.reason, override_reason: file.override_reason });
  showFindings(panel, file.endpoint_check);
  byId("access-actions").hidden = file.state !== "submitted";
  byId("access-status").textContent = "";
  byId("access-title").focus();
}

async function approve() {
  const passed = shown.endpoint_check?.passed === true;
  const answer = await confirmStep({ title: t("review.approve_access"), text: t(passed ? "review.approve_access_text" : "review.approve_unchecked_text"), yes: t("review.approve"), reason: passed ? "optional" : "required" });
  if (!answer) return;
  const body = passed ? { reason: answer.reason } : { override_reason: answer.reason };
  const decided = await call("POST", `/access-requests/${encodeURIComponent(shown.access_id)}/approve`, { key: keyNow(), body });
  await after(t("review.access_approved", { version: decided.version_id ?? "" }));
}

async function decline() {
  const answer = await confirmStep({ title: t("review.decline_access"), text: t("review.decline_access_text"), yes: t("review.decline"), reason: "required" });
  if (!answer) return;
  await call("POST", `/access-requests/${encodeURIComponent(shown.access_id)}/decline`, { key: keyNow(), body: { reason: answer.reason } });
  await after(t("review.access_declined"));
}

async function after(text) {
  byId("access-status").textContent = text;
  byId("access-actions").hidden = true;
  await showAccesses();
}

async function guarded(does) {
  byId("access-status").textContent = t("working");
  try {
    await does();
    if (byId("access-status").textContent === t("working")) byId("access-status").textContent = "";
  } catch (refusal) {
    byId("access-status").textContent = [refusal.message, ...(refusal.fields ?? []).map((each) => `${each.field}: ${each.problem}`)].join(" ");
  }
}
