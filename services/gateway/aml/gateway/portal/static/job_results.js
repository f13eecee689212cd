// A job's private results: scores with intervals and denominators, the gate's checks, and the files to take home.
import { call } from "./api.js";
import { download } from "./download.js";
import { count, interval, micros, percent } from "./formats.js";
import { byId, element, fill, foreign, rowOf } from "./slots.js";
import { t, word } from "./texts.js";

let shown = null;

export function mountResults({ keyOf }) {
  for (const button of document.querySelectorAll("[data-download]")) {
    button.addEventListener("click", async () => {
      const status = byId("download-status");
      status.textContent = t("working");
      try {
        await download(`/jobs/${encodeURIComponent(shown)}/${button.dataset.download}`, `${shown}-${button.dataset.download}`, keyOf());
        status.textContent = t("done");
      } catch (refusal) {
        status.textContent = refusal.message;
      }
    });
  }
}

export async function showResults(job, key) {
  const section = byId("results");
  let results;
  try {
    results = await call("GET", `/jobs/${encodeURIComponent(job.job_id)}/results`, { key });
  } catch (refusal) {
    section.hidden = true;
    if (refusal.status !== 409) byId("job-action-status").textContent = refusal.message;
    return;
  }
  shown = job.job_id;
  section.hidden = false;
  showScores(section, results);
}

/** Also the reviewer's page shows results with this. */
export function showScores(section, results) {
  const { result } = results;
  fill(section, {
    overall: percent(result.overall),
    interval: interval(result.interval),
    gate: results.subject.mode === "smoke" ? t("job.gate_of_smoke") : word("gates", results.gate),
    add_latency: latencies(result.add),
    search_latency: latencies(result.search),
    context_tokens: count(result.context_tokens),
    retries: count(result.retries),
  });
  byId("datasets-rows").replaceChildren(...result.datasets.flatMap((dataset) => [
    scoreRow(element("strong", dataset.name), dataset.overall),
    ...dataset.categories.map((each) => scoreRow(category(each), each.tally)),
  ]));
  const capabilities = results.capabilities ?? [];
  byId("capabilities-part").hidden = capabilities.length === 0;
  byId("capabilities-rows").replaceChildren(...capabilities.map((each) => scoreRow(word("capabilities", each.capability), { ...each, unscored: each.planned - each.scored })));
  byId("gate-checks").replaceChildren(...[...results.checks].sort((a, b) => a.passed - b.passed).map(gateCheck));
  if (results.subject.mode === "full" && results.gate === "refused") byId("gate-checks").closest("details").open = true;
}

function category(each) {
  const text = element("span");
  text.append(foreign(each.category), " ", element("small", each.in_overall ? word("capabilities", each.capability) : t("results.apart")));
  return text;
}

function scoreRow(name, tally) {
  return rowOf([name, [percent(tally.score), "num"], [interval(tally.interval), "num"], [`${count(tally.scored)} / ${count(tally.planned)}`, "num"], [count(tally.unscored), "num"]]);
}

export function gateCheck(check) {
  const item = element("li");
  const text = element("span");
  text.append(element("code", check.name), check.passed ? "" : ` · ${check.code}`, element("br"), element("span", t("results.expected", { expected: check.expected, found: check.found }), { className: "muted" }));
  item.append(element("span", t(check.passed ? "results.passed" : "results.refused"), { className: `tag ${check.passed ? "fine" : "warn"}` }), text);
  return item;
}

function latencies(calls) {
  return calls.calls ? t("results.latency", { p50: micros(calls.p50), p95: micros(calls.p95), p99: micros(calls.p99) }) : t("none");
}
