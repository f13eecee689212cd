// The reviewers' console: requests, results, duties and proposals. Each of its parts has a module of its own.
import { mountAccesses, showAccesses } from "./review_accesses.js";
import { mountAttestations, showAttestations } from "./review_attestations.js";
import { mountFile } from "./review_file.js";
import { mountProposals, showProposals } from "./review_proposals.js";
import { mountQueue, showQueue } from "./review_queue.js";
import { mountKey } from "./verify_key.js";

let key = null;
const keyOf = () => key;

mountAccesses({ keyOf });
mountQueue({ keyOf });
mountFile({ keyOf, onDecided: showQueue });
mountAttestations({ keyOf });
mountProposals({ keyOf });
mountKey({
  roles: ["reviewer", "operator"],
  onKnown: async (_me, known) => {
    key = known;
    await Promise.all([showAccesses(), showQueue(), showAttestations(), showProposals()]);
  },
  onGone: () => {
    key = null;
    for (const id of ["access", "file", "proposal"]) document.getElementById(id).hidden = true;
    for (const id of ["accesses", "reviews", "attestations", "proposals"]) document.getElementById(id).replaceChildren();
  },
});
