-- Keys that end, change and are taken back; versions that their owner edits or withdraws; what a check of the endpoints found.

ALTER TABLE gateway.api_key
    ADD COLUMN expires_at     timestamptz,
    ADD COLUMN first_used_at  timestamptz,
    ADD COLUMN rotations      integer NOT NULL DEFAULT 0,
    ADD COLUMN revoked_by     text,
    ADD COLUMN revoked_reason text;
UPDATE gateway.api_key SET first_used_at = created_at WHERE hash IS NOT NULL;  -- a key from before is not made anew by a claim

-- Texts that a key had before: they open nothing, and their holder is told so.
CREATE TABLE gateway.former_key (
    hash     bytea PRIMARY KEY,
    prefix   text NOT NULL,
    key_id   text NOT NULL REFERENCES gateway.api_key,
    ended_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX former_key_by_prefix ON gateway.former_key (prefix);

ALTER TABLE gateway.access_request
    ADD COLUMN endpoint_check  bytea,  -- JSON; null until the first check ended
    ADD COLUMN override_reason text;

ALTER TABLE gateway.system_version
    ADD COLUMN application        bytea,  -- JSON, as its owner last changed it; null for own runs
    ADD COLUMN endpoints_revision integer NOT NULL DEFAULT 0,
    ADD COLUMN changes            integer NOT NULL DEFAULT 0,
    ADD COLUMN key_replacements   integer NOT NULL DEFAULT 0,
    ADD COLUMN withdrawn_at       timestamptz,
    ADD COLUMN withdrawn_reason   text;
UPDATE gateway.system_version AS v SET application = r.application
FROM gateway.access_request AS r WHERE r.version_id = v.version_id;
DROP INDEX gateway.system_version_once;
CREATE UNIQUE INDEX system_version_once ON gateway.system_version (key_id, system, version, track)
    WHERE NOT own_run AND withdrawn_at IS NULL;

-- A smoke run counts for the endpoints that it called.
ALTER TABLE gateway.job ADD COLUMN endpoints_revision integer NOT NULL DEFAULT 0;
CREATE INDEX job_by_version ON gateway.job (version_id, mode, state);

-- Memory system keys that were replaced: destroyed once no job uses them any more.
CREATE TABLE gateway.retired_secret (
    secret_id  text PRIMARY KEY,
    version_id text,  -- null where no job can have used it
    retired_at timestamptz NOT NULL DEFAULT clock_timestamp()  -- not now(): a job of a transaction begun later may be older
);
