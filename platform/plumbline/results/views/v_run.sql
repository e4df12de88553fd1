-- One row per run: what was asked of which model, and when.
CREATE OR REPLACE VIEW results.v_run AS
SELECT run.id AS run, run.name, run.probe, run.model, run.state, run.created_at, run.started_at, run.finished_at,
       run.planned_items, plan.name AS plan
FROM audits_run AS run
LEFT JOIN audits_plan AS plan ON plan.id = run.plan_id;

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
COMMENT ON COLUMN results.v_run.plan IS 'the plan that it belongs to; NULL: none. Runs of one plan are compared';
