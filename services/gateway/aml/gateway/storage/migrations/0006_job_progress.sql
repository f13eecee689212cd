-- A run label is compared as people read it; what a job resumes, who ended it, and what tells a job that works from one
-- that stalls.

ALTER TABLE gateway.job ADD COLUMN run_label_key text;
-- Labels that read alike now were two before: the later ones keep their names under keys that no label can have.
UPDATE gateway.job AS j SET run_label_key = CASE WHEN k.place = 1 THEN k.key ELSE k.key || chr(31) || j.job_id END
FROM (
    SELECT job_id, key, row_number() OVER (PARTITION BY version_id, key ORDER BY requested_at, job_id) AS place
    FROM (
        SELECT job_id, version_id, requested_at,
               -- as `label_key`: what would not fit into the index is hashed
               CASE WHEN octet_length(plain) <= 1000 THEN plain ELSE encode(sha256(convert_to(plain, 'UTF8')), 'hex') END AS key
        FROM (
            SELECT job_id, version_id, requested_at,
                   normalize(btrim(regexp_replace(run_label, '\s+', ' ', 'g')), NFKC) AS plain
            FROM gateway.job
        ) AS tidied
    ) AS labels
) AS k
WHERE k.job_id = j.job_id;
ALTER TABLE gateway.job ALTER COLUMN run_label_key SET NOT NULL;
ALTER TABLE gateway.job DROP CONSTRAINT job_run_label_once;
ALTER TABLE gateway.job ADD CONSTRAINT job_run_label_once UNIQUE (version_id, run_label_key);

ALTER TABLE gateway.job ADD COLUMN resumes text REFERENCES gateway.job;
ALTER TABLE gateway.job ADD COLUMN cancelled_by text;  -- a key's id; null for a job that nobody cancelled
CREATE INDEX job_queued ON gateway.job (requested_at, job_id) WHERE state = 'queued';

-- `moved_at` is the last event that brought the job on; a unit that is only tried again does not.
ALTER TABLE gateway.job_progress
    ADD COLUMN moved_at       timestamptz,
    ADD COLUMN trouble_at     timestamptz,
    ADD COLUMN trouble_stage  text,
    ADD COLUMN trouble_reason text,
    ADD COLUMN trouble_detail text;
UPDATE gateway.job_progress SET moved_at = last_at;

CREATE INDEX unit_unscored ON gateway.unit (job_id, stage, reason) WHERE outcome = 'unscored';
