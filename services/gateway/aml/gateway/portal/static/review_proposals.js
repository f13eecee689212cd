// Benchmarks that were offered: the profile, what the package holds, and the decision.
import { call, query } from "./api.js";
import { confirmStep } from "./confirm_step.js";
import { download } from "./download.js";
import { bytes, count, instant } from "./formats.js";
import { pickButton, sayFailure, showRows } from "./listed.js";
import { checkItem, orNothing, showRecord } from "./record.js";
import { byId, element, fill, foreign, rowOf } from "./slots.js";
import { t, word } from "./texts.js";

let keyNow = () => null;
let shown = null;

export function mountProposals({ keyOf }) {
  keyNow = keyOf;
  byId("proposals-state").addEventListener("change", showProposals);
  byId("proposals-refresh").addEventListener("click", showProposals);
  byId("proposal-download").addEventListener("click", () => guarded(() => download(`/benchmark-proposals/${encodeURIComponent(shown.proposal_id)}/package`, shown.package.name, keyNow())));
  for (const button of byId("proposal").querySelectorAll("[data-proposal]")) button.addEventListener("click", () => guarded(() => decide(button.dataset.proposal)));
}

export async function showProposals() {
  if (!keyNow()) return;
  try {
    const { proposals } = await call("GET", `/benchmark-proposals${query({ state: byId("proposals-state").value, limit: 200 })}`, { key: keyNow() });
    showRows("proposals", proposals.map((each) => rowOf([
      pickButton(each.title, () => guarded(() => open(each.proposal_id))),
      foreign(each.organisation),
      word("tracks", each.track),
      foreign(each.license),
      [each.package_bytes === null ? t("none") : bytes(each.package_bytes), "num"],
    ])));
  } catch (refusal) {
    sayFailure("proposals", refusal);
  }
}

async function open(id) {
  shown = await call("GET", `/benchmark-proposals/${encodeURIComponent(id)}`, { key: keyNow() });
  const panel = byId("proposal");
  panel.hidden = false;
  fill(panel, { title: shown.proposal.title, state: word("proposal_states", shown.state) });
  showRecord(byId("proposal-facts"), { proposal_id: shown.proposal_id, ...shown.proposal });
  const held = shown.package;
  const members = (held?.report.members ?? []).slice(0, 50).map((each) => checkItem(each.data?.format ?? "·", "", foreign(each.name), element("small", [bytes(each.bytes), each.data?.rows ? t("proposal.rows", { n: count(each.data.rows) }) : "", (each.data?.fields ?? []).join(", ")].filter(Boolean).join(" · "))));
  const missing = (held?.report.missing ?? []).map((each) => checkItem(t("proposal.lacks"), "warn", word("proposal.missing", each)));
  const history = shown.decisions.map((each) => checkItem(word("proposal_decisions", each.decision), "", foreign(each.reason), element("small", `${each.reviewer} · ${instant(each.decided_at)}`)));
  byId("proposal-package").replaceChildren(...orNothing([...members, ...missing, ...history]));
  byId("proposal-download").hidden = !held;
  for (const button of panel.querySelectorAll("[data-proposal]")) button.hidden = !["submitted", "more_asked"].includes(shown.state);
  byId("proposal-title").focus();
}

async function decide(decision) {
  const answer = await confirmStep({ title: t("review.confirm", { decision: word("proposal_verbs", decision) }), text: t("review.proposal_text"), yes: word("proposal_verbs", decision), reason: "required" });
  if (!answer) return;
  await call("POST", `/benchmark-proposals/${encodeURIComponent(shown.proposal_id)}/decision`, { key: keyNow(), body: { decision, reason: answer.reason } });
  await open(shown.proposal_id);
  await showProposals();
}

async function guarded(does) {
  const line = byId("proposal-status");
  line.textContent = "";
  try {
    await does();
  } catch (refusal) {
    line.textContent = refusal.message;
  }
}
