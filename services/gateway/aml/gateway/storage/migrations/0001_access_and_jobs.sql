-- Who may run what, and what was run. These rows are the gateway's own facts; they leave as events through `outbox`.

CREATE TABLE gateway.installation (
    one             boolean PRIMARY KEY DEFAULT true CHECK (one),
    installation_id text NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', '')
);
INSERT INTO gateway.installation DEFAULT VALUES;

CREATE TABLE gateway.api_key (
    key_id     text PRIMARY KEY,
    role       text NOT NULL CHECK (role IN ('participant', 'reviewer', 'operator')),
    label      text NOT NULL,
    prefix     text,   -- both null until the applicant claims the key
    hash       bytea UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz
);
CREATE INDEX api_key_by_prefix ON gateway.api_key (prefix);

CREATE TABLE gateway.access_request (
    access_id   text PRIMARY KEY,
    created_at  timestamptz NOT NULL DEFAULT now(),
    application bytea NOT NULL,  -- JSON, without the memory system key
    secret_id   text,
    claim_hash  bytea NOT NULL,
    for_key_id  text REFERENCES gateway.api_key,  -- a further version of an existing key
    state       text NOT NULL DEFAULT 'submitted' CHECK (state IN ('submitted', 'approved', 'declined')),
    decided_at  timestamptz,
    decided_by  text,
    reason      text,
    key_id      text REFERENCES gateway.api_key,
    version_id  text,
    claimed_at  timestamptz
);
CREATE INDEX access_request_by_state ON gateway.access_request (state, created_at);

CREATE TABLE gateway.system_version (
    version_id             text PRIMARY KEY,
    key_id                 text NOT NULL REFERENCES gateway.api_key,
    system                 text NOT NULL,
    version                text NOT NULL,
    track                  text NOT NULL,
    division               text NOT NULL,
    arm                    text NOT NULL,
    own_run                boolean NOT NULL,  -- made by an operator's run, bound by no review
    target                 bytea,             -- JSON; null for the baseline arms
    max_add_concurrency    integer NOT NULL,
    max_search_concurrency integer NOT NULL,
    created_at             timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX system_version_once ON gateway.system_version (key_id, system, version, track) WHERE NOT own_run;

CREATE TABLE gateway.job (
    job_id             text PRIMARY KEY,
    key_id             text NOT NULL REFERENCES gateway.api_key,
    version_id         text NOT NULL REFERENCES gateway.system_version,
    mode               text NOT NULL,
    arm                text NOT NULL,
    track              text NOT NULL,
    run_label          text NOT NULL,
    release_id         text NOT NULL,
    release_digest     text NOT NULL,
    datasets           bytea NOT NULL,  -- JSON
    add_concurrency    integer NOT NULL,
    search_concurrency integer NOT NULL,
    requested_at       timestamptz NOT NULL DEFAULT now(),
    state              text NOT NULL DEFAULT 'queued'
                       CHECK (state IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
    ended_at           timestamptz,
    sealed             boolean NOT NULL DEFAULT false,
    failure_stage      text,
    failure_reason     text,
    failure_detail     text,
    gate               text CHECK (gate IN ('passed', 'refused')),
    seal               text,
    reviews            integer NOT NULL DEFAULT 0,
    decision           text,
    decided_at         timestamptz,
    CONSTRAINT job_run_label_once UNIQUE (version_id, run_label)
);
CREATE UNIQUE INDEX job_one_active ON gateway.job (key_id, track)
    WHERE state IN ('queued', 'running') AND mode <> 'run' AND arm = 'participant';
CREATE INDEX job_by_key ON gateway.job (key_id, requested_at DESC);
CREATE INDEX job_to_review ON gateway.job (requested_at) WHERE gate = 'passed';

CREATE TABLE gateway.review (
    job_id     text NOT NULL REFERENCES gateway.job,
    number     integer NOT NULL,
    decision   text NOT NULL,
    reason     text NOT NULL,
    reviewer   text NOT NULL,
    decided_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (job_id, number)
);

CREATE TABLE gateway.release_lock (
    release_id      text NOT NULL,
    release_digest  text NOT NULL,
    pipeline_digest text NOT NULL,
    locked_at       timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (release_id, release_digest, pipeline_digest)
);

CREATE TABLE gateway.idempotency (
    scope        text NOT NULL,
    key          text NOT NULL,
    request_hash bytea NOT NULL,
    answer       bytea,  -- sealed: it may hold a key or a claim token
    created_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (scope, key)
);

-- A row leaves once every transaction that could still commit before it has ended (`xid` below the snapshot's xmin).
CREATE TABLE gateway.outbox (
    seq          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    xid          xid8 NOT NULL DEFAULT pg_current_xact_id(),
    event        bytea NOT NULL,
    published_at timestamptz,
    refused      text
);
CREATE INDEX outbox_waiting ON gateway.outbox (xid, seq) WHERE published_at IS NULL;
