-- Benchmarks that somebody offers. The package itself is a file, in quarantine; a row names it once it is whole.

CREATE TABLE gateway.benchmark_proposal (
    proposal_id    text PRIMARY KEY,
    created_at     timestamptz NOT NULL DEFAULT now(),
    proposal       bytea NOT NULL,  -- JSON
    key_id         text REFERENCES gateway.api_key,  -- null for a donor without a key
    token_hash     bytea NOT NULL,
    state          text NOT NULL DEFAULT 'submitted' CHECK (state IN ('submitted', 'more_asked', 'accepted', 'declined')),
    decisions      integer NOT NULL DEFAULT 0,
    package_sha256 text,  -- all six null until a package was stored
    package_bytes  bigint,
    package_name   text,
    package_report bytea,  -- JSON
    package_file   text UNIQUE,  -- below the donations folder
    packaged_at    timestamptz
);
CREATE INDEX benchmark_proposal_by_state ON gateway.benchmark_proposal (state, created_at);

CREATE TABLE gateway.proposal_decision (
    proposal_id text NOT NULL REFERENCES gateway.benchmark_proposal,
    number      integer NOT NULL,
    decision    text NOT NULL,
    reason      text NOT NULL,
    reviewer    text NOT NULL,
    decided_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (proposal_id, number)
);
