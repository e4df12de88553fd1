-- One row per run: what was asked of which model, and when.
CREATE VIEW results.v_run AS
SELECT id AS run, name, probe, model, state, created_at, started_at, finished_at, planned_items
FROM audits_run;
