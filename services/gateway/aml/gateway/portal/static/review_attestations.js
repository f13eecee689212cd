// Who has not attested the deletion of evaluation data, and who has.
import { call, query } from "./api.js";
import { instant } from "./formats.js";
import { sayFailure, showRows } from "./listed.js";
import { byId, element, foreign, list, nameOf, rowOf } from "./slots.js";
import { t, word } from "./texts.js";

let keyNow = () => null;

export function mountAttestations({ keyOf }) {
  keyNow = keyOf;
  byId("attestations-state").addEventListener("change", showAttestations);
  byId("attestations-refresh").addEventListener("click", showAttestations);
}

export async function showAttestations() {
  if (!keyNow()) return;
  try {
    const { attestations } = await call("GET", `/deletion-attestations${query({ state: byId("attestations-state").value, limit: 200 })}`, { key: keyNow() });
    showRows("attestations", attestations.map((each) => {
      const said = each.attested_at ? t("attest.at", { when: instant(each.attested_at) }) : word("attest.states", each.state);
      const row = rowOf([nameOf(each), foreign(each.organisation), foreign(each.run_label), [instant(each.due_at), "nowrap"], said]);
      if (each.statement) row.cells[4].append(list(element("br"), foreign(each.statement)));
      return row;
    }));
  } catch (refusal) {
    sayFailure("attestations", refusal);
  }
}
