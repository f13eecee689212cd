-- What the witnesses of a policy vouched for: checkpoints of the log with its and their signature lines.
CREATE TABLE ledger.cosigned (
    size bigint PRIMARY KEY CHECK (size > 0),
    note text   NOT NULL,
    at   bigint NOT NULL
);
CREATE TRIGGER cosigned_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.cosigned
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
ALTER TABLE ledger.cosigned ENABLE ALWAYS TRIGGER cosigned_only_grow;

-- An owner may grant itself this again, and then still meets the triggers.
REVOKE UPDATE, DELETE, TRUNCATE ON ledger.entries, ledger.nodes, ledger.checkpoints, ledger.cosigned
    FROM PUBLIC, CURRENT_USER;

-- Two roles without a login, which the service takes on for a transaction: one appends and cannot sign, the other signs
-- and cannot append. They belong to the whole cluster, so they may be there already, or not be ours to make or to take.
DO $$
DECLARE
    part text;
BEGIN
    FOREACH part IN ARRAY ARRAY['aml_ledger_writer', 'aml_ledger_signer'] LOOP
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = part) THEN
                EXECUTE format('CREATE ROLE %I NOLOGIN', part);
            END IF;
            EXECUTE format('GRANT %I TO CURRENT_USER', part);
        EXCEPTION WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN
            RAISE NOTICE 'the role % is not at hand: %', part, SQLERRM;
        END;
    END LOOP;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'aml_ledger_writer') THEN
        GRANT USAGE ON SCHEMA ledger TO aml_ledger_writer;
        GRANT SELECT, INSERT ON ledger.entries, ledger.nodes, ledger.refused TO aml_ledger_writer;
        GRANT SELECT, INSERT, UPDATE ON ledger.jobs TO aml_ledger_writer;
        GRANT SELECT, UPDATE ON ledger.head TO aml_ledger_writer;
    END IF;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'aml_ledger_signer') THEN
        GRANT USAGE ON SCHEMA ledger TO aml_ledger_signer;
        GRANT SELECT ON ledger.entries, ledger.nodes, ledger.head TO aml_ledger_signer;
        GRANT SELECT, INSERT ON ledger.checkpoints, ledger.cosigned TO aml_ledger_signer;
    END IF;
END
$$;
