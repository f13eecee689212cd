// The access request: its form, and how each request of this tab stands, up to the key.
import { call } from "./api.js";
import { onSubmit } from "./busy_form.js";
import { confirmStep } from "./confirm_step.js";
import { mountCopyButtons } from "./copy_button.js";
import { showFindings } from "./endpoint_findings.js";
import { showRefusal } from "./form_errors.js";
import { valuesOf } from "./form_values.js";
import { instant } from "./formats.js";
import { forgetRequest, keepRequest, keptRequests } from "./kept_requests.js";
import { keepKey, readKey } from "./session_key.js";
import { byId, copyOf, fill, slot } from "./slots.js";
import { t, word } from "./texts.js";

const form = byId("access-form");
const status = byId("access-status");

function showDivision() {
  for (const part of form.querySelectorAll("[data-division]")) part.hidden = part.dataset.division !== form.elements.division.value;
}
function showRoute() {
  byId("existing-key").hidden = !byId("route-existing").checked;
  if (byId("route-existing").checked && readKey()) byId("apply-key").value ||= readKey();
}
function showAuth() {
  form.elements.memory_system_key.required = form.elements.auth.value !== "none";
}
form.elements.auth.addEventListener("change", showAuth);
form.elements.division.addEventListener("change", showDivision);
for (const radio of form.querySelectorAll("[name=_route]")) radio.addEventListener("change", showRoute);
showAuth();
showDivision();
showRoute();

onSubmit(form, async (once) => {
  const application = valuesOf(form);
  const existing = byId("route-existing").checked;
  const key = existing ? byId("apply-key").value.trim() : undefined;
  status.textContent = t("access.checking");
  try {
    const created = await call("POST", "/access-requests", { key, body: application, once });
    if (existing) keepKey(key);
    const kept = { access_id: created.access_id, claim_token: created.claim_token, title: `${application.system} ${application.version}` };
    keepRequest(kept);
    form.elements.memory_system_key.value = "";
    status.textContent = t("access.sent");
    const card = show({ ...kept, fresh: true }, { ...created, created_at: new Date().toISOString() });
    byId("requests").scrollIntoView({ block: "start" });
    card.querySelector("h3").tabIndex = -1;
    card.querySelector("h3").focus();
  } catch (refusal) {
    status.textContent = "";
    throw refusal;
  }
});

onSubmit(byId("find-form"), async () => {
  const { access_id, claim_token } = valuesOf(byId("find-form"));
  const state = await call("GET", `/access-requests/${encodeURIComponent(access_id)}`, { key: claim_token });
  keepRequest({ access_id, claim_token, title: access_id });
  show({ access_id, claim_token, title: access_id }, state);
  byId("find-form").reset();
});

function show(kept, state) {
  const place = byId("requests-list");
  const card = copyOf("request-template", { title: kept.title, access_id: kept.access_id });
  card.id = `request-${kept.access_id}`;
  slot(card, "again_key").id = `again-${kept.access_id}`;
  slot(card, "again_label").htmlFor = `again-${kept.access_id}`;
  byId(card.id)?.remove();
  place.prepend(card);
  if (kept.fresh) {
    slot(card, "claim_box").hidden = false;
    fill(card, { claim_token: kept.claim_token });
    mountCopyButtons(card);
  }
  update(card, state);
  const act = (name, does) => card.querySelector(`[data-act=${name}]`).addEventListener("click", () => guarded(card, does));
  act("refresh", () => refresh(card, kept));
  act("check", async () => {
    slot(card, "status").textContent = t("access.checking");
    const again = slot(card, "again_key");
    const body = again.value ? { memory_system_key: again.value } : {};
    showFindings(card, await call("POST", `/access-requests/${encodeURIComponent(kept.access_id)}/check`, { key: kept.claim_token, body }));
    again.value = "";
  });
  act("claim", async () => {
    const shown = await call("POST", `/access-requests/${encodeURIComponent(kept.access_id)}/claim`, { key: kept.claim_token });
    keepKey(shown.key);
    slot(card, "key_box").hidden = false;
    fill(card, { key: shown.key });
    mountCopyButtons(slot(card, "key_box"));
    card.querySelector("[data-act=claim]").hidden = true;
    slot(card, "key_box").tabIndex = -1;
    slot(card, "key_box").focus();
  });
  act("forget", async () => {
    if (await confirmStep({ title: t("access.forget_title"), text: t("access.forget_text"), yes: t("access.forget_yes") })) {
      forgetRequest(kept.access_id);
      card.remove();
    }
  });
  return card;
}

function update(card, state) {
  fill(card, {
    state: word("access.states", state.state),
    created_at: instant(state.created_at),
    decided_at: instant(state.decided_at),
    reason: state.reason || t("none"),
  });
  slot(card, "state").className = `tag ${state.state === "approved" ? "fine" : state.state === "declined" ? "warn" : ""}`;
  card.querySelector("[data-act=claim]").hidden = !state.key_claimable;
  card.querySelector("[data-act=check]").hidden = state.state !== "submitted";
  slot(card, "again_box").hidden = state.state !== "submitted";
  showFindings(card, state.endpoint_check ?? null);
}

async function refresh(card, kept) {
  update(card, await call("GET", `/access-requests/${encodeURIComponent(kept.access_id)}`, { key: kept.claim_token }));
}

async function guarded(card, does) {
  const line = slot(card, "status");
  line.textContent = t("working");
  try {
    await does();
    line.textContent = t("done");
  } catch (refusal) {
    line.textContent = refusal.message;
  }
}

for (const kept of [...keptRequests()].reverse()) {
  call("GET", `/access-requests/${encodeURIComponent(kept.access_id)}`, { key: kept.claim_token })
    .then((state) => show(kept, state))
    .catch((refusal) => {
      if (refusal.status === 401 || refusal.status === 404) forgetRequest(kept.access_id);
      else showRefusal(byId("find-form"), refusal);
    });
}
