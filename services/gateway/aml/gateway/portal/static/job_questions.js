// Question by question, failures first. What is filtered stands in the address; one question opens below the list.
import { call, query } from "./api.js";
import { clearErrors, showRefusal } from "./form_errors.js";
import { count, percent } from "./formats.js";
import { byId, element, fill, foreign, rowOf } from "./slots.js";
import { t, word } from "./texts.js";
import { readState, writeState } from "./url_state.js";

const PAGE = 50;
const FILTERS = ["outcome", "dataset", "category", "reason", "q"];

let job = null;
let key = null;
let total = 0;

export function mountQuestions() {
  const form = byId("question-filters");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    writeState({ ...Object.fromEntries(FILTERS.map((name) => [name, form.elements[name].value.trim()])), offset: null, unit: null }, { push: true });
    load();
  });
  byId("filter-outcome").addEventListener("change", () => form.requestSubmit());
  byId("filter-reason").addEventListener("change", () => form.requestSubmit());
  byId("page-before").addEventListener("click", () => turn(-PAGE));
  byId("page-after").addEventListener("click", () => turn(PAGE));
  byId("question-close").addEventListener("click", () => {
    byId("question").hidden = true;
    const unit = readState().unit;
    writeState({ unit: null });
    byId("question-rows").querySelector(`[data-unit="${CSS.escape(unit ?? "")}"] button`)?.focus();
  });
}

export async function showQuestions(shownJob, shownKey) {
  job = shownJob;
  key = shownKey;
  byId("questions").hidden = false;
  await load();
  const { unit } = readState();
  if (unit) await open(unit, { focus: false });
  else byId("question").hidden = true;
}

async function load() {
  const form = byId("question-filters");
  const state = readState();
  for (const name of FILTERS) form.elements[name].value = state[name] ?? "";
  const offset = Math.max(0, Number.parseInt(state.offset ?? "0", 10) || 0);
  clearErrors(form);
  try {
    const asked = Object.fromEntries(FILTERS.map((name) => [name, state[name]]));
    const page = await call("GET", `/jobs/${encodeURIComponent(job.job_id)}/questions${query({ ...asked, sort: "failures_first", limit: PAGE, offset })}`, { key });
    total = page.total;
    byId("question-rows").replaceChildren(...page.questions.map(questionRow));
    byId("question-count").textContent = t("questions.count", { n: count(total) });
    byId("page-place").textContent = total ? t("questions.place", { from: count(offset + 1), to: count(offset + page.questions.length), total: count(total) }) : "";
    byId("page-before").disabled = offset === 0;
    byId("page-after").disabled = offset + PAGE >= total;
  } catch (refusal) {
    showRefusal(form, refusal);
  }
}

function turn(by) {
  const offset = Math.max(0, (Number.parseInt(readState().offset ?? "0", 10) || 0) + by);
  writeState({ offset: offset || null, unit: null }, { push: true });
  load();
}

function questionRow(row) {
  const pick = element("button", "", { type: "button", className: "button quiet small" });
  pick.append(row.question ? foreign(row.question.slice(0, 120)) : element("code", row.unit.slice(0, 12)));
  pick.addEventListener("click", () => open(row.unit, { focus: true }));
  const outcome = element("span", word("outcomes", row.outcome), { className: `tag ${row.outcome === "correct" ? "fine" : "warn"}` });
  const score = row.outcome === "graded" ? ` ${percent(row.score)}` : "";
  const where = element("span");
  where.append(foreign(row.dataset ?? ""), " ", element("small", row.category ?? ""));
  const line = rowOf([pick, element("span"), where, word("unscored_reasons", row.reason), [count(row.returned), "num"]]);
  line.cells[1].replaceChildren(outcome, score);
  line.className = "pick";
  line.dataset.unit = row.unit;
  return line;
}

async function open(unit, { focus }) {
  const panel = byId("question");
  let file;
  try {
    file = await call("GET", `/jobs/${encodeURIComponent(job.job_id)}/questions/${encodeURIComponent(unit)}`, { key });
  } catch (refusal) {
    byId("question-count").textContent = refusal.message;
    return;
  }
  writeState({ unit });
  panel.hidden = false;
  const gone = file.evidence === "destroyed" ? t("questions.destroyed") : t("none");
  fill(panel, {
    unit: unit.slice(0, 16),
    outcome: word("outcomes", file.row.outcome),
    question: file.question ? [file.question.text, ...(file.question.options ?? [])].join("\n") : gone,
    answer: file.answer?.text ?? gone,
    gold: file.gold_shown ? goldOf(file.gold) || gone : t("questions.gold_hidden"),
    verdict: [word("outcomes", file.row.outcome), file.row.score === null ? "" : percent(file.row.score), file.row.rule ?? ""].filter(Boolean).join(" · "),
    why: file.verdict?.reason || [word("unscored_reasons", file.row.reason), file.row.detail].filter(Boolean).join(" · ") || t("none"),
  });
  const memories = (file.memories ?? []).map((memory) => {
    const item = element("li");
    item.append(foreign(contentOf(memory.content)), element("small", ` ${memory.id}${memory.score === null || memory.score === undefined ? "" : ` · ${memory.score}`}`, { className: "muted" }));
    return item;
  });
  byId("memories").replaceChildren(...(memories.length ? memories : [element("li", file.memories ? t("questions.no_memories") : gone)]));
  if (focus) byId("question-title").focus();
}

export function contentOf(content) {
  return typeof content === "string" ? content : content.map((part) => part.text ?? t("questions.image")).join("\n");
}

function goldOf(gold) {
  if (!gold) return "";
  return [...(gold.answers ?? []), gold.abstention ? t("questions.abstain") : ""].filter(Boolean).join("\n");
}
