-- One row per run: what was asked of which model, and when.
CREATE OR REPLACE VIEW results.v_run AS
SELECT id AS run, name, probe, model, state, created_at, started_at, finished_at, planned_items
FROM audits_run;

COMMENT ON VIEW results.v_run IS 'One row a run: what was asked of which model, and when';
COMMENT ON COLUMN results.v_run.run IS 'the run''s number, as in the other views';
COMMENT ON COLUMN results.v_run.name IS 'as launched';
COMMENT ON COLUMN results.v_run.probe IS 'the method: ilps, ilps_chain, log_probability, ...';
COMMENT ON COLUMN results.v_run.model IS 'the reference by which it was named';
COMMENT ON COLUMN results.v_run.state IS 'planning, queued, running, summarising, done, failed or cancelled';
COMMENT ON COLUMN results.v_run.created_at IS 'when it was launched';
COMMENT ON COLUMN results.v_run.started_at IS 'when work began';
COMMENT ON COLUMN results.v_run.finished_at IS 'when it ended';
COMMENT ON COLUMN results.v_run.planned_items IS 'how many items the plan had; NULL before it is made';
