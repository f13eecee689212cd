-- Folded from the stream like the rest: what the retention worker need not look at again.

ALTER TABLE gateway.job ADD COLUMN evidence_shredded boolean NOT NULL DEFAULT false;
CREATE INDEX job_evidence_held ON gateway.job (ended_at) WHERE sealed AND NOT evidence_shredded;
