-- What the stream says about jobs, folded for reading. Everything here can be rebuilt by reading the stream again.

-- One row a fact that is counted: a fact delivered twice is inserted once, and only what was inserted is added up.
CREATE TABLE gateway.fact (
    job_id  text NOT NULL,
    kind    smallint NOT NULL,
    unit    text NOT NULL,
    retries integer NOT NULL,
    PRIMARY KEY (job_id, kind, unit)
);

CREATE TABLE gateway.job_progress (
    job_id               text PRIMARY KEY,
    planned_at           timestamptz,
    samples              bigint NOT NULL DEFAULT 0,
    chunks               bigint NOT NULL DEFAULT 0,
    questions            bigint NOT NULL DEFAULT 0,
    chunks_added         bigint NOT NULL DEFAULT 0,
    samples_ingested     bigint NOT NULL DEFAULT 0,
    opened               bigint NOT NULL DEFAULT 0,
    searched             bigint NOT NULL DEFAULT 0,
    answered             bigint NOT NULL DEFAULT 0,
    correct              bigint NOT NULL DEFAULT 0,
    incorrect            bigint NOT NULL DEFAULT 0,
    graded               bigint NOT NULL DEFAULT 0,
    unscored             bigint NOT NULL DEFAULT 0,
    unscored_by_platform bigint NOT NULL DEFAULT 0,
    requeued             bigint NOT NULL DEFAULT 0,
    parked               bigint NOT NULL DEFAULT 0,
    retries              bigint NOT NULL DEFAULT 0,
    first_add_at         timestamptz,
    last_at              timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

CREATE TABLE gateway.unit (
    job_id          text NOT NULL,
    unit            text NOT NULL,
    dataset         text,
    sample          text,
    item            integer,
    category        text,
    outcome         text,
    score           integer,
    rule            text,
    evidence_recall integer,
    stage           text,
    reason          text,
    detail          text,
    returned        integer,
    search_attempts integer,
    search_micros   bigint,
    context_items   integer,
    prompt_tokens   integer,
    answer_micros   bigint,
    answer_calls    integer,
    judge_calls     integer,
    PRIMARY KEY (job_id, unit)
) WITH (fillfactor = 70);

CREATE TABLE gateway.job_result (
    job_id text PRIMARY KEY,
    passed boolean NOT NULL,
    event  bytea NOT NULL  -- GatePassed or GateRefused, canonical bytes
);

CREATE TABLE gateway.parked (
    job_id      text NOT NULL,
    unit        text NOT NULL,  -- <unit>-<stage>-<delivery>
    stage       text NOT NULL,
    trigger     text NOT NULL,
    error       text NOT NULL,
    parked_at   timestamptz NOT NULL DEFAULT now(),
    requeued_at timestamptz,
    PRIMARY KEY (job_id, unit)
);
CREATE INDEX parked_waiting ON gateway.parked (parked_at) WHERE requeued_at IS NULL;

CREATE TABLE gateway.board (
    board_id     text NOT NULL,
    version      bigint NOT NULL,
    rows         bigint NOT NULL,
    tree_size    bigint NOT NULL,
    published_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (board_id, version)
);
