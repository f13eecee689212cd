// Looking after what one holds: the key itself, the memory system's key, versions, and the duty to delete.
import { call, query } from "./api.js";
import { attestDeletion } from "./attest_deletion.js";
import { onSubmit } from "./busy_form.js";
import { confirmStep } from "./confirm_step.js";
import { mountCopyButtons } from "./copy_button.js";
import { valuesOf } from "./form_values.js";
import { instant } from "./formats.js";
import { knownVersions, showVersions } from "./job_form.js";
import { forgetKey, keepKey } from "./session_key.js";
import { lineItem } from "./record.js";
import { byId, element, foreign, nameOf } from "./slots.js";
import { t, word } from "./texts.js";
import { mountEdit, offerEdit } from "./version_edit.js";

let keyNow = () => null;

export function mountCare({ keyOf, onKey }) {
  keyNow = keyOf;
  mountEdit({ keyOf });
  onSubmit(byId("memory-key-form"), async () => {
    const body = valuesOf(byId("memory-key-form"));
    await call("PUT", `/versions/${encodeURIComponent(byId("memory-version").value)}/memory-system-key`, { key: keyOf(), body });
    byId("memory-key").value = "";
    byId("care-status").textContent = t("care.replaced");
    await showVersions(keyOf());
  });
  byId("key-rotate").addEventListener("click", () => guarded(async () => {
    if (!(await confirmStep({ title: t("care.rotate_title"), text: t("care.rotate_text"), yes: t("care.rotate_yes") }))) return;
    const shown = await call("POST", "/me/key/rotate", { key: keyOf() });
    keepKey(shown.key);
    onKey(shown.key);
    byId("rotated-key").textContent = shown.key;
    byId("rotated").hidden = false;
    mountCopyButtons(byId("rotated"));
    byId("rotated").focus();
    byId("care-status").textContent = t("care.rotated");
  }));
  byId("key-revoke").addEventListener("click", () => guarded(async () => {
    const answer = await confirmStep({ title: t("care.revoke_title"), text: t("care.revoke_text"), yes: t("care.revoke_yes"), reason: "required" });
    if (!answer) return;
    await call("POST", "/me/key/revoke", { key: keyOf(), body: { reason: answer.reason } });
    forgetKey();
    byId("key-forget").click();
    byId("key-status").textContent = t("care.revoked");
  }));
}

export async function showCare(key) {
  const versions = knownVersions().filter((each) => !each.withdrawn_at);
  byId("memory-version").replaceChildren(...versions.map((each) => new Option(`${each.system} ${each.version} · ${word("tracks", each.track)}`, each.version_id)));
  offerEdit();
  byId("withdrawable").replaceChildren(...versions.map(versionItem));
  try {
    const { attestations } = await call("GET", `/deletion-attestations${query({ limit: 100 })}`, { key });
    byId("attestations").replaceChildren(...attestations.map(attestationItem));
    if (!attestations.length) byId("attestations").replaceChildren(lineItem(t("attest.nothing")));
  } catch (refusal) {
    byId("attestations").replaceChildren(lineItem(refusal.message));
  }
}

function attestationItem(each) {
  const item = element("li");
  const text = element("span");
  text.append(foreign(each.run_label), element("br"), element("span", each.attested_at ? t("attest.at", { when: instant(each.attested_at) }) : t("attest.due", { when: instant(each.due_at) }), { className: "muted" }));
  if (each.statement) text.append(element("br"), foreign(each.statement));
  if (!each.attested_at) {
    const button = element("button", t("attest.yes"), { type: "button", className: "button quiet small" });
    button.addEventListener("click", () => guarded(async () => {
      if (await attestDeletion(each.job_id, keyNow())) await showCare(keyNow());
    }));
    text.append(element("br"), button);
  }
  item.append(element("span", word("attest.states", each.state), { className: `tag ${each.state === "overdue" ? "warn" : each.state === "attested" ? "fine" : ""}` }), text);
  return item;
}

function versionItem(version) {
  const item = element("li");
  const text = element("span");
  text.append(nameOf(version), " ", element("code", version.version_id), element("br"));
  if (version.frozen) text.append(element("span", t("care.frozen"), { className: "muted" }));
  else {
    const button = element("button", t("care.withdraw"), { type: "button", className: "button danger small" });
    button.addEventListener("click", () => guarded(async () => {
      const answer = await confirmStep({ title: t("care.withdraw_title", { name: `${version.system} ${version.version}` }), text: t("care.withdraw_text"), yes: t("care.withdraw"), reason: "required" });
      if (!answer) return;
      await call("POST", `/versions/${encodeURIComponent(version.version_id)}/withdraw`, { key: keyNow(), body: { reason: answer.reason } });
      await showVersions(keyNow());
      await showCare(keyNow());
    }));
    text.append(button);
  }
  item.append(element("span", word("tracks", version.track), { className: "tag" }), text);
  return item;
}

async function guarded(does) {
  byId("care-status").textContent = "";
  try {
    await does();
  } catch (refusal) {
    byId("care-status").textContent = refusal.message;
  }
}
