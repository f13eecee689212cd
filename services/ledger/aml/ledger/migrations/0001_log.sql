CREATE TABLE ledger.entries (
    idx      bigint PRIMARY KEY CHECK (idx >= 0),
    event_id uuid   NOT NULL UNIQUE,
    kind     text   NOT NULL,
    job_id   text,
    job_seq  bigint,
    unit     text,
    leaf     bytea  NOT NULL CHECK (length(leaf) = 32),
    body     bytea  NOT NULL
);
CREATE UNIQUE INDEX entries_of_job ON ledger.entries (job_id, job_seq) WHERE job_id IS NOT NULL;
CREATE INDEX entries_seldom ON ledger.entries (kind, idx) WHERE kind IN ('release_locked', 'gate_passed', 'job_requested');

-- Complete subtrees of 256, 65,536, ... leaves: the roots of the log's full tiles.
CREATE TABLE ledger.nodes (
    level smallint NOT NULL CHECK (level > 0 AND level % 8 = 0),
    idx   bigint   NOT NULL CHECK (idx >= 0),
    hash  bytea    NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (level, idx)
);

CREATE TABLE ledger.checkpoints (
    size bigint PRIMARY KEY CHECK (size > 0),
    root bytea  NOT NULL CHECK (length(root) = 32),
    note text   NOT NULL,
    at   bigint NOT NULL
);

-- The one row that every append locks. Rebuildable from the entries, as are the jobs.
CREATE TABLE ledger.head (
    single     boolean PRIMARY KEY DEFAULT true CHECK (single),
    size       bigint  NOT NULL,
    frontier   bytea   NOT NULL,
    stream_seq bigint  NOT NULL,
    stream_subject text NOT NULL
);
INSERT INTO ledger.head (size, frontier, stream_seq, stream_subject) VALUES (0, '', 0, '');

CREATE TABLE ledger.jobs (
    job_id     text PRIMARY KEY,
    entries    bigint NOT NULL,
    last_leaf  bytea  NOT NULL,
    planned    bigint,
    ended      bigint NOT NULL,
    stopped    text,
    sealed_idx bigint,
    gate_idx   bigint,
    touched_ms bigint NOT NULL
);
CREATE INDEX jobs_unfinished ON ledger.jobs (sealed_idx) WHERE gate_idx IS NULL;

-- Messages of the stream that are no event of ours. The digest is over subject and bytes.
CREATE TABLE ledger.refused (
    digest  bytea  PRIMARY KEY,
    subject text   NOT NULL,
    problem text   NOT NULL,
    body    bytea  NOT NULL,
    at      bigint NOT NULL
);

CREATE FUNCTION ledger.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on ledger.% is refused: the log only grows', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER entries_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.entries
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER nodes_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.nodes
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER checkpoints_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.checkpoints
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
ALTER TABLE ledger.entries ENABLE ALWAYS TRIGGER entries_only_grow;
ALTER TABLE ledger.nodes ENABLE ALWAYS TRIGGER nodes_only_grow;
ALTER TABLE ledger.checkpoints ENABLE ALWAYS TRIGGER checkpoints_only_grow;
