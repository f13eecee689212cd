"""The names, times and numbers that the examples share: one invented system on its way to the board."""

from datetime import UTC, datetime

KEY_ID = "key-4n8q2zt6"
VERSION_ID = "ver-7k1m9xw3"
ACCESS_ID = "acc-2b6d8fh1"
JOB_ID = "job-5r3t9yq7"
EARLIER_JOB_ID = "job-1c4e6gj8"
REVIEWER_ID = "key-9s5v1bn4"
UNIT = "2a4a03d4c11d7c1ec389"
PROPOSAL_ID = "prop-6w2u8mk5"

APPLIED_AT = datetime(2026, 9, 3, 9, 15, tzinfo=UTC)
APPROVED_AT = datetime(2026, 9, 4, 13, 40, tzinfo=UTC)
STARTED_AT = datetime(2026, 9, 7, 8, 0, tzinfo=UTC)
ENDED_AT = datetime(2026, 9, 7, 8, 42, tzinfo=UTC)
DUE_AT = datetime(2026, 10, 7, 8, 42, tzinfo=UTC)

COMMIT = "4f1d9a6c0be27358d1f5a9c3e8b7640212fdc9ab"
DIGEST = "7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730"
SEAL = "ab3d1f60c2b9e4785a6d0913f7c84e25b1609d3a7ef25c48d0a1b6937e5f2c84"

PARTICIPANT_KEY = "aml_p_Zk3v9Qm1Xt7Rb5Nw2Yd8Lc4Hs6Jf0Ga"
FORMER_PREFIX = "aml_p_Zk3v9Q"
CLAIM_TOKEN = "claim_5uD0oN1mV7cXq3hR8bT2yK6wE9pS4aLfJzGiQkUoM0A"  # noqa: S105 - invented
PROPOSAL_TOKEN = "proposal_8yH2kP5sVb9Xn3Qw6Tz1Rf4Jd7Lg0MaCeUiOqYtEvB"  # noqa: S105 - invented
