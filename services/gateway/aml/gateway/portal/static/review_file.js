// Everything beside each other that a decision about publication needs, and the decision itself.
import { call } from "./api.js";
import { onSubmit } from "./busy_form.js";
import { confirmStep } from "./confirm_step.js";
import { count, instant, percent } from "./formats.js";
import { showScores } from "./job_results.js";
import { checkItem, lineItem, orNothing, showRecord } from "./record.js";
import { byId, element, fill, foreign, list, nameOf } from "./slots.js";
import { t, word } from "./texts.js";
import { writeState } from "./url_state.js";

let keyNow = () => null;
let decided = () => {};
let file = null;

export function mountFile({ keyOf, onDecided }) {
  keyNow = keyOf;
  decided = onDecided;
  onSubmit(byId("note-form"), async () => {
    await call("POST", `/reviews/${encodeURIComponent(file.item.job_id)}/notes`, { key: keyNow(), body: { text: byId("note-text").value.trim() } });
    byId("note-text").value = "";
    await openFile(file.item.job_id, { focus: false });
  });
  for (const button of byId("file-actions").querySelectorAll("[data-decision]")) button.addEventListener("click", () => decide(button.dataset.decision));
}

export async function openFile(jobId, { focus = true } = {}) {
  try {
    file = await call("GET", `/reviews/${encodeURIComponent(jobId)}`, { key: keyNow() });
  } catch (refusal) {
    byId("reviews-none").hidden = false;
    byId("reviews-none").textContent = refusal.message;
    return;
  }
  writeState({ review: jobId });
  const panel = byId("file");
  panel.hidden = false;
  fill(panel, { title: list(nameOf(file.item), " · ", foreign(file.item.run_label)), disclosed: disclosedAt(file.mine) });
  byId("own-system").hidden = !file.own_system;
  showScores(byId("results"), file.item.results);
  byId("fair-play").replaceChildren(...fairPlay(file.fair_play));
  showRecord(byId("file-application"), file.application ?? {});
  byId("duplicates").replaceChildren(...orNothing(file.duplicates.map(duplicate)));
  byId("similar").replaceChildren(...orNothing(file.similar.map(similar)));
  byId("notes").replaceChildren(...orNothing(file.notes.map((note) => checkItem(String(note.number), "", foreign(note.text), element("small", `${note.author} · ${instant(note.written_at)}`)))));
  byId("decisions").replaceChildren(...orNothing(file.decisions.map((each) => checkItem(word("decisions", each.decision), "", foreign(each.reason), element("small", `${each.reviewer} · ${instant(each.decided_at)}`)))));
  for (const button of byId("file-actions").querySelectorAll("[data-decision]")) button.hidden = file.own_system || !file.possible.includes(button.dataset.decision);
  byId("file-status").textContent = "";
  if (focus) byId("file-title").focus();
}

function fairPlay(found) {
  if (!found) return [lineItem(t("review.fair_play_away"))];
  const probes = found.probes.map((probe) => checkItem(word("probes", probe.outcome), probe.outcome === "leaked" ? "warn" : "fine", t("review.probe", { sample: probe.sample, n: count(probe.returned) }), ...probe.memories.map(memoryLine)));
  const flagged = found.questions.map((each) => checkItem(each.flags.map((flag) => `${word("flags", flag.kind)} ${flag.items}`).join(", "), "warn", element("span", t("review.flagged", { dataset: each.dataset, sample: each.sample, n: count(each.returned) })), ...each.memories.map(memoryLine), each.evidence === "shown" || each.evidence === "none" ? null : element("small", word("evidence", each.evidence))));
  const more = found.total > found.questions.length ? [lineItem(t("review.more_flagged", { n: count(found.total) }))] : [];
  return orNothing([...probes, ...flagged, ...more]);
}

function memoryLine(memory) {
  const line = element("span");
  line.append(foreign(memory.text.slice(0, 400)), element("small", memory.kinds.map((kind) => word("flags", kind)).join(", ")));
  return line;
}

function duplicate(each) {
  const name = element("span");
  name.append(nameOf(each), each.organisation ? foreign(` · ${each.organisation}`) : "");
  return checkItem(each.matches.map((match) => word("matches", match)).join(", "), each.same_key ? "" : "warn", name, element("small", [word("first", each.first), disclosedAt(each.theirs), each.same_key ? t("review.same_key") : ""].filter(Boolean).join(" · ")));
}

function similar(each) {
  const name = element("span");
  name.append(nameOf(each), ` · ${percent(each.overall)}`);
  return checkItem(`${percent(each.likeness)} %`, each.duplicate && !each.same_key ? "warn" : "", name, element("small", [each.exact ? t("review.exact") : "", word("first", each.first), each.theirs ? disclosedAt(each.theirs) : "", each.same_key ? t("review.same_key") : ""].filter(Boolean).join(" · ")));
}

function disclosedAt(time) {
  const place = time.log_index === null ? "" : t("review.log_index", { n: count(time.log_index) });
  return [t("review.disclosed", { when: instant(time.disclosed_at) }), place, time.changes ? t("review.changes", { n: count(time.changes) }) : ""].filter(Boolean).join(" · ");
}

async function decide(decision) {
  const answer = await confirmStep({ title: t("review.confirm", { decision: word("decision_verbs", decision) }), text: t(`review.confirm_text.${decision}`), yes: word("decision_verbs", decision), reason: "required" });
  if (!answer) return;
  const line = byId("file-status");
  try {
    await call("POST", `/jobs/${encodeURIComponent(file.item.job_id)}/review`, { key: keyNow(), body: { decision, reason: answer.reason } });
    await openFile(file.item.job_id);
    line.textContent = t("review.decided", { decision: word("decisions", decision) });
    await decided();
  } catch (refusal) {
    line.textContent = refusal.message;
  }
}
