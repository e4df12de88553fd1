-- One row per statistic of a run. Empty template and attribute: the overall value. Empty variant: the primary definition.
-- Under other priors than the spec's: v_measure_other_prior.
CREATE OR REPLACE VIEW results.v_measure AS
SELECT run, statistic, variant, prior, group_a, group_b, category, condition, attribute, template,
       value, ci_low, ci_high, p_value, familywise_p_value, equivalence_p, least_p, q_value, verdict, smallest_effect,
       reachable_q, equivalence_q, confounds, n, unit, n_units, n_frames, reason
FROM results.measure
WHERE variant NOT LIKE 'prior: %';

COMMENT ON VIEW results.v_measure IS 'One row a statistic of a run; empty template and attribute: over all of them';
COMMENT ON COLUMN results.v_measure.run IS 'the run';
COMMENT ON COLUMN results.v_measure.statistic IS 'its name, as in docs/methods.md';
COMMENT ON COLUMN results.v_measure.variant IS 'empty: the primary definition; run:12: a comparison with run 12';
COMMENT ON COLUMN results.v_measure.prior IS 'what the score is relative to; empty where the method has its own';
COMMENT ON COLUMN results.v_measure.group_a IS 'the group';
COMMENT ON COLUMN results.v_measure.group_b IS 'the group that it is compared with (a minus b)';
COMMENT ON COLUMN results.v_measure.category IS 'what it is about; empty: over all';
COMMENT ON COLUMN results.v_measure.condition IS 'what it is about; empty: over all';
COMMENT ON COLUMN results.v_measure.attribute IS 'the word; empty: over all';
COMMENT ON COLUMN results.v_measure.template IS 'the sentence; empty: over all';
COMMENT ON COLUMN results.v_measure.value IS 'the estimate, in the unit of its statistic: a natural logarithm, a fraction, a correlation, a cosine or standard deviations';
COMMENT ON COLUMN results.v_measure.ci_low IS 'where its interval begins';
COMMENT ON COLUMN results.v_measure.ci_high IS 'where its interval ends';
COMMENT ON COLUMN results.v_measure.p_value IS 'of its test';
COMMENT ON COLUMN results.v_measure.familywise_p_value IS 'corrected for the family: any false finding';
COMMENT ON COLUMN results.v_measure.q_value IS 'corrected for the family: the share of false findings';
COMMENT ON COLUMN results.v_measure.equivalence_p IS 'of the two one-sided tests that the effect is smaller than smallest_effect';
COMMENT ON COLUMN results.v_measure.least_p IS 'the smallest p that the test could have given';
COMMENT ON COLUMN results.v_measure.verdict IS 'present, absent, undecided or not testable; empty: none is given';
COMMENT ON COLUMN results.v_measure.smallest_effect IS 'the smallest effect that matters, in the unit of the value';
COMMENT ON COLUMN results.v_measure.reachable_q IS 'the smallest q that the test could have given';
COMMENT ON COLUMN results.v_measure.equivalence_q IS 'equivalence_p, corrected for the family';
COMMENT ON COLUMN results.v_measure.confounds IS 'matched, adjusted: a difference that is present is not significant with names alike in that way';
COMMENT ON COLUMN results.v_measure.n IS 'items under it';
COMMENT ON COLUMN results.v_measure.unit IS 'what was resampled';
COMMENT ON COLUMN results.v_measure.n_units IS 'how many units';
COMMENT ON COLUMN results.v_measure.n_frames IS 'how many frames of sentences';
COMMENT ON COLUMN results.v_measure.reason IS 'why something in this row is not defined';
