-- What reviewers write beside their decisions, whom they belong to, and what participants say about deletion.

CREATE TABLE gateway.review_note (
    job_id     text NOT NULL REFERENCES gateway.job,
    number     integer NOT NULL,
    author     text NOT NULL,
    text       text NOT NULL,
    written_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (job_id, number)
);

-- A reviewer decides on nothing of their own organisation, nor of the participant's key that they hold besides.
CREATE TABLE gateway.reviewer_link (
    key_id             text PRIMARY KEY REFERENCES gateway.api_key,
    organisation       text,
    participant_key_id text REFERENCES gateway.api_key,
    linked_by          text NOT NULL,
    linked_at          timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE gateway.deletion_attestation (
    job_id      text PRIMARY KEY REFERENCES gateway.job,
    statement   text NOT NULL,
    attested_by text NOT NULL,
    attested_at timestamptz NOT NULL DEFAULT now()
);
