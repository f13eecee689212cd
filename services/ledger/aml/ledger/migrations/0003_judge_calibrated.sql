-- The gate looks for these few among all entries; `entries_seldom` was made before there were any.
CREATE INDEX entries_calibrated ON ledger.entries (idx) WHERE kind = 'judge_calibrated';
