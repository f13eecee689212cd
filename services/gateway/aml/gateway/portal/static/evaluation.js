// The evaluation page: a key, its versions and quotas, a job's order, its progress and its results.
import { call } from "./api.js";
import { mountCare, showCare } from "./evaluation_care.js";
import { mountComparison, offerComparison } from "./job_comparison.js";
import { mountJobForm, showVersions } from "./job_form.js";
import { mountJobPanel, showJob, stopWatching } from "./job_panel.js";
import { mountQuestions, showQuestions } from "./job_questions.js";
import { mountResults, showResults } from "./job_results.js";
import { instant } from "./formats.js";
import { byId, element, foreign, nameOf, rowOf } from "./slots.js";
import { word } from "./texts.js";
import { readState, writeState } from "./url_state.js";
import { mountKey } from "./verify_key.js";

const page = { key: null, jobs: [], job: null };

async function loadJobs() {
  const { jobs } = await call("GET", "/jobs?limit=100", { key: page.key });
  page.jobs = jobs;
  byId("no-jobs").hidden = jobs.length > 0;
  byId("jobs-frame").hidden = jobs.length === 0;
  byId("jobs").replaceChildren(...jobs.map(jobRow));
}

function jobRow(job) {
  const pick = element("button", "", { type: "button", className: "button quiet small" });
  pick.append(foreign(job.run_label));
  pick.addEventListener("click", () => choose(job, { push: true }));
  const system = element("span");
  system.append(nameOf(job));
  const row = rowOf([pick, system, word("modes", job.mode), stateOf(job), [instant(job.requested_at), "nowrap"]]);
  row.className = "pick";
  row.dataset.job = job.job_id;
  if (job.job_id === page.job?.job_id) row.setAttribute("aria-selected", "true");
  return row;
}

function stateOf(job) {
  const decided = job.decision ? ` · ${word("decisions", job.decision)}` : job.gate && job.mode === "full" ? ` · ${word("gates", job.gate)}` : "";
  return `${word("job_states", job.state)}${decided}`;
}

async function choose(job, { push = false, focus = true } = {}) {
  page.job = job;
  for (const row of byId("jobs").rows) row.toggleAttribute("aria-selected", false);
  byId("jobs").querySelector(`[data-job="${CSS.escape(job.job_id)}"]`)?.setAttribute("aria-selected", "true");
  if (readState().job !== job.job_id) writeState({ job: job.job_id, outcome: null, dataset: null, category: null, reason: null, q: null, offset: null, unit: null, with: null }, { push });
  if (focus) byId("current-title").focus();
  await showJob(job, page.key, { onEnd: showEnd });
}

async function showEnd(job) {
  if (job.job_id !== page.job?.job_id) return;
  page.job = job;
  await Promise.all([loadJobs(), showVersions(page.key)]);
  await showResults(job, page.key);
  await showQuestions(job, page.key);
  offerComparison(job, page.jobs, page.key);
  await showCare(page.key);
}

async function created(job) {
  await Promise.all([loadJobs(), showVersions(page.key)]);
  await showCare(page.key);
  await choose(job, { push: true });
}

async function onKnown(_me, key) {
  page.key = key;
  await showVersions(key);
  await loadJobs();
  await showCare(key);
  await chooseFromAddress();
}

async function chooseFromAddress() {
  const wanted = readState().job;
  const job = page.jobs.find((each) => each.job_id === wanted) ?? (wanted ? await call("GET", `/jobs/${encodeURIComponent(wanted)}`, { key: page.key }).catch(() => null) : page.jobs[0]);
  if (job) await choose(job, { focus: false });
}

function onGone() {
  stopWatching();
  page.key = null;
  page.job = null;
  for (const id of ["current", "results", "questions", "comparison"]) byId(id).hidden = true;
  byId("jobs").replaceChildren();
}

mountJobForm({ keyOf: () => page.key, onCreated: created });
mountJobPanel({ keyOf: () => page.key, onCreated: created, onAttested: () => showCare(page.key) });
mountResults({ keyOf: () => page.key });
mountQuestions();
mountComparison();
mountCare({ keyOf: () => page.key, onKey: (key) => { page.key = key; } });
byId("jobs-refresh").addEventListener("click", () => page.key && loadJobs());
addEventListener("popstate", () => page.key && chooseFromAddress());
mountKey({ roles: ["participant", "reviewer", "operator"], onKnown, onGone });
