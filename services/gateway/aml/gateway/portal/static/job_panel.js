// One job as it goes: stages, counts, what holds it up, and what its owner may do about it.
import { call } from "./api.js";
import { attestDeletion } from "./attest_deletion.js";
import { confirmStep } from "./confirm_step.js";
import { count, instant, seconds } from "./formats.js";
import { watchJob } from "./progress_stream.js";
import { byId, element, fill, foreign, rowOf } from "./slots.js";
import { t, word } from "./texts.js";

const STAGES = ["ingest", "retrieval", "answer", "scoring"];
const SAY_EVERY_MS = 5000;

let watching = null;
let current = null;
let keyNow = () => null;
let created = () => {};
let attested = () => {};
let saidAt = 0;

export function mountJobPanel({ keyOf, onCreated, onAttested }) {
  keyNow = keyOf;
  created = onCreated;
  attested = onAttested;
  byId("job-cancel").addEventListener("click", () => act(cancel));
  byId("job-resume").addEventListener("click", () => act(resume));
  byId("job-contract").addEventListener("click", () => act(showContract));
  byId("job-attest").addEventListener("click", () => act(attest));
}

export function stopWatching() {
  watching?.abort();
  watching = null;
}

export async function showJob(job, key, { onEnd }) {
  stopWatching();
  const own = new AbortController();
  watching = own;
  saidAt = 0;
  byId("current").hidden = false;
  byId("contract-report").hidden = true;
  byId("job-action-status").textContent = "";
  for (const id of ["results", "questions", "comparison"]) byId(id).hidden = true;
  show(job);
  if (job.stage === "ended") {
    await onEnd(job);
    return;
  }
  watchJob(job.job_id, key, {
    signal: own.signal,
    onJob: (fresh) => {
      if (own.signal.aborted) return;
      show(fresh);
      if (fresh.stage === "ended") onEnd(fresh);
    },
    onTrouble: (refusal) => { byId("progress-line").textContent = t("job.trouble", { why: refusal.message }); },
  }).catch((refusal) => { byId("progress-line").textContent = refusal.message; });
}

function show(job) {
  current = job;
  const panel = byId("current");
  fill(panel, {
    run_label: job.run_label,
    job_id: job.job_id,
    state: word("job_states", job.state),
    mode: word("modes", job.mode),
    queue_place: count(job.queue_place),
    rate: job.rate_per_second === null ? t("none") : t("job.rate", { n: job.rate_per_second }),
    eta: seconds(job.eta_seconds),
    heartbeat: seconds(job.heartbeat_age_seconds),
    retries: t("job.retries", { retries: count(job.retries), requeued: count(job.requeued) }),
    parked: count(job.parked),
    questions: t("job.questions", { scored: count(job.counts.scored), planned: count(job.counts.planned), unscored: count(job.counts.unscored) }),
    gate: job.mode === "smoke" ? t("job.gate_of_smoke") : job.decision ? word("decisions", job.decision) : word("gates", job.gate),
  });
  for (const stage of job.stages) {
    fill(panel, { [`bar_${stage.stage}`]: stage, [`done_${stage.stage}`]: `${count(stage.done)} / ${count(stage.total)}` });
  }
  for (const line of panel.querySelectorAll("[data-stage]")) line.classList.toggle("now", line.dataset.stage === job.stage);
  byId("stalled").hidden = !job.stalled;
  if (job.stalled) fill(panel, { stall_since: t("job.stall_since", { time: seconds(job.stalled.since_seconds), stage: word("stages", job.stalled.stage), reason: word("stall_reasons", job.stalled.reason) }), stall_why: job.stalled.why });
  byId("failure").hidden = !job.failure;
  if (job.failure) fill(panel, { failure: [word("stages", job.failure.stage), word("unscored_reasons", job.failure.reason), job.failure.detail].filter(Boolean).join(" · ") });
  showErrors(job.errors ?? []);
  const live = ["queued", "running"].includes(job.state);
  byId("job-cancel").hidden = !live;
  byId("job-resume").hidden = !(["failed", "cancelled"].includes(job.state) || (live && job.parked > 0));
  byId("job-contract").hidden = job.mode !== "smoke";
  byId("job-attest").hidden = live;
  say(job);
}

/** The live region speaks at most every few seconds, and at once when the state changes. */
function say(job) {
  const line = byId("progress-line");
  const changed = line.dataset.state !== `${job.job_id} ${job.state} ${job.stage}`;
  if (!changed && Date.now() - saidAt < SAY_EVERY_MS) return;
  saidAt = Date.now();
  line.dataset.state = `${job.job_id} ${job.state} ${job.stage}`;
  const scored = job.counts.scored + job.counts.unscored;
  line.textContent = job.stage === "ended" ? t("job.ended", { state: word("job_states", job.state), when: instant(job.ended_at) }) : t("job.now", { stage: word("stages", job.stage), done: count(scored), total: count(job.counts.planned) });
}

function showErrors(errors) {
  byId("job-errors").hidden = errors.length === 0;
  byId("error-rows").replaceChildren(...errors.map((each) => rowOf([word("stages", each.stage), word("unscored_reasons", each.reason), [count(each.questions), "num"], foreign(each.example)])));
}

async function act(does) {
  const line = byId("job-action-status");
  line.textContent = "";
  try {
    await does(line);
  } catch (refusal) {
    line.textContent = refusal.message;
  }
}

async function cancel(line) {
  const answer = await confirmStep({ title: t("job.cancel_title"), text: t("job.cancel_text"), yes: t("job.cancel_yes"), reason: "optional" });
  if (!answer) return;
  show(await call("POST", `/jobs/${encodeURIComponent(current.job_id)}/cancel`, { key: keyNow(), body: answer.reason ? { reason: answer.reason } : {} }));
  line.textContent = t("job.cancelled");
}

async function resume(line) {
  const answer = await confirmStep({ title: t("job.resume_title"), text: t("job.resume_text"), yes: t("job.resume_yes") });
  if (!answer) return;
  const resumed = await call("POST", `/jobs/${encodeURIComponent(current.job_id)}/resume`, { key: keyNow(), body: {} });
  line.textContent = t(resumed.how === "new_job" ? "job.resumed_new" : "job.resumed_again", { id: resumed.job.job_id });
  if (resumed.how === "new_job") await created(resumed.job);
  else show(resumed.job);
}

async function showContract() {
  const report = await call("GET", `/jobs/${encodeURIComponent(current.job_id)}/contract`, { key: keyNow() });
  byId("contract-findings").replaceChildren(...report.checks.map((check) => {
    const item = element("li");
    const text = element("span");
    text.append(element("strong", check.title), element("br"), foreign(check.finding));
    if (check.mend) text.append(element("br"), foreign(check.mend));
    item.append(element("span", word("check_outcomes", check.outcome), { className: `tag ${check.outcome === "failed" ? "warn" : check.outcome === "passed" ? "fine" : ""}` }), text);
    return item;
  }));
  byId("contract-report").hidden = false;
}

async function attest(line) {
  if (!(await attestDeletion(current.job_id, keyNow()))) return;
  line.textContent = t("attest.done");
  await attested();
}
