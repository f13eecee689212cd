// A run beside an earlier one of the same key: what got worse, and whether chance explains it.
import { call, query } from "./api.js";
import { onSubmit } from "./busy_form.js";
import { count, percent } from "./formats.js";
import { byId, element, fill, foreign, rowOf } from "./slots.js";
import { t, word } from "./texts.js";
import { readState, writeState } from "./url_state.js";

let job = null;
let key = null;

export function mountComparison() {
  onSubmit(byId("comparison-form"), async () => {
    const other = byId("with").value;
    writeState({ with: other });
    await compare(other);
  });
}

export function offerComparison(shownJob, jobs, shownKey) {
  job = shownJob;
  key = shownKey;
  const others = jobs.filter((each) => each.job_id !== job.job_id && each.track === job.track && each.mode === job.mode && each.gate);
  byId("comparison").hidden = others.length === 0;
  byId("comparison-answer").hidden = true;
  byId("with").replaceChildren(...others.map((each) => new Option(`${each.run_label} · ${each.system} ${each.version} · ${word("modes", each.mode)}`, each.job_id)));
  const wanted = readState().with;
  if (others.some((each) => each.job_id === wanted)) {
    byId("with").value = wanted;
    compare(wanted).catch((refusal) => { byId("comparison-line").textContent = refusal.message; });
  }
}

async function compare(other) {
  const found = await call("GET", `/jobs/${encodeURIComponent(job.job_id)}/comparison${query({ with: other })}`, { key });
  byId("comparison-answer").hidden = false;
  const chance = found.mcnemar.p_value / 1e6;
  fill(byId("comparison"), {
    common: t("comparison.common", { n: count(found.common), both: count(found.scored_in_both) }),
    regressions: count(found.regressions),
    improvements: count(found.improvements),
    p_value: chance < 0.001 ? "< 0.001" : chance.toFixed(3),
  });
  byId("comparison-line").textContent = found.common === 0 ? t("comparison.nothing_common") : [t(chance < 0.05 ? "comparison.real" : "comparison.chance"), found.same_release ? "" : t("comparison.other_release")].filter(Boolean).join(" ");
  const rows = (found.regressed ?? []).map((each) => {
    const name = each.question ? foreign(each.question) : element("code", each.unit.slice(0, 12));
    return rowOf([name, foreign(`${each.dataset ?? ""} ${each.category ?? ""}`), outcome(each.before_outcome, each.before_score), outcome(each.outcome, each.score)]);
  });
  if (!rows.length) {
    rows.push(rowOf([t("comparison.none")]));
    rows[0].firstChild.colSpan = 4;
  }
  byId("regression-rows").replaceChildren(...rows);
}

function outcome(name, score) {
  return `${word("outcomes", name)}${name === "graded" ? ` ${percent(score)}` : ""}`;
}
