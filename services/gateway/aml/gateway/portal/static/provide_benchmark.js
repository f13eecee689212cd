// Offering a benchmark: the proposal first, then its package, if one was chosen.
import { Refusal, call } from "./api.js";
import { onSubmit } from "./busy_form.js";
import { mountCopyButtons } from "./copy_button.js";
import { valuesOf } from "./form_values.js";
import { bytes, count } from "./formats.js";
import { uploadPackage } from "./package_upload.js";
import { byId, element, fill, foreign } from "./slots.js";
import { t, word } from "./texts.js";

const form = byId("proposal-form");
const status = byId("proposal-status");
let sent = null;

onSubmit(form, async (once) => {
  const file = byId("package").files[0];
  const order = valuesOf(form);
  status.textContent = t("proposal.sending");
  try {
    sent = await call("POST", "/benchmark-proposals", { key: byId("proposal-key").value.trim() || undefined, body: order, once });
  } catch (refusal) {
    status.textContent = "";
    throw refusal;
  }
  status.textContent = t("proposal.sent");
  form.closest("section").hidden = true;
  byId("sent").hidden = false;
  fill(byId("sent"), { proposal_id: sent.proposal_id, state: word("proposal_states", sent.state), proposal_token: sent.proposal_token, package: t("none") });
  mountCopyButtons(byId("sent"));
  byId("sent-title").focus();
  byId("proposal-key").value = "";
  if (file) await upload(file);
});

byId("send-package").addEventListener("click", () => {
  const file = byId("package-late").files[0];
  if (file) upload(file);
  else byId("package-status").textContent = t("proposal.choose");
});

async function upload(file) {
  const line = byId("package-status");
  const bar = byId("upload-bar");
  byId("sent").insertBefore(byId("upload"), line);
  byId("upload").hidden = false;
  try {
    if (file.size > sent.max_package_bytes) throw new Refusal(413, { reason: "package_too_large", message: t("proposal.too_large", { size: bytes(file.size), limit: bytes(sent.max_package_bytes) }) });
    const proposal = await uploadPackage(`/benchmark-proposals/${encodeURIComponent(sent.proposal_id)}/package`, file, {
      token: sent.proposal_token,
      onSent: (done, total) => {
        bar.max = Math.max(1, total);
        bar.value = done;
        const percent = Math.floor((100 * done) / Math.max(1, total));
        const said = done >= total ? t("proposal.inspecting") : t("proposal.sent_so_far", { percent: percent - (percent % 10) });
        if (line.textContent !== said) line.textContent = said;
      },
    });
    line.textContent = t("proposal.packaged");
    fill(byId("sent"), { package: `${proposal.package.name} · ${bytes(proposal.package.bytes)}` });
    byId("package-report").replaceChildren(...reportItems(proposal.package.report));
    byId("package-again").hidden = true;
  } catch (refusal) {
    const problems = (refusal.fields ?? []).map((each) => each.problem).join("; ");
    line.textContent = problems ? t("proposal.package_refused", { why: problems }) : refusal.message;
  } finally {
    byId("upload").hidden = true;
  }
}

function reportItems(report) {
  const items = report.members.slice(0, 30).map((member) => {
    const item = element("li");
    const text = element("span");
    text.append(foreign(member.name), element("br"), element("span", member.data ? t("proposal.member", { format: member.data.format, rows: count(member.data.rows), size: bytes(member.bytes) }) : bytes(member.bytes), { className: "muted" }));
    item.append(element("span", "✓", { ariaHidden: "true" }), text);
    return item;
  });
  for (const missing of report.missing) {
    const item = element("li");
    item.append(element("span", "–", { ariaHidden: "true" }), element("span", word("proposal.missing", missing)));
    items.push(item);
  }
  return items;
}
