"""Where things lie in an audit bundle. The log's part is C2SP tlog-tiles (`tiles.py`), so other people's tools read it too.

bundle.json                          BundleManifest
checkpoint                           the signed head that everything is held against
policy                               tlog-policy, where the log has witnesses
tile/<level>/<n>[.p/<width>]         the whole tree's hashes: 32 bytes an entry
tile/entries/<n>[.p/<width>]         every entry (scope `cycle`)
entries/<page>.jsonl                 chosen entries (other scopes): one a line, in the log's order
proofs/<index>.tlog-proof            C2SP tlog-proof of each decision of the gate
releases/<digest>/…                  the files of each release that a job ran under
boards/<board_id>.json               the public boards
openings/<job>/<page>.jsonl          evidence, for whoever may read it
schemas/…                            JSON schemas of the events and of the board
"""

from typing import Final

MANIFEST: Final = "bundle.json"
CHECKPOINT: Final = "checkpoint"
POLICY: Final = "policy"
CHOSEN_ENTRIES: Final = "entries/"
PROOFS: Final = "proofs/"
RELEASES: Final = "releases/"
BOARDS: Final = "boards/"
OPENINGS: Final = "openings/"
SCHEMAS: Final = "schemas/"


def chosen_path(page: int) -> str:
    return f"{CHOSEN_ENTRIES}{page:05d}.jsonl"


def proof_path(index: int) -> str:
    return f"{PROOFS}{index}.tlog-proof"


def release_path(digest: str, file: str) -> str:
    return f"{RELEASES}{digest}/{file}"


def board_path(board_id: str) -> str:
    return f"{BOARDS}{board_id}.json"


def openings_path(job_id: str, page: int) -> str:
    return f"{OPENINGS}{job_id}/{page:05d}.jsonl"
