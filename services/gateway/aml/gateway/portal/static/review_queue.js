// The review queue: participants' results, and apart from them the organiser's own.
import { call, query } from "./api.js";
import { instant, percent } from "./formats.js";
import { pickButton, sayFailure, showRows } from "./listed.js";
import { openFile } from "./review_file.js";
import { byId, foreign, nameOf, rowOf } from "./slots.js";
import { word } from "./texts.js";
import { readState } from "./url_state.js";

let keyNow = () => null;

export function mountQueue({ keyOf }) {
  keyNow = keyOf;
  for (const id of ["reviews-state", "reviews-origin"]) byId(id).addEventListener("change", showQueue);
  byId("reviews-refresh").addEventListener("click", showQueue);
}

export async function showQueue() {
  if (!keyNow()) return;
  try {
    const { reviews } = await call("GET", `/reviews${query({ state: byId("reviews-state").value, origin: byId("reviews-origin").value, limit: 200 })}`, { key: keyNow() });
    showRows("reviews", reviews.map((each) => rowOf([
      pickButton(nameOf(each), () => openFile(each.job_id)),
      foreign(each.run_label),
      word("tracks", each.track),
      [percent(each.results.result.overall), "num"],
      each.decision ? word("decisions", each.decision) : word("decisions", "undecided"),
      [instant(each.requested_at), "nowrap"],
    ])));
    const wanted = readState().review;
    if (wanted && byId("file").hidden) await openFile(wanted);
  } catch (refusal) {
    sayFailure("reviews", refusal);
  }
}
