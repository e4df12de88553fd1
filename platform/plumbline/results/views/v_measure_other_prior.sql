-- One row per statistic that depends on the prior, under each other prior than the spec's. The variant begins with its name.
CREATE OR REPLACE VIEW results.v_measure_other_prior AS
SELECT run, statistic, variant, prior, group_a, group_b, category, condition, attribute, template,
       value, ci_low, ci_high, p_value, familywise_p_value, equivalence_p, least_p, q_value, verdict, smallest_effect,
       reachable_q, equivalence_q, confounds, n, unit, n_units, n_frames, reason
FROM results.measure
WHERE variant LIKE 'prior: %';

COMMENT ON VIEW results.v_measure_other_prior IS 'One row a statistic under another prior than the spec''s; empty template and attribute: over all of them';
COMMENT ON COLUMN results.v_measure_other_prior.run IS 'the run';
COMMENT ON COLUMN results.v_measure_other_prior.statistic IS 'its name, as in docs/methods.md';
COMMENT ON COLUMN results.v_measure_other_prior.variant IS 'the other prior, then the variant';
COMMENT ON COLUMN results.v_measure_other_prior.prior IS 'what the score is relative to; empty where the method has its own';
COMMENT ON COLUMN results.v_measure_other_prior.group_a IS 'the group';
COMMENT ON COLUMN results.v_measure_other_prior.group_b IS 'the group that it is compared with (a minus b)';
COMMENT ON COLUMN results.v_measure_other_prior.category IS 'what it is about; empty: over all';
COMMENT ON COLUMN results.v_measure_other_prior.condition IS 'what it is about; empty: over all';
COMMENT ON COLUMN results.v_measure_other_prior.attribute IS 'the word; empty: over all';
COMMENT ON COLUMN results.v_measure_other_prior.template IS 'the sentence; empty: over all';
COMMENT ON COLUMN results.v_measure_other_prior.value IS 'the estimate, in the unit of its statistic: a natural logarithm, a fraction, a correlation, a cosine or standard deviations';
COMMENT ON COLUMN results.v_measure_other_prior.ci_low IS 'where its interval begins';
COMMENT ON COLUMN results.v_measure_other_prior.ci_high IS 'where its interval ends';
COMMENT ON COLUMN results.v_measure_other_prior.p_value IS 'of its test';
COMMENT ON COLUMN results.v_measure_other_prior.familywise_p_value IS 'corrected for the family: any false finding';
COMMENT ON COLUMN results.v_measure_other_prior.q_value IS 'corrected for the family: the share of false findings';
COMMENT ON COLUMN results.v_measure_other_prior.equivalence_p IS 'of the two one-sided tests that the effect is smaller than smallest_effect';
COMMENT ON COLUMN results.v_measure_other_prior.least_p IS 'the smallest p that the test could have given';
COMMENT ON COLUMN results.v_measure_other_prior.verdict IS 'present, absent, undecided or not testable; empty: none is given';
COMMENT ON COLUMN results.v_measure_other_prior.smallest_effect IS 'the smallest effect that matters, in the unit of the value';
COMMENT ON COLUMN results.v_measure_other_prior.reachable_q IS 'the smallest q that the test could have given';
COMMENT ON COLUMN results.v_measure_other_prior.equivalence_q IS 'equivalence_p, corrected for the family';
COMMENT ON COLUMN results.v_measure_other_prior.confounds IS 'matched, adjusted: a difference that is present is not significant with names alike in that way';
COMMENT ON COLUMN results.v_measure_other_prior.n IS 'items under it';
COMMENT ON COLUMN results.v_measure_other_prior.unit IS 'what was resampled';
COMMENT ON COLUMN results.v_measure_other_prior.n_units IS 'how many units';
COMMENT ON COLUMN results.v_measure_other_prior.n_frames IS 'how many frames of sentences';
COMMENT ON COLUMN results.v_measure_other_prior.reason IS 'why something in this row is not defined';
