// The duty to delete: its owner says, in their own words, what was deleted. The statement stands.
import { call } from "./api.js";
import { confirmStep } from "./confirm_step.js";
import { t } from "./texts.js";

/** True when it was attested, false when the step was left. Raises `Refusal`. */
export async function attestDeletion(jobId, key) {
  const answer = await confirmStep({ title: t("attest.title"), text: t("attest.text"), yes: t("attest.yes"), reason: "required" });
  if (!answer) return false;
  await call("POST", `/jobs/${encodeURIComponent(jobId)}/deletion-attestation`, { key, body: { statement: answer.reason } });
  return true;
}
