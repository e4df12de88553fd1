-- One row per finding and run that observed it: what the run shows, and the state that people gave the finding.
-- Who judged it, why, and what people wrote is not here: a reader of SQL need not be a reviewer.
CREATE OR REPLACE VIEW results.v_finding AS
SELECT seen.run_number AS run, finding.id AS finding, finding.model, finding.probe, finding.statistic, finding.variant,
       finding.group_a, finding.group_b, finding.category, finding.condition, finding.attribute, finding.template,
       seen.sentence, seen.outcome, seen.verdict, seen.value, seen.ci_low, seen.ci_high, seen.q_value,
       seen.smallest_effect, seen.n, seen.unit, seen.n_units, finding.state, finding.judged_at
FROM findings_observation AS seen
JOIN findings_finding AS finding ON finding.id = seen.finding_id;

COMMENT ON VIEW results.v_finding IS 'One row a finding and run: what the run shows of it, and its state';
COMMENT ON COLUMN results.v_finding.run IS 'the run that observed it';
COMMENT ON COLUMN results.v_finding.finding IS 'the finding''s number, as on the desk';
COMMENT ON COLUMN results.v_finding.model IS 'the model, without its revision';
COMMENT ON COLUMN results.v_finding.probe IS 'the method';
COMMENT ON COLUMN results.v_finding.statistic IS 'the figure that was tested, as in docs/methods.md';
COMMENT ON COLUMN results.v_finding.variant IS 'as in v_measure';
COMMENT ON COLUMN results.v_finding.group_a IS 'the group';
COMMENT ON COLUMN results.v_finding.group_b IS 'the group that it is compared with (a minus b)';
COMMENT ON COLUMN results.v_finding.category IS 'the list of the word, or the category of the items';
COMMENT ON COLUMN results.v_finding.condition IS 'the condition, such as ambig or disambig';
COMMENT ON COLUMN results.v_finding.attribute IS 'the word; empty: over the list';
COMMENT ON COLUMN results.v_finding.template IS 'the template of a pinned finding; empty: all';
COMMENT ON COLUMN results.v_finding.sentence IS 'the finding in words; if the verdict is not present, what an earlier run showed';
COMMENT ON COLUMN results.v_finding.outcome IS 'against the run before: new, still, stronger, weaker, reversed, back, gone, undecided, ...';
COMMENT ON COLUMN results.v_finding.verdict IS 'of this run: present, absent, undecided or not testable; empty: not measured';
COMMENT ON COLUMN results.v_finding.value IS 'the figure in this run';
COMMENT ON COLUMN results.v_finding.ci_low IS 'where its interval begins';
COMMENT ON COLUMN results.v_finding.ci_high IS 'where its interval ends';
COMMENT ON COLUMN results.v_finding.q_value IS 'its p-value, corrected for its family';
COMMENT ON COLUMN results.v_finding.smallest_effect IS 'the smallest effect that matters';
COMMENT ON COLUMN results.v_finding.n IS 'how many items it rests on';
COMMENT ON COLUMN results.v_finding.unit IS 'over which units it generalises';
COMMENT ON COLUMN results.v_finding.n_units IS 'how many of these it rests on';
COMMENT ON COLUMN results.v_finding.state IS 'of today: new, confirmed, dismissed, accepted or mitigated';
COMMENT ON COLUMN results.v_finding.judged_at IS 'when people gave it that state; NULL: nobody did';
